# ruff: noqa: E501
"""The legacy parameters (facts 2.40, section 22) and that they mean what the expressions mean."""

from __future__ import annotations

from typing import Any

import pytest

from partita.errors import ValidationException
from partita.expressions import (
    BATCH_GET,
    DELETE,
    GET,
    PUT,
    QUERY,
    SCAN,
    UPDATE,
    KeyCondition,
    Takes,
    Update,
    prepare,
)

from .asking import n, refusal, s

WRONG = "One or more parameter values were invalid: "
KEY = {"KeyConditions": {"pk": {"ComparisonOperator": "EQ", "AttributeValueList": [s("k")]}}}


def _operator(name: str, *operands: dict[str, Any]) -> dict[str, Any]:
    condition: dict[str, Any] = {"ComparisonOperator": name}
    if operands:
        condition["AttributeValueList"] = list(operands)
    return condition


def _expect(**expectation: Any) -> dict[str, Any]:
    return {"Expected": {"a": expectation}}


def _filter(name: str, *operands: dict[str, Any]) -> dict[str, Any]:
    return {"ScanFilter": {"a": _operator(name, *operands)}}


def _change(**update: Any) -> dict[str, Any]:
    return {"AttributeUpdates": {"a": update}}


REFUSED: list[tuple[str, Takes, dict[str, Any], str]] = [
    ("22.1", PUT, _expect(Exists=True), WRONG + "Value must be provided when Exists is true for Attribute: a"),
    ("22.1", DELETE, _expect(), WRONG + "Value must be provided when Exists is null for Attribute: a"),
    ("22.2", PUT, _expect(Exists=False, Value=n(1)), WRONG + "Value cannot be used when Exists is false for Attribute: a"),
    ("22.3", PUT, _expect(Exists=False, ComparisonOperator="NULL"), WRONG + "Exists and ComparisonOperator cannot be used together for Attribute: a"),
    ("22.4", PUT, _expect(Value=n(1), AttributeValueList=[n(1)], ComparisonOperator="EQ"), WRONG + "Value and AttributeValueList cannot be used together for Attribute: a"),
    ("22.5", PUT, _expect(AttributeValueList=[], ComparisonOperator="EQ"), WRONG + "Invalid number of argument(s) for the EQ ComparisonOperator"),
    ("22.5", SCAN, _filter("EQ"), WRONG + "Invalid number of argument(s) for the EQ ComparisonOperator"),
    ("22.5", SCAN, _filter("EQ", n(1), n(2)), WRONG + "Invalid number of argument(s) for the EQ ComparisonOperator"),
    ("22.5", SCAN, _filter("BETWEEN", n(1)), WRONG + "Invalid number of argument(s) for the BETWEEN ComparisonOperator"),
    ("22.5", SCAN, _filter("IN"), WRONG + "Invalid number of argument(s) for the IN ComparisonOperator"),
    ("22.5", SCAN, _filter("NULL", n(1)), WRONG + "Invalid number of argument(s) for the NULL ComparisonOperator"),
    ("22.5", PUT, _expect(Value=n(1), ComparisonOperator="BETWEEN"), WRONG + "Invalid number of argument(s) for the BETWEEN ComparisonOperator"),
    ("22.6", SCAN, _filter("BEGINS_WITH", n(1)), WRONG + "ComparisonOperator BEGINS_WITH is not valid for N AttributeValue type"),
    ("22.6", PUT, _expect(Value={"L": []}, ComparisonOperator="LT"), WRONG + "ComparisonOperator LT is not valid for L AttributeValue type"),
    ("22.6", QUERY, {"QueryFilter": {"a": _operator("CONTAINS", {"SS": ["x"]})}, **KEY}, WRONG + "ComparisonOperator CONTAINS is not valid for SS AttributeValue type"),
    ("22.7", SCAN, _filter("IN", n(1), s("x")), WRONG + "AttributeValues inside AttributeValueList must be of same type"),
    ("22.10", PUT, {"ConditionalOperator": "OR"}, "ConditionalOperator cannot be used without Filter or Expected"),
    ("22.10", SCAN, {**_filter("NULL"), "ConditionalOperator": "AND"}, "ConditionalOperator can only be used when Filter or Expected has two or more elements"),
    ("22.13", UPDATE, _change(), WRONG + "Only DELETE action is allowed when no attribute value is specified"),
    ("22.13", UPDATE, _change(Action="ADD"), WRONG + "Only DELETE action is allowed when no attribute value is specified"),
    ("22.15", UPDATE, _change(Action="DELETE", Value=s("x")), WRONG + "DELETE action with value is not supported for the type S"),
    ("22.12", UPDATE, _change(Action="ADD", Value=s("x")), WRONG + "ADD action is not supported for the type S"),
    ("2.40", GET, {"AttributesToGet": ["a", "b", "a"]}, WRONG + "Duplicate value in attribute name: a"),
    ("3.35", SCAN, _filter("EQ", n("dog")), "The parameter cannot be converted to a numeric value: dog"),
    ("3.35", PUT, _expect(Value=n("dog")), "The parameter cannot be converted to a numeric value: dog"),
    ("3.35", UPDATE, _change(Value=n("dog")), "The parameter cannot be converted to a numeric value: dog"),
    ("3.35", QUERY, {"KeyConditions": {"pk": _operator("EQ", n("dog"))}}, "The parameter cannot be converted to a numeric value: dog"),
]  # fmt: skip


