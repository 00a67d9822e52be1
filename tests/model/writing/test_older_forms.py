"""Writes that meet items of an older schema version: nothing that anybody wrote is lost on the way."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

import partita
from partita.model import (
    ConditionFailed,
    Entity,
    F,
    FrozenTransaction,
    Key,
    NotStored,
    OlderForm,
    Session,
    Table,
    UnreadableItem,
    Version,
    WriteRefused,
    unique,
    upcaster,
    version,
)
from partita.model.schema import Item


class Forms(Table, name="forms"):
    pass


def _two_names(item: Item) -> Item:
    first, _, last = item["fullName"]["S"].partition(" ")
    rest = {name: value for name, value in item.items() if name != "fullName"}
    return rest | {"first": {"S": first}, "last": {"S": last}}


class Person(Entity, table=Forms):
    id: str
    first: str
    last: str
    visits: int = 0

    key = Key("PERSON#{id}", "PERSON")
    names = upcaster(1)(_two_names)


class Member(Entity, table=Forms):
    id: str
    first: str
    last: str = unique()
    visits: int = 0
    version: Version = version()

    key = Key("MEMBER#{id}", "MEMBER")
    names = upcaster(1)(_two_names)


@pytest.fixture
def client() -> Iterator[Any]:
    with partita.Database() as db:
        client = db.client()
        Session(client).create_table(Forms)
        yield client


@pytest.fixture
def session(client: Any) -> Session:
    return Session(client)


def _old(client: Any, type_: str = "Person", name: str = "Ada Lovelace", **more: Any) -> None:
    key = {"PK": {"S": f"{type_.upper()}#1"}, "SK": {"S": type_.upper()}}
    client.put_item(
        TableName="forms",
        Item={**key, "_type": {"S": type_}, "id": {"S": "1"}, "fullName": {"S": name}, **more},
    )


ADA = Person.key(id="1")


def test_a_change_is_not_undone_by_the_upcaster(session: Session, client: Any) -> None:
    _old(client)
    changed = session.change(ADA, F(Person).last.set("King"))
    assert (changed.first, changed.last) == ("Ada", "King")
    read = session.get(ADA)
    assert read is not None
    assert (read.first, read.last) == ("Ada", "King")


def _change(session: Session) -> None:
    session.change(ADA, F(Person).last.set("King"))


def _update(session: Session) -> None:
    person = session.get(ADA)
    assert person is not None
    person.last = "King"
    session.update(person)


def _backfill(session: Session) -> None:
    session.backfill(Person)


@pytest.mark.parametrize("write", [_change, _update, _backfill])
def test_attributes_of_others_stay_beside_the_present_form(
    session: Session, client: Any, write: Callable[[Session], None]
) -> None:
    """What the upcaster hands on and the class does not know is somebody else's; what it took out goes."""
    _old(client, theirs={"S": "kept"})
    write(session)
    (item,) = client.scan(TableName="forms")["Items"]
    assert item["theirs"] == {"S": "kept"}
    assert "fullName" not in item
    assert item["_v"] == {"N": "2"}


def test_an_item_in_the_present_form_costs_one_request(session: Session) -> None:
    session.create(Person(id="1", first="Ada", last="Lovelace"))
    with session.recording() as sent:
        session.change(ADA, F(Person).visits.add(1), when=F(Person).last == "Lovelace")
    assert [request.operation for request in sent] == ["UpdateItem"]


def test_conditions_see_the_present_form(session: Session, client: Any) -> None:
    lovelace, king = F(Person).last == "Lovelace", F(Person).last == "King"
    _old(client)
    with pytest.raises(ConditionFailed, match="does not hold"):
        session.change(ADA, F(Person).visits.add(1), when=king)
    _old(client)
    assert session.change(ADA, F(Person).visits.add(1), when=lovelace).visits == 1
    _old(client)
    session.check(ADA, lovelace)
    _old(client)
    session.put(Person(id="1", first="Augusta", last="King"), when=lovelace)
    _old(client)
    session.delete(ADA, when=lovelace)
    assert session.get(ADA) is None


