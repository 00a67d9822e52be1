"""The parameters of each operation, for type checkers. Written by `tools/make_operations.py`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, Required, TypedDict

AttributeValue = Mapping[str, Any]
"""With its type, as the API sends it: `{"S": "a"}`, `{"N": "1"}`, `{"B": "<base64>"}`, …"""


class BatchGetItem(TypedDict, total=False):
    RequestItems: Required[Mapping[str, Mapping[str, Any]]]
    ReturnConsumedCapacity: Literal["INDEXES", "TOTAL", "NONE"]


class BatchWriteItem(TypedDict, total=False):
    RequestItems: Required[Mapping[str, Sequence[Mapping[str, Any]]]]
    ReturnConsumedCapacity: Literal["INDEXES", "TOTAL", "NONE"]
    ReturnItemCollectionMetrics: Literal["SIZE", "NONE"]


class CreateTable(TypedDict, total=False):
    AttributeDefinitions: Required[Sequence[Mapping[str, Any]]]
    BillingMode: Literal["PROVISIONED", "PAY_PER_REQUEST"]
    DeletionProtectionEnabled: bool
    GlobalSecondaryIndexes: Sequence[Mapping[str, Any]]
    GlobalTableSettingsReplicationMode: Literal["ENABLED", "DISABLED", "ENABLED_WITH_OVERRIDES"]
    GlobalTableSourceArn: str
    KeySchema: Required[Sequence[Mapping[str, Any]]]
    LocalSecondaryIndexes: Sequence[Mapping[str, Any]]
    OnDemandThroughput: Mapping[str, Any]
    ProvisionedThroughput: Mapping[str, Any]
    ResourcePolicy: str
    SSESpecification: Mapping[str, Any]
    StreamSpecification: Mapping[str, Any]
    TableClass: str
    TableName: Required[str]
    Tags: Sequence[Mapping[str, Any]]
    VectorIndexes: Sequence[Mapping[str, Any]]
    WarmThroughput: Mapping[str, Any]


class DeleteItem(TypedDict, total=False):
    ConditionExpression: str
    ConditionalOperator: Literal["OR", "AND"]
    Expected: Mapping[str, Mapping[str, Any]]
    ExpressionAttributeNames: Mapping[str, str]
    ExpressionAttributeValues: Mapping[str, AttributeValue]
    Key: Required[Mapping[str, AttributeValue]]
    ReturnConsumedCapacity: Literal["INDEXES", "TOTAL", "NONE"]
    ReturnItemCollectionMetrics: Literal["SIZE", "NONE"]
    ReturnValues: Literal["ALL_NEW", "UPDATED_OLD", "ALL_OLD", "NONE", "UPDATED_NEW"]
    ReturnValuesOnConditionCheckFailure: Literal["ALL_OLD", "NONE"]
    TableName: Required[str]


class DeleteTable(TypedDict, total=False):
    TableName: Required[str]


class DescribeContinuousBackups(TypedDict, total=False):
    TableName: Required[str]


class DescribeEndpoints(TypedDict, total=False):
    pass


class DescribeLimits(TypedDict, total=False):
    pass


class DescribeTable(TypedDict, total=False):
    TableName: Required[str]


class DescribeTimeToLive(TypedDict, total=False):
    TableName: Required[str]


class GetItem(TypedDict, total=False):
    AttributesToGet: Sequence[str]
    ConsistentRead: bool
    ExpressionAttributeNames: Mapping[str, str]
    Key: Required[Mapping[str, AttributeValue]]
    ProjectionExpression: str
    ReturnConsumedCapacity: Literal["INDEXES", "TOTAL", "NONE"]
    TableName: Required[str]


class ListTables(TypedDict, total=False):
    ExclusiveStartTableName: str
    Limit: int


class ListTagsOfResource(TypedDict, total=False):
    NextToken: str
    ResourceArn: Required[str]


class PutItem(TypedDict, total=False):
    ConditionExpression: str
    ConditionalOperator: Literal["OR", "AND"]
    Expected: Mapping[str, Mapping[str, Any]]
    ExpressionAttributeNames: Mapping[str, str]
    ExpressionAttributeValues: Mapping[str, AttributeValue]
    Item: Required[Mapping[str, AttributeValue]]
    ReturnConsumedCapacity: Literal["INDEXES", "TOTAL", "NONE"]
    ReturnItemCollectionMetrics: Literal["SIZE", "NONE"]
    ReturnValues: Literal["ALL_NEW", "UPDATED_OLD", "ALL_OLD", "NONE", "UPDATED_NEW"]
    ReturnValuesOnConditionCheckFailure: Literal["ALL_OLD", "NONE"]
    TableName: Required[str]


class Query(TypedDict, total=False):
    AttributesToGet: Sequence[str]
    ConditionalOperator: Literal["OR", "AND"]
    ConsistentRead: bool
    ExclusiveStartKey: Mapping[str, AttributeValue]
    ExpressionAttributeNames: Mapping[str, str]
    ExpressionAttributeValues: Mapping[str, AttributeValue]
    FilterExpression: str
    IndexName: str
    KeyConditionExpression: str
    KeyConditions: Mapping[str, Mapping[str, Any]]
    Limit: int
    ProjectionExpression: str
    QueryFilter: Mapping[str, Mapping[str, Any]]
    ReturnConsumedCapacity: Literal["INDEXES", "TOTAL", "NONE"]
    ScanIndexForward: bool
    Select: Literal["SPECIFIC_ATTRIBUTES", "COUNT", "ALL_ATTRIBUTES", "ALL_PROJECTED_ATTRIBUTES"]
    TableName: Required[str]


class Scan(TypedDict, total=False):
    AttributesToGet: Sequence[str]
    ConditionalOperator: Literal["OR", "AND"]
    ConsistentRead: bool
    ExclusiveStartKey: Mapping[str, AttributeValue]
    ExpressionAttributeNames: Mapping[str, str]
    ExpressionAttributeValues: Mapping[str, AttributeValue]
    FilterExpression: str
    IndexName: str
    Limit: int
    ProjectionExpression: str
    ReturnConsumedCapacity: Literal["INDEXES", "TOTAL", "NONE"]
    ScanFilter: Mapping[str, Mapping[str, Any]]
    Segment: int
    Select: Literal["SPECIFIC_ATTRIBUTES", "COUNT", "ALL_ATTRIBUTES", "ALL_PROJECTED_ATTRIBUTES"]
    TableName: Required[str]
    TotalSegments: int


class TagResource(TypedDict, total=False):
    ResourceArn: Required[str]
    Tags: Required[Sequence[Mapping[str, Any]]]


class TransactGetItems(TypedDict, total=False):
    ReturnConsumedCapacity: Literal["INDEXES", "TOTAL", "NONE"]
    TransactItems: Required[Sequence[Mapping[str, Any]]]


class TransactWriteItems(TypedDict, total=False):
    ClientRequestToken: str
    ReturnConsumedCapacity: Literal["INDEXES", "TOTAL", "NONE"]
    ReturnItemCollectionMetrics: Literal["SIZE", "NONE"]
    TransactItems: Required[Sequence[Mapping[str, Any]]]


class UntagResource(TypedDict, total=False):
    ResourceArn: Required[str]
    TagKeys: Required[Sequence[str]]


class UpdateItem(TypedDict, total=False):
    AttributeUpdates: Mapping[str, Mapping[str, Any]]
    ConditionExpression: str
    ConditionalOperator: Literal["OR", "AND"]
    Expected: Mapping[str, Mapping[str, Any]]
    ExpressionAttributeNames: Mapping[str, str]
    ExpressionAttributeValues: Mapping[str, AttributeValue]
    Key: Required[Mapping[str, AttributeValue]]
    ReturnConsumedCapacity: Literal["INDEXES", "TOTAL", "NONE"]
    ReturnItemCollectionMetrics: Literal["SIZE", "NONE"]
    ReturnValues: Literal["ALL_NEW", "UPDATED_OLD", "ALL_OLD", "NONE", "UPDATED_NEW"]
    ReturnValuesOnConditionCheckFailure: Literal["ALL_OLD", "NONE"]
    TableName: Required[str]
    UpdateExpression: str


class UpdateTable(TypedDict, total=False):
    AttributeDefinitions: Sequence[Mapping[str, Any]]
    BillingMode: Literal["PROVISIONED", "PAY_PER_REQUEST"]
    DeletionProtectionEnabled: bool
    DisassociationProtectionEnabled: bool
    GlobalSecondaryIndexUpdates: Sequence[Mapping[str, Any]]
    GlobalTableSettingsReplicationMode: Literal["ENABLED", "DISABLED", "ENABLED_WITH_OVERRIDES"]
    GlobalTableWitnessUpdates: Sequence[Mapping[str, Any]]
    MultiRegionConsistency: Literal["EVENTUAL", "STRONG"]
    OnDemandThroughput: Mapping[str, Any]
    ProvisionedThroughput: Mapping[str, Any]
    ReplicaUpdates: Sequence[Mapping[str, Any]]
    SSESpecification: Mapping[str, Any]
    StreamSpecification: Mapping[str, Any]
    TableClass: str
    TableName: Required[str]
    VectorIndexUpdates: Sequence[Mapping[str, Any]]
    WarmThroughput: Mapping[str, Any]


class UpdateTimeToLive(TypedDict, total=False):
    TableName: Required[str]
    TimeToLiveSpecification: Required[Mapping[str, Any]]
