"""Expressions that are as deep, as long or as many as the limits allow, and a little more."""

# ruff: noqa: E501

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest

from partita.errors import ValidationException
from partita.expressions import PUT, prepare
from partita.expressions.cache import PlanCache
from partita.expressions.plan import Plan

from .asking import ask, holds, n, refused, s, updated

CONDITION = "ConditionExpression"
SETTING = "UpdateExpression"
V = {":v": s("x")}


@pytest.fixture(autouse=True)
def _little_stack() -> Iterator[None]:
    """Half of the usual stack, so that a caller deep in its own code is safe too."""
    limit = sys.getrecursionlimit()
    depth = len(list(_frames()))
    sys.setrecursionlimit(depth + 500)
    yield
    sys.setrecursionlimit(limit)


def _frames() -> Iterator[object]:
    frame = sys._getframe()
    while frame is not None:
        yield frame
        frame = frame.f_back  # type: ignore[assignment]


DEEP = [
    ("6.21", CONDITION, "(" * 2045 + "a=:v" + ")" * 2045, "The expression has redundant parentheses;"),
    ("6.21", CONDITION, "a=" + "(" * 2045 + ":v" + ")" * 2045, "The expression has redundant parentheses;"),
    ("6.21", SETTING, "SET a=" + "(" * 2040 + ":v" + ")" * 2040, "The expression has redundant parentheses;"),
    ("6.5", CONDITION, "(" * 4096, 'Syntax error; token: "<EOF>", near: "("'),
    ("6.5", CONDITION, "NOT " * 1024, 'Syntax error; token: "<EOF>", near: "NOT "'),
    ("6.24", CONDITION, "NOT " * 1000 + "a=:v", "The expression contains too many operators; operator count: 1001"),
    ("6.24", CONDITION, "NOT(" * 818 + "a=:v" + ")" * 818, "The expression contains too many operators; operator count: 819"),
    ("6.24", CONDITION, "a=:v AND(" * 400 + "a=:v" + ")" * 400, "The expression contains too many operators; operator count: 801"),
    ("6.14", CONDITION, "f(" * 1300 + "a" + ")" * 1300, "Invalid function name; function: f"),
    ("7.15", CONDITION, "size(" * 680 + "a" + ")" * 680 + "=:v", "Incorrect operand type for operator or function; operator or function: size, operand type: N"),
    ("6.40", SETTING, "REMOVE a" + ".a" * 2040, "The document path has too many nesting levels; nesting levels: 2041"),
]  # fmt: skip


@pytest.mark.parametrize(("fact", "kind", "text", "message"), DEEP)
def test_depth_ends_in_an_answer(fact: str, kind: str, text: str, message: str) -> None:
    assert refused(kind, text, V) == message


def test_the_deepest_condition_runs() -> None:
    nested = "a=:v OR(b=:v AND(" * 74 + "NOT a<>:v" + "))" * 74
    assert holds(nested, {"b": s("x")}, V) is False
    assert holds("NOT " * 299 + "a=:v", {"a": s("y")}, V) is True


def test_the_deepest_update_runs() -> None:
    nested = "if_not_exists(b," * 240 + "a" + ")" * 240
    assert updated(f"SET a={nested}", {"a": n(1)}) == {"a": n(1)}


def test_the_deepest_path_runs() -> None:
    value = n(1)
    for _ in range(31):
        value = {"M": {"a": value}}  # type: ignore[dict-item]
    assert holds("attribute_exists(" + ".".join("a" * 32) + ")", {"a": value})
    after = updated("SET " + ".".join("a" * 32) + " = :v", {"a": value}, V)
    assert str(after) == str({"a": value}).replace("{'N': '1'}", "{'S': 'x'}")


def test_the_widest_expressions_run() -> None:
    names = [f"a{index}" for index in range(400)]
    removed = ask(SETTING, "REMOVE " + ",".join(f"{name}.b[0]" for name in names)).update
    assert removed is not None
    assert len(removed.plan.paths) == 400
    elements = ",".join(f"l[{index}]" for index in range(600))
    assert updated(f"REMOVE {elements}", {"l": {"L": [n(1)] * 601}}) == {"l": {"L": [n(1)]}}


def test_characters_that_no_encoding_takes() -> None:
    with pytest.raises(ValidationException):
        prepare({CONDITION: "a\ud800"}, PUT)


def test_the_cache_is_bounded() -> None:
    cache = PlanCache(most_plans=10, most_characters=100)
    for index in range(50):
        cache.put((PUT, f"a = :{index}", None), Plan())
    assert cache.get((PUT, "a = :49", None)) is not None
    assert cache.get((PUT, "a = :39", None)) is None
    cache.put((PUT, "a" * 13, (("#a", "b"),)), Plan())
    assert cache.get((PUT, "a" * 13, (("#a", "b"),))) is None
    for index in range(50):
        cache.put((PUT, "abc", (("#a", f"{index}"),)), Plan())
        assert cache.get((PUT, "abc", (("#a", f"{index}"),))) is not None
    assert sum(cache.get((PUT, "abc", (("#a", f"{index}"),))) is not None for index in range(50)) == 10
