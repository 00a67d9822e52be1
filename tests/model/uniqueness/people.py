"""The declarations that these tests write with."""

from __future__ import annotations

from datetime import datetime

from partita.model import Entity, Key, Table, UniqueTogether, Version, ttl, unique, version


class Club(Table, name="club"):
    pass


class Account(Entity, table=Club):
    """Two unique attributes, one of them normalised and optional; no version."""

    id: str
    email: str | None = unique(normalise=str.casefold, default=None)
    username: str = unique()
    name: str = ""
    expires: datetime | None = ttl()

    key = Key("ACCT#{id}", "PROFILE")


class Product(Entity, table=Club):
    """Unique within a tenant while it is sold, and by two fields together; with a version."""

    tenant: str
    id: str
    sku: str = unique(scope=("tenant",), when=lambda product: product.sold)
    maker: str
    number: int
    sold: bool = True
    version: Version = version()

    made_once = UniqueTogether("maker", "number")
    key = Key("TENANT#{tenant}#PRODUCT#{id}", "PRODUCT")
