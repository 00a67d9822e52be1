"""What the readers of a request should not have to know of is taken out of it."""

from __future__ import annotations

from typing import Any

from partita.api.shapes import Shape


def tidied(shape: Shape, structure: dict[str, Any]) -> dict[str, Any]:
    """The structure without null and unknown members and without fractions of whole numbers.

    All JSON types are right. Attribute values are left as they are, and so are nulls among the elements of
    lists and maps, which are not absent but wrong. The given structure is its caller's, and stays as it is.
    """
    tidy = {}
    for name, value in structure.items():
        member = shape.members.get(name)
        if member is not None and value is not None:
            tidy[name] = int(value) if isinstance(value, float) else _inside(member.shape, value)
    return tidy


def _inside(shape: Shape, value: Any) -> Any:
    if value is None or shape.is_attribute_value:
        return value
    if shape.type == "structure":
        return tidied(shape, value)
    if shape.type not in ("list", "map"):
        return value
    element = shape.element
    assert element is not None
    if element.is_attribute_value:
        return value
    if shape.type == "list":
        return [_inside(element, item) for item in value]
    return {name: _inside(element, item) for name, item in value.items()}
