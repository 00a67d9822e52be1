"""A table as an older version of the application wrote it, and as the version of now declares it."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from partita.model import (
    Entity,
    Index,
    Key,
    Table,
    Version,
    created,
    ttl,
    unique,
    upcaster,
    updated,
    version,
)
from partita.model.schema import Item

PLACED = datetime(2026, 3, 1, tzinfo=UTC)


class OldApp(Table, name="app"):
    pass


class OldOrder(Entity, table=OldApp, type="Order"):
    id: str
    customer: str
    placed: datetime
    done: bool = False
    hits: int = 0

    key = Key("ORDER#{id}", "META")


class OldProduct(Entity, table=OldApp, type="Product"):
    id: str
    name: str
    version: Version = version()

    key = Key("PRODUCT#{id}", "META")


class OldAccount(Entity, table=OldApp, type="Account"):
    id: str
    email: str = unique()

    key = Key("ACCT#{id}", "META")


class App(Table, name="app"):
    gsi1 = Index()
    gsi2 = Index()


class Order(Entity, table=App):
    """No version; a new index, a sparse and sharded one, and a new field with a default."""

    id: str
    customer: str
    placed: datetime
    done: bool = False
    hits: int = 0
    channel: str = "web"

    key = Key("ORDER#{id}", "META")
    gsi1 = Key("CUST#{customer}", "{placed}")
    gsi2 = Key("OPEN#{shard:4}", "{placed}", when=lambda order: not order.done)


class Product(Entity, table=App):
    """A version and times; an upcaster."""

    id: str
    title: str
    created: datetime | None = created()
    updated: datetime | None = updated()
    version: Version = version()

    key = Key("PRODUCT#{id}", "META")
    gsi1 = Key("PRODUCTS", "{title}")

    @upcaster(1)
    def _name_is_title(item: Item) -> Item:  # noqa: N805 (it is no method)
        item["title"] = item.pop("name")
        return item


class Account(Entity, table=App):
    """Unique values, and an expiry."""

    id: str
    email: str = unique()
    expires: datetime | None = ttl()

    key = Key("ACCT#{id}", "META")


def old_order(number: int, **values: Any) -> OldOrder:
    return OldOrder(
        **{"id": str(number), "customer": "7", "placed": PLACED, "done": number % 2 == 1} | values
    )
