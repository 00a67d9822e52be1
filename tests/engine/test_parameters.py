"""Parameters that no other test gives a value of their own: each changes the answer, or is described."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import partita
from partita.errors import ConditionalCheckFailedException, TransactionCanceledException

KEY = {"pk": {"S": "a"}}


@pytest.fixture
def db() -> Iterator[partita.Database]:
    with partita.Database(clock=partita.ManualClock()) as database:
        database.call(
            "CreateTable",
            {
                "TableName": "things",
                "BillingMode": "PAY_PER_REQUEST",
                "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
                "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
            },
        )
        database.call("PutItem", {"TableName": "things", "Item": {**KEY, "n": {"N": "1"}, "m": {"N": "2"}}})
        yield database


EXPECTED = {"n": {"Value": {"N": "1"}}, "m": {"Value": {"N": "99"}}}


@pytest.mark.parametrize(
    ("operation", "rest"),
    [
        ("PutItem", {"Item": {**KEY, "n": {"N": "1"}, "m": {"N": "3"}}}),
        ("UpdateItem", {"Key": KEY, "AttributeUpdates": {"m": {"Value": {"N": "3"}, "Action": "PUT"}}}),
        ("DeleteItem", {"Key": KEY}),
    ],
)
def test_one_of_several_expectations(db: partita.Database, operation: str, rest: dict[str, Any]) -> None:
    request = {"TableName": "things", "Expected": EXPECTED, **rest}
    with pytest.raises(ConditionalCheckFailedException):
        db.call(operation, request)
    db.call(operation, {**request, "ConditionalOperator": "OR"})


@pytest.mark.parametrize("operation", ["Query", "Scan"])
def test_one_of_several_filters(db: partita.Database, operation: str) -> None:
    equals = {name: {"ComparisonOperator": "EQ", "AttributeValueList": [{"N": "1"}]} for name in ("n", "m")}
    request: dict[str, Any] = {"TableName": "things", f"{operation}Filter": equals}
    if operation == "Query":
        request["KeyConditions"] = {"pk": {"ComparisonOperator": "EQ", "AttributeValueList": [KEY["pk"]]}}
    assert db.call(operation, request)["Count"] == 0
    assert db.call(operation, {**request, "ConditionalOperator": "OR"})["Count"] == 1


@pytest.mark.parametrize("action", ["Delete", "ConditionCheck"])
def test_placeholders_of_an_action(db: partita.Database, action: str) -> None:
    def request(expected: str) -> dict[str, Any]:
        parameters = {
            "TableName": "things",
            "Key": KEY,
            "ConditionExpression": "#n = :n",
            "ExpressionAttributeNames": {"#n": "n"},
            "ExpressionAttributeValues": {":n": {"N": expected}},
        }
        return {"TransactItems": [{action: parameters}]}

    with pytest.raises(TransactionCanceledException):
        db.call("TransactWriteItems", request("2"))
    assert db.call("TransactWriteItems", request("1")) == {}


def test_what_an_index_is_created_and_updated_with(db: partita.Database) -> None:
    units = {"MaxReadRequestUnits": 11, "MaxWriteRequestUnits": 12}
    warm = {"ReadUnitsPerSecond": 13_000, "WriteUnitsPerSecond": 5_000}
    create = {
        "IndexName": "by-n",
        "KeySchema": [{"AttributeName": "n", "KeyType": "HASH"}],
        "Projection": {"ProjectionType": "INCLUDE", "NonKeyAttributes": ["m"]},
        "OnDemandThroughput": units,
        "WarmThroughput": warm,
    }
    definitions = [{"AttributeName": "n", "AttributeType": "N"}]

    def described() -> dict[str, Any]:
        found = db.call("DescribeTable", {"TableName": "things"})["Table"]["GlobalSecondaryIndexes"][0]
        return {name: found[name] for name in ("Projection", "OnDemandThroughput", "WarmThroughput")}

    def update(change: dict[str, Any], **more: Any) -> None:
        db.call("UpdateTable", {"TableName": "things", "GlobalSecondaryIndexUpdates": [change], **more})

    update({"Create": create}, AttributeDefinitions=definitions)
    assert described() == {
        "Projection": create["Projection"],
        "OnDemandThroughput": units,
        "WarmThroughput": {**warm, "Status": "ACTIVE"},
    }
    more_units = {"MaxReadRequestUnits": 21, "MaxWriteRequestUnits": 22}
    update({"Update": {"IndexName": "by-n", "OnDemandThroughput": more_units}})
    assert described()["OnDemandThroughput"] == more_units
    more_warm = {"ReadUnitsPerSecond": 14_000, "WriteUnitsPerSecond": 6_000}
    update({"Update": {"IndexName": "by-n", "WarmThroughput": more_warm}})
    assert described()["WarmThroughput"] == {**more_warm, "Status": "ACTIVE"}


def test_a_table_whose_index_has_throughput_of_its_own(db: partita.Database) -> None:
    units = {"MaxReadRequestUnits": 11, "MaxWriteRequestUnits": 12}
    warm = {"ReadUnitsPerSecond": 13_000, "WriteUnitsPerSecond": 5_000}
    request = {
        "TableName": "others",
        "BillingMode": "PAY_PER_REQUEST",
        "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
        "AttributeDefinitions": [
            {"AttributeName": "pk", "AttributeType": "S"},
            {"AttributeName": "gk", "AttributeType": "S"},
        ],
        "WarmThroughput": warm,
        "GlobalSecondaryIndexes": [
            {
                "IndexName": "by-gk",
                "KeySchema": [{"AttributeName": "gk", "KeyType": "HASH"}],
                "Projection": {"ProjectionType": "ALL"},
                "OnDemandThroughput": units,
                "WarmThroughput": warm,
            }
        ],
    }
    db.call("CreateTable", request)
    table = db.call("DescribeTable", {"TableName": "others"})["Table"]
    index = table["GlobalSecondaryIndexes"][0]
    assert table["WarmThroughput"] == {**warm, "Status": "ACTIVE"}
    assert index["WarmThroughput"] == {**warm, "Status": "ACTIVE"}
    assert index["OnDemandThroughput"] == units


def test_a_key_of_its_own_for_encryption(db: partita.Database) -> None:
    key = "arn:aws:kms:us-east-1:000000000000:key/1"
    encryption = {"Enabled": True, "SSEType": "KMS", "KMSMasterKeyId": key}
    db.call("UpdateTable", {"TableName": "things", "SSESpecification": encryption})
    table = db.call("DescribeTable", {"TableName": "things"})["Table"]
    assert table["SSEDescription"] == {"Status": "ENABLED", "SSEType": "KMS", "KMSMasterKeyArn": key}
