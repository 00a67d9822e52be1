"""Updates do on a server what they say; what cannot be one update is refused before it is sent."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

import pytest
from botocore.exceptions import ClientError
from tests.model.conftest import Server
from tests.model.expressions.shop import ITEM, KEY, Address, Line, Order, create_table

from partita.model import F, Raw, attribute_path, render
from partita.model.errors import ExpressionError
from partita.model.expressions.rendering import attributes_of
from partita.model.values.attribute_values import same_value

O = F(Order)  # noqa: E741

UPDATES: list[tuple[Sequence[Any], dict[str, Any]]] = [
    ([O.customer.set("c8")], {"customer": {"S": "c8"}}),
    ([O.total.set(3)], {"amount": {"N": "3"}}),
    ([O.weight.set(0.1)], {"weight": {"N": "0.1"}}),
    ([O.note.set(None)], {"note": None}),
    ([O.note.remove(), O.qty.add(1)], {"note": None, "qty": {"N": "4"}}),
    ([O.discount.set(None)], {}),
    ([O.total.set(O.qty)], {"amount": {"N": "3"}}),
    ([O.qty.set(O.stock), O.stock.set(9)], {"qty": {"N": "3"}, "stock": {"N": "9"}}),
    ([O.qty.set_default(9)], {}),
    ([O.weight.set_default(9.5)], {"weight": {"N": "9.5"}}),
    ([O.qty.add(-2)], {"qty": {"N": "1"}}),
    ([O.total.add(Decimal("0.25"))], {"amount": {"N": "10.75"}}),
    ([O.weight.add(1.5)], {"weight": {"N": "1.5"}}),
    ([O.weight.add(1, start=100)], {"weight": {"N": "101"}}),
    ([O.stock.add(1, start=None)], {"stock": {"N": "4"}}),
    ([O.counts[5].add(1)], {"counts": {"M": {"5": {"N": "51"}}}}),
    ([O.counts[6].add(1)], {"counts": {"M": {"5": {"N": "50"}, "6": {"N": "1"}}}}),
    ([O.history.append([3, 4])], {"history": {"L": [{"N": "1"}, {"N": "2"}, {"N": "3"}, {"N": "4"}]}}),
    ([O.history.prepend([3, 4])], {"history": {"L": [{"N": "3"}, {"N": "4"}, {"N": "1"}, {"N": "2"}]}}),
    ([O.gaps.append([None])], {"gaps": {"L": [{"N": "1"}, {"NULL": True}, {"NULL": True}]}}),
    (
        [O.lines[0].qty.set(7)],
        {"lines": {"L": [{"M": {"sku": {"S": "x"}, "qty": {"N": "7"}}}, ITEM["lines"]["L"][1]]}},
    ),
    (
        [O.lines[1].set(Line(sku="z"))],
        {"lines": {"L": [ITEM["lines"]["L"][0], {"M": {"sku": {"S": "z"}, "qty": {"N": "1"}}}]}},
    ),
    ([O.lines[0].remove()], {"lines": {"L": [ITEM["lines"]["L"][1]]}}),
    (
        [O.lines[0].remove(), O.lines[1].qty.add(1)],
        {"lines": {"L": [{"M": {"sku": {"S": "y"}, "qty": {"N": "2"}}}]}},
    ),
    ([O.address.city.set("Vinh")], {"address": {"M": ITEM["address"]["M"] | {"city": {"S": "Vinh"}}}}),
    ([O.address.postcode.remove()], {"address": {"M": {"city": {"S": "Huế"}, "size": {"N": "4"}}}}),
    (
        [O.address.set(Address(city="Vinh"))],
        {"address": {"M": {"city": {"S": "Vinh"}, "zip": {"S": "0000"}, "size": {"N": "1"}}}},
    ),
    ([O.labels["y"].set("3")], {"labels": {"M": ITEM["labels"]["M"] | {"y": {"S": "3"}}}}),
    ([O.labels["not.a path"].remove()], {"labels": {"M": {"x": {"S": "1"}}}}),
    ([O.tags.add_to_set("c", "a")], {"tags": {"SS": ["a", "b", "c"]}}),
    ([O.tags.delete_from_set("a", "z")], {"tags": {"SS": ["b"]}}),
    ([O.codes.delete_from_set(1, 2)], {"codes": None}),
    (
        [O.key_attribute("GSI1PK").set("CUST#1"), O.key_attribute("GSI1SK").set("x")],
        {"GSI1PK": {"S": "CUST#1"}, "GSI1SK": {"S": "x"}},
    ),
    ([attribute_path("extra", "N").add(2)], {"extra": {"N": "2"}}),
    (
        [
            Raw("SET #s = #q + :v0 REMOVE note", names={"#s": "stock", "#q": O.qty}, values={":v0": 10}),
            O.weight.set(1.0),
        ],
        {"stock": {"N": "13"}, "note": None, "weight": {"N": "1"}},
    ),
    (
        [Raw("add qty :n", values={":n": 1}), Raw("ADD stock :n", values={":n": 2})],
        {"qty": {"N": "4"}, "stock": {"N": "5"}},
    ),
]


def test_updates_do_what_they_say(server: Server) -> None:
    client = server.client()
    create_table(client)
    wrong = []
    for update, changes in UPDATES:
        client.put_item(TableName="app", Item=ITEM)
        rendered = render(update=update)
        after = client.update_item(TableName="app", Key=KEY, ReturnValues="ALL_NEW", **rendered)["Attributes"]
        expected = {name: value for name, value in (ITEM | changes).items() if value is not None}
        if not same_value({"M": after}, {"M": expected}):
            wrong.append((rendered, after))
    assert wrong == []


def test_counters_lists_and_sets_begin_where_there_is_no_item(server: Server) -> None:
    client = server.client()
    create_table(client)
    update = [O.qty.add(-2), O.history.append([1]), O.gaps.prepend([1]), O.tags.add_to_set("a")]
    after = client.update_item(TableName="app", Key=KEY, ReturnValues="ALL_NEW", **render(update=update))
    assert after["Attributes"] == KEY | {
        "qty": {"N": "-2"},
        "history": {"L": [{"N": "1"}]},
        "gaps": {"L": [{"N": "1"}]},
        "tags": {"SS": ["a"]},
    }


def test_a_number_that_must_exist_fails_where_it_does_not(server: Server) -> None:
    client = server.client()
    create_table(client)
    with pytest.raises(ClientError, match="ValidationException"):
        client.update_item(TableName="app", Key=KEY, **render(update=[O.qty.add(1, start=None)]))


def test_a_condition_and_its_update_share_placeholders(server: Server) -> None:
    client = server.client()
    create_table(client)
    client.put_item(TableName="app", Item=ITEM)
    request = render(update=[O.qty.add(-2)], condition=O.qty >= 2)
    assert request == {
        "UpdateExpression": "SET #qty = if_not_exists(#qty, :v0) + :v1",
        "ConditionExpression": "#qty >= :v2",
        "ExpressionAttributeNames": {"#qty": "qty"},
        "ExpressionAttributeValues": {":v0": {"N": "0"}, ":v1": {"N": "-2"}, ":v2": {"N": "2"}},
    }
    client.update_item(TableName="app", Key=KEY, **request)
    with pytest.raises(ClientError, match="ConditionalCheckFailed"):
        client.update_item(TableName="app", Key=KEY, **request)


@pytest.mark.parametrize(
    "update",
    [
        [O.qty.set(1), O.qty.add(1)],
        [O.qty.set(1), O.qty.remove()],
        [O.address.set(Address(city="x")), O.address.city.set("y")],
        [O.address.city.set("y"), O.address.postcode.remove(), O.address.set(Address(city="x"))],
        [O.lines[0].qty.set(1), O.lines[0].remove()],
        [O.lines[0].qty.set(1), O.lines.append([Line(sku="x")])],
    ],
)
def test_overlapping_updates_are_refused_before_they_are_sent(update: list[Any]) -> None:
    with pytest.raises(ExpressionError, match="overlap"):
        render(update=update)


@pytest.mark.parametrize("given", [O.qty == 1, O.qty, "SET qty = 1", None])
def test_what_is_no_update_is_refused(given: Any) -> None:
    with pytest.raises(ExpressionError, match="built from fields"):
        render(update=[given])


def test_neighbours_do_not_overlap() -> None:
    assert render(update=[O.lines[1].qty.set(1), O.lines[10].qty.set(1), O.lines[0].remove()])


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Raw("a = :x"), "uses :x without saying"),
        (lambda: Raw("#a = b", names={"a": "x"}), "uses #a without saying"),
        (lambda: Raw("a = b", names={"#a": "x"}), "does not use #a"),
        (lambda: Raw("a = :x", values={":x": [1]}), "cannot encode :x, a list"),
        (lambda: Raw("  "), "needs the text"),
        (
            lambda: render(update=[Raw("qty = :n", values={":n": 1})]),
            "starts with SET, REMOVE, ADD or DELETE",
        ),
    ],
)
def test_raw_text_says_what_its_placeholders_are(make: Any, message: str) -> None:
    with pytest.raises(ExpressionError, match=message):
        make()


def test_the_attributes_of_updates_are_told() -> None:
    update = [
        O.total.add(1),
        O.qty.set(O.stock),
        O.lines[0].remove(),
        Raw("SET #a = note", names={"#a": "x"}),
    ]
    assert attributes_of(update) == {"amount", "qty", "stock", "lines", "x", "note"}
