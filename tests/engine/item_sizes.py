"""Item sizes and capacity units, written as plainly as the rules are (facts sections 4 and 14)."""

from __future__ import annotations

from base64 import b64decode
from typing import Any

Item = dict[str, Any]


def item_bytes(item: Item) -> int:
    """Fact 4.1."""
    return sum(len(name.encode()) + value_bytes(value) for name, value in item.items())


def value_bytes(value: dict[str, Any]) -> int:
    """Facts 4.2 – 4.6."""
    ((kind, content),) = value.items()
    if kind == "S":
        return len(content.encode())
    if kind == "N":
        return number_bytes(content)
    if kind == "B":
        return len(b64decode(content))
    if kind in ("BOOL", "NULL"):
        return 1
    if kind == "SS":
        return sum(len(member.encode()) for member in content)
    if kind == "NS":
        return sum(number_bytes(member) for member in content)
    if kind == "BS":
        return sum(len(b64decode(member)) for member in content)
    if kind == "L":
        return 3 + sum(1 + value_bytes(member) for member in content)
    assert kind == "M"
    return 3 + sum(1 + len(name.encode()) + value_bytes(member) for name, member in content.items())


def number_bytes(text: str) -> int:
    """Fact 4.4, of a number in plain decimals."""
    whole, _, fraction = text.lstrip("-").partition(".")
    digits = whole.lstrip("0") + fraction.rstrip("0")
    if not digits.strip("0"):
        return 1
    # Zeros that only place the point do not count, wherever they stand.
    whole, fraction = whole.lstrip("0"), fraction.rstrip("0")
    if not fraction:
        whole = whole.rstrip("0")
    if not whole:
        fraction = fraction.lstrip("0")
    return 1 + (len(whole) + 1) // 2 + (len(fraction) + 1) // 2 + text.startswith("-")


def blocks(size: int, of: int) -> int:
    """Started blocks of so many bytes, at least one."""
    return max(1, -(-size // of))
