"""The order service, as an application would write it with boto3's resource: each pattern is one request."""

from __future__ import annotations

import zlib
from typing import Any

from boto3.dynamodb.conditions import Attr, Key
from tests.clients.app_table import SHARDS, TENANT

Item = dict[str, Any]


class OrderService:
    """`table` is the resource of the table `app`."""

    def __init__(self, table: Any) -> None:
        self._table = table
        self._client = table.meta.client

    def add_customer(self, customer: str, name: str) -> None:
        self._table.put_item(
            Item={"PK": f"{TENANT}#CUST#{customer}", "SK": "PROFILE", "name": name},
            ConditionExpression=Attr("PK").not_exists(),
        )

    def customer(self, customer: str) -> Item | None:
        answer = self._table.get_item(Key={"PK": f"{TENANT}#CUST#{customer}", "SK": "PROFILE"})
        item: Item | None = answer.get("Item")
        return item

    def place(
        self, order: str, customer: str, time: str, total: int, lines: list[str], token: str = ""
    ) -> None:
        """Writes the order and its items as one; `token`: of the intention, the same in every retry."""
        partition = f"{TENANT}#ORDER#{order}"
        meta = {
            "PK": partition,
            "SK": "META",
            "total": total,
            "status": "pending",
            "GSI1PK": f"{TENANT}#CUST#{customer}",
            "GSI1SK": f"ORDER#{time}#{order}",
            "GSI2PK": pending_shard(shard_of(order)),
            "GSI2SK": time,
        }
        items = [
            {"PK": partition, "SK": f"ITEM#{number:03d}", "sku": sku} for number, sku in enumerate(lines, 1)
        ]
        self._client.transact_write_items(
            TransactItems=[
                {
                    "Put": {
                        "TableName": self._table.name,
                        "Item": item,
                        "ConditionExpression": "attribute_not_exists(PK)",
                    }
                }
                for item in [meta, *items]
            ],
            **({"ClientRequestToken": token} if token else {}),
        )

    def order_with_items(self, order: str) -> list[Item]:
        return self._query(Key("PK").eq(f"{TENANT}#ORDER#{order}"))

    def orders_of(self, customer: str, first: str, last: str) -> list[Item]:
        """Newest first, of the days from `first` to `last`."""
        return self._query(
            Key("GSI1PK").eq(f"{TENANT}#CUST#{customer}")
            & Key("GSI1SK").between(f"ORDER#{first}", f"ORDER#{last}~"),
            IndexName="GSI1",
            ScanIndexForward=False,
        )

    def pending(self) -> list[Item]:
        """Of all shards, each by one query, oldest first within a shard."""
        return [
            item
            for shard in range(SHARDS)
            for item in self._query(Key("GSI2PK").eq(pending_shard(shard)), IndexName="GSI2")
        ]

    def ship(self, order: str) -> None:
        """The order leaves the index of pending orders."""
        self._table.update_item(
            Key={"PK": f"{TENANT}#ORDER#{order}", "SK": "META"},
            UpdateExpression="SET #s = :shipped REMOVE GSI2PK, GSI2SK",
            ConditionExpression="#s = :pending",
            ExpressionAttributeNames={"#s": "status"},
            ExpressionAttributeValues={":shipped": "shipped", ":pending": "pending"},
        )

    def _query(self, condition: Any, **parameters: Any) -> list[Item]:
        return list(self._table.query(KeyConditionExpression=condition, **parameters)["Items"])


def shard_of(order: str) -> int:
    return zlib.crc32(order.encode()) % SHARDS


def pending_shard(shard: int) -> str:
    return f"{TENANT}#PENDING#{shard}"


def order_ids(items: list[Item]) -> list[str]:
    return [item["PK"].rpartition("#")[2] for item in items]