@pytest.mark.parametrize(("fact", "takes", "parameters", "message"), REFUSED)
def test_refused(fact: str, takes: Takes, parameters: dict[str, Any], message: str) -> None:
    error = refusal(takes, parameters)
    assert error.message == message
    assert error.words("BatchGetItem") == message


ITEM: dict[str, Any] = {"a": n(10), "b": s("apple"), "c": {"SS": ["x", "y"]}, "d": {"NULL": True}}

CONDITIONS: list[tuple[str, str, dict[str, Any], bool]] = [
    ("22.8", "z", _operator("NE", n(1)), True),
    ("22.8", "z", _operator("EQ", n(1)), False),
    ("22.8", "z", _operator("NOT_CONTAINS", s("x")), False),
    ("22.8", "c", _operator("NOT_CONTAINS", s("x")), False),
    ("22.8", "c", _operator("NOT_CONTAINS", s("z")), True),
    ("22.9", "z", _operator("NULL"), True),
    ("22.9", "d", _operator("NULL"), False),
    ("22.9", "d", _operator("NOT_NULL"), True),
    ("22.9", "z", _operator("NOT_NULL"), False),
    ("22.5", "a", _operator("EQ", n("1e1")), True),
    ("22.5", "c", _operator("EQ", {"SS": ["y", "x"]}), True),
    ("22.5", "a", _operator("NE", n(10)), False),
    ("22.5", "a", _operator("LT", n(11)), True),
    ("22.5", "a", _operator("LE", n(10)), True),
    ("22.5", "a", _operator("GT", n(10)), False),
    ("22.5", "a", _operator("GE", n(10)), True),
    ("22.5", "a", _operator("GE", s("10")), False),
    ("22.5", "a", _operator("BETWEEN", n(9), n(10)), True),
    ("22.5", "b", _operator("BEGINS_WITH", s("app")), True),
    ("22.5", "b", _operator("CONTAINS", s("ppl")), True),
    ("22.5", "c", _operator("CONTAINS", s("x")), True),
    ("22.5", "a", _operator("IN", n(1), n(10)), True),
    ("22.1", "a", {"Value": n(10)}, True),
    ("22.1", "a", {"Exists": True, "Value": n(11)}, False),
    ("22.2", "z", {"Exists": False}, True),
    ("22.2", "a", {"Exists": False}, False),
    ("22.4", "a", {"ComparisonOperator": "LT", "Value": n(11)}, True),
]  # fmt: skip


@pytest.mark.parametrize(("fact", "name", "condition", "expected"), CONDITIONS)
def test_condition(fact: str, name: str, condition: dict[str, Any], expected: bool) -> None:
    prepared = prepare({"Expected": {name: condition}}, PUT)
    assert prepared.is_legacy
    assert prepared.condition is not None
    assert prepared.condition(ITEM) is expected
    if "ComparisonOperator" in condition and "Value" not in condition:
        prepared = prepare({"ScanFilter": {name: condition}}, SCAN)
        assert prepared.filter is not None
        assert prepared.filter(ITEM) is expected
        assert prepared.filter_names == {name}


@pytest.mark.parametrize(("operator", "expected"), [("OR", True), ("AND", False), (None, False)])
def test_conditional_operator(operator: str | None, expected: bool) -> None:
    conditions = {"a": _operator("EQ", n(10)), "b": _operator("EQ", n(10)), "z": _operator("NULL")}
    prepared = prepare({"Expected": conditions, "ConditionalOperator": operator}, PUT)
    assert prepared.condition is not None
    assert prepared.condition(ITEM) is expected  # fact 22.10


