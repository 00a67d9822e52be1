"""Wrong JSON types: facts 1.15 and 1.25 to 1.30."""

from __future__ import annotations

from typing import Any

import pytest
from tests.api.valid_requests import KEY, VALID, valid

from partita.api import check, decode
from partita.api.shapes import INPUTS
from partita.errors import SerializationException
from partita.errors.requests import BAD_COLLECTION, BAD_FIELD, BAD_TOKEN, BAD_VALUE, NOT_BASE64

STRUCTURE = "Start of structure or map found where not expected"
JAVA = "com.amazonaws.dynamodb.v20120810."
VALUES = f"java.util.Map<java.lang.String, {JAVA}AttributeValue>"
WRITES = f"java.util.Map<java.lang.String, java.util.List<{JAVA}WriteRequest>>"


def unexpected_list(of: str) -> str:
    return f"Unrecognized collection type {of}"


def put(value: Any) -> dict[str, Any]:
    return valid("PutItem", Item={"pk": {"S": "a"}, "x": value})


MEMBERS: list[tuple[str, dict[str, Any], str]] = [
    # Strings
    ("GetItem", {"TableName": 3}, "NUMBER_VALUE cannot be converted to String"),
    ("GetItem", {"TableName": 3.5}, "DECIMAL_VALUE cannot be converted to String"),
    ("GetItem", {"TableName": True}, "TRUE_VALUE cannot be converted to String"),
    ("GetItem", {"TableName": False}, "FALSE_VALUE cannot be converted to String"),
    ("GetItem", {"TableName": []}, unexpected_list("class java.lang.String")),
    ("GetItem", {"TableName": {}}, STRUCTURE),
    ("PutItem", {"ReturnValues": 1}, "NUMBER_VALUE cannot be converted to String"),
    ("GetItem", {"AttributesToGet": ["a", 1]}, "NUMBER_VALUE cannot be converted to String"),
    ("GetItem", {"ExpressionAttributeNames": {"#a": 1}}, "NUMBER_VALUE cannot be converted to String"),
    # Booleans
    ("GetItem", {"ConsistentRead": 1}, "NUMBER_VALUE cannot be converted to Boolean"),
    ("GetItem", {"ConsistentRead": 1.5}, "DECIMAL_VALUE cannot be converted to Boolean"),
    ("GetItem", {"ConsistentRead": "true"}, BAD_TOKEN),
    ("GetItem", {"ConsistentRead": []}, unexpected_list("class java.lang.Boolean")),
    ("GetItem", {"ConsistentRead": {}}, STRUCTURE),
    # Numbers
    ("Query", {"Limit": "1"}, "STRING_VALUE cannot be converted to Integer"),
    ("Query", {"Limit": True}, "TRUE_VALUE cannot be converted to Integer"),
    ("Query", {"Limit": []}, unexpected_list("class java.lang.Integer")),
    ("Query", {"Limit": {}}, STRUCTURE),
    ("Query", {"Limit": 2**31}, "NUMBER_VALUE cannot be converted to Integer"),
    ("Query", {"Limit": 10**400}, "NUMBER_VALUE cannot be converted to Integer"),
    ("Query", {"Limit": 1e300}, "DECIMAL_VALUE cannot be converted to Integer"),
    ("Query", {"Limit": float("nan")}, "DECIMAL_VALUE cannot be converted to Integer"),
    (
        "CreateTable",
        {"ProvisionedThroughput": {"ReadCapacityUnits": "1"}},
        "STRING_VALUE cannot be converted to Long",
    ),
    (
        "CreateTable",
        {"ProvisionedThroughput": {"ReadCapacityUnits": 2**63}},
        "NUMBER_VALUE cannot be converted to Long",
    ),
    # Structures
    ("CreateTable", {"ProvisionedThroughput": 1}, BAD_FIELD),
    ("CreateTable", {"ProvisionedThroughput": []}, unexpected_list(f"class {JAVA}ProvisionedThroughput")),
    ("CreateTable", {"KeySchema": ["pk"]}, BAD_VALUE),
    ("CreateTable", {"KeySchema": [[]]}, unexpected_list(f"class {JAVA}KeySchemaElement")),
    ("PutItem", {"Item": {"pk": "a"}}, BAD_VALUE),
    ("PutItem", {"Item": {"pk": ["a"]}}, unexpected_list(f"class {JAVA}AttributeValue")),
    ("PutItem", {"Expected": {"a": {"Value": "x"}}}, BAD_FIELD),
    ("Query", {"KeyConditions": {"pk": "a"}}, BAD_VALUE),
    # Lists
    ("GetItem", {"AttributesToGet": "a"}, BAD_FIELD),
    ("GetItem", {"AttributesToGet": {}}, STRUCTURE),
    ("BatchWriteItem", {"RequestItems": {"users": "a"}}, BAD_COLLECTION),
    ("BatchWriteItem", {"RequestItems": {"users": {}}}, STRUCTURE),
    # Maps
    ("PutItem", {"Item": "a"}, BAD_FIELD),
    ("PutItem", {"Item": []}, unexpected_list(VALUES)),
    ("BatchWriteItem", {"RequestItems": []}, unexpected_list(WRITES)),
    ("BatchGetItem", {"RequestItems": {"users": {"Keys": ["a"]}}}, BAD_COLLECTION),
    ("BatchGetItem", {"RequestItems": {"users": {"Keys": [[]]}}}, unexpected_list(VALUES)),
    (
        "GetItem",
        {"ExpressionAttributeNames": []},
        unexpected_list("java.util.Map<java.lang.String, java.lang.String>"),
    ),
]


