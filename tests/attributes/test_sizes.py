"""Sizes of values and items (docs/behaviours.md, section 4)."""

from __future__ import annotations

from base64 import b64decode
from typing import Any

import pytest
from hypothesis import given

from partita.attributes import item_size, normalise, normalise_item, value_size
from partita.attributes.numbers import number_size

from . import generated


@pytest.mark.parametrize(
    ("value", "size"),
    [
        ({"S": ""}, 0),  # 4.2
        ({"S": "abc"}, 3),
        ({"S": "é"}, 2),
        ({"S": "€"}, 3),
        ({"S": "𝄞"}, 4),
        ({"B": ""}, 0),
        ({"B": "QQ=="}, 1),
        ({"B": "QUI="}, 2),
        ({"B": "QUJD"}, 3),
        ({"B": "QUJDRA=="}, 4),
        ({"BOOL": True}, 1),
        ({"BOOL": False}, 1),
        ({"NULL": True}, 1),
        ({"N": "12345"}, 4),  # 4.4
        ({"L": []}, 3),  # 4.5
        ({"M": {}}, 3),
        ({"L": [{"S": "ab"}, {"BOOL": True}]}, 8),
        ({"M": {"é": {"S": "ab"}, "k": {"L": []}}}, 3 + 2 + 2 + 2 + 1 + 3),
        ({"SS": ["ab", "é", ""]}, 4),  # 4.6
        ({"NS": ["1", "-42", "100.5"]}, 2 + 3 + 4),
        ({"BS": ["", "QUI="]}, 2),
    ],
)
def test_size(value: Any, size: int) -> None:
    assert normalise(value) == (value, size)
    assert value_size(value) == size
    assert normalise_item({"näme": value}) == ({"näme": value}, 5 + size)
    assert item_size({"näme": value}) == 5 + size


def test_an_item_without_attributes() -> None:
    assert normalise_item({}) == ({}, 0)
    assert item_size({}) == 0


def obvious_size(value: Any) -> int:
    ((kind, content),) = value.items()
    match kind:
        case "S":
            return len(content.encode())
        case "B":
            return len(b64decode(content))
        case "N":
            return number_size(content)
        case "SS" | "NS" | "BS":
            return sum(obvious_size({kind[0]: member}) for member in content)
        case "L":
            return 3 + sum(1 + obvious_size(element) for element in content)
        case "M":
            return 3 + sum(
                1 + len(name.encode()) + obvious_size(element) for name, element in content.items()
            )
    return 1


@given(generated.items)
def test_sizes_add_up(item: Any) -> None:
    normal, size = normalise_item(item)
    assert size == sum(len(name.encode()) + obvious_size(value) for name, value in normal.items())
    assert item_size(normal) == size
    for value in normal.values():
        assert value_size(value) == obvious_size(value)
