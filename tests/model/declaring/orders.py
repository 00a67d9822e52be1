"""The declarations that most tests use."""

from __future__ import annotations

from datetime import UTC, datetime
from decimal import Decimal
from typing import Any, Literal

from pydantic import BaseModel, Field

from partita.model import (
    Entity,
    Index,
    Key,
    Table,
    UniqueTogether,
    Version,
    attribute,
    created,
    ttl,
    unique,
    updated,
    version,
)

NOON = datetime(2026, 9, 28, 12, tzinfo=UTC)


class App(Table, name="app"):
    gsi1 = Index()
    gsi2 = Index(project="keys")
    by_region = Index(partition=["tenant", "region"], sort=["placed", "amount"])


class Address(BaseModel):
    city: str
    zip: str | None = None


class Order(Entity, table=App, type="ORDER"):
    tenant: str
    id: str
    customer: str
    status: Literal["PENDING", "SHIPPED"] = "PENDING"
    placed: datetime
    region: str | None = None
    address: Address
    tags: set[str] = Field(default_factory=set)
    total: Decimal = attribute("amount")
    version: Version = version()
    created_at: datetime | None = created()
    updated_at: datetime | None = updated()
    expires: datetime | None = ttl()

    key = Key("TENANT#{tenant}#ORDER#{id}", "META")
    gsi1 = Key("TENANT#{tenant}#CUST#{customer}", "{placed}")
    gsi2 = Key("TENANT#{tenant}#PENDING#{shard:4}", "{placed}", when=lambda o: o.status == "PENDING")
    by_region = Key()


class OrderLine(Entity, table=App):
    tenant: str
    order: str
    number: int
    sku: str
    category: str | None = None

    key = Key("TENANT#{tenant}#ORDER#{order}", "LINE#{number:4}")
    gsi1 = Key("TENANT#{tenant}#CATEGORY#{category}", "{sku}")


class Account(Entity, table=App):
    id: str
    tenant: str = "t"
    email: str = unique(normalise=str.casefold, scope=("tenant",))
    username: str = unique(default="nobody", when=lambda a: a.username != "nobody")
    first: str = ""
    last: str = ""

    names = UniqueTogether("first", "last", normaliser_version=2)
    key = Key("ACCT#{id}", "PROFILE")


def order(**values: Any) -> Order:
    given: dict[str, Any] = {
        "tenant": "42",
        "id": "991",
        "customer": "7",
        "placed": NOON,
        "address": Address(city="Hue"),
        "total": Decimal("12.50"),
    }
    return Order(**(given | values))


__all__ = ["NOON", "Account", "Address", "App", "Order", "OrderLine", "order"]
