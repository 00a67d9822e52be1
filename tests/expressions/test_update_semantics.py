"""What updates do to an item, and which fragments they touch (section 8, facts 9.5–9.8)."""

# ruff: noqa: E501

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

from partita.errors import ValidationException
from partita.expressions import Update

from .asking import ask, n, s, updated

MISSING = "The provided expression refers to an attribute that does not exist in the item"
PATH = "The document path provided in the update expression is invalid for update"
OPERAND = "An operand in the update expression has an incorrect data type"

ITEM: dict[str, Any] = {
    "a": n(1),
    "t": s("text"),
    "l": {"L": [n(0), n(1), n(2)]},
    "m": {"M": {"x": n(1), "l": {"L": [s("a"), {"M": {"y": n(2)}}]}}},
    "ss": {"SS": ["x", "y"]},
    "ns": {"NS": ["1", "2"]},
    "bs": {"BS": ["AA=="]},
}
GONE = object()

CASES: list[tuple[str, str, dict[str, Any], dict[str, Any]]] = [
    # fact, text, values, what changes of ITEM
    ("8.1", "SET a = :v, b = a", {":v": n(5)}, {"a": n(5), "b": n(1)}),
    ("8.1", "SET a = t, t = a", {}, {"a": s("text"), "t": n(1)}),
    ("8.1", "SET b = a REMOVE a", {}, {"a": GONE, "b": n(1)}),
    ("8.6", "SET a = a + :v, b = :v - a", {":v": n("2.50")}, {"a": n("3.5"), "b": n("1.5")}),
    ("8.6", "SET a = (a - :v)", {":v": n(2)}, {"a": n(-1)}),
    ("8.7", "SET hits = if_not_exists(hits, :z) + :v", {":z": n(0), ":v": n(1)}, {"hits": n(1)}),
    ("8.7", "SET a = if_not_exists(a, :z) + :v", {":z": n(0), ":v": n(1)}, {"a": n(2)}),
    ("8.8", "SET b = if_not_exists(c, if_not_exists(m.z, m.l[1].y))", {}, {"b": n(2)}),
    ("8.8", "SET b = if_not_exists(a, gone)", {}, {"b": n(1)}),
    ("8.9", "SET l = list_append(l, :v)", {":v": {"L": [n(9)]}}, {"l": {"L": [n(0), n(1), n(2), n(9)]}}),
    ("8.9", "SET l = list_append(:v, l)", {":v": {"L": [n(9)]}}, {"l": {"L": [n(9), n(0), n(1), n(2)]}}),
    ("8.9", "SET b = list_append(if_not_exists(b, :e), :v)", {":e": {"L": []}, ":v": {"L": [n(9)]}}, {"b": {"L": [n(9)]}}),
    ("8.13", "ADD hits :v", {":v": n(3)}, {"hits": n(3)}),
    ("8.13", "ADD a :v", {":v": n("-1.0")}, {"a": n(0)}),
    ("8.14", "ADD tags :v", {":v": {"SS": ["b"]}}, {"tags": {"SS": ["b"]}}),
    ("8.14", "ADD ss :v", {":v": {"SS": ["y", "z"]}}, {"ss": {"SS": ["x", "y", "z"]}}),
    ("8.14", "ADD ns :v", {":v": {"NS": ["2.0", "3"]}}, {"ns": {"NS": ["1", "2", "3"]}}),
    ("8.14", "ADD m.x :v, m.n :v", {":v": n(1)}, {"m": {"M": {**ITEM["m"]["M"], "x": n(2), "n": n(1)}}}),
    ("8.18", "DELETE ss :v", {":v": {"SS": ["y", "q"]}}, {"ss": {"SS": ["x"]}}),
    ("8.18", "DELETE bs :v", {":v": {"BS": ["AA=="]}}, {"bs": GONE}),
    ("8.19", "DELETE ns :v", {":v": {"NS": ["7"]}}, {}),
    ("8.19", "DELETE gone :v", {":v": {"NS": ["7"]}}, {}),
    ("8.20", "SET l[7] = :v", {":v": n(9)}, {"l": {"L": [n(0), n(1), n(2), n(9)]}}),
    ("8.20", "SET l[9] = :v, l[2147483647] = :x, l[8] = :w", {":v": n(9), ":w": n(8), ":x": n(10)}, {"l": {"L": [n(0), n(1), n(2), n(8), n(9), n(10)]}}),
    ("8.20", "SET l[1] = :v", {":v": n(9)}, {"l": {"L": [n(0), n(9), n(2)]}}),
    ("8.21", "REMOVE l[0], l[1]", {}, {"l": {"L": [n(2)]}}),
    ("8.21", "REMOVE l[0] SET l[1] = :v, l[5] = :v", {":v": n(9)}, {"l": {"L": [n(9), n(2), n(9)]}}),
    ("8.22", "REMOVE l[3], l[100], gone", {}, {}),
    ("8.22", "REMOVE m.gone", {}, {}),
    ("8.22", "REMOVE l[0], l[1], l[2]", {}, {"l": {"L": []}}),
    ("8.3", "SET m.l[1].y = :v", {":v": n(9)}, {"m": {"M": {"x": n(1), "l": {"L": [s("a"), {"M": {"y": n(9)}}]}}}}),
    ("8.3", "SET m.z = m.x REMOVE m.l", {}, {"m": {"M": {"x": n(1), "z": n(1)}}}),
]  # fmt: skip


@pytest.mark.parametrize(("fact", "text", "values", "changes"), CASES)
def test_update(fact: str, text: str, values: dict[str, Any], changes: dict[str, Any]) -> None:
    before = deepcopy(ITEM)
    expected = {name: value for name, value in {**ITEM, **changes}.items() if value is not GONE}
    assert updated(text, ITEM, values) == expected
    assert before == ITEM


