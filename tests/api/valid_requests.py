"""The least request of each operation that `check` lets pass."""

from __future__ import annotations

from typing import Any

KEY = {"pk": {"S": "a"}}
_KEY_SCHEMA = [{"AttributeName": "pk", "KeyType": "HASH"}]
_ARN = "arn:aws:dynamodb:eu-west-1:000000000000:table/users"

VALID: dict[str, dict[str, Any]] = {
    "BatchGetItem": {"RequestItems": {"users": {"Keys": [KEY]}}},
    "BatchWriteItem": {"RequestItems": {"users": [{"PutRequest": {"Item": KEY}}]}},
    "CreateTable": {
        "TableName": "users",
        "KeySchema": _KEY_SCHEMA,
        "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
    },
    "DeleteItem": {"TableName": "users", "Key": KEY},
    "DeleteTable": {"TableName": "users"},
    "DescribeContinuousBackups": {"TableName": "users"},
    "DescribeEndpoints": {},
    "DescribeLimits": {},
    "DescribeTable": {"TableName": "users"},
    "DescribeTimeToLive": {"TableName": "users"},
    "GetItem": {"TableName": "users", "Key": KEY},
    "ListTables": {},
    "ListTagsOfResource": {"ResourceArn": _ARN},
    "PutItem": {"TableName": "users", "Item": KEY},
    "Query": {"TableName": "users"},
    "Scan": {"TableName": "users"},
    "TagResource": {"ResourceArn": _ARN, "Tags": []},
    "TransactGetItems": {"TransactItems": [{"Get": {"TableName": "users", "Key": KEY}}]},
    "TransactWriteItems": {"TransactItems": [{"Put": {"TableName": "users", "Item": KEY}}]},
    "UntagResource": {"ResourceArn": _ARN, "TagKeys": []},
    "UpdateItem": {"TableName": "users", "Key": KEY},
    "UpdateTable": {"TableName": "users"},
    "UpdateTimeToLive": {
        "TableName": "users",
        "TimeToLiveSpecification": {"Enabled": True, "AttributeName": "ttl"},
    },
}


def valid(operation: str, **changes: Any) -> dict[str, Any]:
    """The least request of `operation`, with changes; `...` leaves a member out."""
    request = VALID[operation] | changes
    return {name: value for name, value in request.items() if value is not ...}
