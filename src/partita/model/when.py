"""What a `when` of an index or a unique rule reads of its entity, as far as its code tells."""

from __future__ import annotations

from collections.abc import Iterator
from types import CodeType, FunctionType
from typing import Any

from partita.model.schema import EntitySchema


def read_by(schema: EntitySchema, when: Any) -> frozenset[str] | None:
    """The names that it reads, and perhaps more; None: what it reads cannot be seen.

    That is so where it calls methods or functions of the application, which may read anything.
    """
    if when is None:
        return frozenset()
    code = getattr(when, "__code__", None)
    if code is None or when.__closure__ or when.__defaults__ or when.__kwdefaults__:
        return None
    names = frozenset(_names(code))
    for name in names - schema.fields.keys():
        if hasattr(schema.cls, name) or isinstance(when.__globals__.get(name), FunctionType):
            return None
    return names


def _names(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)
