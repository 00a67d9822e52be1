"""Call sites that type checkers accept; test_typing.py runs them through mypy and pyright."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from datetime import datetime
from decimal import Decimal
from typing import Annotated, Any, Literal, assert_type

from pydantic import BaseModel

from partita.design import Collect, Get, P, Query, TransactGet
from partita.model import (
    AsyncSession,
    Backfill,
    Collection,
    Entity,
    F,
    Index,
    Key,
    KeyCondition,
    LocalIndex,
    Page,
    Session,
    Table,
    Unique,
    UniqueTogether,
    Version,
    attribute,
    created,
    decode_stream_image,
    entity_of,
    item_of,
    ttl,
    unique,
    upcaster,
    updated,
    version,
)
from partita.model.schema import Item


class App(Table, name="app"):
    gsi1 = Index()
    gsi2 = Index(project="keys")
    lsi1 = LocalIndex(bounded=True)
    by_region = Index(partition=["tenant", "region"], sort=["placed"])


class Order(Entity, table=App, type="ORDER"):
    tenant: str
    id: str
    customer: str
    status: Literal["PENDING", "SHIPPED"] = "PENDING"
    placed: datetime
    region: str
    total: Decimal = attribute("amount")
    note: str = attribute("n", default="")
    email: str = unique(normalise=str.casefold)
    phone: Annotated[str | None, Unique()] = None
    code: str = unique(default="x")
    version: Version = version()
    created_at: datetime | None = created()
    updated_at: datetime | None = updated()
    expires: datetime | None = ttl()

    once = UniqueTogether("tenant", "code")
    key = Key("TENANT#{tenant}#ORDER#{id}", "META")
    gsi1 = Key("TENANT#{tenant}#CUST#{customer}", "{placed}")
    gsi2 = Key("TENANT#{tenant}#PENDING#{shard:4}", "{placed}", when=lambda o: o.status == "PENDING")
    by_region = Key()

    @upcaster(1)
    @staticmethod
    def _older(item: Item) -> Item:
        return item

    def before_write(self) -> None:
        self.note = self.note.strip()


class Label(BaseModel):
    id: str


class Note(Entity, table=App):
    id: str
    key = Key("NOTE#{id}", "META")


def use(placed: datetime, images: dict[str, Any]) -> None:
    order = Order(
        tenant="42",
        id="991",
        customer="7",
        placed=placed,
        region="eu",
        total=Decimal(1),
        email="a@b",
        expires=placed,
        version=1,
    )
    order.status = "SHIPPED"
    assert_type(order.total, Decimal)
    assert_type(order.version, int)
    assert_type(Order.key(tenant="42", id="991"), KeyCondition[Order])
    assert_type(Order.gsi1(tenant="42", customer="7").between(placed, placed), KeyCondition[Order])
    assert_type(Order.by_region(tenant="42", region="eu").after(placed), KeyCondition[Order])
    assert_type(entity_of(item_of(order), Order), Order)
    assert_type(entity_of(item_of(order), App), Entity)
    assert_type(Order.example(2, tenant="42"), Order)
    assert_type(decode_stream_image(App, images), Entity | None)


ORDER_BY_ID = Get("order by id", Order.key(tenant=P("tenant"), id=P("id")))
LABELS = Query("labels", Order.gsi1(tenant=P("tenant"), customer=P("customer")), limit=9, view=Label)
RECENT = Query("recent", Order.gsi1(tenant=P("tenant"), customer=P("customer")), limit=9)
BOTH = TransactGet("both", Order.key(tenant=P("tenant"), id=P("id")), Note.key(id=P("note")))
SEVERAL = TransactGet("several", Note.key(id=P("ids")), each="ids", at_most=9)
PAGE = Collect("page", Order.key(tenant=P("tenant"), id=P("id")), of=[Order], at_most=9)


def run(session: Session) -> None:
    assert_type(session.run(ORDER_BY_ID, tenant="42", id="991"), Order | None)
    assert_type(session.run(LABELS, tenant="42", customer="7"), Page[Label])
    assert_type(session.run(RECENT, tenant="42", customer="7", cursor=None), Page[Order])
    assert_type(session.run(BOTH, tenant="42", id="991", note="1"), tuple[Order | None, Note | None])
    assert_type(session.run(SEVERAL, ids=["1"]), list[Note | None])
    assert_type(session.run(PAGE, tenant="42", id="991"), Collection)


def call(session: Session, placed: datetime) -> None:
    order, note = Order.key(tenant="42", id="991"), Note.key(id="1")
    recent = Order.gsi1(tenant="42", customer="7")
    assert_type(session.get(Order, tenant="42", id="991"), Order | None)
    assert_type(session.get(order, consistent=True, view=Label), Label | None)
    assert_type(session.query(Order, recent, newest_first=True, limit=9, cursor=None), Page[Order])
    assert_type(session.query(recent.after(placed)), Page[Order])
    assert_type(session.query(Order, recent, view=Label, limit=9), Page[Label])
    assert_type(session.pages(Order, recent, limit=9, fetch=True), Iterator[Page[Order]])
    assert_type(session.pages(Order, recent, view=Label), Iterator[Page[Label]])
    assert_type(session.iterate([Order], recent, max_requests=2), Iterator[Order])
    assert_type(session.iterate(Order, recent, view=Label), Iterator[Label])
    assert_type(session.collection(order, of=[Order, Note], max_items=9), Collection)
    assert_type(session.batch_get([order], duplicates="refuse"), list[Order | None])
    assert_type(session.scan_everything(App, of=[Order], segments=4), Iterator[Order])
    assert_type(session.scan_everything(App, limit=9), Iterator[Entity])
    assert_type(session.transact_get([note]), list[Note | None])
    assert_type(session.change(order, F(Order).note.set("x"), when=F(Order).note.exists()), Order)
    assert_type(session.backfill(App, segments=4, units_per_second=5), Backfill)


async def call_async(session: AsyncSession) -> None:
    order, note = Order.key(tenant="42", id="991"), Note.key(id="1")
    recent = Order.gsi1(tenant="42", customer="7")
    assert_type(await session.get(Order, tenant="42", id="991"), Order | None)
    assert_type(await session.get(order, consistent=True, view=Label), Label | None)
    assert_type(await session.query(Order, recent, newest_first=True, limit=9), Page[Order])
    assert_type(await session.query(Order, recent, view=Label, cursor=None), Page[Label])
    assert_type(session.pages(Order, recent, limit=9), AsyncIterator[Page[Order]])
    assert_type(session.pages(Order, recent, view=Label), AsyncIterator[Page[Label]])
    assert_type(session.iterate(Order, recent, consistent=False), AsyncIterator[Order])
    assert_type(session.iterate(Order, recent, view=Label), AsyncIterator[Label])
    assert_type(await session.batch_get([order], consistent=True), list[Order | None])
    assert_type(session.scan_everything(App, of=[Order], segments=4), AsyncIterator[Order])
    assert_type(session.scan_everything(App, limit=9), AsyncIterator[Entity])
    assert_type(await session.transact_get([note]), list[Note | None])
    assert_type(await session.backfill(App, dry_run=True), Backfill)


async def run_async(session: AsyncSession) -> None:
    assert_type(await session.run(ORDER_BY_ID, tenant="42", id="991"), Order | None)
