"""English in messages."""

from __future__ import annotations


def counted(number: int, noun: str, plural: str | None = None) -> str:
    """A number of things: `1 item`, `1,000 items`. Unless it is given, the plural is the noun with an s."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"
