"""Operands compiled to closures over (values, item): what conditions and updates have in common."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from partita.attributes import AttributeValue, Item
from partita.expressions.paths import find
from partita.expressions.tree import Path

Values = Mapping[str, AttributeValue]
"""Expression values in normal form, by placeholder."""
Evaluate = Callable[[Values, Item], AttributeValue | None]
"""An operand's value; None where the item has none."""


def attribute_at(path: Path) -> Evaluate:
    """What the item has at `path`."""
    if len(path) == 1:
        name: Any = path[0]
        return lambda values, item: item.get(name)
    return lambda values, item: find(item, path)


def value_of(placeholder: str) -> Evaluate:
    """What the request gives for `placeholder`."""
    return lambda values, item: values[placeholder]
