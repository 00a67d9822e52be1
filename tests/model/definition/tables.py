"""Tables with every kind of index."""

from __future__ import annotations

from datetime import UTC, datetime
from decimal import Decimal

from partita.model import Entity, Index, Key, KeyAttribute, LocalIndex, Table, attribute, unique


class Plain(Table, sort_key=None, ttl=None):
    """A partition key, no sort key, no index, no TTL."""


class Shop(Table, name="shop-orders", ttl="expires"):
    gsi1 = Index()
    gsi2 = Index(project="keys")
    slim = Index(name="Slim", project=["total", "note"], partition=KeyAttribute("SlimPK"), sort=None)
    by_region = Index(partition=["tenant", "region"], sort=["placed", "amount"])
    lsi1 = LocalIndex(bounded=True)


class Order(Entity, table=Shop):
    tenant: str
    region: str
    id: str
    total: Decimal = attribute("amount")
    note: str | None = None
    placed: datetime = datetime(2026, 1, 1, tzinfo=UTC)

    key = Key("TENANT#{tenant}#ORDER#{id}", "META")
    gsi1 = Key("TENANT#{tenant}", "{placed}")
    slim = Key("REGION#{region}")


class Account(Entity, table=Shop):
    id: str
    email: str = unique()
    key = Key("ACCT#{id}", "PROFILE")
