"""A failed condition is named: with the fields and values, whom it is about, and what is stored."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from tests.model.writing.conftest import Shop
from tests.model.writing.shop import App, Order, Stock, order

from partita.model import F, FrozenTransaction, Raw
from partita.model.errors import ConditionFailed, TransactionFailed

REF = Order.key(tenant="42", id="991")
NINE = Stock.key(sku="9")


def failed(shop: Shop, when: Any) -> str:
    with pytest.raises(ConditionFailed) as error:
        shop.session.change(REF, F(Order).note.set("x"), when=when)
    return str(error.value)


@pytest.mark.parametrize(
    ("when", "says"),
    [
        (F(Order).total >= 20, "total >= 20 does not hold; stored: total = 12.5"),
        (
            (F(Order).status == "SHIPPED") | F(Order).tags.contains("x"),
            "status = 'SHIPPED' OR contains(tags, 'x') does not hold; "
            "stored: status = 'PENDING', tags is absent",
        ),
        (F(Order).address.city == "Rome", "address.city = 'Rome' does not hold; stored: address is absent"),
        (F(Order).lines[0].qty > 1, "lines[0].qty > 1 does not hold; stored: lines = []"),
        (F(Order).note.exists(), "attribute_exists(note) does not hold; stored: note is absent"),
        (
            Raw("#a < :limit", names={"#a": F(Order).total}, values={":limit": Decimal(1)}),
            "total < 1 does not hold; stored: total = 12.5",
        ),
    ],
)
def test_of_a_single_write(shop: Shop, when: Any, says: str) -> None:
    shop.session.create(order())
    assert failed(shop, when) == f"Order TENANT#42#ORDER#991 / META: the condition {says}"


def test_long_ones_are_cut(shop: Shop) -> None:
    shop.session.create(order())
    text = failed(shop, F(Order).note == "x" * 5000)
    assert len(text) < 500
    many = failed(shop, F(Order).customer.is_in([f"customer {n}" for n in range(100)]))
    assert len(many) < 900


def test_of_an_update_by_what_was_read(shop: Shop) -> None:
    shop.session.put(Stock(sku="9", qty=3))
    read = shop.session.get(Stock, sku="9")
    assert read is not None
    read.name = "Shoe"
    with pytest.raises(ConditionFailed, match=r"^Stock STOCK#9 / STOCK: the condition qty >= 5 does"):
        shop.session.update(read, when=F(Stock).qty >= 5)


def test_of_a_version_that_is_right_only_the_other_condition(shop: Shop) -> None:
    shop.session.create(order())
    read = shop.session.get(Order, tenant="42", id="991")
    assert read is not None
    read.note = "x"
    with pytest.raises(ConditionFailed, match=r"META: the condition total > 99 does not hold; stored: total"):
        shop.session.update(read, when=F(Order).total > 99)


@pytest.mark.parametrize("through_json", [False, True])
def test_of_a_transaction(shop: Shop, through_json: bool) -> None:
    shop.session.create(order())
    shop.session.put(Stock(sku="9", qty=1))
    tx = shop.session.transaction("op")
    tx.change(NINE, F(Stock).qty.add(-2), when=F(Stock).qty >= 2)
    tx.check(REF, F(Order).status == "SHIPPED")
    frozen = tx.freeze()
    if through_json:
        frozen = FrozenTransaction.from_json(frozen.to_json(), App)
    with pytest.raises(TransactionFailed) as error:
        shop.session.commit(frozen)
    assert [str(reason.error) for reason in error.value.reasons] == [
        "Stock STOCK#9 / STOCK: the condition qty >= 2 does not hold; stored: qty = 1",
        "Order TENANT#42#ORDER#991 / META: the condition status = 'SHIPPED' does not hold; "
        "stored: status = 'PENDING'",
    ]
    # The subject stands in each of them already.
    assert str(error.value).count("Stock STOCK#9 / STOCK") == 1
