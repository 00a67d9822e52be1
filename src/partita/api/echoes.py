"""How error messages repeat a value: as Java prints it, or as compact JSON."""

from __future__ import annotations

from typing import Any

import orjson

from partita.api.shapes import Shape

_MAX_DEPTH = 40
"""Deeper values are cut short: what is echoed may be hostile."""


def java(value: Any, shape: Shape | None, depth: int = 0) -> str:
    """A value of `shape` as Java prints it, e.g. `[KeySchemaElement(attributeName=pk, keyType=HASH)]`."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return value
    if depth == _MAX_DEPTH:
        return "..."
    if isinstance(value, list):
        element = shape.element if shape else None
        return f"[{', '.join(java(item, element, depth + 1) for item in value)}]"
    if isinstance(value, dict):
        if shape is not None and shape.type == "structure":
            members = ", ".join(
                f"{name[0].lower()}{name[1:]}={java(value[name], member.shape, depth + 1)}"
                for name, member in shape.members.items()
                if value.get(name) is not None
            )
            return f"{shape.name}({members})"
        element = shape.element if shape else None
        return (
            "{" + ", ".join(f"{name}={java(item, element, depth + 1)}" for name, item in value.items()) + "}"
        )
    return str(value)


def json(value: Any, shape: Shape) -> str:
    """A value as compact JSON; as Java prints it if it is nested too deep for that."""
    try:
        return orjson.dumps(value).decode()
    except TypeError:
        return java(value, shape)
