"""Constraints and their words: sections 2, 12, 13, 15 and 19 of the facts."""

from __future__ import annotations

from typing import Any

import pytest
from tests.api.valid_requests import KEY, VALID, valid

from partita.api import OPERATIONS, check
from partita.errors import UnknownOperationException, ValidationException

ARN = "arn:aws:dynamodb:eu-west-1:000000000000:table/users"
NOT_NULL = "Member must not be null"
PATTERN = "Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+"
CAPACITY = "Member must satisfy enum value set: [INDEXES, TOTAL, NONE]"
METRICS = "Member must satisfy enum value set: [SIZE, NONE]"
RETURN_VALUES = "Member must satisfy enum value set: [ALL_NEW, UPDATED_OLD, ALL_OLD, NONE, UPDATED_NEW]"
SELECT = (
    "Member must satisfy enum value set: [SPECIFIC_ATTRIBUTES, COUNT, ALL_ATTRIBUTES,"
    " ALL_PROJECTED_ATTRIBUTES]"
)
COMPARISONS = (
    "Member must satisfy enum value set: [IN, NULL, BETWEEN, LT, NOT_CONTAINS, EQ, GT, NOT_NULL, NE, LE,"
    " BEGINS_WITH, GE, CONTAINS]"
)
TABLE_KEYS = (
    "Map keys must satisfy constraint: [Member must have length less than or equal to 255,"
    f" Member must have length greater than or equal to 3, {PATTERN}]"
)
WRITES = (
    "Map value must satisfy constraint: [Member must have length less than or equal to 25,"
    " Member must have length greater than or equal to 1]"
)
ON_ONE_TABLE = ("GetItem", "PutItem", "UpdateItem", "DeleteItem", "Query", "Scan")
ON_A_TABLE = (
    "CreateTable",
    "DescribeTable",
    "UpdateTable",
    "DeleteTable",
    "UpdateTimeToLive",
    "DescribeTimeToLive",
    "DescribeContinuousBackups",
)


def at_least(length: int) -> str:
    return f"Member must have length greater than or equal to {length}"


def at_most(length: int) -> str:
    return f"Member must have length less than or equal to {length}"


def value_at_least(value: int) -> str:
    return f"Member must have value greater than or equal to {value}"


def value_at_most(value: int) -> str:
    return f"Member must have value less than or equal to {value}"


def at(path: str, value: str | None, rule: str) -> str:
    echo = "null" if value is None else f"'{value}'"
    return f"Value {echo} at '{path}' failed to satisfy constraint: {rule}"


def message_of(operation: str, request: Any) -> str:
    with pytest.raises(ValidationException) as found:
        check(operation, request)
    for name in (operation, "Scan", "PutItem", "Query"):
        assert found.value.words(name) == found.value.message, "the prefix is part of the text"
    assert found.value.message is not None
    return found.value.message


def assert_detects(operation: str, request: Any, *failures: str) -> None:
    count = f"{len(failures)} validation error{'s' if len(failures) > 1 else ''} detected: "
    assert message_of(operation, request) == count + "; ".join(failures)


# -- table names (facts 2.3 to 2.9)
@pytest.mark.parametrize("operation", ON_ONE_TABLE)
def test_table_name_of_an_item_operation(operation: str) -> None:
    assert_detects(operation, valid(operation, TableName=...), at("tableName", None, NOT_NULL))
    assert_detects(operation, valid(operation, TableName=None), at("tableName", None, NOT_NULL))
    assert_detects(operation, valid(operation, TableName=""), at("tableName", "", at_least(1)))
    for name in ("a", "ab", "a" * 255, ARN, "arn:aws:dynamodb:r:" + "1" * 995 + ":table/abc"):
        check(operation, valid(operation, TableName=name))
    long = "a" * 256
    assert_detects(operation, valid(operation, TableName=long), at("tableName", long, at_most(255)))
    long = "arn:" + "x" * 1021
    assert_detects(operation, valid(operation, TableName=long), at("tableName", long, at_most(1024)))
    bad = "bad table!@#"
    assert_detects(operation, valid(operation, TableName=bad), at("tableName", bad, PATTERN))
    for bad in ("a\n", "é", "a/b"):
        assert_detects(operation, valid(operation, TableName=bad), at("tableName", bad, PATTERN))


