"""Raw keys: no value with a separator in it gives an item the key of another one."""

from __future__ import annotations

from typing import Any, Literal

import pytest
from pydantic import BaseModel

import partita
from partita.model import (
    Entity,
    Index,
    Key,
    KeyAttribute,
    KeyValueError,
    Session,
    Table,
    UnreadableItem,
    item_of,
)


class Old(Table, sort_key=KeyAttribute("SK")):
    by_name = Index()


class Part(Entity, table=Old):
    tenant: str
    id: str
    key = Key("PART#{tenant}#{id}", "META", raw=True)
    by_name = Key("{tenant}#{id}", "{id}", raw=True)


class Note(Entity, table=Old):
    tenant: str
    text: str
    key = Key("T#{tenant}", "NOTE#{text}", raw=True)


class Reply(Entity, table=Old):
    tenant: str
    text: str
    key = Key("T#{tenant}", "NOTE#{text}#REPLY", raw=True)


class Other(Entity, table=Old):
    id: str
    text: str
    key = Key("X#{id}", "NOTE#{text}#OTHER", raw=True)


class Kinds(Entity, table=Old):
    kind: Literal["a", "a#b"]
    rest: str
    key = Key("KIND#{kind}#{rest}", "META", raw=True)


class Whole(Table):
    pass


class Row(Entity, table=Whole):
    pk: str
    sk: str
    key = Key("{pk}", "{sk}", raw=True)


@pytest.mark.parametrize(
    "make",
    [
        lambda: item_of(Part(tenant="a#b", id="c")),
        lambda: Part.key(tenant="a#b", id="c"),
        lambda: Part.by_name(tenant="a#b", id="c"),
        lambda: Note.key(tenant="1", text="x#REPLY"),
        lambda: Note.key(tenant="1#2", text="x#REPLY"),
        lambda: Reply.key(tenant="1", text="x#y"),
        lambda: item_of(Kinds(kind="a", rest="b#c")),
        lambda: Row.key(pk="UNIQ#Row#name#x", sk="LOCK"),
    ],
)
def test_a_value_with_a_separator_that_another_key_can_have_is_refused(make: Any) -> None:
    with pytest.raises(KeyValueError, match="another item could have"):
        make()


def test_a_value_with_a_separator_that_ends_the_key_stands_for_itself() -> None:
    part = Part(tenant="a", id="b#c")
    assert item_of(part)["PK"] == {"S": "PART#a#b#c"}
    assert Part.__schema__.key.partition[0].parse({"S": "PART#a#b#c"}) == {"tenant": "a", "id": "b#c"}
    assert item_of(Row(pk="USER#1", sk="2026#x"))["SK"] == {"S": "2026#x"}
    # Others have such sort keys, in partitions of their own only.
    assert item_of(Note(tenant="1", text="x#OTHER"))["SK"] == {"S": "NOTE#x#OTHER"}
    (between,) = Note.key(tenant="1").between("a#b", "c#d").sort()
    assert between.operands == ({"S": "NOTE#a#b"}, {"S": "NOTE#c#d"})


class Kind(BaseModel):
    """A view of what does not tell the values in the key apart."""

    tenant: str


def test_an_item_whose_key_stands_for_other_values_than_its_fields_is_unreadable() -> None:
    client: Any = partita.Database().client()
    session = Session(client)
    session.create_table(Old)
    stored = {
        "PK": {"S": "PART#a#b#c"},
        "SK": {"S": "META"},
        "_type": {"S": "Part"},
        "tenant": {"S": "a#b"},
        "id": {"S": "c"},
    }
    client.put_item(TableName="Old", Item=stored)
    asked = Part.key(tenant="a", id="b#c")
    for read in (
        lambda: session.get(Part, tenant="a", id="b#c"),
        lambda: session.batch_get([asked]),
        lambda: session.transact_get([asked]),
        lambda: session.collection(asked),
        lambda: session.get(asked, view=Kind),
        lambda: session.query(Part, asked, view=Kind),
    ):
        with pytest.raises(UnreadableItem, match="tenant is 'a#b', its key PK stands for 'a'"):
            read()


def test_without_a_discriminator_the_form_of_a_raw_key_tells_the_type() -> None:
    class Plain(Table, discriminator=None):
        pass

    class A(Entity, table=Plain):
        id: str
        key = Key("A#{id}", "P", raw=True)

    class B(Entity, table=Plain):
        id: str
        key = Key("A#{id}#B", "P", raw=True)

    session = Session(partita.Database().client())
    session.create_table(Plain)
    session.put(B(id="1"))
    session.put(A(id="2#3"))
    found = sorted(map(repr, session.scan_everything(Plain)))
    assert found == ["A(id='2#3')", "B(id='1')"]
