"""The tables of this room's tests."""

from __future__ import annotations

from typing import Any

ORDERS: dict[str, Any] = {
    "TableName": "orders",
    "AttributeDefinitions": [
        {"AttributeName": "pk", "AttributeType": "S"},
        {"AttributeName": "sk", "AttributeType": "S"},
        {"AttributeName": "status", "AttributeType": "S"},
    ],
    "KeySchema": [
        {"AttributeName": "pk", "KeyType": "HASH"},
        {"AttributeName": "sk", "KeyType": "RANGE"},
    ],
    "GlobalSecondaryIndexes": [
        {
            "IndexName": "by-status",
            "KeySchema": [
                {"AttributeName": "status", "KeyType": "HASH"},
                {"AttributeName": "sk", "KeyType": "RANGE"},
            ],
            "Projection": {"ProjectionType": "ALL"},
        }
    ],
    "BillingMode": "PAY_PER_REQUEST",
}


def order(customer: str, number: int, **attributes: Any) -> dict[str, Any]:
    """An item of `orders` in wire form."""
    return {"pk": {"S": customer}, "sk": {"S": f"{number:04d}"}, **attributes}


def key(customer: str, number: int) -> dict[str, Any]:
    return order(customer, number)