@pytest.mark.parametrize("operation", ON_A_TABLE)
def test_table_name_of_an_operation_on_tables(operation: str) -> None:
    required = "The parameter 'TableName' is required but was not present in the request"
    assert message_of(operation, valid(operation, TableName=...)) == required
    assert message_of(operation, valid(operation, TableName=None)) == required
    assert_detects(operation, valid(operation, TableName="ab"), at("tableName", "ab", at_least(3)))
    assert_detects(
        operation,
        valid(operation, TableName=""),
        at("tableName", "", at_least(3)),
        at("tableName", "", PATTERN),
    )
    long = "a" * 256
    assert_detects(operation, valid(operation, TableName=long), at("tableName", long, at_most(255)))
    check(operation, valid(operation, TableName=ARN))


@pytest.mark.parametrize("operation", ON_ONE_TABLE)
def test_a_bad_table_name_is_reported_by_itself(operation: str) -> None:
    request = valid(
        operation, TableName="!", ReturnConsumedCapacity="x", ReturnValues="x", Key=None, Item=None
    )
    assert_detects(operation, request, at("tableName", "!", PATTERN))


# -- enums (facts 2.12 to 2.21)
ENUMS: list[tuple[str, dict[str, Any], str, str]] = [
    ("GetItem", {"ReturnConsumedCapacity": "x"}, "returnConsumedCapacity", CAPACITY),
    ("PutItem", {"ReturnItemCollectionMetrics": "x"}, "returnItemCollectionMetrics", METRICS),
    ("PutItem", {"ReturnValues": "x"}, "returnValues", RETURN_VALUES),
    (
        "PutItem",
        {"ReturnValuesOnConditionCheckFailure": "x"},
        "returnValuesOnConditionCheckFailure",
        "Member must satisfy enum value set: [ALL_OLD, NONE]",
    ),
    ("Query", {"Select": "x"}, "select", SELECT),
    ("Scan", {"Select": "x"}, "select", SELECT),
    (
        "CreateTable",
        {"KeySchema": [{"AttributeName": "pk", "KeyType": "x"}]},
        "keySchema.1.member.keyType",
        "Member must satisfy enum value set: [HASH, RANGE]",
    ),
    (
        "CreateTable",
        {"AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "x"}]},
        "attributeDefinitions.1.member.attributeType",
        "Member must satisfy enum value set: [B, N, S]",
    ),
    (
        "CreateTable",
        {"BillingMode": "x"},
        "billingMode",
        "Member must satisfy enum value set: [PROVISIONED, PAY_PER_REQUEST]",
    ),
    (
        "CreateTable",
        {
            "GlobalSecondaryIndexes": [
                {
                    "IndexName": "by_gk",
                    "KeySchema": [{"AttributeName": "gk", "KeyType": "HASH"}],
                    "Projection": {"ProjectionType": "x"},
                }
            ]
        },
        "globalSecondaryIndexes.1.member.projection.projectionType",
        "Member must satisfy enum value set: [ALL, INCLUDE, KEYS_ONLY]",
    ),
    (
        "UpdateTable",
        {"StreamSpecification": {"StreamEnabled": True, "StreamViewType": "x"}},
        "streamSpecification.streamViewType",
        "Member must satisfy enum value set: [OLD_IMAGE, KEYS_ONLY, NEW_AND_OLD_IMAGES, NEW_IMAGE]",
    ),
    (
        "Scan",
        {"ConditionalOperator": "x"},
        "conditionalOperator",
        "Member must satisfy enum value set: [OR, AND]",
    ),
    (
        "Scan",
        {"ScanFilter": {"a": {"ComparisonOperator": "x"}}},
        "scanFilter.a.member.comparisonOperator",
        COMPARISONS,
    ),
    (
        "Query",
        {"KeyConditions": {"a": {"ComparisonOperator": "x"}}},
        "keyConditions.a.member.comparisonOperator",
        COMPARISONS,
    ),
    (
        "PutItem",
        {"Expected": {"a.b": {"ComparisonOperator": "x"}}},
        "expected.a.b.member.comparisonOperator",
        COMPARISONS,
    ),
]


@pytest.mark.parametrize(("operation", "changes", "path", "rule"), ENUMS)
def test_a_value_outside_an_enum(operation: str, changes: dict[str, Any], path: str, rule: str) -> None:
    assert_detects(operation, valid(operation, **changes), at(path, "x", rule))


def test_enum_values_are_case_sensitive() -> None:
    assert_detects(
        "PutItem", valid("PutItem", ReturnValues="all_old"), at("returnValues", "all_old", RETURN_VALUES)
    )


def test_put_and_delete_report_all_bad_enums_and_update_the_first() -> None:
    bad = {"ReturnItemCollectionMetrics": "z", "ReturnConsumedCapacity": "y", "ReturnValues": "x"}
    failures = (
        at("returnConsumedCapacity", "y", CAPACITY),
        at("returnValues", "x", RETURN_VALUES),
        at("returnItemCollectionMetrics", "z", METRICS),
    )
    for operation in ("PutItem", "DeleteItem"):
        assert_detects(operation, valid(operation, **bad), *failures)
    assert_detects("UpdateItem", valid("UpdateItem", **bad), failures[1])


def test_batch_write_reports_bad_enums_without_the_table_name_beside_them() -> None:
    bad = {"ReturnItemCollectionMetrics": "z", "ReturnConsumedCapacity": "y"}
    failures = (at("returnConsumedCapacity", "y", CAPACITY), at("returnItemCollectionMetrics", "z", METRICS))
    items = {"!": VALID["BatchWriteItem"]["RequestItems"]["users"]}
    assert_detects("BatchWriteItem", valid("BatchWriteItem", RequestItems=items, **bad), *failures)
    assert_detects("TransactWriteItems", valid("TransactWriteItems", **bad), *failures)


# -- numbers, lengths, nulls
OTHERS: list[tuple[str, dict[str, Any], str]] = [
    # The form without an echo (fact 2.23), and with it (facts 2.24 and 15.37).
    ("Query", {"Limit": 0}, f"Value at 'Limit' failed to satisfy constraint: {value_at_least(1)}"),
    ("Scan", {"Limit": 0}, at("limit", "0", value_at_least(1))),
    ("Scan", {"Limit": -5}, at("limit", "-5", value_at_least(1))),
    ("ListTables", {"Limit": 0}, at("limit", "0", value_at_least(1))),
    ("ListTables", {"Limit": 101}, at("limit", "101", value_at_most(100))),
    ("Scan", {"Segment": -1, "TotalSegments": 1}, at("segment", "-1", value_at_least(0))),
    ("Scan", {"Segment": 1_000_000, "TotalSegments": 1}, at("segment", "1000000", value_at_most(999_999))),
    ("Scan", {"Segment": 0, "TotalSegments": 0}, at("totalSegments", "0", value_at_least(1))),
    (
        "Scan",
        {"Segment": 0, "TotalSegments": 1_000_001},
        at("totalSegments", "1000001", value_at_most(1_000_000)),
    ),
    # Fact 2.41.
    ("GetItem", {"AttributesToGet": []}, at("attributesToGet", "[]", at_least(1))),
    ("Query", {"AttributesToGet": []}, at("attributesToGet", "[]", at_least(1))),
    ("Scan", {"AttributesToGet": []}, at("attributesToGet", "[]", at_least(1))),
    # Fact 2.44.
    ("TransactWriteItems", {"ClientRequestToken": "t" * 37}, at("clientRequestToken", "t" * 37, at_most(36))),
    ("TransactWriteItems", {"ClientRequestToken": ""}, at("clientRequestToken", "", at_least(1))),
    # Facts 13.1 and 13.2.
    ("TransactWriteItems", {"TransactItems": []}, at("transactItems", "[]", at_least(1))),
    ("TransactGetItems", {"TransactItems": []}, at("transactItems", "[]", at_least(1))),
    ("TransactWriteItems", {"TransactItems": None}, at("transactItems", None, NOT_NULL)),
    # Fact 13.9.
    (
        "TransactWriteItems",
        {"TransactItems": [{"ConditionCheck": {"TableName": "users", "Key": KEY}}]},
        at("transactItems.1.member.conditionCheck.conditionExpression", None, NOT_NULL),
    ),
    (
        "TransactWriteItems",
        {"TransactItems": [{"Update": {"TableName": "users", "Key": KEY}}]},
        at("transactItems.1.member.update.updateExpression", None, NOT_NULL),
    ),
    ("TransactGetItems", {"TransactItems": [{}]}, at("transactItems.1.member.get", None, NOT_NULL)),
    # Fact 2.20.
    (
        "TransactWriteItems",
        {
            "TransactItems": [
                VALID["TransactWriteItems"]["TransactItems"][0],
                {"Update": {"TableName": "!", "Key": KEY, "UpdateExpression": "SET a = b"}},
            ]
        },
        at("transactItems.2.member.update.tableName", "!", PATTERN),
    ),
    # Facts 2.5 and 12.13.
    (
        "BatchGetItem",
        {"RequestItems": {"bad!name": {"Keys": [KEY]}}},
        at("requestItems", '{"bad!name":{"Keys":[{"pk":{"S":"a"}}]}}', TABLE_KEYS),
    ),
    (
        "BatchGetItem",
        {"RequestItems": {"ab": {"Keys": [KEY]}}},
        at("requestItems", '{"ab":{"Keys":[{"pk":{"S":"a"}}]}}', TABLE_KEYS),
    ),
    # Fact 12.2.
    (
        "BatchGetItem",
        {"RequestItems": {"users": {"Keys": [KEY] * 101}}},
        f"Value at 'RequestItems.users.member.Keys' failed to satisfy constraint: {at_most(100)}",
    ),
    (
        "BatchGetItem",
        {"RequestItems": {"users": {"Keys": []}}},
        f"Value at 'RequestItems.users.member.Keys' failed to satisfy constraint: {at_least(1)}",
    ),
    ("BatchGetItem", {"RequestItems": {"users": {}}}, at("requestItems.users.member.keys", None, NOT_NULL)),
    (
        "BatchGetItem",
        {"RequestItems": {"users": {"Keys": [KEY], "AttributesToGet": []}}},
        at("requestItems.users.member.attributesToGet", "[]", at_least(1)),
    ),
    (
        "BatchWriteItem",
        {"RequestItems": {"users": [{"DeleteRequest": {}}]}},
        at("requestItems.users.member.1.member.deleteRequest.key", None, NOT_NULL),
    ),
    ("BatchGetItem", {"RequestItems": None}, at("requestItems", None, NOT_NULL)),
    # Tables (facts 15.21 and 19.7).
    ("CreateTable", {"KeySchema": None}, at("keySchema", None, NOT_NULL)),
    ("CreateTable", {"AttributeDefinitions": None}, at("attributeDefinitions", None, NOT_NULL)),
    ("CreateTable", {"KeySchema": []}, at("keySchema", "[]", at_least(1))),
    (
        "CreateTable",
        {
            "KeySchema": [
                {"AttributeName": name, "KeyType": kind}
                for name, kind in (("pk", "HASH"), ("sk", "RANGE"), ("x", "RANGE"))
            ]
        },
        at(
            "keySchema",
            "[KeySchemaElement(attributeName=pk, keyType=HASH), KeySchemaElement(attributeName=sk,"
            " keyType=RANGE), KeySchemaElement(attributeName=x, keyType=RANGE)]",
            at_most(2),
        ),
    ),
    (
        "CreateTable",
        {"SSESpecification": {"KMSMasterKeyId": ""}},
        at("sSESpecification.kMSMasterKeyId", "", at_least(1)),
    ),
    (
        "CreateTable",
        {"KeySchema": [{"AttributeName": "k" * 256, "KeyType": "HASH"}]},
        at("keySchema.1.member.attributeName", "k" * 256, at_most(255)),
    ),
    (
        "UpdateTimeToLive",
        {"TimeToLiveSpecification": {"Enabled": True, "AttributeName": ""}},
        at("timeToLiveSpecification.attributeName", "", at_least(1)),
    ),
    (
        "UpdateTimeToLive",
        {"TimeToLiveSpecification": {"Enabled": True}},
        at("timeToLiveSpecification.attributeName", None, NOT_NULL),
    ),
    ("UpdateTimeToLive", {"TimeToLiveSpecification": None}, at("timeToLiveSpecification", None, NOT_NULL)),
    # Elements that are null, and names that are too long.
    (
        "GetItem",
        {"AttributesToGet": ["a", None]},
        at("attributesToGet", "[a, null]", f"Member must satisfy constraint: [{NOT_NULL}]"),
    ),
    (
        "GetItem",
        {"AttributesToGet": ["a" * 65_536]},
        at("attributesToGet", f"[{'a' * 65_536}]", f"Member must satisfy constraint: [{at_most(65_535)}]"),
    ),
    (
        "TransactWriteItems",
        {"TransactItems": [None]},
        at("transactItems", "[null]", f"Member must satisfy constraint: [{NOT_NULL}]"),
    ),
    (
        "Query",
        {"KeyConditions": {"pk": None}},
        at("keyConditions", "{pk=null}", f"Map value must satisfy constraint: [{NOT_NULL}]"),
    ),
    (
        "GetItem",
        {"ExpressionAttributeNames": {"#a": None}},
        at("expressionAttributeNames", "{#a=null}", f"Map value must satisfy constraint: [{NOT_NULL}]"),
    ),
]


@pytest.mark.parametrize(("operation", "changes", "failure"), OTHERS)
def test_one_failure(operation: str, changes: dict[str, Any], failure: str) -> None:
    assert_detects(operation, valid(operation, **changes), failure)


SEVERAL: list[tuple[str, dict[str, Any], list[str]]] = [
    (
        "GetItem",
        {"Key": None, "ReturnConsumedCapacity": "x"},
        [at("returnConsumedCapacity", "x", CAPACITY), at("key", None, NOT_NULL)],
    ),
    (
        "CreateTable",
        {"ProvisionedThroughput": {}},
        [
            at("provisionedThroughput.writeCapacityUnits", None, NOT_NULL),
            at("provisionedThroughput.readCapacityUnits", None, NOT_NULL),
        ],
    ),
    (
        "CreateTable",
        {"ProvisionedThroughput": {"ReadCapacityUnits": -1, "WriteCapacityUnits": 0}},
        [
            at("provisionedThroughput.writeCapacityUnits", "0", value_at_least(1)),
            at("provisionedThroughput.readCapacityUnits", "-1", value_at_least(1)),
        ],
    ),
    (
        "CreateTable",
        {"AttributeDefinitions": [{}], "KeySchema": [{}]},
        [
            at("attributeDefinitions.1.member.attributeType", None, NOT_NULL),
            at("attributeDefinitions.1.member.attributeName", None, NOT_NULL),
            at("keySchema.1.member.attributeName", None, NOT_NULL),
            at("keySchema.1.member.keyType", None, NOT_NULL),
        ],
    ),
    (
        "CreateTable",
        {"GlobalSecondaryIndexes": [{}]},
        [
            at("globalSecondaryIndexes.1.member.indexName", None, NOT_NULL),
            at("globalSecondaryIndexes.1.member.keySchema", None, NOT_NULL),
            at("globalSecondaryIndexes.1.member.projection", None, NOT_NULL),
        ],
    ),
    (
        "UpdateTable",
        {"GlobalSecondaryIndexUpdates": [{"Delete": {"IndexName": ""}}]},
        [
            at("globalSecondaryIndexUpdates.1.member.delete.indexName", "", at_least(3)),
            at("globalSecondaryIndexUpdates.1.member.delete.indexName", "", PATTERN),
        ],
    ),
    ("Query", {"IndexName": ""}, [at("indexName", "", PATTERN), at("indexName", "", at_least(3))]),
    (
        "ListTables",
        {"ExclusiveStartTableName": ""},
        [at("exclusiveStartTableName", "", PATTERN), at("exclusiveStartTableName", "", at_least(3))],
    ),
    (
        "UpdateTimeToLive",
        {"TimeToLiveSpecification": {}},
        [
            at("timeToLiveSpecification.attributeName", None, NOT_NULL),
            at("timeToLiveSpecification.enabled", None, NOT_NULL),
        ],
    ),
    (
        "TransactWriteItems",
        {
            "TransactItems": [{"Put": {"TableName": "!", "Item": KEY}}],
            "ReturnConsumedCapacity": "x",
            "ClientRequestToken": "t" * 37,
        },
        [
            at("clientRequestToken", "t" * 37, at_most(36)),
            at("returnConsumedCapacity", "x", CAPACITY),
            at("transactItems.1.member.put.tableName", "!", PATTERN),
        ],
    ),
    (
        "BatchGetItem",
        {"RequestItems": {"!": {"Keys": [KEY]}}, "ReturnConsumedCapacity": "x"},
        [
            at("returnConsumedCapacity", "x", CAPACITY),
            at("requestItems", '{"!":{"Keys":[{"pk":{"S":"a"}}]}}', TABLE_KEYS),
        ],
    ),
]


@pytest.mark.parametrize(("operation", "changes", "failures"), SEVERAL)
def test_several_failures_are_joined(operation: str, changes: dict[str, Any], failures: list[str]) -> None:
    assert_detects(operation, valid(operation, **changes), *failures)


def test_at_most_ten_failures_are_reported() -> None:
    items = [{"Put": {"TableName": "!", "Item": KEY}}] * 50
    message = message_of("TransactWriteItems", valid("TransactWriteItems", TransactItems=items))
    assert message.startswith("10 validation errors detected: ")
    assert message.count("failed to satisfy constraint") == 10


def test_too_many_actions() -> None:
    for operation in ("TransactGetItems", "TransactWriteItems"):
        one = VALID[operation]["TransactItems"]
        check(operation, valid(operation, TransactItems=one * 100))
        message = message_of(operation, valid(operation, TransactItems=one * 101))
        assert message.startswith("1 validation error detected: Value '[")
        assert message.endswith(f"]' at 'transactItems' failed to satisfy constraint: {at_most(100)}")


# -- batches (facts 12.1, 12.3, 12.4 and 12.13)
@pytest.mark.parametrize("operation", ["BatchGetItem", "BatchWriteItem"])
def test_an_empty_batch(operation: str) -> None:
    message = f"The requestItems parameter is required for {operation}"
    assert message_of(operation, {"RequestItems": {}}) == message


def test_the_limit_of_a_batch_counts_over_all_tables() -> None:
    message = "Too many items requested for the BatchGetItem call"
    keys = {"one": {"Keys": [KEY] * 50}, "two": {"Keys": [KEY] * 50}}
    check("BatchGetItem", {"RequestItems": keys})
    assert message_of("BatchGetItem", {"RequestItems": keys | {"three": {"Keys": [KEY]}}}) == message
    message = "Too many items requested for the BatchWriteItem call"
    writes = {"one": [{"DeleteRequest": {"Key": KEY}}] * 12, "two": [{"PutRequest": {"Item": KEY}}] * 13}
    check("BatchWriteItem", {"RequestItems": writes})
    assert message_of("BatchWriteItem", {"RequestItems": writes | {"three": writes["two"]}}) == message


@pytest.mark.parametrize("count", [0, 26])
def test_the_writes_of_one_table_of_a_batch(count: int) -> None:
    items = {"users": [{"DeleteRequest": {"Key": KEY}}] * count}
    message = message_of("BatchWriteItem", {"RequestItems": items})
    assert message.startswith("1 validation error detected: Value '{users=[")
    assert message.endswith(f"]}}' at 'requestItems' failed to satisfy constraint: {WRITES}")


def test_a_bad_table_name_in_a_batch_write() -> None:
    message = message_of("BatchWriteItem", {"RequestItems": {"ab": [{"DeleteRequest": {"Key": KEY}}]}})
    assert message.startswith("1 validation error detected: Value '{ab=[")
    assert message.endswith(f"]}}' at 'requestItems' failed to satisfy constraint: {TABLE_KEYS}")


def test_a_batch_takes_arns() -> None:
    check("BatchGetItem", {"RequestItems": {ARN: {"Keys": [KEY]}}})
    check("BatchWriteItem", {"RequestItems": {ARN: [{"DeleteRequest": {"Key": KEY}}]}})


def test_a_batch_of_values_too_deep_for_json_is_echoed_short() -> None:
    value: Any = {"S": "x"}
    for _ in range(900):
        value = {"L": [value]}
    message = message_of("BatchGetItem", {"RequestItems": {"!": {"Keys": [{"pk": value}]}}})
    assert len(message) < 2_000


@pytest.mark.parametrize(
    ("tag", "message"),
    [
        ({}, "The Tag Key provided is invalid, Key: null"),
        ({"Value": "v"}, "The Tag Key provided is invalid, Key: null"),
        ({"Key": "k"}, "The Tag Value provided is invalid, Value: null"),
        ({"Key": "", "Value": "v"}, "The Tag Key provided is invalid, Key: "),
        ({"Key": "k" * 129, "Value": "v"}, f"The Tag Key provided is invalid, Key: {'k' * 129}"),
        ({"Key": "k", "Value": "v" * 257}, f"The Tag Value provided is invalid, Value: {'v' * 257}"),
    ],
)
def test_a_tag_that_is_missing_or_has_a_wrong_length(tag: dict[str, Any], message: str) -> None:
    good = [{"Key": "k" * 128, "Value": "v" * 256}, {"Key": "k", "Value": ""}]
    for operation in ("TagResource", "CreateTable"):
        check(operation, valid(operation, Tags=good))
        assert message_of(operation, valid(operation, Tags=[*good, tag])) == message


@pytest.mark.parametrize(("key", "echo"), [(None, "null"), ("", ""), ("k" * 129, "k" * 129)])
def test_a_tag_key_to_remove_that_is_missing_or_has_a_wrong_length(key: str | None, echo: str) -> None:
    message = message_of("UntagResource", valid("UntagResource", TagKeys=["k", key]))
    assert message == f"The Tag Key provided is invalid, Key: {echo}"


# -- what is left to others
def test_what_has_words_of_its_own_passes() -> None:
    check("CreateTable", valid("CreateTable", TableClass="x"))
    check("TransactWriteItems", valid("TransactWriteItems", TransactItems=[{}]))
    check("BatchWriteItem", valid("BatchWriteItem", RequestItems={"users": [{}]}))


@pytest.mark.parametrize("operation", sorted(OPERATIONS))
def test_the_least_request_passes(operation: str) -> None:
    check(operation, VALID[operation])


def test_an_unknown_operation() -> None:
    with pytest.raises(UnknownOperationException):
        check("ExecuteStatement", {})
