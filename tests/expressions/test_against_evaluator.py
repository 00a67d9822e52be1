"""Compiled expressions against the slow evaluator, on trees, values and items that hypothesis makes."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, assume, event, given, settings
from hypothesis import strategies as st

from partita.errors import ValidationException
from partita.expressions import GET, PUT, SCAN, UPDATE, prepare

from .asking import placeholders
from .evaluator import Failed, Tree, Writer, apply, is_true, look_up, meaning, picked

NAMES = st.sampled_from(["a", "b", "é.\U0001f600"])
NUMBERS = st.sampled_from(["0", "1", "2", "-1", "1.5", "10", "-0.25", "1" + "0" * 37, "9" * 38, "0.001"])
TEXTS = st.sampled_from(["", "a", "ab", "abc", "b", "é", "\uffff", "\U0001f600", "\U0001f600a"])
BINARIES = st.sampled_from(["", "AA==", "AAE=", "AAEC", "/w==", "AQI="])


def _typed(kind: str, contents: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return contents.map(lambda content: {kind: content})


def _some(contents: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.lists(contents, min_size=1, max_size=3, unique=True)


SCALARS = st.one_of(_typed("S", TEXTS), _typed("N", NUMBERS), _typed("B", BINARIES))
SETS = st.one_of(_typed("SS", _some(TEXTS)), _typed("NS", _some(NUMBERS)), _typed("BS", _some(BINARIES)))
LEAVES = st.one_of(SCALARS, SETS, st.sampled_from([{"BOOL": True}, {"BOOL": False}, {"NULL": True}]))
LISTS = _typed("L", st.lists(LEAVES, max_size=3))
MAPS = _typed("M", st.dictionaries(NAMES, st.one_of(LEAVES, LISTS), max_size=3))
VALUES: st.SearchStrategy[Any] = st.one_of(LEAVES, LISTS, MAPS, _typed("L", st.lists(MAPS, max_size=2)))
ITEMS = st.dictionaries(NAMES, VALUES, min_size=1, max_size=3)
ELEMENTS = st.one_of(NAMES, st.integers(0, 3))
ANY_PATHS: st.SearchStrategy[Tree] = st.tuples(NAMES, st.lists(ELEMENTS, max_size=2)).map(
    lambda parts: (parts[0], *parts[1])
)


def _paths(item: dict[str, Any]) -> st.SearchStrategy[Tree]:
    """Most often paths that lead somewhere in `item`, or beside it."""
    existing = _existing(item)
    beside = [(*path[:-1], path[-1] + 2 if isinstance(path[-1], int) else "b") for path in existing]
    return st.one_of(st.sampled_from(existing), st.sampled_from(existing + beside), ANY_PATHS)


def _existing(item: dict[str, Any]) -> list[Tree]:
    return [path for name, value in item.items() for path in _paths_within((name,), value)]


def _paths_within(path: Tree, value: dict[str, Any]) -> list[Tree]:
    below = list(value.get("M", {}).items()) + list(enumerate(value.get("L", [])))
    return [path, *(deeper for step, inner in below for deeper in _paths_within((*path, step), inner))]


def _values(item: dict[str, Any]) -> list[Any]:
    return [look_up(item, path) for path in _existing(item)]


GENEROUS = settings(
    max_examples=150,
    deadline=None,
    suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow],
)


@st.composite
def _condition_and_item(draw: st.DrawFn) -> tuple[Tree, dict[str, Any]]:
    item = draw(ITEMS)
    paths = _paths(item).map(lambda path: ("path", path))
    sizes = paths.map(lambda path: ("size", path))
    known = _values(item)

    def operands(literals: st.SearchStrategy[Any], kinds: str) -> st.SearchStrategy[Any]:
        seen = [value for value in known if next(iter(value)) in kinds.split()] or [draw(literals)]
        values = st.one_of(st.sampled_from(seen), literals).map(lambda value: ("value", value))
        return st.one_of(paths, values, sizes) if "N" in kinds.split() else st.one_of(paths, values)

    any_operands = operands(VALUES, "S N B SS NS BS L M BOOL NULL")
    ordered = operands(SCALARS, "S N B")
    prefixes = operands(st.one_of(_typed("S", TEXTS), _typed("B", BINARIES)), "S B")
    types = st.sampled_from(["S", "N", "B", "SS", "NS", "BS", "L", "M", "BOOL", "NULL"])
    single = st.one_of(
        st.tuples(st.sampled_from(["=", "<>"]), any_operands, any_operands),
        st.tuples(st.just("contains"), paths, any_operands),
        st.tuples(st.sampled_from(["<", "<=", ">", ">="]), ordered, ordered),
        st.tuples(st.just("BETWEEN"), ordered, ordered, ordered),
        st.tuples(st.just("IN"), any_operands, st.lists(any_operands, min_size=1, max_size=3)),
        st.tuples(st.sampled_from(["exists", "not_exists"]), paths),
        st.tuples(st.just("type"), paths, types),
        st.tuples(st.just("begins_with"), prefixes, prefixes),
    )
    condition: Tree = draw(single)
    for word in draw(st.lists(st.sampled_from(["NOT", "AND", "OR"]), max_size=3)):
        condition = ("NOT", condition) if word == "NOT" else (word, draw(single), condition)
    return condition, item


@GENEROUS
@given(_condition_and_item())
def test_conditions(condition_and_item: tuple[Tree, dict[str, Any]]) -> None:
    condition, item = condition_and_item
    writer = Writer()
    text = writer.condition(condition)
    defined = placeholders(writer.names, writer.values)
    try:
        tested = prepare({"ConditionExpression": text, **defined}, PUT).condition
        filtered = prepare({"FilterExpression": text, **defined}, SCAN).filter
    except ValidationException as refused:
        # Two operands that are one path, or literal bounds in the wrong order.
        assume(not any(word in str(refused) for word in ("distinct", "BETWEEN operator")))
        raise
    assert tested is not None
    assert filtered is not None
    expected = is_true(condition, item)
    event(f"{condition[0]} {expected}")
    assert tested(item) is filtered(item) is expected


@st.composite
def _actions_and_item(draw: st.DrawFn) -> tuple[list[Tree], dict[str, Any]]:
    item = draw(ITEMS)
    paths = _paths(item)
    path_operands = paths.map(lambda path: ("path", path))

    def operands(literals: st.SearchStrategy[Any], kind: str | None = None) -> st.SearchStrategy[Any]:
        fitting = [path for path in _existing(item) if kind is None or kind in look_up(item, path)]
        values = literals.map(lambda value: ("value", value))
        plain = st.one_of(
            values,
            *([st.sampled_from([("path", path) for path in fitting])] if fitting else []),
            path_operands,
        )
        return st.one_of(plain, st.tuples(st.just("if_not_exists"), path_operands, plain))

    summands = operands(_typed("N", NUMBERS), "N")
    lists = operands(LISTS, "L")
    assigned = st.one_of(
        operands(VALUES),
        st.tuples(st.sampled_from(["+", "-"]), summands, summands),
        st.tuples(st.just("list_append"), lists, lists),
    )
    amounts = st.one_of(_typed("N", NUMBERS), SETS, st.sampled_from(_fitting(item, "N SS NS BS", {"N": "1"})))
    actions = st.one_of(
        st.tuples(st.just("SET"), paths, assigned),
        st.tuples(st.just("REMOVE"), paths),
        st.tuples(st.just("ADD"), paths, amounts),
        st.tuples(st.just("DELETE"), paths, st.sampled_from(_fitting(item, "SS NS BS", {"SS": ["a"]}))),
    )
    drawn = draw(st.lists(actions, min_size=1, max_size=3))
    sections = list(dict.fromkeys(action[0] for action in drawn))
    return sorted(drawn, key=lambda action: sections.index(action[0])), item


def _fitting(item: dict[str, Any], kinds: str, otherwise: dict[str, Any]) -> list[dict[str, Any]]:
    return [value for value in _values(item) if next(iter(value)) in kinds.split()] or [otherwise]


FAULTS = {
    "missing": "The provided expression refers to an attribute that does not exist in the item",
    "operand": "An operand in the update expression has an incorrect data type",
    "path": "The document path provided in the update expression is invalid for update",
    "number": "Attempting to store more than 38 significant digits in a Number",
}


def _meanings(item: dict[str, Any]) -> dict[str, Any]:
    return {name: meaning(value) for name, value in item.items()}


@GENEROUS
@given(_actions_and_item())
def test_updates(actions_and_item: tuple[list[Tree], dict[str, Any]]) -> None:
    actions, item = actions_and_item
    writer = Writer()
    text = writer.update(actions)
    try:
        update = prepare(
            {"UpdateExpression": text, **placeholders(writer.names, writer.values)}, UPDATE
        ).update
    except ValidationException as refused:
        assume("Two document paths" not in str(refused))
        raise
    assert update is not None
    before = repr(item)
    try:
        expected = apply(actions, item)
    except Failed as failure:
        with pytest.raises(ValidationException) as raised:
            update.apply(item)
        message = FAULTS[failure.args[0]]
        event(message)
        assert raised.value.message == message
    else:
        event(f"{actions[0][0]} done")
        after = update.apply(item)
        assert _meanings(after) == _meanings(expected)
        assert _meanings(update.touched(item)) == _meanings(picked(item, [action[1] for action in actions]))
        remaining = [action[1] for action in actions if action[0] != "REMOVE"]
        assert _meanings(update.touched_after(after)) == _meanings(picked(after, remaining))
    assert repr(item) == before


@GENEROUS
@given(ITEMS.flatmap(lambda item: st.tuples(st.lists(_paths(item), min_size=1, max_size=4), st.just(item))))
def test_projections(paths_and_item: tuple[list[Tree], dict[str, Any]]) -> None:
    paths, item = paths_and_item
    writer = Writer()
    text = ", ".join(map(writer.path, paths))
    try:
        projection = prepare({"ProjectionExpression": text, **placeholders(writer.names)}, GET).projection
    except ValidationException as refused:
        assume("Two document paths" not in str(refused))
        raise
    assert projection is not None
    assert projection.apply(item) == picked(item, paths)
