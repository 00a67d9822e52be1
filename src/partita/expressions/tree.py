"""The one tree of all expressions and legacy parameters: attribute names stand in it, values do not.

A value appears as its placeholder, so that one tree serves every request with the same text.
"""

from __future__ import annotations

from dataclasses import dataclass

Path = tuple[str | int, ...]
"""A document path: attribute names and list indexes, e.g. `("a", "b", 1)` for `a.b[1]`."""


@dataclass(frozen=True, slots=True)
class Attribute:
    path: Path


@dataclass(frozen=True, slots=True)
class Value:
    placeholder: str


@dataclass(frozen=True, slots=True)
class Call:
    """A function, as an operand or as a condition."""

    name: str
    arguments: tuple[Operand, ...]


@dataclass(frozen=True, slots=True)
class Arithmetic:
    operator: str
    """`+` or `-`."""
    left: Operand
    right: Operand


Operand = Attribute | Value | Call | Arithmetic


@dataclass(frozen=True, slots=True)
class Comparison:
    operator: str
    left: Operand
    right: Operand


@dataclass(frozen=True, slots=True)
class Between:
    operand: Operand
    low: Operand
    high: Operand


@dataclass(frozen=True, slots=True)
class In:
    operand: Operand
    options: tuple[Operand, ...]


@dataclass(frozen=True, slots=True)
class Not:
    condition: Condition


@dataclass(frozen=True, slots=True)
class And:
    conditions: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class Or:
    conditions: tuple[Condition, ...]


Condition = Comparison | Between | In | Call | Not | And | Or


@dataclass(frozen=True, slots=True)
class Set:
    path: Path
    operand: Operand


@dataclass(frozen=True, slots=True)
class Remove:
    path: Path


@dataclass(frozen=True, slots=True)
class Add:
    path: Path
    value: Value


@dataclass(frozen=True, slots=True)
class Delete:
    path: Path
    value: Value


Action = Set | Remove | Add | Delete

Node = Operand | Condition | Action
