"""What the readers of a request should not have to know of is taken out of it."""

from __future__ import annotations

from typing import Any

from partita.api.shapes import Shape


def tidy(shape: Shape, structure: dict[str, Any]) -> None:
    """Takes out null and unknown members, and fractions of whole numbers, in place. All JSON types are right.

    Attribute values are left as they are, and so are nulls among the elements of lists and maps, which are
    not absent but wrong.
    """
    for name in list(structure):
        member, value = shape.members.get(name), structure[name]
        if member is None or value is None:
            del structure[name]
        elif isinstance(value, float):
            structure[name] = int(value)
        else:
            _inside(member.shape, value)


def _inside(shape: Shape, value: Any) -> None:
    if value is None or shape.is_attribute_value:
        return
    if shape.type == "structure":
        tidy(shape, value)
    elif shape.type in ("list", "map"):
        element = shape.element
        assert element is not None
        if not element.is_attribute_value:
            for item in value if shape.type == "list" else value.values():
                _inside(element, item)