@pytest.mark.parametrize(("operation", "changes", "message"), MEMBERS)
def test_a_member_of_a_wrong_type(operation: str, changes: dict[str, Any], message: str) -> None:
    request = valid(operation, **changes)
    with pytest.raises(SerializationException) as found:
        decode(operation, request)
    assert found.value.message == message


ATTRIBUTE_VALUES: list[tuple[Any, str]] = [
    ({"N": 3}, "NUMBER_VALUE cannot be converted to String"),
    ({"N": 3.5}, "DECIMAL_VALUE cannot be converted to String"),
    ({"S": False}, "FALSE_VALUE cannot be converted to String"),
    ({"S": []}, unexpected_list("class java.lang.String")),
    ({"S": {}}, STRUCTURE),
    ({"BOOL": 0}, "NUMBER_VALUE cannot be converted to Boolean"),
    ({"NULL": "x"}, BAD_TOKEN),
    ({"B": 3}, NOT_BASE64),
    ({"B": True}, NOT_BASE64),
    ({"B": []}, unexpected_list("class java.nio.ByteBuffer")),
    ({"B": {}}, STRUCTURE),
    ({"B": "abcde"}, "Base64 encoded length is expected a multiple of 4 bytes but found: 5"),
    ({"B": "YQ"}, "Base64 encoded length is expected a multiple of 4 bytes but found: 2"),
    ({"B": "a!c="}, "Invalid Base64 character: '!'"),
    ({"B": "=+/="}, "Invalid Base64 character: '='"),
    ({"B": "YR=="}, "Invalid last non-pad Base64 character dectected"),
    ({"B": "YWJjZGV="}, "Invalid last non-pad Base64 character dectected"),
    ({"BS": ["YQ==", "YWJ="]}, "Invalid last non-pad Base64 character dectected"),
    ({"B": "YWJj=="}, "Base64 encoded length is expected a multiple of 4 bytes but found: 6"),
    ({"B": "YWJj===="}, "Invalid Base64 character: '='"),
    ({"BS": ["YQ==", 1]}, NOT_BASE64),
    ({"BS": ["YQ"]}, "Base64 encoded length is expected a multiple of 4 bytes but found: 2"),
    ({"SS": "a"}, BAD_FIELD),
    ({"SS": {}}, STRUCTURE),
    ({"NS": ["1", 2]}, "NUMBER_VALUE cannot be converted to String"),
    ({"L": "a"}, BAD_FIELD),
    ({"L": {}}, STRUCTURE),
    ({"L": ["a"]}, BAD_VALUE),
    ({"L": [[]]}, unexpected_list(f"class {JAVA}AttributeValue")),
    ({"M": "a"}, BAD_FIELD),
    ({"M": []}, unexpected_list(VALUES)),
    ({"M": {"a": "b"}}, BAD_VALUE),
    ({"M": {"a": {"L": [{"S": "x"}, {"N": 1}]}}}, "NUMBER_VALUE cannot be converted to String"),
    ({"S": "x", "N": 1}, "NUMBER_VALUE cannot be converted to String"),
]


@pytest.mark.parametrize(("value", "message"), ATTRIBUTE_VALUES)
def test_an_attribute_value_of_a_wrong_type(value: Any, message: str) -> None:
    with pytest.raises(SerializationException) as found:
        decode("PutItem", put(value))
    assert found.value.message == message


@pytest.mark.parametrize("value", [{"N": 3}, "x", [], {"L": [{"M": {"a": 1}}]}])
def test_check_leaves_attribute_values_of_a_good_request_alone(value: Any) -> None:
    check("PutItem", put(value))


