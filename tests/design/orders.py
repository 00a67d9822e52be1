"""The order service's design: six patterns that are proved."""

from __future__ import annotations

from datetime import UTC, datetime
from decimal import Decimal
from typing import Annotated, Literal

from pydantic import BaseModel, StringConstraints

from partita.design import Collect, Get, P, Query, Write
from partita.model import Entity, Index, Key, Table, Version, attribute, unique, version

NOON = datetime(2026, 9, 28, 12, tzinfo=UTC)

Id = Annotated[str, StringConstraints(max_length=26)]
Name = Annotated[str, StringConstraints(max_length=100)]


class App(Table, name="app"):
    gsi1 = Index()
    gsi2 = Index(project="keys")


class Order(Entity, table=App, type="ORDER"):
    tenant: Id
    id: Id
    customer: Id
    status: Literal["PENDING", "SHIPPED"] = "PENDING"
    placed: datetime
    total: Decimal = attribute("amount")
    version: Version = version()

    key = Key("TENANT#{tenant}#ORDER#{id}", "META")
    gsi1 = Key("TENANT#{tenant}#CUST#{customer}", "{placed}")
    gsi2 = Key("TENANT#{tenant}#PENDING#{shard:4}", "{placed}", when=lambda o: o.status == "PENDING")


class OrderLine(Entity, table=App):
    tenant: Id
    order: Id
    number: int
    sku: Id

    key = Key("TENANT#{tenant}#ORDER#{order}", "LINE#{number:4}")


class Stock(Entity, table=App):
    tenant: Id
    sku: Id
    free: int

    key = Key("TENANT#{tenant}#STOCK#{sku}", "STOCK")


class Account(Entity, table=App):
    id: Id
    email: Name = unique(normalise=str.casefold)
    username: Name = unique()

    key = Key("ACCT#{id}", "PROFILE")


class PendingOrder(BaseModel):
    tenant: str
    id: str
    placed: datetime


ORDER_PAGE = Collect(
    "order page", Order.key(tenant=P("tenant"), id=P("id")), of=[Order, OrderLine], at_most=101
)
ORDERS_OF_CUSTOMER = Query(
    "orders of a customer",
    Order.gsi1(tenant=P("tenant"), customer=P("customer")).between(P("since"), P("until")),
    newest_first=True,
    limit=20,
)
PENDING = Query("pending orders", Order.gsi2(tenant=P("tenant")), limit=25, view=PendingOrder)
ACCOUNT = Get("account by id", Account.key(id=P("id")))
REGISTER = Write("register", creates=[Account], how="transaction")
PLACE_ORDER = Write(
    "place order",
    creates={Order: 1, OrderLine: 20},
    changes={Stock: 20},
    how="transaction",
    guarded=[Stock],
)
SHIP = Write("ship", changes=[Order], how="put", decided_by=[PENDING])


def order(**values: object) -> Order:
    given = {"tenant": "42", "id": "991", "customer": "7", "placed": NOON, "total": Decimal("12.50")}
    return Order(**(given | values))  # type: ignore[arg-type]
