"""Two entities that can have the same key are refused together; two that cannot are not."""

from __future__ import annotations

import enum
import itertools
from dataclasses import replace
from datetime import date
from typing import Any, Literal
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from partita.model import DeclarationError, Entity, Key, KeyAttribute, Table
from partita.model.keys.collisions import ANYTHING, can_collide, common_key, key_among
from partita.model.keys.languages import AnyOf, Many, One, common_text
from partita.model.keys.templates import Template, language_of
from partita.model.schema import KeySchema


class Fruit(enum.Enum):
    APPLE = "apple"
    PEAR = "pear"


class Other(enum.Enum):
    PEAR = "pear"
    PLUM = "plum"


VALUES: dict[str, list[Any]] = {
    "a": ["", "x", "META", "1", "01", "x#y", "apple", "2026-01-01"],
    "b": ["", "x", "LINE", "007"],
    "n": [0, 1, 7, 42],
    "day": [date(2026, 1, 1)],
    "fruit": list(Fruit),
    "other": list(Other),
    "kind": ["x", "META"],
    "flag": [True, False],
}


def pair(first: tuple[str, str], second: tuple[str, str]) -> tuple[KeySchema, KeySchema]:
    """The keys of two entities, of tables of their own so that nothing is refused."""
    made = []
    for partition, sort in (first, second):

        class Some(Table):
            pass

        class Thing(Entity, table=Some):
            a: str
            b: str
            n: int
            day: date
            fruit: Fruit
            other: Other
            kind: Literal["x", "META"]
            flag: bool
            uid: UUID
            key = Key(partition, sort)

        made.append(Thing.__schema__.key)
    return made[0], made[1]


@pytest.mark.parametrize(
    ("first", "second", "witness"),
    [
        (("A#{a}", "META"), ("A#{b}", "META"), "A# / META"),
        (("A#{a}", "META"), ("A#{b}", "{kind}"), "A# / META"),
        (("A#{a}", "META"), ("B#{a}", "META"), None),
        (("A#{a}", "META"), ("A#{a}", "LINE#{n:3}"), None),
        (("A#{a}", "{n:4}"), ("A#{a}", "META"), None),
        (("A#{a}", "{n:4}"), ("A#{a}", "{n:5}"), None),
        (("A#{a}", "{n:4}"), ("A#{a}", "{b}"), "A# / 0000"),
        (("A#{a}", "{day}"), ("A#{a}", "{n:10}"), None),
        (("A#{a}", "{uid}"), ("A#{a}", "{day}"), None),
        (("A#{a}", "{fruit}"), ("A#{a}", "{other}"), "A# / pear"),
        (("A#{a}", "{fruit}"), ("A#{a}", "{flag}"), None),
        (("A#{a}#B#{b}", "X"), ("A#{a}", "X"), None),
        (("A#{a}#B", "X"), ("A#{a}#{b}", "X"), "A##B / X"),
        (("A#{a}", "X#{b}"), ("A#{a}", "X"), None),
        (("A#{a}", "{n:+3}"), ("A#{a}", "{n:4}"), None),
        (("A#{a}", "{n:+3}"), ("A#{a}", "N{n:3}"), "A# / N000"),
    ],
)
def test_known_pairs(first: tuple[str, str], second: tuple[str, str], witness: str | None) -> None:
    a, b = pair(first, second)
    assert can_collide(a, b) == can_collide(b, a) == witness


PIECES = ["A", "META", "{a}", "{b}", "{n:2}", "{n:3}", "{day}", "{fruit}", "{other}", "{kind}", "{flag}"]
templates = st.lists(st.sampled_from(PIECES), min_size=1, max_size=3).map("#".join)


def every_key(template: Template) -> set[str]:
    names = template.names
    return {
        template.render(dict(zip(names, values, strict=True)))["S"]
        for values in itertools.product(*(VALUES[name] for name in names))
        if not (len(template.segments) == 1 and values == ("",))
    }


