"""Sort key conditions as ranges of sort bytes."""

from __future__ import annotations

from collections.abc import Sequence

from partita.attributes.keys import escaped, framed, sort_bytes, successor
from partita.attributes.types import AttributeValue


def sort_range(
    operator: str, operands: Sequence[AttributeValue], *, is_framed: bool, prefix: bytes = b""
) -> tuple[bytes, bytes | None]:
    """The half-open range [low, high) of the sort bytes that a condition selects; None: no end.

    `operator` is `=`, `<`, `<=`, `>`, `>=`, `BETWEEN` (two operands) or `begins_with`. Unframed, the sort
    bytes are `sort_bytes(value)`. Framed, they are `prefix` (earlier attributes, framed), then
    `framed(value)`, then whatever follows.
    """
    if operator == "begins_with":
        beginning = sort_bytes(operands[0])
        if is_framed:
            beginning = prefix + escaped(beginning)
        return beginning, successor(beginning)
    encode = framed if is_framed else sort_bytes
    after = _past_frame if is_framed else _next
    first = prefix + encode(operands[0])
    if operator == "=":
        return first, after(first)
    if operator == "<":
        return prefix, first
    if operator == "<=":
        return prefix, after(first)
    if operator == ">":
        return after(first), successor(prefix)
    if operator == ">=":
        return first, successor(prefix)
    if operator == "BETWEEN":
        return first, after(prefix + encode(operands[1]))
    raise ValueError(f"{operator} does not select a range")


def _past_frame(content: bytes) -> bytes:
    """The least bytes greater than everything that begins with `content`, which ends in a frame.

    There always are such: no frame is all FF.
    """
    return successor(content) or content


def _next(content: bytes) -> bytes:
    """The least bytes greater than `content`."""
    return content + b"\x00"