FAILURES: list[tuple[str, str, dict[str, Any], str]] = [
    ("8.2", "SET b = gone", {}, MISSING),
    ("8.2", "SET b = gone + :v", {":v": n(1)}, MISSING),
    ("8.2", "SET b = m.gone", {}, MISSING),
    ("8.2", "SET b = if_not_exists(gone, absent)", {}, MISSING),
    ("8.2", "SET b = list_append(gone, :v)", {":v": {"L": []}}, MISSING),
    ("8.3", "SET absent.child = :v", {":v": n(1)}, PATH),
    ("8.3", "SET absent[0] = :v", {":v": n(1)}, PATH),
    ("8.3", "SET a.b = :v", {":v": n(1)}, PATH),
    ("8.3", "SET m[0] = :v", {":v": n(1)}, PATH),
    ("8.3", "SET l.x = :v", {":v": n(1)}, PATH),
    ("8.3", "SET l[3].x = :v", {":v": n(1)}, PATH),
    ("8.3", "SET m.absent.x = :v", {":v": n(1)}, PATH),
    ("8.3", "ADD absent.x :v", {":v": n(1)}, PATH),
    ("8.23", "REMOVE absent.x", {}, PATH),
    ("8.23", "REMOVE t.x", {}, PATH),
    ("8.23", "REMOVE absent[0]", {}, PATH),
    ("8.10", "SET b = t + :v", {":v": n(1)}, OPERAND),
    ("8.10", "SET b = if_not_exists(gone, t) + :v", {":v": n(1)}, OPERAND),
    ("8.11", "SET b = list_append(a, :v)", {":v": {"L": []}}, OPERAND),
    ("8.12", "SET b = a + :v", {":v": n("1e38")}, "Attempting to store more than 38 significant digits in a Number"),
    ("8.15", "ADD t :v", {":v": n(1)}, OPERAND),
    ("8.15", "ADD ss :v", {":v": {"NS": ["1"]}}, OPERAND),
    ("8.15", "ADD l :v", {":v": n(1)}, OPERAND),
    ("8.15", "DELETE ss :v", {":v": {"NS": ["1"]}}, OPERAND),
    ("8.15", "DELETE a :v", {":v": {"NS": ["1"]}}, OPERAND),
]  # fmt: skip


@pytest.mark.parametrize(("fact", "text", "values", "message"), FAILURES)
def test_failed_update(fact: str, text: str, values: dict[str, Any], message: str) -> None:
    before = deepcopy(ITEM)
    with pytest.raises(ValidationException) as raised:
        updated(text, ITEM, values)
    assert raised.value.message == message
    assert raised.value.words("UpdateItem") == message
    assert before == ITEM  # fact 8.26


def _update(text: str, values: dict[str, Any] | None = None) -> Update:
    update = ask("UpdateExpression", text, values).update
    assert update is not None
    return update


CREATING = [
    ("8.13", "ADD a :n", True),
    ("8.25", "SET a = :n", True),
    ("8.25", "REMOVE a, b", False),
    ("8.25", "DELETE a :s", False),
    ("8.25", "REMOVE a ADD b :n", True),
    ("8.25", "REMOVE a.b", True),
]


@pytest.mark.parametrize(("fact", "text", "creates"), CREATING)
def test_which_updates_create_an_item(fact: str, text: str, creates: bool) -> None:
    values = {name: value for name, value in ((":n", n(1)), (":s", {"SS": ["x"]})) if name in text}
    update = _update(text, values)
    assert update.plan.creates is creates
    if "." in text:
        with pytest.raises(ValidationException, match=PATH):
            update.apply({"pk": n(1)})
    else:
        update.apply({"pk": n(1)})


def test_what_the_engine_needs_to_know() -> None:
    update = _update("SET a.b = :n, c = :n REMOVE d[1], e ADD f :n", {":n": n(1)})
    assert update.plan.paths == (("a", "b"), ("c",), ("d", 1), ("e",), ("f",))
    assert update.plan.top_names == {"a", "c", "d", "e", "f"}
    assert update.plan.size_bytes == 3 + 3 * 19 + 2 * 2


def test_touched_fragments() -> None:
    text = "SET a = :v, m.l[1].y = :v, l[1] = :v, added = :v, n2.x = m.x REMOVE t, l[2]"
    item = {**ITEM, "n2": {"M": {}}}
    update = _update(text, {":v": n(9)})
    assert update.touched(item) == {  # fact 9.5
        "a": n(1),
        "m": {"M": {"l": {"L": [{"M": {"y": n(2)}}]}}},
        "l": {"L": [n(1), n(2)]},
        "t": s("text"),
    }
    assert update.touched_after(update.apply(item)) == {  # facts 9.6–9.8
        "a": n(9),
        "m": {"M": {"l": {"L": [{"M": {"y": n(9)}}]}}},
        "l": {"L": [n(9)]},
        "added": n(9),
        "n2": {"M": {"x": n(1)}},
    }


def test_a_pure_remove_touches_nothing_afterwards() -> None:
    update = _update("REMOVE l[0], t")
    assert update.touched_after(update.apply(ITEM)) == {}  # fact 9.6


def test_a_nested_set_touches_only_its_fragment() -> None:
    update = _update("SET m.x = :v", {":v": n(1)})
    assert update.touched(ITEM) == {"m": {"M": {"x": n(1)}}}  # facts 9.5, 9.7
    assert update.touched_after(update.apply(ITEM)) == {"m": {"M": {"x": n(1)}}}
