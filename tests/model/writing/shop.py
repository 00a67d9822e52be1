"""The declarations that these tests write with."""

from __future__ import annotations

from datetime import UTC, datetime
from decimal import Decimal
from typing import Literal

from pydantic import BaseModel, Field

from partita.model import Entity, Index, Key, Table, Version, attribute, created, ttl, updated, version


class App(Table, name="app"):
    gsi1 = Index()
    gsi2 = Index()


class Line(BaseModel):
    sku: str
    qty: int


class Address(BaseModel):
    city: str
    street: str | None = None


class Order(Entity, table=App):
    """Versioned, with times, in a customer's index and a sparse, sharded one."""

    tenant: str
    id: str
    customer: str
    status: Literal["PENDING", "SHIPPED"] = "PENDING"
    placed: datetime
    total: Decimal = attribute("amount")
    note: str | None = None
    address: Address | None = None
    lines: list[Line] = Field(default_factory=list)
    tags: set[str] = Field(default_factory=set)
    version: Version = version()
    created: datetime | None = created()
    updated: datetime | None = updated()

    key = Key("TENANT#{tenant}#ORDER#{id}", "META")
    gsi1 = Key("TENANT#{tenant}#CUST#{customer}", "{placed}")
    gsi2 = Key("TENANT#{tenant}#PENDING#{shard:4}", "{placed}", when=lambda order: order.status == "PENDING")


class Stock(Entity, table=App):
    """Without a version: what guards it is conditions."""

    sku: str
    qty: int
    name: str = ""
    sizes: dict[str, int] = Field(default_factory=dict)

    key = Key("STOCK#{sku}", "STOCK")


class Note(Entity, table=App):
    """With a creation time and nothing else that tells writers apart."""

    id: str
    text: str
    at: datetime | None = created()
    expires: datetime | None = ttl()

    key = Key("NOTE#{id}", "NOTE")


class Draft(Entity, table=App):
    """With a version and no times."""

    id: str
    text: str
    version: Version = version()

    key = Key("DRAFT#{id}", "DRAFT")


class Tag(Entity, table=App):
    """Changed by its hook before each write."""

    name: str
    words: list[str] = Field(default_factory=list)

    key = Key("TAG#{name}", "TAG")

    def before_write(self) -> None:
        self.words.append("seen")


PLACED = datetime(2026, 9, 28, 10, 30, tzinfo=UTC)


def order(number: str = "991", **values: object) -> Order:
    given: dict[str, object] = {
        "tenant": "42",
        "id": number,
        "customer": "7",
        "placed": PLACED,
        "total": Decimal("12.50"),
    }
    return Order.model_validate(given | values)
