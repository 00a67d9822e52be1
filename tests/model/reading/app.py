"""A small application whose indexes are of every kind."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any, Literal

from pydantic import BaseModel, Field

from partita.model import Entity, Index, Key, LocalIndex, Table, attribute, item_of
from partita.model.schema import KeyAttribute

DAY = datetime(2026, 9, 28, tzinfo=UTC)


class App(Table, name="app"):
    gsi1 = Index()
    gsi2 = Index()
    gsi3 = Index(project="keys")
    gsi4 = Index(project=["amount"])
    by_region = Index(partition=["tenant", "region"], sort=["placed", "id"])
    lsi1 = LocalIndex(project="keys", bounded=True)


class Address(BaseModel):
    street: str
    city: str


class Order(Entity, table=App, type="ORDER"):
    tenant: str
    id: str
    customer: str
    status: Literal["PENDING", "SHIPPED"] = "PENDING"
    placed: datetime
    region: str = "eu"
    total: Decimal = attribute("amount", default=Decimal(1))
    address: Address = Address(street="Main", city="Ghent")
    tags: list[str] = Field(default=[])
    note: str | None = None

    key = Key("TENANT#{tenant}#ORDER#{id}", "META")
    gsi1 = Key("TENANT#{tenant}#CUST#{customer}", "ORDER#{placed}")
    gsi2 = Key("TENANT#{tenant}#PENDING#{shard:4}", "{placed}", when=lambda o: o.status == "PENDING")
    gsi3 = Key("TENANT#{tenant}#STATUS#{status}", "{placed}")
    gsi4 = Key("TENANT#{tenant}#STATUS#{status}", "{placed}")
    lsi1 = Key("{placed}")


class OrderLine(Entity, table=App, type="LINE"):
    tenant: str
    order: str
    number: int
    product: str

    key = Key("TENANT#{tenant}#ORDER#{order}", "LINE#{number:3}")
    gsi1 = Key("TENANT#{tenant}#PRODUCT#{product}", "{order}#{number:3}")


class Customer(Entity, table=App, type="CUSTOMER"):
    tenant: str
    id: str
    name: str

    key = Key("TENANT#{tenant}#CUST#{id}", "PROFILE")
    gsi1 = Key("TENANT#{tenant}#CUST#{id}", "PROFILE")


class Payment(Entity, table=App, type="PAYMENT"):
    """Stands between a customer's orders in gsi1: its sort keys begin as theirs do."""

    tenant: str
    id: str
    customer: str
    paid: datetime

    key = Key("TENANT#{tenant}#PAY#{id}", "META")
    gsi1 = Key("TENANT#{tenant}#CUST#{customer}", "ORDER#{paid}#PAID")


def order(number: int, **values: Any) -> Order:
    """Order `number` of customer 7, placed that many hours after DAY."""
    given = {
        "tenant": "42",
        "id": f"{number:03}",
        "customer": "7",
        "placed": DAY + timedelta(hours=number),
    }
    return Order(**(given | values))


def create_table(client: Any, table: type[Table] = App, name: str | None = None) -> None:
    """Creates the table with its indexes."""
    schema = table.__schema__
    kinds: dict[str, str] = {}

    def keys(partition: Iterable[KeyAttribute], sort: Iterable[KeyAttribute]) -> list[dict[str, str]]:
        kinds.update((attribute.name, attribute.kind) for attribute in (*partition, *sort))
        return [
            *({"AttributeName": attribute.name, "KeyType": "HASH"} for attribute in partition),
            *({"AttributeName": attribute.name, "KeyType": "RANGE"} for attribute in sort),
        ]

    definition: dict[str, Any] = {
        "TableName": name or schema.name,
        "BillingMode": "PAY_PER_REQUEST",
        "KeySchema": keys([schema.partition], [schema.sort] if schema.sort else []),
    }
    for index in schema.indexes.values():
        project: dict[str, Any] = {"ProjectionType": "ALL" if index.project == "all" else "KEYS_ONLY"}
        if isinstance(index.project, tuple):
            project = {"ProjectionType": "INCLUDE", "NonKeyAttributes": list(index.project)}
        scope = "GlobalSecondaryIndexes" if index.scope == "global" else "LocalSecondaryIndexes"
        definition.setdefault(scope, []).append(
            {
                "IndexName": index.name,
                "KeySchema": keys(index.partition, index.sort),
                "Projection": project,
            }
        )
    definition["AttributeDefinitions"] = [
        {"AttributeName": name, "AttributeType": kind} for name, kind in kinds.items()
    ]
    client.create_table(**definition)


def put(client: Any, *entities: Entity) -> None:
    """Stores entities as they are."""
    for entity in entities:
        client.put_item(TableName=entity.__schema__.table.name, Item=item_of(entity))
