"""Which parts of an item a projection keeps (section 10, facts 6.37, 9.7, 9.8)."""

from __future__ import annotations

from typing import Any

import pytest

from .asking import ask, n, projected, s

ITEM: dict[str, Any] = {
    "pk": s("k"),
    "a": {"M": {"b": n(1), "c": {"L": [n(0), {"M": {"x": s("x"), "y": s("y")}}, n(2)]}}},
    "l": {"L": [{"M": {"a": n(1), "b": n(2), "c": n(3)}}, n(1), n(2), n(3), n(4), n(5)]},
    "t": s("text"),
}

CASES: list[tuple[str, str, dict[str, Any]]] = [
    ("10.2", "gone", {}),
    ("10.3", "t", {"t": s("text")}),
    ("10.4", "a.b", {"a": {"M": {"b": n(1)}}}),
    ("10.4", "a.c[1].y", {"a": {"M": {"c": {"L": [{"M": {"y": s("y")}}]}}}}),
    ("10.4", "a.b, a.c[2], pk", {"a": {"M": {"b": n(1), "c": {"L": [n(2)]}}}, "pk": s("k")}),
    ("10.5", "l[5], l[1]", {"l": {"L": [n(1), n(5)]}}),
    ("10.5", "l[10], l[2], l[3]", {"l": {"L": [n(2), n(3)]}}),
    ("10.5", "l[0].a, l[0].b", {"l": {"L": [{"M": {"a": n(1), "b": n(2)}}]}}),
    ("10.5", "l[3], l[0].b", {"l": {"L": [{"M": {"b": n(2)}}, n(3)]}}),
    ("10.6", "t.x, a[0], l.a", {}),
    ("10.6", "l[100], l[2147483647], a.x, l[0].z", {}),
    ("10.6", "t[0], a.b.c", {}),
    ("10.6", "a.x, a.b", {"a": {"M": {"b": n(1)}}}),
]


@pytest.mark.parametrize(("fact", "text", "expected"), CASES)
def test_projection(fact: str, text: str, expected: dict[str, Any]) -> None:
    assert projected(text, ITEM) == expected


def test_names_are_those_of_the_top_level() -> None:
    projection = ask("ProjectionExpression", "a.b, #x, l[1], l[0].a", None, {"#x": "x.y"}).projection
    assert projection is not None
    assert projection.names == {"a", "x.y", "l"}


def test_the_item_stays_as_it_is() -> None:
    projected("a.c[1].y, l[0].a", ITEM)
    assert ITEM["a"]["M"].keys() == {"b", "c"}
    assert len(ITEM["l"]["L"]) == 6