@given(templates, templates)
def test_what_brute_force_renders_alike_is_never_missed_and_witnesses_can_be_read(
    one: str, other: str
) -> None:
    a, b = (key.partition[0] for key in pair((one, "S"), (other, "S")))
    witness = common_key(a, b)
    if every_key(a) & every_key(b):
        assert witness is not None
    if witness:
        assert a.pattern.fullmatch(witness)
        assert b.pattern.fullmatch(witness)


@given(templates, templates, st.integers(1, 5))
def test_a_prefix_that_takes_others_in_is_never_missed(one: str, other: str, bound: int) -> None:
    a, b = (key.partition[0] for key in pair((one, "S"), (other, "S")))
    bound = min(bound, len(a.segments))
    witness = beginning_with(a, bound, b)
    beginnings = every_key(cut(a, bound))
    if any(key.startswith(beginning) for key in every_key(b) for beginning in beginnings):
        assert witness is not None


def beginning_with(a: Template, bound: int, b: Template) -> str | None:
    """A key of `b` that begins as the first `bound` segments of `a` can."""
    return key_among(language_of(a.segments[:bound]) + ANYTHING, b)


def cut(template: Template, bound: int) -> Template:
    kept = template.segments[:bound]
    names = tuple(dict.fromkeys(s.field for s in kept if not isinstance(s, str)))
    return replace(template, segments=kept, names=names)


def test_a_query_of_a_prefix_takes_in_what_begins_alike() -> None:
    orders, lines = (k.sort[0] for k in pair(("P", "ORDER#{a}"), ("P", "ORDER#{a}#LINE#{n:3}")))
    assert beginning_with(orders, 1, lines) == "ORDER##LINE#000"
    assert beginning_with(orders, 2, lines) == "ORDER##LINE#000"
    assert beginning_with(lines, 3, orders) is None


def test_the_class_is_refused_and_both_are_named() -> None:
    class Shop(Table):
        pass

    class Order(Entity, table=Shop):
        id: str
        key = Key("O#{id}", "META")

    with pytest.raises(
        DeclarationError, match=r"Invoice and Order can have the same primary key, such as 'O# / META'"
    ):

        class Invoice(Entity, table=Shop):
            number: str
            key = Key("O#{number}", "{part}")
            part: Literal["META", "PDF"]

    assert Shop.__schema__.entities == [Order]


def test_two_entities_of_one_type_are_refused() -> None:
    class Shop(Table):
        pass

    class Order(Entity, table=Shop):
        id: str
        key = Key("O#{id}", "META")

    with pytest.raises(DeclarationError, match="of the type 'Order' already"):

        class Second(Entity, table=Shop, type="Order"):
            id: str
            key = Key("S#{id}", "META")


def test_adopted_keys_are_judged_as_if_no_value_held_a_separator() -> None:
    class Shop(Table):
        pass

    class User(Entity, table=Shop):
        id: str
        key = Key("USER#{id}", "ORDER#{id}", raw=True)

    class Line(Entity, table=Shop):
        id: str
        n: int
        key = Key("USER#{id}", "ORDER#{id}#{n}", raw=True)

    with pytest.raises(DeclarationError, match="same primary key"):

        class Again(Entity, table=Shop):
            who: str
            key = Key("USER#{who}", "ORDER#{who}", raw=True)


def test_number_keys_collide_with_one_another() -> None:
    class Users(Table, partition_key=KeyAttribute("id", "N"), sort_key=None):
        pass

    class User(Entity, table=Users):
        id: int
        key = Key("{id}", raw=True)

    with pytest.raises(DeclarationError, match="same primary key"):

        class Admin(Entity, table=Users):
            id: int
            key = Key("{id}", raw=True)


def test_common_texts() -> None:
    lower = ((0x61, 0x7A),)
    assert common_text((Many(lower), One(((0x31, 0x31),))), (AnyOf(("ab", "ab1", "x2")),)) == "ab1"
    assert common_text((Many(lower),), (One(((0x41, 0x41),)),)) is None
    assert common_text((), ()) == ""
