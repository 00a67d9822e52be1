"""Which parameters may stand together, and their placeholders (facts 2.27–2.40, 3.34, 11.13)."""

# ruff: noqa: E501

from __future__ import annotations

from typing import Any

import pytest

from partita.expressions import (
    BATCH_GET,
    DELETE,
    GET,
    PUT,
    QUERY,
    SCAN,
    TX_CHECK,
    TX_GET,
    TX_UPDATE,
    UPDATE,
    Takes,
    prepare,
)

from .asking import n, refusal, s

NAMES = "ExpressionAttributeNames"
VALUES = "ExpressionAttributeValues"
CONDITION = "ConditionExpression"
PROJECTION = "ProjectionExpression"
FILTER = "FilterExpression"
KEYS = "KeyConditionExpression"
SETTING = "UpdateExpression"

MIXED = "Can not use both expression and non-expression parameters in the same request: Non-expression parameters: "
NO_EXPRESSION = "ExpressionAttributeValues can only be specified when using expressions: "
NAMES_ALONE = "ExpressionAttributeNames can only be specified when using expressions"
UNUSED_NAMES = "Value provided in ExpressionAttributeNames unused in expressions: keys: "
UNUSED_VALUES = "Value provided in ExpressionAttributeValues unused in expressions: keys: "
V = {":v": s("x")}

CASES: list[tuple[str, Takes, dict[str, Any], str]] = [
    ("2.27", PUT, {"Expected": {}, CONDITION: "a"}, MIXED + "{Expected} Expression parameters: {ConditionExpression}"),
    ("2.28", QUERY, {"AttributesToGet": ["a"], FILTER: "a", KEYS: "a"}, MIXED + "{AttributesToGet} Expression parameters: {FilterExpression, KeyConditionExpression}"),
    ("2.28", UPDATE, {"AttributeUpdates": {}, "Expected": {}, SETTING: "a"}, MIXED + "{AttributeUpdates, Expected} Expression parameters: {UpdateExpression}"),
    ("2.28", QUERY, {"KeyConditions": {}, "QueryFilter": {}, KEYS: "a"}, MIXED + "{QueryFilter, KeyConditions} Expression parameters: {KeyConditionExpression}"),
    ("2.27", QUERY, {"KeyConditions": {}, "QueryFilter": {}, PROJECTION: "a"}, MIXED + "{QueryFilter} Expression parameters: {ProjectionExpression}"),
    ("2.27", BATCH_GET, {"AttributesToGet": ["a"], PROJECTION: "a"}, MIXED + "{AttributesToGet} Expression parameters: {ProjectionExpression}"),
    ("2.29", PUT, {VALUES: V}, NO_EXPRESSION + "ConditionExpression is null"),
    ("2.29", DELETE, {VALUES: {}}, NO_EXPRESSION + "ConditionExpression is null"),
    ("2.30", UPDATE, {VALUES: V}, NO_EXPRESSION + "UpdateExpression and ConditionExpression are null"),
    ("2.31", QUERY, {VALUES: V, "KeyConditions": {}}, NO_EXPRESSION + "FilterExpression and KeyConditionExpression are null"),
    ("2.32", SCAN, {VALUES: V}, NO_EXPRESSION + "FilterExpression is null"),
    ("2.32", SCAN, {VALUES: V, PROJECTION: "a"}, NO_EXPRESSION + "FilterExpression is null"),
    ("2.33", GET, {NAMES: {"#a": "a"}}, NAMES_ALONE),
    ("2.33", GET, {NAMES: {"#a": "a"}, "AttributesToGet": ["a"]}, NAMES_ALONE),
    ("2.34", PUT, {CONDITION: "=", VALUES: {}}, "ExpressionAttributeValues must not be empty"),
    ("2.34", PUT, {CONDITION: "=", NAMES: {}}, "ExpressionAttributeNames must not be empty"),
    ("2.34", GET, {PROJECTION: "=", NAMES: {}}, "ExpressionAttributeNames must not be empty"),
    ("2.35", PUT, {CONDITION: "=", VALUES: {"a": s("x")}}, 'ExpressionAttributeValues contains invalid key: Syntax error; key: "a"'),
    ("2.35", PUT, {CONDITION: "=", VALUES: {":": s("x")}}, 'ExpressionAttributeValues contains invalid key: Syntax error; key: ":"'),
    ("2.35", PUT, {CONDITION: "=", VALUES: {":a\n": s("x")}}, 'ExpressionAttributeValues contains invalid key: Syntax error; key: ":a\n"'),
    ("2.35", PUT, {CONDITION: "=", NAMES: {"#a-b": "a"}}, 'ExpressionAttributeNames contains invalid key: Syntax error; key: "#a-b"'),
    ("3.30", PUT, {CONDITION: "=", NAMES: {"#a": ""}}, "ExpressionAttributeNames contains invalid value: Empty attribute name for key #a"),
    ("23.3", PUT, {CONDITION: "=", NAMES: {"#" + "a" * 255 + "-": "a"}}, "ExpressionAttributeNames contains invalid key: The expression attribute map contains a key that is too long; size of key: 257"),
    ("23.3", PUT, {CONDITION: "=", VALUES: {":" + "a" * 255: s("x")}}, "ExpressionAttributeValues contains invalid key: The expression attribute map contains a key that is too long; size of key: 256"),
    ("23.3", PUT, {CONDITION: "=", VALUES: {f":{i}": s("x" * 400_000) for i in range(6)}}, "ExpressionAttributeValues exceeds max size"),
    ("23.3", PUT, {CONDITION: "=", NAMES: {f"#{i}": "x" * 65_535 for i in range(33)}}, "ExpressionAttributeNames exceeds max size"),
    ("3.29", UPDATE, {SETTING: "=", NAMES: {"#a": "x" * 65_536}}, "Attribute name is too large, must be less than 65536 bytes"),
    ("2.36", PUT, {CONDITION: "a = :v", VALUES: {**V, ":unused": n(1)}}, UNUSED_VALUES + "{:unused}"),
    ("2.37", PUT, {CONDITION: "a = :v", VALUES: V, NAMES: {"#a": "a", "#b": "b"}}, UNUSED_NAMES + "{#a, #b}"),
    ("2.37", TX_CHECK, {CONDITION: "a = :v", VALUES: {**V, ":w": n(1)}, NAMES: {"#a": "a"}}, UNUSED_NAMES + "{#a}"),
    ("2.38", TX_UPDATE, {SETTING: "SET a = :v", CONDITION: "a = :v", VALUES: {**V, ":w": n(1)}}, UNUSED_VALUES + "{:w}"),
    ("11.13", QUERY, {}, "Either the KeyConditions or KeyConditionExpression parameter must be specified in the request."),
    ("11.13", QUERY, {FILTER: "a = :v", VALUES: V}, "Either the KeyConditions or KeyConditionExpression parameter must be specified in the request."),
]  # fmt: skip


