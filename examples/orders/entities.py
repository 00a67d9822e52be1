"""What the service keeps, and under which keys: one table for what is read together."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from typing import Annotated, Literal

from pydantic import Field

from partita.model import Entity, Index, Key, Table, Version, created, unique, updated, version

PENDING_SHARDS = 4

Id = Annotated[str, Field(min_length=1, max_length=64)]


class Shop(Table, name="orders"):
    """The table of the order service."""

    gsi1 = Index()
    """Orders by customer, newest first."""
    gsi2 = Index()
    """Only what is not completed yet: what waits for a worker, or has one that may have died."""


class Order(Entity, table=Shop):
    """The head of an order. Its lines stand in the same item collection."""

    tenant: Id
    id: Id
    customer: Id
    customer_name: str = Field(max_length=200)
    """Copied from the customer, so that the order page is one request."""
    status: Literal["PENDING", "TAKEN", "COMPLETED"] = "PENDING"
    worker: str | None = None
    taken_until: datetime | None = None
    """From then on, another worker may take over."""
    placed: datetime
    total: Decimal
    request: str = Field(default="", max_length=64)
    """The digest of what was asked for under the idempotency key."""
    version: Version = version()
    updated: datetime | None = updated()

    key = Key("TENANT#{tenant}#ORDER#{id}", "META")
    gsi1 = Key("TENANT#{tenant}#CUST#{customer}", "{placed}")
    gsi2 = Key(
        "TENANT#{tenant}#PENDING#{shard:4}", "{placed}", when=lambda order: order.status != "COMPLETED"
    )


class OrderLine(Entity, table=Shop):
    """One product of an order."""

    tenant: Id
    order: Id
    number: int
    product: Id
    title: str = Field(max_length=200)
    quantity: int
    price: Decimal

    key = Key("TENANT#{tenant}#ORDER#{order}", "ITEM#{number:3}")


class Customer(Entity, table=Shop):
    """Who orders."""

    tenant: Id
    id: Id
    name: str = Field(max_length=200)

    key = Key("TENANT#{tenant}#CUST#{id}", "PROFILE")


class Product(Entity, table=Shop):
    """A product and how many of it there are.

    Selling takes from `quantity` under a condition; a form that changes the whole product checks the version.
    """

    tenant: Id
    id: Id
    title: str = Field(max_length=200)
    price: Decimal
    quantity: int
    version: Version = version()

    key = Key("TENANT#{tenant}#PRODUCT#{id}", "STOCK")


class Account(Entity, table=Shop):
    """A login. Its e-mail address and its username belong to one account each."""

    id: Id
    email: str = unique(normalise=str.casefold, max_length=254)
    username: str = unique(normalise=str.casefold, max_length=64)
    version: Version = version()
    created: datetime | None = created()

    key = Key("ACCT#{id}", "PROFILE")