def test_an_empty_filter_is_no_filter() -> None:
    prepared = prepare({"QueryFilter": {}, **KEY}, QUERY)  # fact 22.18
    assert prepared.filter is None
    assert prepare({"ScanFilter": {}}, SCAN).filter is None
    assert prepare({"Expected": {}}, PUT).condition is None


def test_key_conditions() -> None:
    conditions = {
        "pk": _operator("EQ", n("1.0")),
        "sk": _operator("BETWEEN", s("a"), s("b")),
        "tk": _operator("BEGINS_WITH", s("a")),
    }
    assert prepare({"KeyConditions": conditions}, QUERY).key_conditions == (
        KeyCondition("pk", "=", (n(1),)),
        KeyCondition("sk", "BETWEEN", (s("a"), s("b"))),
        KeyCondition("tk", "begins_with", (s("a"),)),
    )
    assert prepare({"KeyConditions": {}}, QUERY).key_conditions == ()  # counted by the engine: 11.10


def test_key_conditions_beside_expressions() -> None:
    parameters = {
        **KEY,
        "FilterExpression": "a = :v",
        "ProjectionExpression": "a",
        "ExpressionAttributeValues": {":v": n(10)},
    }
    prepared = prepare(parameters, QUERY)
    assert prepared.key_conditions == (KeyCondition("pk", "=", (s("k"),)),)
    assert prepared.filter is not None
    assert prepared.filter(ITEM)
    assert prepared.projection is not None
    del parameters["KeyConditions"]
    assert refusal(QUERY, parameters).message is not None  # fact 11.13, also of a repeated text


@pytest.mark.parametrize("takes", [GET, BATCH_GET, QUERY, SCAN])
def test_attributes_to_get(takes: Takes) -> None:
    key = KEY if takes is QUERY else {}
    projection = prepare({"AttributesToGet": ["a", "b.c", "size"], **key}, takes).projection
    assert projection is not None
    assert projection.names == {"a", "b.c", "size"}  # fact 22.17
    assert projection.apply({"pk": n(1), "a": n(1), "b": n(2), "b.c": n(3)}) == {"a": n(1), "b.c": n(3)}


def _update(updates: dict[str, Any]) -> Update:
    update = prepare({"AttributeUpdates": updates}, UPDATE).update
    assert update is not None
    return update


UPDATES: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    ("22.12", {"Value": n("1.0")}, n(1)),
    ("22.12", {"Action": "PUT", "Value": s("x")}, s("x")),
    ("22.12", {"Action": "ADD", "Value": n(5)}, n(15)),
    ("22.16", {"Action": "DELETE"}, {}),
]


@pytest.mark.parametrize(("fact", "change", "expected"), UPDATES)
def test_attribute_updates(fact: str, change: dict[str, Any], expected: dict[str, Any]) -> None:
    after = _update({"a": change}).apply(ITEM)
    assert after.get("a", {}) == expected
    assert {**after, "a": n(10)} == ITEM


def test_attribute_updates_of_sets_and_lists() -> None:
    update = _update(
        {
            "c": {"Action": "DELETE", "Value": {"SS": ["x", "q"]}},
            "new": {"Action": "ADD", "Value": {"NS": ["1"]}},
            "l": {"Action": "ADD", "Value": {"L": [n(2)]}},
        }
    )
    after = update.apply({"c": {"SS": ["x", "y"]}, "l": {"L": [n(1)]}})
    assert after == {"c": {"SS": ["y"]}, "new": {"NS": ["1"]}, "l": {"L": [n(1), n(2)]}}


@pytest.mark.parametrize(
    "change", [{"Action": "ADD", "Value": n(1)}, {"Action": "DELETE", "Value": {"SS": ["x"]}}]
)
def test_attribute_updates_of_another_type(change: dict[str, Any]) -> None:
    with pytest.raises(ValidationException) as raised:
        _update({"b": change}).apply(ITEM)
    assert raised.value.message == "Type mismatch for attribute to update"  # fact 22.14


def test_which_attribute_updates_create_an_item() -> None:
    assert not _update({"a": {"Action": "DELETE"}}).plan.creates  # fact 8.25
    assert _update({}).plan.creates  # fact 8.24
    assert _update({"a": {"Value": n(1)}}).plan.creates
