"""The service sends, for each pattern, exactly what the pattern declares."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
from examples.orders import patterns
from examples.orders.entities import Account, Customer, Product, Shop
from examples.orders.service import OrderService, Wanted

import partita
from partita.design.designs import Pattern, design_of
from partita.design.testing import assert_pattern
from partita.model import Session

NOW = datetime(2026, 9, 28, 12, tzinfo=UTC)
ACCOUNT = Account(id="new", email="new@x.io", username="new")
PRODUCT = Product(tenant="42", id="new", title="New", price=Decimal(1), quantity=1)


def place(service: OrderService, key: str = "k") -> Any:
    wanted = [Wanted("shoes", 2), Wanted("lamp", 1)]
    return service.place_order("42", "7", wanted, key=key, placed=NOW)


@pytest.fixture
def service() -> Iterator[OrderService]:
    with partita.Database() as database, Session(database.client()) as session:
        session.create_table(Shop)
        service = OrderService(session)
        service.put_customer(Customer(tenant="42", id="7", name="Ada"))
        for name in ("shoes", "lamp"):
            service.add_product(
                Product(tenant="42", id=name, title=name, price=Decimal("12.50"), quantity=10)
            )
        service.register(Account(id="1", email="a@x.io", username="ada"))
        yield service


Use = Callable[[OrderService], object]
NEED_AN_ORDER = frozenset(
    {
        "order by id",
        "order page",
        "order sent again",
        "orders of a customer",
        "pending orders",
        "take an order",
        "complete an order",
    }
)
"""Patterns that are used on an order that is there."""


def first(service: OrderService) -> Any:
    (order,) = service.pending("42").items
    return order


def asked(pattern: Any, **values: Any) -> Use:
    return lambda service: service.session.run(pattern, tenant="42", **values)


def listed(service: OrderService) -> object:
    return service.orders_of("42", "7", NOW - timedelta(days=1), NOW + timedelta(days=1))


USES: dict[str, Callable[[OrderService], Use]] = {
    "order by id": lambda s: asked(patterns.ORDER, order=first(s).id),
    "order page": lambda s: (lambda number: lambda s: s.order_page("42", number))(first(s).id),
    "order sent again": lambda s: asked(patterns.ORDER_SENT_AGAIN, order=first(s).id),
    "orders of a customer": lambda s: listed,
    "pending orders": lambda s: lambda s: s.pending("42"),
    "customer by id": lambda s: asked(patterns.CUSTOMER, customer="7"),
    "product by id": lambda s: lambda s: s.product("42", "lamp"),
    "products of an order": lambda s: asked(patterns.PRODUCTS, products=["lamp", "shoes"]),
    "account by id": lambda s: lambda s: s.account("1"),
    "place an order": lambda s: place,
    "take an order": lambda s: lambda s: s.take("42", first(s).id, "w1", NOW),
    "complete an order": lambda s: (lambda order: lambda s: s.complete(order))(
        s.take("42", first(s).id, "w1", NOW)
    ),
    "put a customer": lambda s: lambda s: s.put_customer(Customer(tenant="42", id="8", name="Bao")),
    "add a product": lambda s: lambda s: s.add_product(PRODUCT.model_copy()),
    "reserve by condition": lambda s: lambda s: s.reserve("42", "lamp", 1),
    "edit by version": lambda s: (lambda product: lambda s: s.edit_product(product, product.version))(
        s.product("42", "lamp")
    ),
    "register an account": lambda s: lambda s: s.register(ACCOUNT.model_copy()),
    "change an e-mail address": lambda s: lambda s: s.change_email("1", "b@x.io"),
    "delete an account": lambda s: lambda s: s.delete_account("1"),
}


@pytest.mark.parametrize("pattern", design_of(patterns).patterns, ids=lambda pattern: pattern.name)
def test_what_is_declared_is_what_is_sent(service: OrderService, pattern: Pattern) -> None:
    if pattern.name in NEED_AN_ORDER:
        place(service)
    use = USES[pattern.name](service)
    # The orders of a customer have the one in them that was placed just now.
    with assert_pattern(pattern, service.session, including=pattern is patterns.ORDERS_OF_CUSTOMER):
        use(service)


def test_another_use_is_told(service: OrderService) -> None:
    def reserve_what_was_seen() -> None:
        service.product("42", "lamp")
        service.reserve("42", "lamp", 1)

    with (
        pytest.raises(AssertionError, match="no read in decided_by declares it"),
        assert_pattern(patterns.RESERVE, service.session),
    ):
        reserve_what_was_seen()
