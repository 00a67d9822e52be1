"""What is measured: tables, items and requests, the same for every server and in process."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

ITEMS_PER_PARTITION = 20
TABLE = "bench"
INDEXED_TABLE = "bench-indexed"
INDEXED_ITEMS = 2000
"""The table with the index has no more than these."""

Request = dict[str, Any]


def table_request(name: str) -> Request:
    """CreateTable with a composite key; the indexed table has a global index on (gk, gs)."""
    request: Request = {
        "TableName": name,
        "KeySchema": [
            {"AttributeName": "pk", "KeyType": "HASH"},
            {"AttributeName": "sk", "KeyType": "RANGE"},
        ],
        "AttributeDefinitions": [
            {"AttributeName": "pk", "AttributeType": "S"},
            {"AttributeName": "sk", "AttributeType": "S"},
        ],
        "BillingMode": "PAY_PER_REQUEST",
    }
    if name == INDEXED_TABLE:
        request["AttributeDefinitions"] += [
            {"AttributeName": "gk", "AttributeType": "S"},
            {"AttributeName": "gs", "AttributeType": "N"},
        ]
        request["GlobalSecondaryIndexes"] = [
            {
                "IndexName": "by-customer",
                "KeySchema": [
                    {"AttributeName": "gk", "KeyType": "HASH"},
                    {"AttributeName": "gs", "KeyType": "RANGE"},
                ],
                "Projection": {"ProjectionType": "ALL"},
            }
        ]
    return request


def key(number: int) -> Request:
    """The key of item `number`."""
    return {
        "pk": {"S": f"TENANT#42#ORDER#{number // ITEMS_PER_PARTITION:08d}"},
        "sk": {"S": f"ITEM#{number % ITEMS_PER_PARTITION:03d}"},
    }


def item(number: int) -> Request:
    """An item of 12 attributes and about 560 bytes."""
    return {
        **key(number),
        "gk": {"S": f"TENANT#42#CUST#{number // ITEMS_PER_PARTITION:08d}"},
        "gs": {"N": str(number)},
        "version": {"N": "17"},
        "qty": {"N": "10"},
        "price": {"N": "1299.95"},
        "status": {"S": "PENDING"},
        "title": {"S": f"Product number {number} with a title of common length"},
        "tags": {"SS": ["new", "sale", "shoes"]},
        "address": {
            "M": {"city": {"S": "Hà Nội"}, "zip": {"S": "100000"}, "lines": {"L": [{"S": "12 Main St"}]}}
        },
        "note": {"S": "x" * 170},
    }


@dataclass(frozen=True)
class Workload:
    """An operation and what makes its requests; `request(n)` is for the n-th of `items` items."""

    name: str
    operation: str
    request: Callable[[int], Request]
    target_us: float | None
    """Server CPU µs a request at most, SQLite file with full durability."""
    target_in_process_us: float | None
    table: str = TABLE

    def items_of(self, items: int) -> int:
        """How many items this workload's table has where the others have `items`."""
        return min(items, INDEXED_ITEMS) if self.table == INDEXED_TABLE else items


def _get(number: int) -> Request:
    return {"TableName": TABLE, "Key": key(number)}


def put_request(number: int) -> Request:
    return {"TableName": TABLE, "Item": item(number)}


def _update(number: int) -> Request:
    return {
        "TableName": TABLE,
        "Key": key(number),
        "UpdateExpression": "SET #v = #v + :one, note = :note",
        "ConditionExpression": "attribute_exists(pk) AND qty >= :two",
        "ExpressionAttributeNames": {"#v": "version"},
        "ExpressionAttributeValues": {":one": {"N": "1"}, ":two": {"N": "2"}, ":note": {"S": "y" * 170}},
    }


def _query(number: int) -> Request:
    return {
        "TableName": TABLE,
        "KeyConditionExpression": "pk = :pk",
        "ExpressionAttributeValues": {":pk": key(number)["pk"]},
    }


def _transact(number: int) -> Request:
    return {
        "TransactItems": [
            {
                "Put": {
                    "TableName": TABLE,
                    "Item": item(number),
                    "ConditionExpression": "attribute_exists(pk)",
                }
            },
            {
                "Put": {
                    "TableName": TABLE,
                    "Item": {"pk": {"S": f"UNIQ#EMAIL#{number}@example.com"}, "sk": {"S": "LOCK"}},
                }
            },
            {
                "Update": {
                    "TableName": TABLE,
                    "Key": {"pk": {"S": f"CUST#{number}"}, "sk": {"S": "STOCK"}},
                    "UpdateExpression": "ADD orders :one",
                    "ExpressionAttributeValues": {":one": {"N": "1"}},
                }
            },
        ]
    }


def _batch(number: int) -> Request:
    first = number // 25 * 25
    return {"RequestItems": {TABLE: [{"PutRequest": {"Item": item(first + at)}} for at in range(25)]}}


def _query_index(number: int) -> Request:
    return {
        "TableName": INDEXED_TABLE,
        "IndexName": "by-customer",
        "KeyConditionExpression": "gk = :gk",
        "ExpressionAttributeValues": {":gk": item(number)["gk"]},
    }


WORKLOADS = (
    Workload("Get", "GetItem", _get, 25, 10),
    Workload("Put", "PutItem", put_request, 40, 20),
    Workload("Update with condition", "UpdateItem", _update, 50, 30),
    Workload("Query of 20", "Query", _query, 55, 35),
    Workload("TransactWrite of 3", "TransactWriteItems", _transact, 85, 60),
    Workload("BatchWrite of 25", "BatchWriteItem", _batch, None, None),
    Workload("Query of 20, global index", "Query", _query_index, None, None, INDEXED_TABLE),
)
