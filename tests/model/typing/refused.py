"""Mistakes that type checkers find: each line that ends in `# wrong` is one."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal

from tests.model.typing.accepted import App, Label, Note, Order

from partita.design import Get, Scan, Write
from partita.model import AsyncSession, KeyCondition, Session, attribute, entity_of, item_of, unique


def use(placed: datetime, order: Order) -> None:
    Order(tenant="42", id="991", customer="7", placed=placed, region="eu", total=Decimal(1))  # wrong
    Order.example().tenant = 42  # wrong
    Note(id=1)  # wrong
    Note(id="1", colour="red")  # wrong
    order.model_copy().colour = "red"  # wrong
    print(order.stauts)  # wrong
    unique(normalize=str.casefold)  # wrong
    attribute("n", max_lenght=8)  # wrong
    order.status = "LOST"  # wrong
    Order.gsi7(tenant="42")  # wrong
    Order.key(tenant="42", id="991").beetween(placed, placed)  # wrong
    condition: KeyCondition[Order] = Order.key  # wrong
    text: str = entity_of(item_of(order), Order).total  # wrong
    entity_of(order, Order)  # wrong
    print(condition, text)


def run(session: Session) -> None:
    session.run(Scan("all", Order))  # wrong
    Get("order", Order.gsi1)  # wrong
    Write("order", creates=[Order], how="maybe")  # wrong
    Write("order", creates=[session], how="put")  # wrong


async def call(session: Session, asynchronous: AsyncSession) -> None:
    recent = Order.gsi1(tenant="42", customer="7")
    session.query(Order, recent, limt=9)  # wrong
    session.query(Order, recent, view=int)  # wrong
    session.iterate(Order, recent, limit=9)  # wrong
    session.batch_get([Note.key(id="1")], duplicates="keep")  # wrong
    session.scan_everything(App, segments="4")  # wrong
    session.backfill(App, segment=4)  # wrong
    session.backfill(App, page="4")  # wrong
    labels: list[Label] = session.query(Order, recent).items  # wrong
    await asynchronous.query(Order, recent, limit="9")  # wrong
    print(asynchronous.query(Order, recent).items)  # wrong
    print(labels)
