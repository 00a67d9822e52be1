"""Conditions as plain values: a tree of comparisons, functions, AND, OR and NOT over attribute values.

Fields build them (`F(Order).qty >= 2`); `rendering` turns them into expressions. They serve as conditions of
writes and as filters of reads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Literal, NoReturn

from partita.model.errors import ExpressionError
from partita.model.schema import AttributeValue

DocumentPath = tuple[str | int, ...]
"""Stored attribute name, then names of map entries and list indexes."""

MOST_LEVELS = 32
"""So many elements a path has at most."""


class FieldPath(tuple[str | int, ...]):
    """A path that starts at a field of an entity, and knows which; else it is as any other path."""

    entity: type[Any]

    @classmethod
    def of(cls, entity: type[Any], *elements: str | int) -> FieldPath:
        path = cls(elements)
        path.entity = entity
        return path

    def then(self, element: str | int) -> FieldPath:
        """The path to a part of what is here."""
        return self.of(self.entity, *self, element)


Comparator = Literal["=", "<>", "<", "<=", ">", ">="]


@dataclass(frozen=True, slots=True)
class AttributeAt:
    """What is stored at a path."""

    path: DocumentPath


@dataclass(frozen=True, slots=True)
class SizeOf:
    """The size of what is stored at a path: characters, bytes or elements."""

    path: DocumentPath


@dataclass(frozen=True, slots=True)
class Value:
    """A value that the request carries."""

    value: AttributeValue


@dataclass(frozen=True, slots=True)
class Unbound:
    """A value that is given later, for a parameter of an access pattern."""

    parameter: str
    encode: Callable[[Any], AttributeValue]
    """Raises ExpressionError for a value that does not fit."""


Operand = AttributeAt | SizeOf | Value | Unbound


class Condition:
    """A condition that an item meets or not. Combine with `&`, `|` and `~`; each side in parentheses.

    It has no truth value in Python: DynamoDB evaluates it.
    """

    __slots__ = ()

    def __and__(self, other: Condition) -> Condition:
        _require_condition("&", other)
        return And((*_parts(self, And), *_parts(other, And)))

    def __or__(self, other: Condition) -> Condition:
        _require_condition("|", other)
        return Or((*_parts(self, Or), *_parts(other, Or)))

    def __rand__(self, other: object) -> NoReturn:
        raise _no_condition("&", other)

    def __ror__(self, other: object) -> NoReturn:
        raise _no_condition("|", other)

    def __invert__(self) -> Condition:
        return Not(self)

    def __bool__(self) -> NoReturn:
        raise ExpressionError(
            "a condition has no truth value in Python: combine with & | ~ instead of and, or, not; "
            "write .between(low, high) instead of low <= x <= high; compare with None by `is None`"
        )


def _parts(condition: Condition, kind: type[And] | type[Or]) -> tuple[Condition, ...]:
    return condition.parts if isinstance(condition, kind) else (condition,)


def _require_condition(operator: str, other: object) -> None:
    if not isinstance(other, Condition):
        raise _no_condition(operator, other)


def _no_condition(operator: str, other: object) -> ExpressionError:
    return ExpressionError(
        f"{operator} combines conditions, not {type(other).__name__}; put each comparison in parentheses: "
        f"(F(X).a == 1) {operator} (F(X).b == 2)"
    )


@dataclass(frozen=True, slots=True)
class Comparison(Condition):
    """`left operator right`."""

    left: Operand
    operator: Comparator
    right: Operand


@dataclass(frozen=True, slots=True)
class Between(Condition):
    """`low <= operand <= high`, both ends included."""

    operand: Operand
    low: Operand
    high: Operand


@dataclass(frozen=True, slots=True)
class In(Condition):
    """The operand equals one of 1 to 100 options."""

    operand: Operand
    options: tuple[Operand, ...]


@dataclass(frozen=True, slots=True)
class Function(Condition):
    """A function of a path and, for the last three, of a second operand."""

    name: Literal["attribute_exists", "attribute_not_exists", "attribute_type", "begins_with", "contains"]
    path: DocumentPath
    argument: Operand | None = None


@dataclass(frozen=True, slots=True)
class And(Condition):
    """All of two or more conditions."""

    parts: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class Or(Condition):
    """At least one of two or more conditions."""

    parts: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class Not(Condition):
    """Not the condition; `~` of it gives the condition back."""

    part: Condition

    def __invert__(self) -> Condition:
        return self.part


def operator_count(condition: Condition) -> int:
    """Comparisons, BETWEEN, IN, AND, OR and NOT in the condition; functions do not count, nor does Raw."""
    match condition:
        case Comparison() | Between() | In():
            return 1
        case And(parts) | Or(parts):
            return len(parts) - 1 + sum(map(operator_count, parts))
        case Not(part):
            return 1 + operator_count(part)
    return 0


def operands(condition: Condition) -> Iterator[Any]:
    """Every operand in the condition, in order; a function's path comes as AttributeAt, Raw as itself."""
    match condition:
        case Comparison(left, _, right):
            yield from (left, right)
        case Between(operand, low, high):
            yield from (operand, low, high)
        case In(operand, options):
            yield from (operand, *options)
        case Function(_, path, argument):
            yield AttributeAt(path)
            if argument is not None:
                yield argument
        case And(parts) | Or(parts):
            for part in parts:
                yield from operands(part)
        case Not(part):
            yield from operands(part)
        case _:
            yield condition
