"""Requests with a value of a wrong kind in any member of any operation."""

from __future__ import annotations

from typing import Any

from partita.api.shapes import INPUTS, Shape

WRONG: list[Any] = [3, 3.5, True, "x", [], {}, [[]], [{}], [None], {"k": None}, {"k": []}, [3], {"k": 3}]
"""Values of which most are wrong wherever they stand."""


def members_of(shape: Shape, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Paths to every member of a request: names, 0 for an element of a list, "k" for one of a map."""
    if shape.is_attribute_value:
        return [path]
    paths = [path] if path else []
    for name, member in shape.members.items():
        paths += members_of(member.shape, (*path, name))
    if shape.element is not None:
        paths += members_of(shape.element, (*path, 0 if shape.type == "list" else "k"))
    return paths


def placed(shape: Shape, request: Any, path: tuple[Any, ...], value: Any) -> Any:
    """A request with `value` at `path`; what is on the way is made."""
    if not path:
        return value
    first, *rest = path
    if shape.type == "structure":
        inner, known = shape.members[first].shape, dict(request or {})
    else:
        assert shape.element is not None
        inner, known = shape.element, {"k": None} | (request if isinstance(request, dict) else {})
    if shape.type == "list":
        elements = list(request or [None])
        return [placed(inner, elements[0], tuple(rest), value), *elements[1:]]
    known[first] = placed(inner, known.get(first), tuple(rest), value)
    return known


PLACES = [(operation, path) for operation in sorted(INPUTS) for path in members_of(INPUTS[operation])]
