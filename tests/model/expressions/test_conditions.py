"""Conditions mean on a server what they say in Python, and hold in conditions of writes and in filters."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
from botocore.exceptions import ClientError
from hypothesis import given, settings
from hypothesis import strategies as st
from tests import counts
from tests.model.conftest import Server
from tests.model.expressions.shop import ITEM, Address, Colour, Order, create_table

import partita
from partita.model import F, Raw, render
from partita.model.expressions.conditions import Condition
from partita.model.expressions.rendering import attributes_of

O = F(Order)  # noqa: E741
NEW_YEAR = datetime(2026, 1, 1, tzinfo=UTC)

TRUE: list[Condition] = [
    O.qty == 3,
    O.qty != 4,
    O.weight != 1.0,
    O.qty > 2,
    O.qty >= 3,
    O.qty < 4,
    O.qty <= 3,
    O.qty.between(3, 5),
    O.qty.between(O.stock, 5),
    O.qty.is_in([1, 2, 3]),
    O.qty.is_in(range(100)),
    O.qty == O.stock,
    O.qty <= O.stock,
    O.total == Decimal("10.50"),
    O.total > 10,
    O.placed == NEW_YEAR,
    O.placed < NEW_YEAR + timedelta(microseconds=1),
    O.placed.begins_with("2026-"),
    O.status == "PENDING",
    O.status.is_in(["SHIPPED", "PENDING"]),
    O.note.begins_with("leave"),
    O.note.contains("at the"),
    O.note.exists(),
    O.note != None,  # noqa: E711
    O.weight.not_exists(),
    O.weight == None,  # noqa: E711
    O.note.size() > 3,
    O.note.size().between(17, 17),
    O.note.size().is_in([1, 17]),
    O.tags.size() == O.codes.size(),
    O.tags.size() < O.qty,
    O.qty > O.tags.size(),
    O.paid == False,  # noqa: E712
    O.picture == b"abc",
    O.picture.begins_with(b"a"),
    O.colour == Colour.RED,
    O.discount == None,  # noqa: E711
    O.discount.exists(),
    O.discount.is_type("NULL"),
    O.tags == {"b", "a"},
    O.tags.contains("a"),
    O.codes.contains(1),
    O.history.contains(2),
    O.gaps.contains(None),
    O.gaps[1] == None,  # noqa: E711
    O.history == [1, 2],
    O.address.city == "Huế",
    O.address.city.size() == 3,
    O.colour.between(Colour.BLUE, Colour.RED),
    O.qty.between(3, 10),
    O.address.postcode == "49000",
    O.address["size"] == 4,
    O.address == Address(city="Huế", postcode="49000", size=4),
    O.billing.city.not_exists(),
    O.lines[1].sku == "y",
    O.lines[2].not_exists(),
    O.labels["x"] == "1",
    O.labels["not.a path"] == "2",
    O.counts[5] == 50,
    O.tags.is_type("SS"),
    O.key_attribute("PK") == "ORDER#1",
    O.key_attribute("GSI1PK").not_exists(),
    (O.qty == 3) & (O.stock == 3),
    (O.qty == 4) | (O.stock == 3),
    ~(O.qty == 4),
    ~((O.qty == 4) | (O.stock == 4)),
    ~((O.qty == 3) & (O.stock == 4)),
    ~O.weight.exists(),
    ~~(O.qty == 3),
    ((O.qty == 4) | (O.stock == 3)) & (O.paid == False),  # noqa: E712
    (O.qty == 3) | (O.stock == 4) & (O.paid == True),  # noqa: E712
    O.qty.between(1, 5) & O.stock.between(1, 5),
    Raw("size(#t) = :n", names={"#t": "tags"}, values={":n": 2}),
    Raw("note = :v0 OR qty = :v1", values={":v0": "x", ":v1": 3}) & (O.stock == 3),
    Raw("(note = :v0 OR qty = :v1)", values={":v0": "x", ":v1": 3}) & (O.stock == 3),
    Raw("(note = :a) OR (qty = :b)", values={":a": "x", ":b": 3}) & (O.stock == 3),
    ~Raw("#a = :v", names={"#a": O.address.postcode}, values={":v": "1"}),
]


MOTO_DIFFERS: list[Condition] = [
    # BEGINS_WITH takes binary too:
    # https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_Condition.html
    O.picture.begins_with(b"a"),
]


def test_conditions_filter_what_they_say(server: Server) -> None:
    client = server.client()
    create_table(client)
    client.put_item(TableName="app", Item=ITEM)
    conditions = [one for one in TRUE if server.name != "moto" or one not in MOTO_DIFFERS]
    assert [render(filter=one) for one in conditions if not _filtered(client, one)] == []


def test_conditions_of_writes_hold_and_fail_as_they_say() -> None:
    with partita.Database() as database:
        client = database.client()
        create_table(client)
        client.put_item(TableName="app", Item=ITEM)
        assert [render(condition=one) for one in TRUE if not _written(client, one)] == []
        assert [render(condition=~one) for one in TRUE if _written(client, ~one)] == []
        assert [render(condition=~one) for one in TRUE if _filtered(client, ~one)] == []


def _filtered(client: Any, condition: Condition) -> bool:
    return bool(client.scan(TableName="app", **render(filter=condition))["Count"])


def _written(client: Any, condition: Condition) -> bool:
    try:
        client.put_item(TableName="app", Item=ITEM, **render(condition=condition))
    except client.exceptions.ConditionalCheckFailedException:
        return False
    return True


_LEAVES: list[tuple[Condition, bool]] = [
    (O.qty == 3, True),
    (O.qty.between(4, 5), False),
    (O.note.exists(), True),
    (O.status.is_in(["SHIPPED"]), False),
    (Raw("note = :a OR qty = :b", values={":a": "x", ":b": 3}), True),
    (Raw("qty = :a AND note = :b", values={":a": 3, ":b": "x"}), False),
    (Raw("(qty = :a OR note = :b)", values={":a": 4, ":b": "x"}), False),
    (Raw("NOT qty = :a", values={":a": 4}), True),
    (Raw("(qty = :a) OR (note = :b)", values={":a": 3, ":b": "x"}), True),
]
_TREES: st.SearchStrategy[tuple[Condition, bool]] = st.recursive(
    st.sampled_from(_LEAVES),
    lambda inner: st.one_of(
        st.builds(lambda one, other: (one[0] & other[0], one[1] and other[1]), inner, inner),
        st.builds(lambda one, other: (one[0] | other[0], one[1] or other[1]), inner, inner),
        st.builds(lambda one: (~one[0], not one[1]), inner),
    ),
    max_leaves=12,
)


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    with partita.Database() as database:
        client = database.client()
        create_table(client)
        client.put_item(TableName="app", Item=ITEM)
        yield client


@settings(max_examples=counts.CONDITIONS)
@given(tree=_TREES)
def test_combined_conditions_are_as_true_as_their_parts_in_python(
    client: Any, tree: tuple[Condition, bool]
) -> None:
    condition, holds = tree
    assert _filtered(client, condition) is holds


@pytest.mark.parametrize(
    ("condition", "text"),
    [
        ((O.qty == 1) & (O.stock == 2) & (O.paid == True), "#qty = :v0 AND #stock = :v1 AND #paid = :v2"),  # noqa: E712
        ((O.qty == 1) | (O.stock == 2) & (O.qty == 3), "#qty = :v0 OR #stock = :v1 AND #qty = :v2"),
        (((O.qty == 1) | (O.stock == 2)) & (O.qty == 3), "(#qty = :v0 OR #stock = :v1) AND #qty = :v2"),
        (~(O.qty == 1) & (O.stock == 2), "NOT #qty = :v0 AND #stock = :v1"),
        (~((O.qty == 1) & (O.stock == 2)), "NOT (#qty = :v0 AND #stock = :v1)"),
        (~((O.qty == 1) | ~(O.stock == 2)), "NOT (#qty = :v0 OR NOT #stock = :v1)"),
        (Raw("a = :x", values={":x": 1}) | (O.qty == 1), "(a = :v0) OR #qty = :v1"),
        (
            Raw("(a = :x) OR (b = :x)", values={":x": 1}) & (O.qty == 1),
            "((a = :v0) OR (b = :v0)) AND #qty = :v1",
        ),
        (Raw("(a = :x OR b = :x)", values={":x": 1}) & (O.qty == 1), "(a = :v0 OR b = :v0) AND #qty = :v1"),
        (O.address.postcode == "1", "#address.#zip = :v0"),
        (O.lines[3].qty.is_in([1, 2]), "#lines[3].#qty IN (:v0, :v1)"),
        (O.labels["not.a path"].exists(), "attribute_exists(#labels.#n1)"),
    ],
)
def test_parentheses_stand_where_they_are_needed(condition: Condition, text: str) -> None:
    assert render(condition=condition)["ConditionExpression"] == text


def test_sets_of_options_come_in_the_same_order_in_every_process() -> None:
    names = {"PENDING", "SHIPPED"}
    rendered = render(condition=O.status.is_in(names))["ExpressionAttributeValues"]
    assert rendered == {":v0": {"S": "PENDING"}, ":v1": {"S": "SHIPPED"}}


def test_a_condition_on_a_missing_item_is_that_on_an_empty_one(server: Server) -> None:
    client = server.client()
    create_table(client)
    create = render(condition=O.key_attribute("PK").not_exists())
    client.put_item(TableName="app", Item=ITEM, **create)
    with pytest.raises(ClientError, match="ConditionalCheckFailed"):
        client.put_item(TableName="app", Item=ITEM, **create)


def test_the_attributes_of_a_condition_are_told() -> None:
    condition = (
        (O.total > O.stock) & (O.note.size() > 3) & O.address.city.begins_with("H") & ~O.qty.is_in([1])
    )
    raw = Raw("size(#t) > :n AND labels.x = :s", names={"#t": O.tags}, values={":n": 1, ":s": "x"})
    assert attributes_of(condition & raw) == {
        "amount", "stock", "note", "address", "qty", "tags", "labels",
    }  # fmt: skip
