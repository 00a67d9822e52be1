"""The declarations that the tests of expressions share: one entity with a field of every kind."""

from __future__ import annotations

from datetime import UTC, datetime
from decimal import Decimal
from enum import Enum
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field

from partita.model import Attribute, Entity, Index, Key, StoreNull, Table, attribute


class Colour(Enum):
    RED = "red"
    BLUE = "blue"


class App(Table, name="app"):
    gsi1 = Index()


class Address(BaseModel):
    city: str
    postcode: Annotated[str, Attribute("zip")] = "0000"
    size: int = 1


class Line(BaseModel):
    sku: str
    qty: int = 1
    address: Address | None = None


class Order(Entity, table=App):
    id: str
    customer: str
    status: Literal["PENDING", "SHIPPED"] = "PENDING"
    placed: datetime = datetime(2026, 1, 1, tzinfo=UTC)
    total: Decimal = attribute("amount", default=Decimal("10.5"))
    qty: Annotated[int, Field(ge=0)] = 3
    stock: int = 3
    weight: float | None = None
    note: str | None = None
    paid: bool = False
    picture: bytes | None = None
    colour: Colour = Colour.RED
    discount: Annotated[int | None, StoreNull()] = None
    tags: set[str] = Field(default_factory=set)
    codes: set[int] = Field(default_factory=set)
    address: Address = Address(city="Huế")
    billing: Address | None = None
    lines: list[Line] = Field(default_factory=list)
    history: list[int] = Field(default_factory=list)
    gaps: list[int | None] = Field(default_factory=list)
    labels: dict[str, str] = Field(default_factory=dict)
    counts: dict[int, int] = Field(default_factory=dict)

    key = Key("ORDER#{id}", "META")
    gsi1 = Key("CUST#{customer}", "{placed}")


KEY = {"PK": {"S": "ORDER#1"}, "SK": {"S": "META"}}

ITEM: dict[str, Any] = KEY | {
    "customer": {"S": "c7"},
    "status": {"S": "PENDING"},
    "placed": {"S": "2026-01-01T00:00:00.000000Z"},
    "amount": {"N": "10.5"},
    "qty": {"N": "3"},
    "stock": {"N": "3"},
    "note": {"S": "leave at the door"},
    "paid": {"BOOL": False},
    "picture": {"B": b"abc"},
    "colour": {"S": "red"},
    "discount": {"NULL": True},
    "tags": {"SS": ["a", "b"]},
    "codes": {"NS": ["1", "2"]},
    "address": {"M": {"city": {"S": "Huế"}, "zip": {"S": "49000"}, "size": {"N": "4"}}},
    "lines": {
        "L": [{"M": {"sku": {"S": "x"}, "qty": {"N": "2"}}}, {"M": {"sku": {"S": "y"}, "qty": {"N": "1"}}}]
    },
    "history": {"L": [{"N": "1"}, {"N": "2"}]},
    "gaps": {"L": [{"N": "1"}, {"NULL": True}]},
    "labels": {"M": {"x": {"S": "1"}, "not.a path": {"S": "2"}}},
    "counts": {"M": {"5": {"N": "50"}}},
}
"""An order as it is stored; weight, billing and the keys of the index are absent."""


def create_table(client: Any) -> None:
    client.create_table(
        TableName="app",
        BillingMode="PAY_PER_REQUEST",
        KeySchema=[{"AttributeName": "PK", "KeyType": "HASH"}, {"AttributeName": "SK", "KeyType": "RANGE"}],
        AttributeDefinitions=[
            {"AttributeName": name, "AttributeType": "S"} for name in ("PK", "SK", "GSI1PK", "GSI1SK")
        ],
        GlobalSecondaryIndexes=[
            {
                "IndexName": "GSI1",
                "KeySchema": [
                    {"AttributeName": "GSI1PK", "KeyType": "HASH"},
                    {"AttributeName": "GSI1SK", "KeyType": "RANGE"},
                ],
                "Projection": {"ProjectionType": "ALL"},
            }
        ],
    )
