"""Patterns are run as they were declared."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from tests.design.orders import (
    ACCOUNT,
    NOON,
    ORDER_PAGE,
    ORDERS_OF_CUSTOMER,
    PENDING,
    Account,
    App,
    Order,
    OrderLine,
    order,
)

import partita
from partita.design import GetMany, P, Query, TransactGet
from partita.model import AsyncSession, F, Session
from partita.model.errors import ExpressionError, KeyValueError, ReadRefused
from partita.model.expressions.rendering import render


@pytest.fixture
def requests() -> list[Any]:
    return []


@pytest.fixture
def client() -> Iterator[Any]:
    with partita.Database() as database:
        yield database.client()


@pytest.fixture
def session(client: Any, requests: list[Any]) -> Iterator[Session]:
    with Session(client, log=requests.append) as session:
        session.create_table(App)
        for day in range(5):
            session.create(order(id=f"o{day}", placed=NOON + timedelta(days=day)))
        session.create(order(id="other", customer="8"))
        session.create(OrderLine(tenant="42", order="o1", number=1, sku="shoe"))
        requests.clear()
        yield session


DAYS = {"since": NOON + timedelta(days=1), "until": NOON + timedelta(days=3)}


def test_a_get_gives_the_entity_or_none(session: Session) -> None:
    assert session.run(ACCOUNT, id="u1") is None


def test_a_query_gives_a_page_in_its_order(session: Session) -> None:
    page = session.run(ORDERS_OF_CUSTOMER, tenant="42", customer="7", **DAYS)
    assert [one.id for one in page.items] == ["o3", "o2", "o1"]


def test_a_collection_is_one_request(session: Session, requests: list[Any]) -> None:
    found = session.run(ORDER_PAGE, tenant="42", id="o1")
    assert found.one(Order).id == "o1"
    assert [line.sku for line in found.of(OrderLine)] == ["shoe"]
    assert len(requests) == 1


def test_a_sharded_query_is_as_many_requests_as_shards(session: Session, requests: list[Any]) -> None:
    page = session.run(PENDING, tenant="42")
    assert sorted(one.id for one in page.items) == ["o0", "o1", "o2", "o3", "o4", "other"]
    assert len(requests) == 4


def test_requests_are_counted_under_the_patterns_name(session: Session) -> None:
    session.run(PENDING, tenant="42")
    assert session.consumed["pending orders"].requests == 4


def test_a_page_goes_on_from_its_cursor(session: Session) -> None:
    pairs = Query("two orders", Order.gsi1(tenant=P("tenant"), customer=P("customer")), limit=2)
    first = session.run(pairs, tenant="42", customer="7")
    second = session.run(pairs, tenant="42", customer="7", cursor=first.cursor)
    assert [one.id for one in (*first.items, *second.items)] == ["o0", "o1", "o2", "o3"]


def test_a_filter_takes_its_values_when_it_is_run(session: Session) -> None:
    costly = Query(
        "costly orders",
        Order.gsi1(tenant=P("tenant"), customer=P("customer")),
        filter=(F(Order).total >= P("least")) & ~F(Order).status.is_in([P("status")]),
        limit=20,
    )
    assert len(session.run(costly, tenant="42", customer="7", least=10, status="SHIPPED").items) == 5
    assert session.run(costly, tenant="42", customer="7", least=13, status="SHIPPED").items == []
    assert session.run(costly, tenant="42", customer="7", least=10, status="PENDING").items == []


@pytest.mark.parametrize(
    "made",
    [
        lambda: F(Order).id.contains(P("x")),
        lambda: F(Order).id.begins_with(P("x")),
        lambda: F(Order).placed.between(P("x"), P("x")),
        lambda: F(Order).id != P("x"),
    ],
)
def test_a_filter_without_its_values_is_never_sent(made: Any) -> None:
    with pytest.raises(ExpressionError, match="parameter x has no value yet"):
        render(filter=made())


def test_values_are_checked_when_they_are_bound() -> None:
    with pytest.raises(KeyValueError, match="needs a value for id"):
        ORDER_PAGE.bind(tenant="42")
    with pytest.raises(KeyValueError, match="has no parameter customer"):
        ORDER_PAGE.bind(tenant="42", id="1", customer="7")
    with pytest.raises(KeyValueError, match="not a str"):
        ORDER_PAGE.bind(tenant=42, id="1")
    with pytest.raises(KeyValueError, match="nothing lies between"):
        ORDERS_OF_CUSTOMER.bind(tenant="42", customer="7", since=DAYS["until"], until=DAYS["since"])


def test_names_are_checked_when_the_pattern_is_made() -> None:
    with pytest.raises(KeyValueError, match="customer is missing"):
        Order.gsi1(tenant=P("tenant"))
    with pytest.raises(KeyValueError, match="has no 'shop'"):
        Order.gsi1(shop=P("shop"), customer=P("customer"))


def test_bound_conditions_are_those_of_the_entity() -> None:
    assert ORDER_PAGE.bind(tenant="42", id="1") == Order.key(tenant="42", id="1")
    assert ACCOUNT.bind(id="u1") == Account.key(id="u1")
    assert ORDERS_OF_CUSTOMER.bind(tenant="42", customer="7", **DAYS) == Order.gsi1(
        tenant="42", customer="7"
    ).between(DAYS["since"], DAYS["until"])


class _Awaitable:
    """A client of coroutines over one that answers at once."""

    def __init__(self, client: Any) -> None:
        self._client = client
        self.meta = client.meta

    def __getattr__(self, name: str) -> Any:
        async def method(**parameters: Any) -> Any:
            return getattr(self._client, name)(**parameters)

        return method


def test_an_async_session_runs_the_same_patterns(session: Session, client: Any) -> None:
    async def run() -> list[str]:
        page = await AsyncSession(_Awaitable(client)).run(
            ORDERS_OF_CUSTOMER, tenant="42", customer="7", **DAYS
        )
        return [one.id for one in page.items]

    assert asyncio.run(run()) == ["o3", "o2", "o1"]


def test_items_of_one_moment_are_one_request(session: Session, requests: list[Any]) -> None:
    both = TransactGet("both", Order.key(tenant=P("tenant"), id=P("one")), Account.key(id=P("account")))
    order, account = session.run(both, tenant="42", one="o1", account="none")
    assert order is not None
    assert (order.id, account) == ("o1", None)
    assert [(one.operation, one.pattern) for one in requests] == [("TransactGetItems", "both")]
    key = Order.key(tenant=P("tenant"), id=P("ids"))
    several = TransactGet("several", key, each="ids", at_most=2)
    found = session.run(several, tenant="42", ids=["o2", "none"])
    assert [one and one.id for one in found] == ["o2", None]
    with pytest.raises(ReadRefused, match="'several' reads at most 2 items, not 3"):
        session.run(several, tenant="42", ids=list("123"))
    with pytest.raises(KeyValueError, match="has no parameter x"):
        session.run(several, tenant="42", ids=[], x=1)


def test_many_keys_are_one_request(session: Session, client: Any, requests: list[Any]) -> None:
    orders = GetMany("orders", Order.key(tenant=P("tenant"), id=P("ids")), each="ids", at_most=3)
    found = session.run(orders, tenant="42", ids=["o1", "none", "o0"])
    assert [one and one.id for one in found] == ["o1", None, "o0"]
    assert [(one.operation, one.pattern) for one in requests] == [("BatchGetItem", "orders")]
    assert session.run(orders, tenant="42", ids=[]) == []
    with pytest.raises(ReadRefused, match="'orders' reads at most 3 items, not 4"):
        session.run(orders, tenant="42", ids=list("1234"))
    with pytest.raises(KeyValueError, match="needs a value for ids"):
        session.run(orders, tenant="42")
