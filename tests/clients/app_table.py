"""The table `app` of an order service: orders, their items, customers and products, in one table.

| pattern | request |
|---|---|
| an order with its items | Query PK = TENANT#42#ORDER#<id> |
| a customer's orders, newest first, by date | Query GSI1, GSI1PK = TENANT#42#CUST#<id>, GSI1SK between |
| pending orders | Query GSI2 of each shard; only pending orders have GSI2PK |
| a customer | GetItem TENANT#42#CUST#<id>, PROFILE |
| a customer's orders by value, strongly consistent | Query LSI1, PK = CUST#<id>, total |
"""

from __future__ import annotations

from typing import Any

TENANT = "TENANT#42"
SHARDS = 4


def index(name: str, **key: str) -> dict[str, Any]:
    """An index with all attributes; `key`: HASH and RANGE attribute."""
    return {
        "IndexName": name,
        "KeySchema": [{"AttributeName": attribute, "KeyType": kind} for kind, attribute in key.items()],
        "Projection": {"ProjectionType": "ALL"},
    }


def attributes(**types: str) -> list[dict[str, str]]:
    return [{"AttributeName": name, "AttributeType": kind} for name, kind in types.items()]


APP: dict[str, Any] = {
    "TableName": "app",
    "BillingMode": "PAY_PER_REQUEST",
    "AttributeDefinitions": attributes(
        PK="S", SK="S", GSI1PK="S", GSI1SK="S", GSI2PK="S", GSI2SK="S", total="N"
    ),
    "KeySchema": [
        {"AttributeName": "PK", "KeyType": "HASH"},
        {"AttributeName": "SK", "KeyType": "RANGE"},
    ],
    "GlobalSecondaryIndexes": [
        index("GSI1", HASH="GSI1PK", RANGE="GSI1SK"),
        index("GSI2", HASH="GSI2PK", RANGE="GSI2SK"),
    ],
    "LocalSecondaryIndexes": [index("LSI1", HASH="PK", RANGE="total")],
}


def create(client: Any, **changes: Any) -> None:
    """Creates the table and waits until it answers."""
    client.create_table(**(APP | changes))
    name = changes.get("TableName", "app")
    client.get_waiter("table_exists").wait(TableName=name, WaiterConfig={"Delay": 0.05, "MaxAttempts": 200})
