"""Keys and bounds that the service would refuse: too long, empty, of the wrong type."""

from __future__ import annotations

import copy
import pickle
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any

import pytest
from tests.model.declaring.orders import Order

import partita
from partita.model import (
    Entity,
    Index,
    Key,
    KeyAttribute,
    KeyValueError,
    Session,
    Table,
    UnstorableValue,
    item_of,
)


class Long(Table, name="long"):
    gsi1 = Index()
    inverted = Index(partition=KeyAttribute("SK"), sort=KeyAttribute("PK"))
    native = Index(partition=["owner"], sort=["note"])


class Row(Entity, table=Long):
    id: str
    name: str = "x"
    group: str = "x"
    owner: str = "x"
    note: str = "x"
    key = Key("ROW#{id}", "{name}")
    gsi1 = Key("{group}", "{name}")


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: item_of(Row(id="1" * 1021)), "Row.key: id: PK would be a key of 1,025 bytes"),
        (lambda: item_of(Row(id="1", name="é" * 513)), "Row.key: name: SK would be a key of 1,026 bytes"),
        (lambda: item_of(Row(id="1", group="x" * 2049)), "group: GSI1PK would be a key of 2,049 bytes"),
        (lambda: item_of(Row(id="1", owner="x" * 2049)), "owner: owner would be a key of 2,049 bytes"),
        (lambda: item_of(Row(id="1", note="x" * 1025)), "note: note would be a key of 1,025 bytes"),
        (lambda: Row.key(id="1" * 1021), "Row.key: id: PK"),
        (lambda: Row.key(id="1").begins_with("x" * 1025), "Row.key: name: SK"),
        (lambda: Row.key(id="1").between("a", "x" * 1025), "Row.key: name: SK"),
        (lambda: Row.gsi1(group="x", name="é" * 600), "Row.gsi1: name: SK|Row.gsi1: name: GSI1SK"),
        (lambda: Row.native(owner="x").after("x" * 1025), "Row.native: note: note"),  # type: ignore[attr-defined]
    ],
)
def test_keys_longer_than_the_service_takes_are_refused(make: Any, message: str) -> None:
    with pytest.raises(KeyValueError, match=message):
        make()


def test_the_longest_keys_are_taken_by_the_service_too() -> None:
    session = Session(partita.Database().client())
    session.create_table(Long)
    row = Row(id="1" * 1020, name="é" * 512, group="x" * 2048, owner="é" * 1024, note="x" * 1024)
    session.put(row)
    assert session.get(Row, id="1" * 1020, name="é" * 512) == row


class Bare(Table, name="bare"):
    own = Index(partition=["id"], sort=["text"])


class Word(Entity, table=Bare):
    id: str
    text: str
    more: str = "1"
    key = Key("W#{id}", "{text}#{more}")


class Alone(Entity, table=Bare):
    id: str
    text: str
    key = Key("A#{id}", "{text}")


@pytest.mark.parametrize(
    ("ask", "found"),
    [
        (lambda key: key.between("", "b"), ["a", "b"]),
        (lambda key: key.at_least(""), ["a", "b", "c"]),
        (lambda key: key.after(""), ["a", "b", "c"]),
        (lambda key: key.begins_with(""), ["a", "b", "c"]),
        (lambda key: key.at_most(""), []),
        (lambda key: key.before(""), None),
        (lambda key: key.between("", ""), []),
    ],
)
def test_empty_bounds(ask: Any, found: list[str] | None) -> None:
    session = Session(partita.Database().client())
    session.create_table(Bare)
    for text in "abc":
        session.put(Alone(id="1", text=text))
        session.put(Word(id="1", text=text))
    for entity, key, nothing in ((Word, Word.key, False), (Alone, Alone.key, True), (Alone, Alone.own, True)):  # type: ignore[attr-defined]
        if not found and (nothing or found is None):
            with pytest.raises(KeyValueError, match=r"no key is empty"):
                ask(key(id="1"))
        else:
            assert [one.text for one in session.query(entity, ask(key(id="1"))).items] == found


class Numbers(Table, name="numbers", sort_key=KeyAttribute("n", "N"), discriminator=None):
    by_day = Index(partition=["id"], sort=["day"])
    by_time = Index(partition=["id"], sort=["time"])
    by_count = Index(partition=["id"], sort=["count"])


class Number(Entity, table=Numbers):
    id: str
    n: Decimal
    day: date
    time: datetime
    count: int
    key = Key("N#{id}", "{n}", raw=True)


def test_numbers_that_a_field_holds_exactly_fit_its_key() -> None:
    assert Number.key(id="1", n=3).item_key()["n"] == {"N": "3"}
    (term,) = Number.key(id="1").between(-2, 1.5).sort()
    assert term.operands == ({"N": "-2"}, {"N": "1.5"})
    (term,) = Number.by_count(id="1").after(2.0).sort()  # type: ignore[attr-defined]
    assert term.operands == ({"N": "2"},)


@pytest.mark.parametrize(
    "ask",
    [
        lambda: Number.key(id="1", n="3"),
        lambda: Number.key(id="1", n=True),
        lambda: Number.key(id="1", n=0.1),
        lambda: Number.key(id="1", n=float("nan")),
        lambda: Number.key(id="1").between(1, "3"),
        lambda: Number.key(id="1").between("1", 3),
        lambda: Number.by_count(id="1").after(2.5),  # type: ignore[attr-defined]
        lambda: Number.by_count(id="1").after("2"),  # type: ignore[attr-defined]
        lambda: Number.by_time(id="1").after(date(2026, 1, 1)),  # type: ignore[attr-defined]
        lambda: Number.by_day(id="1").after(datetime(2026, 1, 1, tzinfo=UTC)),  # type: ignore[attr-defined]
        lambda: Number.by_day(id="1").after("2026-01-01"),  # type: ignore[attr-defined]
        lambda: Number.by_day(id="1").begins_with(b"2026"),  # type: ignore[attr-defined]
        lambda: Order.key(tenant=["42"], id="1"),
        lambda: Order.gsi1(tenant="42", customer="7").after(date(2026, 1, 1)),
        lambda: Order.gsi1(tenant="42", customer="7").between("2026", "2027"),
    ],
)
def test_values_of_other_types_are_refused_in_one_clear_line(ask: Any) -> None:
    with pytest.raises(KeyValueError) as refused:
        ask()
    message = str(refused.value)
    assert message.startswith(("Number.", "Order."))
    assert "attribute" not in message
    assert "\n" not in message


@pytest.mark.parametrize("copied", [lambda one: pickle.loads(pickle.dumps(one)), copy.copy, copy.deepcopy])
def test_conditions_are_copied_and_pickled(copied: Any) -> None:
    condition = Row.gsi1(group="a").between("b", "c")
    again = copied(condition)
    assert again == condition
    assert again.conditions() == condition.conditions()
    assert copied(Row.key(id="1", name="2")).item_key() == Row.key(id="1", name="2").item_key()
    assert copied(Row.gsi1)(group="a") == Row.gsi1(group="a")
    assert repr(again) == "Row.gsi1(group='a').between('b', 'c')"


def test_half_a_surrogate_pair_is_refused_by_name() -> None:
    with pytest.raises(UnstorableValue, match=r"Alone2\.more: '\\ud800' holds half a surrogate pair"):
        item_of(Alone2(id="1", text="x", more="\ud800"))


class Alone2(Entity, table=Bare, type="A2"):
    id: str
    text: str
    more: str
    key = Key("B#{id}", "{text}")
