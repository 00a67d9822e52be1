"""What a `when` of an index or a unique rule reads of its entity, as far as its code tells."""

from __future__ import annotations

import builtins
import enum
from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from types import CodeType
from typing import Any
from uuid import UUID

from partita.model.schema import EntitySchema

_CONSTANTS = (str, bytes, int, float, Decimal, date, UUID, enum.Enum)
_HARMLESS = frozenset({"len", "bool", "abs", "isinstance", "str", "int", "bytes"})
"""Builtins that look at a field's value and at nothing else of the entity."""


def read_by(schema: EntitySchema, when: Any) -> frozenset[str] | None:
    """The names that it reads, and perhaps more; None: what it reads cannot be seen.

    That is so where it calls what may read anything: methods of the entity, functions, `getattr`.
    """
    if when is None:
        return frozenset()
    code = getattr(when, "__code__", None)
    if code is None or when.__closure__ or when.__defaults__ or when.__kwdefaults__:
        return None
    names = frozenset(_names(code))
    for name in names - schema.fields.keys():
        if hasattr(schema.cls, name):
            return None
        if name in when.__globals__:
            if not _is_constant(when.__globals__[name]):
                return None
        elif hasattr(builtins, name) and name not in _HARMLESS:
            return None
    return names


def _is_constant(value: Any) -> bool:
    if isinstance(value, type):
        return issubclass(value, enum.Enum)
    if isinstance(value, tuple | frozenset):
        return all(map(_is_constant, value))
    return value is None or isinstance(value, _CONSTANTS)


def _names(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)
