"""What an annotation says, once Annotated, Optional and aliases are taken off it."""

from __future__ import annotations

import enum
import types
from collections.abc import Iterator
from typing import Annotated, Any, Literal, NewType, Union, get_args, get_origin

from pydantic.fields import FieldInfo


def bare_type(annotation: Any) -> Any:
    """Without Annotated, NewType, type aliases and `| None`."""
    while True:
        inner = unwrapped(annotation)
        members = union_members(inner)
        present = [member for member in members if member is not type(None)]
        if len(members) > 1 and len(present) == 1:
            annotation = present[0]
        else:
            return inner


def unwrapped(annotation: Any) -> Any:
    """Without Annotated, NewType and type aliases; unions stay."""
    while True:
        if get_origin(annotation) is Annotated:
            annotation = get_args(annotation)[0]
        elif isinstance(annotation, NewType):
            annotation = annotation.__supertype__
        elif type(annotation).__name__ == "TypeAliasType":
            annotation = annotation.__value__
        else:
            return annotation


def metadata_of(annotation: Any) -> Iterator[Any]:
    """What Annotated says along the way to the bare type, pydantic's Field(...) taken apart; outermost
    first.
    """
    while True:
        if get_origin(annotation) is Annotated:
            inner, *said = get_args(annotation)
            for one in said:
                yield one
                if isinstance(one, FieldInfo):
                    yield from one.metadata
            annotation = inner
            continue
        inner = unwrapped(annotation) if not union_members(annotation) else annotation
        present = [member for member in union_members(inner) if member is not type(None)]
        if len(present) == 1 and len(union_members(inner)) > 1:
            inner = present[0]
        if inner is annotation:
            return
        annotation = inner


def union_members(annotation: Any) -> tuple[Any, ...]:
    """The members of a union, () for anything else."""
    if get_origin(annotation) in (Union, types.UnionType):
        return get_args(annotation)
    return ()


def literal_values(annotation: Any) -> tuple[Any, ...]:
    """The values of a Literal, nested ones included, without None."""
    found: list[Any] = []
    for value in get_args(annotation):
        if get_origin(unwrapped(value)) is Literal:
            found.extend(literal_values(unwrapped(value)))
        elif value is not None:
            found.append(value)
    return tuple(dict.fromkeys(found))


def choices_of(bare: Any) -> tuple[Any, ...]:
    """The values of a Literal, the members of an Enum, () for anything else."""
    if get_origin(bare) is Literal:
        return literal_values(bare)
    return tuple(bare) if isinstance(bare, type) and issubclass(bare, enum.Enum) else ()


def allows_none(annotation: Any) -> bool:
    inner = unwrapped(annotation)
    if inner is None or inner is type(None):
        return True
    if get_origin(inner) is Literal:
        return None in get_args(inner)
    return any(allows_none(member) for member in union_members(inner))


def longest(annotation: Any) -> int | None:
    """The declared max_length, None where there is none."""
    lengths = [
        length
        for said in metadata_of(annotation)
        if (length := getattr(said, "max_length", None)) is not None
    ]
    return min(lengths, default=None)
