"""Requests that use most of what the API has, each sound on the tables here."""

from __future__ import annotations

from typing import Any, Final

DEEP: Final = "deep"
S: Final = {"S": "a"}
N: Final = {"N": "1"}
KEY: Final = {"pk": S, "sk": N}
ITEM: Final = {
    **KEY,
    "color": {"S": "red"},
    "numbers": {"NS": ["1", "2.5"]},
    "bytes": {"B": "YQ=="},
    "map": {"M": {"list": {"L": [{"N": "1"}, {"S": "x"}, {"BOOL": True}, {"NULL": True}]}}},
}
_ALL: Final = {"ReturnConsumedCapacity": "INDEXES", "ReturnItemCollectionMetrics": "SIZE"}
_NAMES: Final = {"#c": "color", "#m": "map"}
_VALUES: Final = {":a": S, ":n": N, ":l": {"L": [N]}, ":s": {"NS": ["3"]}}


def _schema(hash_name: str, range_name: str | None = None) -> list[dict[str, str]]:
    names = [(hash_name, "HASH"), *([(range_name, "RANGE")] if range_name else [])]
    return [{"AttributeName": name, "KeyType": kind} for name, kind in names]


CREATE_DEEP: Final[dict[str, Any]] = {
    "TableName": DEEP,
    "BillingMode": "PAY_PER_REQUEST",
    "DeletionProtectionEnabled": True,
    "KeySchema": _schema("pk", "sk"),
    "AttributeDefinitions": [
        {"AttributeName": name, "AttributeType": kind}
        for name, kind in (("pk", "S"), ("sk", "N"), ("color", "S"), ("bytes", "B"))
    ],
    "GlobalSecondaryIndexes": [
        {
            "IndexName": "by_color",
            "KeySchema": _schema("color", "sk"),
            "Projection": {"ProjectionType": "INCLUDE", "NonKeyAttributes": ["map"]},
            "OnDemandThroughput": {"MaxReadRequestUnits": 5, "MaxWriteRequestUnits": 5},
        }
    ],
    "LocalSecondaryIndexes": [
        {
            "IndexName": "by_bytes",
            "KeySchema": _schema("pk", "bytes"),
            "Projection": {"ProjectionType": "ALL"},
        }
    ],
    "StreamSpecification": {"StreamEnabled": True, "StreamViewType": "NEW_IMAGE"},
    "SSESpecification": {"Enabled": True, "SSEType": "KMS"},
    "Tags": [{"Key": "a", "Value": "b"}],
    "TableClass": "STANDARD",
    "WarmThroughput": {"ReadUnitsPerSecond": 12000, "WriteUnitsPerSecond": 4000},
}

CREATE_LATER: Final[dict[str, Any]] = {
    "TableName": DEEP,
    "AttributeDefinitions": CREATE_DEEP["AttributeDefinitions"],
    "GlobalSecondaryIndexUpdates": [
        {
            "Create": {
                "IndexName": "later",
                "KeySchema": _schema("color"),
                "Projection": {"ProjectionType": "KEYS_ONLY"},
            }
        }
    ],
}

DELETE_LATER: Final[dict[str, Any]] = {
    "TableName": DEEP,
    "GlobalSecondaryIndexUpdates": [{"Delete": {"IndexName": "later"}}],
}