@pytest.mark.parametrize(("fact", "takes", "parameters", "message"), CASES)
def test_refused(fact: str, takes: Takes, parameters: dict[str, Any], message: str) -> None:
    assert refusal(takes, parameters).message == message


def test_a_placeholder_used_in_one_expression_counts_as_used() -> None:
    prepare(
        {
            SETTING: "SET #a = :v",
            CONDITION: "#b = :w",
            NAMES: {"#a": "a", "#b": "b"},
            VALUES: {":v": n(1), ":w": n(2)},
        },
        UPDATE,
    )  # fact 2.39


def test_nothing_given_asks_for_nothing() -> None:
    for takes in (PUT, DELETE, UPDATE, GET, SCAN, BATCH_GET, TX_GET, TX_CHECK):
        prepared = prepare({"TableName": "t", "Expected": None, NAMES: None}, takes)
        assert prepared.condition is prepared.filter is prepared.projection is prepared.update is None
        assert not prepared.is_legacy


def test_values_are_no_parameter_of_reads_by_key() -> None:
    prepare({PROJECTION: "a", VALUES: {}}, GET)


def test_values_are_normalised_and_checked() -> None:
    number = {":v": n("1.0")}
    prepared = prepare({KEYS: "a = :v", VALUES: number}, QUERY)
    assert prepared.key_conditions is not None
    assert prepared.key_conditions[0].operands == (n(1),)
    for _ in range(2):
        error = refusal(PUT, {CONDITION: "a = :v", VALUES: {":v": n("dog")}})
        text = "The parameter cannot be converted to a numeric value: dog"
        assert error.words("PutItem") == f"1 validation error detected: {text}"  # fact 3.34
        assert error.words("TransactWriteItems") == (
            f"ExpressionAttributeValues contains invalid value: {text} for key :v"
        )


def test_a_repeated_request_is_checked_again() -> None:
    """Whatever an earlier request with the same expression was allowed."""
    prepare({CONDITION: "#a = :v", NAMES: {"#a": "a"}, VALUES: V}, PUT)
    for parameters in (
        {CONDITION: "#a = :v", VALUES: V},
        {CONDITION: "#a = :v", NAMES: {"#a": "a"}},
        {CONDITION: "#a = :v", NAMES: {"#a": "a"}, VALUES: {}},
        {CONDITION: "#a = :v", NAMES: {"#a": "a"}, VALUES: {**V, ":w": n(1)}},
        {CONDITION: "#a = :v", NAMES: {"#a": "a", "#b": "b"}, VALUES: V},
        {CONDITION: "#a = :v", NAMES: {"#a": "a"}, VALUES: V, "Expected": {}},
        {CONDITION: "#a = :v", NAMES: {"#a": "a"}, VALUES: {":v": {}}},
    ):
        refusal(PUT, parameters)
    refusal(GET, {CONDITION: "#a = :v", NAMES: {"#a": "a"}, VALUES: V})


def test_names_decide_what_an_expression_means() -> None:
    for name in ("a", "b"):
        prepared = prepare({CONDITION: "#n = :v", NAMES: {"#n": name}, VALUES: V}, PUT)
        assert prepared.condition is not None
        assert prepared.condition({"a": s("x")}) is (name == "a")
