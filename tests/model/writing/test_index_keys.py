"""Whatever is written, the stored index keys are those of the stored fields."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from decimal import Decimal
from typing import Any, Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.model.writing.by_hand import Clock
from tests.model.writing.shop import PLACED, App, Order, order

import partita
from partita.model import Entity, F, Index, Key, Session, Table, entity_of, item_of, upcaster
from partita.model.errors import WriteRefused
from partita.model.flows.flow import Call
from partita.model.flows.retries import ask

VALUES: dict[str, st.SearchStrategy[Any]] = {
    "customer": st.sampled_from(["7", "8", "#"]),
    "status": st.sampled_from(["PENDING", "SHIPPED"]),
    "placed": st.integers(0, 3).map(lambda days: PLACED + timedelta(days=days)),
    "note": st.sampled_from([None, "x"]),
    "total": st.sampled_from([Decimal(1), Decimal(2)]),
}
FIELDS = st.fixed_dictionaries({}, optional=VALUES)


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    with partita.Database() as database, Session(database.client(), now=Clock()) as made:
        made.create_table(App)
        yield made


def stored(session: Session) -> Any:
    key = Order.key(tenant="42", id="991").item_key()
    call = Call("GetItem", {"TableName": "app", "Key": key, "ConsistentRead": True})
    return session.run(lambda context: ask(context.retries, call))["Item"]


@given(FIELDS, FIELDS)
@settings(max_examples=150)
def test_by_a_change_or_it_is_refused(
    session: Session, before: dict[str, Any], changes: dict[str, Any]
) -> None:
    ref = Order.key(tenant="42", id="991")
    session.delete(ref)
    session.create(order(**before))
    updates = [F(Order)[name].set(value) for name, value in changes.items()]
    known = {"customer", "placed", "status"} <= changes.keys()
    try:
        changed = session.change(ref, *updates)
    except WriteRefused:
        assert not updates or not known
    else:
        assert stored(session) == item_of(changed)


@given(FIELDS, FIELDS)
@settings(max_examples=100)
def test_by_an_update(session: Session, before: dict[str, Any], changes: dict[str, Any]) -> None:
    session.delete(Order.key(tenant="42", id="991"))
    entity = order(**before)
    session.create(entity)
    for name, value in changes.items():
        setattr(entity, name, value)
    session.update(entity)
    assert stored(session) == item_of(entity) == entity._stored


class Opaque(Table):
    gsi1 = Index()


def is_open(ticket: Any) -> bool:
    return bool(ticket.state == "open")


class Ticket(Entity, table=Opaque):
    id: str
    state: Literal["open", "closed"] = "open"
    title: str = ""

    key = Key("TICKET#{id}", "TICKET")
    gsi1 = Key("OPEN", "{id}", when=is_open)


class Seat(Entity, table=Opaque):
    id: str
    taken: bool = False
    title: str = ""

    key = Key("SEAT#{id}", "SEAT")
    gsi1 = Key("FREE", "{id}", when=lambda seat: seat.is_free)

    @property
    def is_free(self) -> bool:
        return not self.taken


@pytest.mark.parametrize(
    ("entity", "ref", "update"),
    [
        (Ticket(id="1"), Ticket.key(id="1"), F(Ticket).state.set("closed")),
        (Seat(id="1"), Seat.key(id="1"), F(Seat).taken.set(True)),
    ],
)
def test_a_when_that_calls_others_is_kept_true_or_refused(entity: Entity, ref: Any, update: Any) -> None:
    with partita.Database() as database, Session(database.client()) as session:
        session.create_table(Opaque)
        session.create(entity)
        try:
            changed = session.change(ref, update)
        except WriteRefused:
            return
        item = database.client().get_item(TableName="Opaque", Key=ref.item_key())["Item"]
        assert item == item_of(changed)
        assert "GSI1PK" not in item


class People(Table):
    pass


class Person(Entity, table=People):
    id: str
    first: str
    last: str

    key = Key("PERSON#{id}", "PERSON")

    @upcaster(1)
    def _one_name(item: Any) -> Any:  # noqa: N805 (it is no method)
        first, last = item["name"]["S"].split()
        return {n: v for n, v in item.items() if n != "name"} | {"first": {"S": first}, "last": {"S": last}}


def test_an_item_of_an_older_version_is_written_as_the_new_one() -> None:
    with partita.Database() as database, Session(database.client()) as session:
        session.create_table(People)
        key = Person.key(id="1").item_key()
        old = key | {"_type": {"S": "Person"}, "id": {"S": "1"}, "name": {"S": "Ada Byron"}}
        database.client().put_item(TableName="People", Item=old)
        person = session.get(Person, id="1")
        assert person is not None
        person.last = "Lovelace"
        session.update(person)
        item = database.client().get_item(TableName="People", Key=key)["Item"]
        assert item == item_of(person)
        assert "name" not in item
        assert entity_of(item, People) == person
