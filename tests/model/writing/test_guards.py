"""Two writers that read the same: no index key fits neither, no element of another position is changed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Any, Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, Field
from tests.model.writing.by_hand import context

import partita
from partita.model import Entity, F, Index, Key, KeyAttribute, Session, Table, Version, item_of, version
from partita.model.errors import ConditionFailed, StaleVersion, WriteRefused
from partita.model.flows.flow import Call
from partita.model.flows.retries import ask
from partita.model.writing.planning import plan_update


class Yard(Table):
    gsi1 = Index()
    gsi2 = Index()
    by_mail = Index(partition=KeyAttribute("email", "S"), sort=None)


class Part(BaseModel):
    name: str
    sizes: list[int] = Field(default_factory=list)


class Box(Entity, table=Yard):
    id: str
    row: str = "0"
    place: str = "0"
    state: Literal["OPEN", "DONE"] = "OPEN"
    note: str = ""
    parts: list[Part] = Field(default_factory=list)
    by_name: dict[str, list[int]] = Field(default_factory=dict)

    key = Key("BOX#{id}", "BOX")
    gsi1 = Key("ROW#{row}", "PLACE#{place}")
    gsi2 = Key("OPEN", "{row}", when=lambda box: box.state == "OPEN")


class Counted(Entity, table=Yard):
    id: str
    row: str = "0"
    sizes: list[int] = Field(default_factory=list)
    version: Version = version()

    key = Key("COUNTED#{id}", "COUNTED")
    gsi1 = Key("ROW#{row}", "{id}")


class Member(Entity, table=Yard):
    """Of a table that was there before: an index on its own attribute."""

    id: str
    email: str

    key = Key("MEMBER#{id}", "MEMBER")
    by_mail = Key("{email}", raw=True)


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    with partita.Database() as database, Session(database.client()) as made:
        made.create_table(Yard)
        yield made


def twice(session: Session, box: Any) -> tuple[Any, Any]:
    """What two writers read."""
    session.delete(type(box).key(id=box.id))
    session.create(box)
    read = [session.get(type(box), id=box.id, consistent=True) for _ in range(2)]
    return read[0], read[1]


def stored(session: Session) -> Any:
    key = Box.key(id="1").item_key()
    call = Call("GetItem", {"TableName": "Yard", "Key": key, "ConsistentRead": True})
    return session.run(lambda context: ask(context.retries, call))["Item"]


CHANGES = st.fixed_dictionaries(
    {},
    optional={
        "row": st.sampled_from("012"),
        "place": st.sampled_from("012"),
        "state": st.sampled_from(["OPEN", "DONE"]),
        "note": st.sampled_from("xy"),
    },
)


@given(CHANGES, CHANGES, CHANGES)
@settings(max_examples=200, deadline=None)
def test_index_keys_fit_the_fields_whoever_wrote(
    session: Session, before: dict[str, Any], first: dict[str, Any], second: dict[str, Any]
) -> None:
    one, other = twice(session, Box(id="1", **before))
    for box, changes in ((one, first), (other, second)):
        for name, value in changes.items():
            setattr(box, name, value)
        with suppress(ConditionFailed):
            session.update(box)
    now = stored(session)
    assert now == item_of(Box.__schema__.decode(now))


def test_what_no_key_depends_on_is_free(session: Session) -> None:
    one, other = twice(session, Box(id="1"))
    one.note, other.row = "x", "1"
    session.update(one)
    session.update(other)
    assert (stored(session)["note"], stored(session)["GSI1PK"]) == ({"S": "x"}, {"S": "ROW#1"})


@pytest.mark.parametrize("change", ["shift", "grow", "inside"])
def test_elements_are_changed_only_where_they_were_read(session: Session, change: str) -> None:
    parts = [Part(name=name, sizes=[1, 2]) for name in "abc"]
    one, other = twice(session, Box(id="1", parts=parts, by_name={"a": [1, 2]}))
    if change == "shift":
        one.parts.pop(0)
    elif change == "grow":
        one.parts.append(Part(name="d"))
    else:
        one.parts[1].sizes[0] = 5
    session.update(one)
    other.parts[1].sizes[1] = 9
    with pytest.raises(ConditionFailed) as failed:
        session.update(other)
    assert failed.value.current == one


def test_lists_in_maps_are_guarded_by_themselves(session: Session) -> None:
    one, other = twice(session, Box(id="1", by_name={"a": [1, 2], "b": [1, 2]}))
    one.by_name["b"][0] = 7
    other.by_name["a"][0] = 7
    session.update(one)
    session.update(other)
    late = session.get(Box, id="1", consistent=True)
    assert late is not None
    assert late.by_name == {"a": [7, 2], "b": [7, 2]}


def test_a_version_is_guard_enough(session: Session) -> None:
    one, other = twice(session, Counted(id="1", sizes=[1, 2]))
    one.row, other.sizes[0] = "1", 7
    session.update(one)
    with pytest.raises(StaleVersion):
        session.update(other)
    one.sizes[0] = 8
    plan = plan_update(context(), one)
    assert plan is not None
    assert "sizes" not in plan.actions[0].parameters["ConditionExpression"]


def test_a_field_that_is_an_index_key_itself_changes(session: Session) -> None:
    session.put(Member(id="1", email="a"))
    changed = session.change(Member.key(id="1"), F(Member).email.set("b"))
    assert changed.email == "b"
    assert [one.id for one in session.query(Member, Member.by_mail(email="b")).items] == ["1"]


def test_fields_in_the_primary_key_do_not_change(session: Session) -> None:
    session.put(Member(id="1", email="a"))
    with pytest.raises(WriteRefused, match="create the entity under its new key"):
        session.change(Member.key(id="1"), F(Member).id.set("2"))
    with pytest.raises(WriteRefused, match="primary key"), session.transaction() as tx:
        tx.change(Member.key(id="1"), F(Member).id.set("2"))