def test_a_change_may_create_an_item_or_meet_an_old_one(session: Session, client: Any) -> None:
    updates = F(Person).first.set("Ada"), F(Person).last.set("King"), F(Person).visits.add(1)
    assert session.change(ADA, *updates, or_create=True).visits == 1
    _old(client)
    assert session.change(ADA, *updates, or_create=True).last == "King"
    session.delete(ADA)
    with pytest.raises(NotStored):
        session.change(ADA, F(Person).visits.add(1))


def test_markers_and_versions_stay_as_they_are(session: Session, client: Any) -> None:
    _old(client, "Member", version={"N": "3"})
    assert session.backfill_unique(Member, "last").put == 1
    member = Member.key(id="1")
    changed = session.change(member, F(Member).visits.add(1))
    assert (changed.last, changed.version) == ("Lovelace", 4)
    assert session.audit(Forms).is_clean
    _old(client, "Member", version={"N": "4"})
    session.delete(member, when=F(Member).last == "Lovelace")
    assert session.get(member) is None
    assert session.audit(Forms).is_clean


def test_an_item_of_a_newer_form_is_left_alone(session: Session, client: Any) -> None:
    _old(client, _v={"N": "3"})
    with pytest.raises(UnreadableItem, match="of schema version 3, this code knows up to 2"):
        session.change(ADA, F(Person).visits.add(1))
    stored = client.get_item(TableName="forms", Key=ADA.item_key())["Item"]
    assert "visits" not in stored


def test_an_update_of_what_was_read_in_an_older_form_keeps_what_others_wrote(
    session: Session, client: Any
) -> None:
    _old(client)
    read = session.get(ADA)
    assert read is not None
    _old(client, name="Augusta King")
    read.visits = 1
    with pytest.raises(ConditionFailed) as failed:
        session.update(read)
    current = failed.value.current
    assert isinstance(current, Person)
    assert current.last == "King"
    current.visits = 1
    assert session.update(current)
    assert session.get(ADA) == current


def test_a_condition_beside_an_update_from_an_older_form_is_refused(session: Session, client: Any) -> None:
    _old(client)
    read = session.get(ADA)
    assert read is not None
    with pytest.raises(WriteRefused, match="update it without when= first"):
        session.update(read, when=F(Person).last == "Lovelace")


@pytest.mark.parametrize("frozen", [False, True])
def test_a_transaction_says_what_to_do(session: Session, client: Any, frozen: bool) -> None:
    _old(client)

    def commit() -> None:
        tx = session.transaction()
        tx.change(ADA, F(Person).last.set("King"))
        kept = tx.freeze()
        session.commit(FrozenTransaction.from_json(kept.to_json(), Forms) if frozen else kept)

    with pytest.raises(OlderForm, match=r"Person PERSON#1 / PERSON is stored in an older form") as failed:
        commit()
    assert failed.value.current is not None
    session.update(failed.value.current)
    commit()
    read = session.get(ADA)
    assert read is not None
    assert read.last == "King"


def test_others_may_write_the_old_form_meanwhile(client: Any) -> None:
    _old(client)
    writes: list[Callable[[], None]] = [lambda: _old(client, name="Augusta King")]

    class Between:
        """Lets somebody else write after the first request."""

        meta = client.meta

        def update_item(self, **parameters: Any) -> Any:
            try:
                return client.update_item(**parameters)
            finally:
                while writes:
                    writes.pop()()

    changed = Session(Between(), sleep=lambda _: None).change(ADA, F(Person).visits.add(1))
    assert (changed.last, changed.visits) == ("King", 1)


def test_an_upcaster_that_fails_is_an_unreadable_item(session: Session, client: Any) -> None:
    _old(client)
    client.update_item(TableName="forms", Key=ADA.item_key(), UpdateExpression="REMOVE fullName")
    with pytest.raises(UnreadableItem, match="Person: the upcaster of version 1 fails: KeyError: 'fullName'"):
        session.get(ADA)
