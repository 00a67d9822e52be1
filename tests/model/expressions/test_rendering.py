"""Rendering: placeholders for everything, the same in every process, within DynamoDB's limits."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any

import pytest
from tests.model.conftest import Server
from tests.model.expressions.shop import ITEM, Order, create_table

import partita
from partita.model import F, attribute_path, render
from partita.model.errors import ExpressionError

O = F(Order)  # noqa: E741


def test_nothing_renders_to_nothing() -> None:
    assert render() == {}
    assert render(update=[], projection=[]) == {}


def test_every_name_and_value_goes_through_a_placeholder() -> None:
    awkward = ["size", "a.b", "#x", ":x", "n2", "n3", "with space", "ü", "x" * 300, "_t", "0"]
    condition = attribute_path("name") == "x"
    for name in awkward:
        condition &= attribute_path(name) == "x"
    request = render(condition=condition)
    names = request["ExpressionAttributeNames"]
    assert list(names.values()) == ["name", *awkward]
    assert all(placeholder[1:].isidentifier() or placeholder == "#0" for placeholder in names)
    assert len(request["ExpressionAttributeValues"]) == 1 + len(awkward)


def test_awkward_and_reserved_names_are_taken_by_a_server(server: Server) -> None:
    client = server.client()
    create_table(client)
    names = ["size", "name", "a.b", "#x", ":x", "n2", "with space", "ü", "_t", "0", "select"]
    client.put_item(TableName="app", Item=ITEM | {name: {"S": "1"} for name in names})
    condition = attribute_path("PK").exists()
    for name in names:
        condition &= attribute_path(name) == "1"
    assert client.scan(TableName="app", **render(filter=condition))["Count"] == 1


def test_expressions_of_a_request_share_one_pool(server: Server) -> None:
    client = server.client()
    create_table(client)
    client.put_item(TableName="app", Item=ITEM | {"GSI1PK": {"S": "CUST#c7"}, "GSI1SK": ITEM["placed"]})
    request = render(
        key_condition=Order.gsi1(customer="c7").conditions(),
        filter=(O.qty > 2) & (O.customer == "c7"),
        projection=[O.qty, O.address.city, "PK", O.address, "qty", O.labels["x"]],
    )
    assert request == {
        "KeyConditionExpression": "#GSI1PK = :v0",
        "FilterExpression": "#qty > :v1 AND #customer = :v2",
        "ProjectionExpression": "#qty, #PK, #address, #labels.#x",
        "ExpressionAttributeNames": {
            "#GSI1PK": "GSI1PK",
            "#qty": "qty",
            "#customer": "customer",
            "#PK": "PK",
            "#address": "address",
            "#labels": "labels",
            "#x": "x",
        },
        "ExpressionAttributeValues": {":v0": {"S": "CUST#c7"}, ":v1": {"N": "2"}, ":v2": {"S": "c7"}},
    }
    (item,) = client.query(TableName="app", IndexName="GSI1", **request)["Items"]
    assert item == {
        "PK": ITEM["PK"],
        "qty": ITEM["qty"],
        "address": ITEM["address"],
        "labels": {"M": {"x": {"S": "1"}}},
    }


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        (lambda key: key, 1),
        (lambda key: key.after(Order.model_fields["placed"].default), 0),
        (lambda key: key.at_least(Order.model_fields["placed"].default), 1),
        (lambda key: key.before(Order.model_fields["placed"].default), 0),
        (lambda key: key.at_most(Order.model_fields["placed"].default), 1),
        (lambda key: key.begins_with("2026"), 1),
        (lambda key: key.begins_with("2027"), 0),
        (
            lambda key: key.between(
                Order.model_fields["placed"].default, Order.model_fields["placed"].default
            ),
            1,
        ),
    ],
)
def test_key_conditions_render_to_what_they_ask(asked: Any, found: int) -> None:
    with partita.Database() as database:
        client = database.client()
        create_table(client)
        client.put_item(TableName="app", Item=ITEM | {"GSI1PK": {"S": "CUST#c7"}, "GSI1SK": ITEM["placed"]})
        request = render(key_condition=asked(Order.gsi1(customer="c7")).conditions())
        assert client.query(TableName="app", IndexName="GSI1", **request)["Count"] == found


_PROGRAM = """
import json
from tests.model.expressions.shop import Order
from partita.model import F, render
O = F(Order)
letters = [chr(code) for code in range(97, 123)]
print(json.dumps(render(
    update=[O.tags.set(set(letters)), O.codes.add_to_set(*range(30)), O.note.set("x")],
    condition=(O.status.is_in({"PENDING", "SHIPPED"})) & (O.tags == {"a", "b", "c"}),
)))
"""


def test_the_same_request_is_the_same_to_the_byte_in_another_process() -> None:
    outputs = {
        subprocess.run(
            [sys.executable, "-c", _PROGRAM],
            env=os.environ | {"PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(sys.path)},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(outputs) == 1
    assert json.loads(outputs.pop())


def test_an_expression_beyond_4_kb_is_refused_before_it_is_sent() -> None:
    condition = O.qty.is_in(range(100))
    for _ in range(8):
        condition |= O.qty.is_in(range(100))
    with pytest.raises(ExpressionError, match=r"ConditionExpression is 6294 bytes long"):
        render(condition=condition)


def test_300_operators_are_taken_and_301_refused_before_they_are_sent() -> None:
    condition = O.qty == 0
    for number in range(149):
        condition |= O.qty == number
    with partita.Database() as database:
        client = database.client()
        create_table(client)
        assert client.scan(TableName="app", **render(filter=~condition))["Count"] == 0
    with pytest.raises(ExpressionError, match="FilterExpression has 301 operators"):
        render(filter=condition | (O.qty == 150))


@pytest.mark.parametrize("given", [False, None.__class__, "a = b", 3])
def test_what_is_no_condition_is_refused(given: Any) -> None:
    with pytest.raises(ExpressionError, match="built from fields"):
        render(condition=given)