RICH: Final[list[tuple[str, dict[str, Any]]]] = [
    ("CreateTable", CREATE_DEEP),
    ("UpdateTable", CREATE_LATER),
    ("UpdateTable", DELETE_LATER),
    (
        "UpdateTable",
        {
            "TableName": DEEP,
            "BillingMode": "PROVISIONED",
            "ProvisionedThroughput": {"ReadCapacityUnits": 1, "WriteCapacityUnits": 1},
            "TableClass": "STANDARD_INFREQUENT_ACCESS",
            "StreamSpecification": {"StreamEnabled": False},
        },
    ),
    (
        "PutItem",
        {
            "TableName": DEEP,
            "Item": ITEM,
            "ConditionExpression": "attribute_not_exists(pk) OR #c = :a OR size(#m) > :n",
            "ExpressionAttributeNames": _NAMES,
            "ExpressionAttributeValues": {":a": S, ":n": N},
            "ReturnValues": "ALL_OLD",
            "ReturnValuesOnConditionCheckFailure": "ALL_OLD",
            **_ALL,
        },
    ),
    (
        "PutItem",
        {
            "TableName": DEEP,
            "Item": ITEM,
            "Expected": {
                "color": {"ComparisonOperator": "IN", "AttributeValueList": [S, {"S": "b"}]},
                "map": {"Exists": False},
                "pk": {"Value": S},
            },
            "ConditionalOperator": "OR",
        },
    ),
    (
        "UpdateItem",
        {
            "TableName": DEEP,
            "Key": KEY,
            "UpdateExpression": "SET #m.#l = list_append(:l, :l), #c = if_not_exists(#c, :a), n = :n + :n"
            " REMOVE gone, #x[1] ADD numbers :s DELETE others :s",
            "ConditionExpression": "attribute_type(#m, :a) OR NOT contains(#c, :a) OR n BETWEEN :n AND :n",
            "ExpressionAttributeNames": {"#m": "map", "#l": "list", "#c": "color", "#x": "x"},
            "ExpressionAttributeValues": _VALUES,
            "ReturnValues": "UPDATED_NEW",
            **_ALL,
        },
    ),
    (
        "UpdateItem",
        {
            "TableName": DEEP,
            "Key": KEY,
            "AttributeUpdates": {
                "count": {"Action": "ADD", "Value": N},
                "color": {"Action": "PUT", "Value": S},
                "numbers": {"Action": "DELETE", "Value": {"NS": ["1"]}},
                "gone": {"Action": "DELETE"},
            },
            "Expected": {"pk": {"ComparisonOperator": "BEGINS_WITH", "AttributeValueList": [S]}},
        },
    ),
    (
        "DeleteItem",
        {
            "TableName": DEEP,
            "Key": KEY,
            "ConditionExpression": "begins_with(#c, :a) OR attribute_exists(#m.#l[0])",
            "ExpressionAttributeNames": {"#c": "color", "#m": "map", "#l": "list"},
            "ExpressionAttributeValues": {":a": S},
            "ReturnValues": "ALL_OLD",
            **_ALL,
        },
    ),
    (
        "GetItem",
        {
            "TableName": DEEP,
            "Key": KEY,
            "ProjectionExpression": "#m.#l[0], #c, numbers",
            "ExpressionAttributeNames": {"#c": "color", "#m": "map", "#l": "list"},
            "ConsistentRead": True,
            "ReturnConsumedCapacity": "TOTAL",
        },
    ),
    ("GetItem", {"TableName": DEEP, "Key": KEY, "AttributesToGet": ["color", "map"]}),
    (
        "Query",
        {
            "TableName": DEEP,
            "IndexName": "by_color",
            "KeyConditionExpression": "#c = :a AND sk BETWEEN :n AND :m",
            "FilterExpression": "attribute_exists(#m.#l) OR #m.#l[0] = :n",
            "ProjectionExpression": "#m, pk",
            "ExpressionAttributeNames": {"#c": "color", "#m": "map", "#l": "list"},
            "ExpressionAttributeValues": {":a": {"S": "red"}, ":n": N, ":m": {"N": "9"}},
            "ScanIndexForward": False,
            "Limit": 3,
            "ExclusiveStartKey": {**KEY, "color": {"S": "red"}},
            "Select": "SPECIFIC_ATTRIBUTES",
            "ReturnConsumedCapacity": "INDEXES",
        },
    ),
    (
        "Query",
        {
            "TableName": DEEP,
            "IndexName": "by_bytes",
            "KeyConditions": {
                "pk": {"ComparisonOperator": "EQ", "AttributeValueList": [S]},
                "bytes": {"ComparisonOperator": "BEGINS_WITH", "AttributeValueList": [{"B": "YQ=="}]},
            },
            "QueryFilter": {"color": {"ComparisonOperator": "NOT_NULL"}},
            "ConditionalOperator": "AND",
            "Select": "COUNT",
        },
    ),
    (
        "Scan",
        {
            "TableName": DEEP,
            "Segment": 1,
            "TotalSegments": 3,
            "FilterExpression": "size(#c) >= :n AND NOT (#m.#l[1] IN (:n, :m))",
            "ExpressionAttributeNames": {"#c": "color", "#m": "map", "#l": "list"},
            "ExpressionAttributeValues": {":n": N, ":m": S},
            "Limit": 10,
            "ConsistentRead": True,
        },
    ),
    (
        "Scan",
        {
            "TableName": DEEP,
            "IndexName": "by_bytes",
            "ScanFilter": {"color": {"ComparisonOperator": "CONTAINS", "AttributeValueList": [S]}},
            "Select": "ALL_ATTRIBUTES",
        },
    ),
    (
        "BatchGetItem",
        {
            "RequestItems": {
                DEEP: {
                    "Keys": [KEY, {"pk": S, "sk": {"N": "2"}}],
                    "ProjectionExpression": "#c",
                    "ExpressionAttributeNames": {"#c": "color"},
                    "ConsistentRead": True,
                },
                "users": {"Keys": [{"pk": S}], "AttributesToGet": ["a"]},
            },
            "ReturnConsumedCapacity": "INDEXES",
        },
    ),
    (
        "BatchWriteItem",
        {
            "RequestItems": {
                DEEP: [
                    {"PutRequest": {"Item": ITEM}},
                    {"DeleteRequest": {"Key": {"pk": S, "sk": {"N": "2"}}}},
                ],
                "users": [{"PutRequest": {"Item": {"pk": S}}}],
            },
            **_ALL,
        },
    ),
    (
        "TransactWriteItems",
        {
            "TransactItems": [
                {
                    "Put": {
                        "TableName": DEEP,
                        "Item": ITEM,
                        "ConditionExpression": "attribute_not_exists(#m)",
                        "ExpressionAttributeNames": {"#m": "map"},
                        "ReturnValuesOnConditionCheckFailure": "ALL_OLD",
                    }
                },
                {
                    "Update": {
                        "TableName": "users",
                        "Key": {"pk": S},
                        "UpdateExpression": "SET a = :n",
                        "ExpressionAttributeValues": {":n": N},
                    }
                },
                {"Delete": {"TableName": DEEP, "Key": {"pk": S, "sk": {"N": "2"}}}},
                {
                    "ConditionCheck": {
                        "TableName": DEEP,
                        "Key": {"pk": S, "sk": {"N": "3"}},
                        "ConditionExpression": "attribute_not_exists(pk)",
                    }
                },
            ],
            "ClientRequestToken": "token",
            **_ALL,
        },
    ),
    (
        "TransactGetItems",
        {
            "TransactItems": [
                {"Get": {"TableName": DEEP, "Key": KEY, "ProjectionExpression": "color, numbers"}},
                {"Get": {"TableName": "users", "Key": {"pk": S}}},
            ],
            "ReturnConsumedCapacity": "TOTAL",
        },
    ),
    ("ListTables", {"Limit": 5, "ExclusiveStartTableName": "aaa"}),
    (
        "UpdateTimeToLive",
        {"TableName": DEEP, "TimeToLiveSpecification": {"Enabled": True, "AttributeName": "until"}},
    ),
    (
        "TagResource",
        {
            "ResourceArn": f"arn:aws:dynamodb:eu-west-1:000000000000:table/{DEEP}",
            "Tags": [{"Key": "a", "Value": "b"}, {"Key": "c", "Value": "d"}],
        },
    ),
]
