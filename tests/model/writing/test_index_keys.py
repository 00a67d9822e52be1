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
from partita.model import (
    Entity,
    F,
    Index,
    Key,
    KeyValueError,
    Raw,
    Session,
    Table,
    entity_of,
    item_of,
    upcaster,
)
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


class Parcels(Table, name="parcels"):
    by_weight = Index()
    by_place = Index(partition=["country"], sort=["town"])


class Parcel(Entity, table=Parcels):
    id: str
    carrier: str = "post"
    grams: int = 100
    country: str = "de"
    town: bytes | None = None
    key = Key("PARCEL#{id}", "{id}")
    by_weight = Key("{carrier}", "{grams:6}")


@pytest.fixture
def parcels() -> Iterator[Session]:
    with partita.Database() as database, Session(database.client(), now=Clock()) as made:
        made.create_table(Parcels)
        made.create(Parcel(id="1"))
        yield made


@pytest.mark.parametrize(
    ("parcel", "line"),
    [
        (
            {"id": ""},
            'Parcel.key: SK, made of "{id}", would be an empty key, which DynamoDB refuses: give id',
        ),
        ({"carrier": ""}, 'Parcel.by_weight: by_weightPK, made of "{carrier}", would be an empty key, '),
        (
            {"country": ""},
            "Parcel.by_place: country would be an empty key, which DynamoDB refuses: give country",
        ),
        (
            {"town": b""},
            "Parcel.by_place: town would be an empty key, which DynamoDB refuses: give town a value",
        ),
        ({"country": "", "town": b"x"}, "Parcel.by_place: country would be an empty key"),
    ],
)
def test_an_empty_key_is_named(parcels: Session, parcel: dict[str, Any], line: str) -> None:
    given = Parcel(**{"id": "2", **parcel})
    for write in (parcels.create, parcels.put, lambda entity: parcels.batch_write(put=[entity])):
        with pytest.raises(KeyValueError) as refused:
            write(given)
        assert str(refused.value).startswith(line)


@pytest.mark.parametrize(
    ("update", "key"),
    [
        (F(Parcel).country.set(""), "by_place: country"),
        (F(Parcel).town.set(b""), "by_place: town"),
        (F(Parcel).town.set_default(b""), "by_place: town"),
    ],
)
def test_nor_can_a_change_make_it_empty(parcels: Session, update: Any, key: str) -> None:
    with pytest.raises(KeyValueError, match=f"^Parcel.{key} would be an empty key"):
        parcels.change(Parcel.key(id="1"), update)
    with pytest.raises(KeyValueError, match=r'^Parcel.by_weight: by_weightPK, made of "{carrier}", would be'):
        parcels.change(Parcel.key(id="1"), F(Parcel).carrier.set(""), F(Parcel).grams.set(2))


@pytest.mark.parametrize(
    ("update", "field"),
    [
        (F(Parcel).grams.add(1), "grams"),
        (F(Parcel).grams.set_default(1), "grams"),
        (F(Parcel).carrier.set_default("x"), "carrier"),
        (Raw("SET #g = #g + :n", names={"#g": "grams"}, values={":n": 1}), "grams"),
    ],
)
def test_a_value_that_only_the_database_knows_is_in_no_key(parcels: Session, update: Any, field: str) -> None:
    others = [F(Parcel).carrier.set("x")] if field == "grams" else [F(Parcel).grams.set(2)]
    with pytest.raises(
        WriteRefused,
        match=rf"^Parcel.{field} decides the key of by_weight, and only the database knows its value after "
        rf"this update: give the value itself, F\(Parcel\).{field}.set\(…\), or read the entity and "
        r"update it$",
    ):
        parcels.change(Parcel.key(id="1"), *others, update)
    parcels.change(Parcel.key(id="1"), F(Parcel).carrier.set("x"), F(Parcel).grams.set(7))
    parcel = parcels.get(Parcel, id="1")
    assert parcel is not None
    parcel.grams += 1
    assert parcels.update(parcel)
