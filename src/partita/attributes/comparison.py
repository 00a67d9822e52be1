"""Equality and order of values in normal form (facts 3.14, 3.31 to 3.33, 7.2 to 7.4)."""

from __future__ import annotations

from decimal import Decimal

from partita.attributes.binary import decoded
from partita.attributes.types import AttributeValue

_SETS = frozenset({"SS", "NS", "BS"})


def equal(a: AttributeValue, b: AttributeValue) -> bool:
    """Whether two values are equal: deep, sets in any order, never across types (facts 7.3, 7.4)."""
    return a == b or _equal_but_for_order(a, b)


def _equal_but_for_order(a: AttributeValue, b: AttributeValue) -> bool:
    for kind, content in a.items():
        if kind not in b:
            return False
        other = b[kind]
        if kind in _SETS:
            return len(content) == len(other) and set(content) == set(other)
        if kind == "L":
            return len(content) == len(other) and all(map(_equal_but_for_order, content, other))
        if kind == "M":
            return content.keys() == other.keys() and all(
                _equal_but_for_order(value, other[name]) for name, value in content.items()
            )
        return bool(content == other)
    return False


def compare(a: AttributeValue, b: AttributeValue) -> int | None:
    """Negative, 0 or positive as a is less than, equal to or greater than b.

    None if the types differ or have no order: only S (by UTF-8 bytes), N (by value) and B do.
    """
    if "S" in a and "S" in b:
        # Code points and UTF-8 bytes sort alike.
        x, y = a["S"], b["S"]
    elif "N" in a and "N" in b:
        x, y = a["N"], b["N"]
        if "." in x or "." in y:
            x, y = Decimal(x), Decimal(y)
        else:
            x, y = int(x), int(y)
    elif "B" in a and "B" in b:
        x, y = decoded(a["B"]), decoded(b["B"])
    else:
        return None
    return -1 if x < y else 1 if x > y else 0
