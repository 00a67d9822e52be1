"""Equality and order of values (facts 3.14, 3.31 to 3.33, 7.2 to 7.4)."""

from __future__ import annotations

from base64 import b64decode
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given

from partita.attributes import compare, equal, normalise

from . import generated

PAIRS_THAT_ARE_EQUAL = [
    ({"S": ""}, {"S": ""}),
    ({"N": "1.50"}, {"N": "15e-1"}),
    ({"SS": ["a", "b", "c"]}, {"SS": ["c", "a", "b"]}),
    ({"NS": ["1", "2.0"]}, {"NS": ["2", "1.0"]}),
    ({"BS": ["QQ==", "QUI="]}, {"BS": ["QUI=", "QQ=="]}),
    ({"L": [{"SS": ["a", "b"]}, {"N": "1"}]}, {"L": [{"SS": ["b", "a"]}, {"N": "1.0"}]}),
    (
        {"M": {"a": {"N": "1"}, "b": {"M": {"c": {"NS": ["1", "2"]}}}}},
        {"M": {"b": {"M": {"c": {"NS": ["2", "1"]}}}, "a": {"N": "1"}}},
    ),
]

PAIRS_THAT_DIFFER = [
    ({"S": "1"}, {"N": "1"}),  # 3.33, 7.3
    ({"S": "QQ=="}, {"B": "QQ=="}),
    ({"SS": ["1"]}, {"NS": ["1"]}),
    ({"SS": ["a"]}, {"L": [{"S": "a"}]}),
    ({"BOOL": True}, {"NULL": True}),
    ({"BOOL": True}, {"BOOL": False}),
    ({"L": []}, {"M": {}}),
    ({"SS": ["a", "b"]}, {"SS": ["a"]}),
    ({"SS": ["a", "b"]}, {"SS": ["a", "c"]}),
    ({"L": [{"S": "a"}, {"S": "b"}]}, {"L": [{"S": "b"}, {"S": "a"}]}),
    ({"L": [{"S": "a"}]}, {"L": [{"S": "a"}, {"S": "a"}]}),
    ({"L": [{"S": "1"}]}, {"L": [{"N": "1"}]}),
    ({"M": {"a": {"S": "x"}}}, {"M": {"b": {"S": "x"}}}),
    ({"M": {"a": {"S": "x"}}}, {"M": {"a": {"S": "x"}, "b": {"S": "x"}}}),
    ({"M": {"a": {"S": "x"}}}, {"M": {"A": {"S": "x"}}}),  # 3.29
]


@pytest.mark.parametrize(("a", "b"), PAIRS_THAT_ARE_EQUAL)
def test_equal(a: Any, b: Any) -> None:
    x, y = normalise(a)[0], normalise(b)[0]
    assert equal(x, y)
    assert equal(y, x)


@pytest.mark.parametrize(("a", "b"), PAIRS_THAT_DIFFER)
def test_not_equal(a: Any, b: Any) -> None:
    assert not equal(a, b)
    assert not equal(b, a)


def shuffled(value: Any) -> Any:
    ((kind, content),) = value.items()
    if kind in ("SS", "NS", "BS"):
        return {kind: content[::-1]}
    if kind == "L":
        return {kind: [shuffled(element) for element in content]}
    if kind == "M":
        return {kind: {name: shuffled(content[name]) for name in reversed(content)}}
    return dict(value)


@given(generated.values, generated.values)
def test_order_within_sets_and_maps_counts_for_nothing(a: Any, b: Any) -> None:
    x, y = normalise(a)[0], normalise(b)[0]
    assert equal(x, shuffled(x))
    assert equal(x, y) == equal(shuffled(x), y)


@given(generated.keys, generated.keys)
def test_order(a: Any, b: Any) -> None:
    x, y = normalise(a)[0], normalise(b)[0]
    answer = compare(x, y)
    if x.keys() != y.keys():
        assert answer is None
        return
    ((kind, left),) = x.items()
    right = y[kind]
    decode: Any = {"S": str.encode, "N": Decimal, "B": b64decode}[kind]
    assert answer is not None
    assert (answer < 0) == (decode(left) < decode(right))
    assert (answer == 0) == (decode(left) == decode(right)) == equal(x, y)


@pytest.mark.parametrize(
    ("less", "greater"),
    [
        ({"S": ""}, {"S": "\x00"}),
        ({"S": "Z"}, {"S": "a"}),
        ({"S": "\uffff"}, {"S": "\U00010000"}),  # 3.31: UTF-16 would say the contrary
        ({"N": "-10"}, {"N": "-9"}),
        ({"N": "9"}, {"N": "10"}),
        ({"B": "fw=="}, {"B": "gA=="}),  # 3.32
    ],
)
def test_less(less: Any, greater: Any) -> None:
    assert compare(less, greater) == -1
    assert compare(greater, less) == 1
    assert compare(less, dict(less)) == 0


@pytest.mark.parametrize("value", [{"BOOL": True}, {"NULL": True}, {"SS": ["a"]}, {"L": []}, {"M": {}}])
def test_types_without_order(value: Any) -> None:
    """7.2"""
    assert compare(value, value) is None
    assert compare(value, {"S": "a"}) is None
