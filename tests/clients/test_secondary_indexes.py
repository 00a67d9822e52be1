"""Global and local indexes: what a strongly consistent read may ask, and when an index can be added."""

from __future__ import annotations

import json
from typing import Any

import pytest
from botocore.exceptions import ParamValidationError
from tests.clients import app_table
from tests.clients.app_table import TENANT, attributes, index
from tests.clients.conftest import Addresses
from tests.clients.errors import error_of
from tests.clients.order_service import OrderService, order_ids
from tests.clients.server_process import Access

NOTHING_TO_UPDATE = (
    "At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled, GlobalSecondaryIndexUpdates, "
    "SSESpecification, ReplicaUpdates, MultiAccountReplicaReady, ReplicaTransitRoleArn, "
    "MultiRegionConsistency, DeletionProtectionEnabled, OnDemandThroughput, WarmThroughput or TableClass "
    "is required"
)
"""Behaviour 16.1."""
LOCAL = [{"Create": index("LSI2", HASH="PK", RANGE="GSI1SK")}]


def query(client: Any, **parameters: Any) -> Any:
    return client.query(TableName="app", **parameters)


def test_a_strong_read_of_a_global_index_is_refused_and_of_a_local_one_is_served(access: Access) -> None:
    client = access.client()
    app_table.create(client)
    of_customer = {
        "ConsistentRead": True,
        "ExpressionAttributeValues": {":c": {"S": f"{TENANT}#CUST#7"}},
    }
    refused = of_customer | {"IndexName": "GSI1", "KeyConditionExpression": "GSI1PK = :c"}
    served = of_customer | {"IndexName": "LSI1", "KeyConditionExpression": "PK = :c"}

    assert error_of(query, client=client, **refused) == (
        "ValidationException",
        "Consistent reads are not supported on global secondary indexes",
    )
    answer = query(client, **served)
    assert (answer["Count"], answer["Items"]) == (0, [])


def test_a_local_index_orders_a_collection_by_value_as_of_now(any_profile: Access) -> None:
    client = any_profile.client()
    app_table.create(client)
    for order, total in (("a", "95"), ("b", "1200"), ("c", "300")):
        client.put_item(
            TableName="app",
            Item={"PK": {"S": "CUST#7"}, "SK": {"S": f"ORDER#{order}"}, "total": {"N": total}},
        )
        strong = query(
            client,
            IndexName="LSI1",
            ConsistentRead=True,
            KeyConditionExpression="PK = :c AND #t >= :least",
            ExpressionAttributeNames={"#t": "total"},
            ExpressionAttributeValues={":c": {"S": "CUST#7"}, ":least": {"N": total}},
        )
        assert {"S": f"ORDER#{order}"} in [item["SK"] for item in strong["Items"]]
    assert [item["total"]["N"] for item in strong["Items"]] == ["300", "1200"]


def test_a_local_index_cannot_be_added_by_update_table(access: Access) -> None:
    """The API has no parameter for it: boto3 says so itself, the database sees nothing to update."""
    client = access.client()
    app_table.create(client)
    with pytest.raises(ParamValidationError, match="LocalSecondaryIndexUpdates"):
        client.update_table(TableName="app", LocalSecondaryIndexUpdates=LOCAL)

    nothing = ("ValidationException", NOTHING_TO_UPDATE)
    assert error_of(client.update_table, TableName="app") == nothing

    def smuggle(params: dict[str, Any], **_: object) -> None:
        body = json.loads(params["body"]) | {"LocalSecondaryIndexUpdates": LOCAL}
        params["body"] = json.dumps(body).encode()

    client.meta.events.register("before-call.dynamodb.UpdateTable", smuggle)
    assert error_of(client.update_table, TableName="app") == nothing
    names = [
        local["IndexName"]
        for local in client.describe_table(TableName="app")["Table"]["LocalSecondaryIndexes"]
    ]
    assert names == ["LSI1"]


def test_a_global_index_is_added_to_a_table_with_orders(access: Access) -> None:
    """All orders of at least 500 in a week, of whatever customer: a new index, one query a day."""
    client = access.client()
    app_table.create(client)
    for number in range(14):
        day = {"S": f"{TENANT}#DAY#2026-09-{20 + number // 2}"}
        order = {
            "PK": {"S": f"{TENANT}#ORDER#{number}"},
            "SK": {"S": "META"},
            "GSI3PK": day,
            "total": {"N": str(100 * number)},
        }
        client.put_item(TableName="app", Item=order)
    client.put_item(TableName="app", Item={"PK": {"S": f"{TENANT}#CUST#7"}, "SK": {"S": "PROFILE"}})

    client.update_table(
        TableName="app",
        AttributeDefinitions=attributes(GSI3PK="S", total="N"),
        GlobalSecondaryIndexUpdates=[{"Create": index("GSI3", HASH="GSI3PK", RANGE="total")}],
    )
    until_active(client, "GSI3")

    large = [
        item["total"]["N"]
        for day in range(20, 27)
        for item in query(
            client,
            IndexName="GSI3",
            KeyConditionExpression="GSI3PK = :day AND #t >= :least",
            ExpressionAttributeNames={"#t": "total"},
            ExpressionAttributeValues={
                ":day": {"S": f"{TENANT}#DAY#2026-09-{day}"},
                ":least": {"N": "500"},
            },
        )["Items"]
    ]
    assert large == [str(total) for total in range(500, 1400, 100)]


def test_a_page_shown_right_after_an_order_reads_the_order_itself(addresses: Addresses, account: str) -> None:
    """The index does not show it yet; a strong GetItem does, so the customer does not order twice."""
    access = Access(addresses("--profile", "aws", "--setting", "index_lag_ms=3600000,3600000"), account)
    resource = access.resource()
    app_table.create(resource.meta.client)
    table = resource.Table("app")
    service = OrderService(table)
    service.place("991", "7", "2026-09-28T10:15:00Z", 640, ["sku"])

    assert service.orders_of("7", "2026-09-01", "2026-12-31") == []
    new = table.get_item(Key={"PK": f"{TENANT}#ORDER#991", "SK": "META"}, ConsistentRead=True)["Item"]
    assert order_ids([new]) == ["991"]


def until_active(client: Any, name: str) -> None:
    for _ in range(1000):
        table = client.describe_table(TableName="app")["Table"]
        found = {each["IndexName"]: each["IndexStatus"] for each in table["GlobalSecondaryIndexes"]}
        if found[name] == "ACTIVE":
            return
    raise TimeoutError(found)
