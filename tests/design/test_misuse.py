"""What cannot be meant is refused: nothing is proved of what is no pattern."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import partita
from partita.design import (
    Get,
    GetMany,
    P,
    TransactGet,
    Write,
    assert_pattern,
    assert_proved,
    check,
    design_of,
    report,
)
from partita.model import Entity, Key, KeyValueError, Session, Table


class Shelf(Table, name="shelf"):
    pass


class Book(Entity, table=Shelf):
    id: str
    key = Key("BOOK#{id}", "BOOK")


BOOK = Get("a book", Book.key(id=P("id")))
ADD = Write("add a book", creates=[Book], how="put")
MANY = GetMany("books", Book.key(id=P("ids")), each="ids", at_most=9)
TOGETHER = TransactGet("books at one moment", Book.key(id=P("ids")), each="ids", at_most=9)


@pytest.fixture
def session() -> Session:
    session = Session(partita.Database().client())
    session.create_table(Shelf)
    return session


@pytest.mark.parametrize(
    ("source", "says"),
    [
        (BOOK, r"a list of patterns and entities, not Get\('a book'\)"),
        ("shop.patterns", "a list of patterns and entities, not 'shop.patterns'"),
        (["x"], "patterns, entities, tables and Accept in it, not 'x'"),
        ([BOOK, [ADD, Entity]], "patterns, entities, tables and Accept in it, not"),
    ],
)
def test_what_is_no_design_is_refused(source: Any, says: str) -> None:
    for use in (check, design_of, report, assert_proved):
        with pytest.raises(TypeError, match=says):
            use(source)


def test_of_nothing_nothing_is_proved() -> None:
    assert [finding.rule for finding in check([])] == ["empty"]
    with pytest.raises(AssertionError, match="declares no pattern and no entity"):
        assert_proved([])
    assert_proved([Book])


def test_a_report_takes_what_the_check_takes() -> None:
    assert report([BOOK, ADD]) == report(design_of([BOOK, ADD]))


RUNS: list[tuple[Callable[[Session], Any], str]] = [
    (lambda s: s.run(ADD), "writes are made by create, update, change"),
    (lambda s: s.run("a book"), "a declared read or a recipe, not 'a book'"),
    (lambda s: s.run(lambda context: iter(()), id="1"), "run has no id for it"),
    (lambda s: assert_pattern(s, BOOK).__enter__(), "takes a pattern and a session"),
]


@pytest.mark.parametrize(("run", "says"), RUNS)
def test_what_cannot_be_run_is_refused(session: Session, run: Any, says: str) -> None:
    with pytest.raises(TypeError, match=says):
        run(session)


@pytest.mark.parametrize("pattern", [MANY, TOGETHER])
def test_a_text_is_not_taken_for_its_letters(session: Session, pattern: Any) -> None:
    session.put(Book(id="a"))
    assert session.run(pattern, ids=(letter for letter in "ab")) == [Book(id="a"), None]
    with pytest.raises(KeyValueError, match="takes a list of values for ids, not 'ab'"):
        session.run(pattern, ids="ab")


def test_a_write_is_made_in_one_of_three_ways() -> None:
    with pytest.raises(ValueError, match="how is one of put, batch, transaction, not 'puts'"):
        Write("add a book", creates=[Book], how="puts")  # type: ignore[arg-type]
