"""The English of messages."""

from __future__ import annotations

import pytest

from partita.model import Entity, Key, KeyValueError, Table
from partita.words import counted


@pytest.mark.parametrize(
    ("number", "words", "text"),
    [
        (0, ("item",), "0 items"),
        (1, ("item",), "1 item"),
        (1234, ("item",), "1,234 items"),
        (1, ("index", "indexes"), "1 index"),
        (2, ("index", "indexes"), "2 indexes"),
    ],
)
def test_things_are_counted(number: int, words: tuple[str, ...], text: str) -> None:
    assert counted(number, *words) == text


class App(Table, name="app"):
    pass


class Order(Entity, table=App):
    id: str
    key = Key("ORDER#{id}", "META")


class Line(Entity, table=App):
    order: str
    number: int
    key = Key("ORDER#{order}", "LINE#{number:3}")


class Settings(Entity, table=App):
    key = Key("SETTINGS", "META")


@pytest.mark.parametrize(
    ("entity", "takes"), [(Order, "id"), (Line, "order, then number"), (Settings, "nothing")]
)
def test_what_a_key_takes_is_listed(entity: type[Entity], takes: str) -> None:
    with pytest.raises(KeyValueError, match=f"has no 'x': it takes {takes}$"):
        entity.key(x=1)  # type: ignore[attr-defined]
