"""Sizes in bytes of values in normal form (docs/behaviours.md, section 4)."""

from __future__ import annotations

from partita.attributes.binary import binary_size
from partita.attributes.numbers import known_size, number_size
from partita.attributes.types import AttributeValue, Item


def item_size(item: Item) -> int:
    """Size of an item in normal form: names and values (fact 4.1)."""
    size = _text_size("".join(item))
    for value in item.values():
        if "S" in value:
            text = value["S"]
            size += len(text) if text.isascii() else len(text.encode())
        elif "N" in value:
            size += number_size(value["N"])
        else:
            size += value_size(value)
    return size


def value_size(value: AttributeValue) -> int:
    """Size of a value in normal form (facts 4.2 to 4.6)."""
    if "S" in value:
        text: str = value["S"]
        return len(text) if text.isascii() else len(text.encode())
    if "N" in value:
        number = value["N"]
        return known_size(number) or number_size(number)
    for kind, content in value.items():
        if kind == "M":
            return 3 + len(content) + item_size(content)
        if kind == "L":
            return 3 + len(content) + sum(map(value_size, content))
        if kind == "SS":
            return _text_size("".join(content))
        if kind == "NS":
            return sum(map(number_size, content))
        if kind == "B":
            return binary_size(content)
        if kind == "BS":
            return sum(map(binary_size, content))
    return 1


def _text_size(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode())
