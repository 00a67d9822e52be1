"""What captures of the service show beyond its published model, and where they differ from it.

Orders matter because they are visible: in the enum sets that a message lists, and in the sequence of the
failures that one message joins.
"""

from __future__ import annotations

from typing import Any

NAME_PATTERN = "[a-zA-Z0-9_.-]+"
NAME_MAX = 255
"""Of a plain table name; an ARN may have the 1,024 characters of the model (fact 2.8)."""

ARN_PATTERN = r"arn:[^:]+:dynamodb:[^:]+:[^:]+:[^:/]+/[a-zA-Z0-9_.-]{3,255}"
"""Of an ARN in place of a table name (fact 15.39). What it names is looked at when the table is."""

ENUM_ORDERS: dict[str, tuple[str, ...]] = {
    "ReturnConsumedCapacity": ("INDEXES", "TOTAL", "NONE"),
    "ReturnItemCollectionMetrics": ("SIZE", "NONE"),
    "ReturnValue": ("ALL_NEW", "UPDATED_OLD", "ALL_OLD", "NONE", "UPDATED_NEW"),
    "Select": ("SPECIFIC_ATTRIBUTES", "COUNT", "ALL_ATTRIBUTES", "ALL_PROJECTED_ATTRIBUTES"),
    "KeyType": ("HASH", "RANGE"),
    "ScalarAttributeType": ("B", "N", "S"),
    "BillingMode": ("PROVISIONED", "PAY_PER_REQUEST"),
    "ProjectionType": ("ALL", "INCLUDE", "KEYS_ONLY"),
    "ComparisonOperator": (
        "IN",
        "NULL",
        "BETWEEN",
        "LT",
        "NOT_CONTAINS",
        "EQ",
        "GT",
        "NOT_NULL",
        "NE",
        "LE",
        "BEGINS_WITH",
        "GE",
        "CONTAINS",
    ),
    "ConditionalOperator": ("OR", "AND"),
    "TableClass": ("STANDARD", "STANDARD_INFREQUENT_ACCESS"),
    "StreamViewType": ("OLD_IMAGE", "KEYS_ONLY", "NEW_AND_OLD_IMAGES", "NEW_IMAGE"),
}
"""The order of an enum set in messages (facts 2.13 to 2.19), by shape; the model's order for all others."""

MEMBER_ORDERS: dict[str, tuple[str, ...]] = {
    "AttributeDefinition": ("AttributeType", "AttributeName"),
    "KeySchemaElement": ("AttributeName", "KeyType"),
    "ProvisionedThroughput": ("WriteCapacityUnits", "ReadCapacityUnits"),
    "TimeToLiveSpecification": ("AttributeName", "Enabled"),
    "Put": ("TableName", "ReturnValuesOnConditionCheckFailure", "Item"),
    "Update": ("TableName", "ReturnValuesOnConditionCheckFailure", "Key", "UpdateExpression"),
    "Delete": ("TableName", "ReturnValuesOnConditionCheckFailure", "Key"),
    "ConditionCheck": ("TableName", "ReturnValuesOnConditionCheckFailure", "ConditionExpression", "Key"),
    "TransactWriteItem": ("Put", "Update", "Delete", "ConditionCheck"),
    "WriteRequest": ("DeleteRequest", "PutRequest"),
}
"""The order in which a structure's members are reported; members not listed follow as in the model."""

_TABLE_NAME = {"least": 3, "length_first": True}
"""Operations on tables refuse names of 1 and 2 characters (facts 2.5 and 2.6)."""
_INDEX_NAME = {"length_first": True}

RULES: dict[tuple[str, str], dict[str, Any]] = {
    **{
        (f"{operation}Input", "TableName"): _TABLE_NAME
        for operation in (
            "CreateTable",
            "DeleteTable",
            "DescribeContinuousBackups",
            "DescribeTable",
            "DescribeTimeToLive",
            "UpdateTable",
            "UpdateTimeToLive",
        )
    },
    **{
        (structure, "IndexName"): _INDEX_NAME
        for structure in (
            "CreateGlobalSecondaryIndexAction",
            "DeleteGlobalSecondaryIndexAction",
            "GlobalSecondaryIndex",
            "LocalSecondaryIndex",
            "UpdateGlobalSecondaryIndexAction",
        )
    },
    # Published as optional and without a maximum since global indexes may have eight key attributes.
    ("CreateTableInput", "AttributeDefinitions"): {"required": True},
    ("CreateTableInput", "KeySchema"): {"required": True, "most": 2},
    ("LocalSecondaryIndex", "KeySchema"): {"most": 2},
    ("SSESpecification", "KMSMasterKeyId"): {"least": 1},
    # An empty map and a bad table class have texts of their own (facts 12.1 and 15.32).
    ("BatchGetItemInput", "RequestItems"): {"least": None, "echo": "json"},
    ("BatchWriteItemInput", "RequestItems"): {"least": None},
    ("CreateTableInput", "TableClass"): {"enum": ()},
    ("UpdateTableInput", "TableClass"): {"enum": ()},
    # The form without an echo has reached these (facts 2.20, 2.23 and 12.2).
    ("KeysAndAttributes", "Keys"): {"echo": "none"},
    ("QueryInput", "Limit"): {"echo": "none"},
}
"""Constraints by (structure, member) that differ from the model's; see `shapes.Rule`."""

