"""What a `when` reads is told only where its code shows it."""

from __future__ import annotations

import enum
import operator
from collections.abc import Callable
from typing import Any

import pytest

from partita.model import Entity, Key, Table
from partita.model.declaring.when import read_by

LIMIT = 3
KINDS = ("a", "b")


class Colour(enum.Enum):
    RED = "red"


class Shelf(Table):
    pass


class Book(Entity, table=Shelf):
    id: str
    kind: str
    pages: int = 0
    colour: Colour = Colour.RED

    key = Key("BOOK#{id}", "BOOK")

    @property
    def is_thick(self) -> bool:
        return self.pages > LIMIT


def is_thick(book: Book) -> bool:
    return book.pages > LIMIT


def _closed_over(limit: int) -> Callable[[Any], bool]:
    return lambda book: book.pages > limit


@pytest.mark.parametrize(
    ("when", "fields"),
    [
        (None, set()),
        (lambda book: book.kind == "a", {"kind"}),
        (lambda book: book.kind in KINDS and book.pages > LIMIT, {"kind", "pages"}),
        (lambda book: len(book.kind) > 1 and book.kind.startswith("a"), {"kind"}),
        (lambda book: book.colour is Colour.RED, {"colour"}),
        (is_thick, {"pages"}),
    ],
)
def test_fields_that_stand_in_its_code(when: Any, fields: set[str]) -> None:
    read = read_by(Book.__schema__, when)
    assert read is not None
    assert read & Book.__schema__.fields.keys() == fields


@pytest.mark.parametrize(
    "when",
    [
        lambda book: is_thick(book),
        lambda book: book.is_thick,
        lambda book: getattr(book, "kin" + "d") == "a",
        lambda book: operator.attrgetter("kind")(book) == "a",
        lambda book: bool(vars(book)),
        lambda book: bool(dict(book)),
        _closed_over(3),
        operator.attrgetter("kind"),
    ],
)
def test_what_may_read_anything_is_not_guessed(when: Any) -> None:
    assert read_by(Book.__schema__, when) is None