@pytest.mark.parametrize("value", [{"N": 3}, {"L": [{"M": {"a": {"N": 3}}}]}])
def test_types_inside_attribute_values_come_before_constraints(value: Any) -> None:
    with pytest.raises(SerializationException) as found:
        check("PutItem", put(value) | {"ReturnValues": "x"})
    assert found.value.message == "NUMBER_VALUE cannot be converted to String"


def test_the_first_in_the_order_sent_is_reported() -> None:
    wrong = {"TableName": 1, "Item": [], "ReturnValues": True}
    with pytest.raises(SerializationException) as found:
        check("PutItem", wrong)
    assert found.value.message == "NUMBER_VALUE cannot be converted to String"
    with pytest.raises(SerializationException) as found:
        check("PutItem", dict(reversed(wrong.items())))
    assert found.value.message == "TRUE_VALUE cannot be converted to String"


@pytest.mark.parametrize("body", [None, [], "text", 3, 1.5, True, b"bytes", object()])
@pytest.mark.parametrize("operation", sorted(VALID))
def test_a_body_that_is_no_object(operation: str, body: Any) -> None:
    with pytest.raises(SerializationException) as found:
        check(operation, body)
    assert found.value.message is None


def test_what_is_no_json_at_all() -> None:
    for value in (b"YQ==", (1,), {1, 2}, 1 + 2j, object()):
        with pytest.raises(SerializationException) as found:
            check("GetItem", valid("GetItem", ProjectionExpression=value))
        assert found.value.message == "VALUE_EMBEDDED_OBJECT cannot be converted to String"


@pytest.mark.parametrize("operation", sorted(VALID))
def test_null_is_an_absent_member(operation: str) -> None:
    request = valid(
        operation, **{name: None for name in INPUTS[operation].members if name not in VALID[operation]}
    )
    assert check(operation, request) == VALID[operation], "so that no reader meets a null"


def test_nulls_inside_a_request() -> None:
    attribute: dict[str, Any] = {"M": {"a": None}}
    request = valid(
        "Query", KeyConditions={"pk": {"ComparisonOperator": "EQ", "AttributeValueList": None}}, Limit=None
    )
    request["ExclusiveStartKey"] = {"pk": attribute}
    tidy = check("Query", request)
    assert tidy["KeyConditions"] == {"pk": {"ComparisonOperator": "EQ"}}
    assert "Limit" not in tidy
    assert attribute == {"M": {"a": None}}
    items: list[dict[str, Any]] = [{"Put": {"TableName": "users", "Item": KEY}, "Update": None}]
    tidy = check("TransactWriteItems", valid("TransactWriteItems", TransactItems=items))
    assert tidy["TransactItems"] == VALID["TransactWriteItems"]["TransactItems"]


def test_unknown_members_are_ignored() -> None:
    request = valid("GetItem", Unknown={"a": [1, None]}, Other=3)
    assert check("GetItem", request) == VALID["GetItem"], "so that no reader meets them"
    schema = [{"AttributeName": "pk", "KeyType": "HASH", "Unknown": 1}]
    tidy = check("CreateTable", valid("CreateTable", KeySchema=schema))
    assert tidy["KeySchema"] == VALID["CreateTable"]["KeySchema"]
    decode("PutItem", valid("PutItem", Item={"pk": {"S": "a", "Z": 1}}))


def test_a_fraction_is_cut_off() -> None:
    tidy = check("Query", valid("Query", Limit=2.9))
    assert tidy["Limit"] == 2
    assert type(tidy["Limit"]) is int
    throughput = {"ReadCapacityUnits": 5.0, "WriteCapacityUnits": 1}
    tidy = check("CreateTable", valid("CreateTable", ProvisionedThroughput=throughput))
    assert type(tidy["ProvisionedThroughput"]["ReadCapacityUnits"]) is int


@pytest.mark.parametrize("depth", [1, 31, 32, 1_000, 20_000])
def test_any_depth_is_walked(depth: int) -> None:
    value: Any = {"N": 1}
    for level in range(depth):
        value = {"L": [value]} if level % 2 else {"M": {"a": value}}
    with pytest.raises(SerializationException) as found:
        decode("PutItem", put(value))
    assert found.value.message == "NUMBER_VALUE cannot be converted to String"


def test_a_good_request_passes() -> None:
    values = [
        {"S": "x"},
        {"N": "1"},
        {"B": "YQ=="},
        {"B": ""},
        {"SS": ["a"]},
        {"NS": ["1"]},
        {"BS": ["YQ=="]},
        {"BOOL": False},
        {"NULL": True},
        {"L": [{"S": "x"}, {"L": []}]},
        {"M": {"a": {"M": {}}}},
        {},
        None,
    ]
    for value in values:
        decode("PutItem", put(value))
    for operation, request in VALID.items():
        decode(operation, request)