KEY_RULES: dict[str, dict[str, Any]] = {
    "BatchGetRequestMap": {"least": 3},
    "BatchWriteItemRequestMap": {"least": 3},
}
"""Likewise for the keys of maps, by the map's shape (fact 2.5)."""

ELEMENT_RULES: dict[str, dict[str, Any]] = {"ExpressionAttributeNameMap": {"most": None}}
"""Likewise for the elements of lists and maps (fact 3.36)."""

OTHER_WORDS = frozenset({"Tag", "TagKeyList"})
"""Shapes whose faults are not told as constraints (fact 20.5)."""

TABLE_NAME_IS_PARAMETER = frozenset(
    operation.removesuffix("Input") for operation, member in RULES if member == "TableName"
)
"""Operations that report a missing TableName as a parameter, not as a constraint (fact 2.7)."""

GROUPS: dict[str, tuple[tuple[str, ...], ...]] = {
    "PutItem": (
        ("TableName",),
        (
            "ReturnConsumedCapacity",
            "Item",
            "ConditionalOperator",
            "Expected",
            "ReturnValues",
            "ReturnItemCollectionMetrics",
        ),
    ),
    "DeleteItem": (
        ("TableName",),
        (
            "ReturnConsumedCapacity",
            "ReturnValues",
            "ReturnItemCollectionMetrics",
            "Key",
            "ConditionalOperator",
            "Expected",
        ),
    ),
    "UpdateItem": (
        ("TableName",),
        ("Key",),
        ("ReturnValues",),
        ("ReturnConsumedCapacity",),
        ("ReturnItemCollectionMetrics",),
        ("ReturnValuesOnConditionCheckFailure",),
        ("ConditionalOperator", "Expected", "AttributeUpdates"),
    ),
    "GetItem": (("TableName",), ("ReturnConsumedCapacity", "AttributesToGet", "Key")),
    "Query": (
        ("TableName",),
        (
            "Limit",
            "ReturnConsumedCapacity",
            "AttributesToGet",
            "QueryFilter",
            "Select",
            "ConditionalOperator",
            "KeyConditions",
            "IndexName",
        ),
    ),
    "Scan": (
        ("TableName",),
        (
            "Limit",
            "ReturnConsumedCapacity",
            "AttributesToGet",
            "Segment",
            "Select",
            "ScanFilter",
            "ConditionalOperator",
            "TotalSegments",
            "IndexName",
        ),
    ),
    "BatchGetItem": (("ReturnConsumedCapacity", "RequestItems"),),
    "BatchWriteItem": (("ReturnConsumedCapacity", "ReturnItemCollectionMetrics"), ("RequestItems",)),
    "TransactGetItems": (("ReturnConsumedCapacity", "TransactItems"),),
    "TransactWriteItems": (
        ("ClientRequestToken", "ReturnConsumedCapacity", "ReturnItemCollectionMetrics", "TransactItems"),
    ),
    "CreateTable": (
        ("TableName",),
        (
            "AttributeDefinitions",
            "BillingMode",
            "ProvisionedThroughput",
            "KeySchema",
            "LocalSecondaryIndexes",
            "GlobalSecondaryIndexes",
        ),
    ),
    "UpdateTable": (("TableName",),),
    "ListTables": (("Limit", "ExclusiveStartTableName"),),
    "UpdateTimeToLive": (("TableName",),),
}
"""Members whose failures one message joins, in the order in which they are reported (facts 2.10 to 2.12, 2.42
and 2.44). A later group is looked at only if the earlier ones are fine. Members not listed join the last."""

MAX_FAILURES = 10
"""More failures than these are not reported."""
