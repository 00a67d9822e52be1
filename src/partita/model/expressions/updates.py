"""Updates as plain values: each is one action on one path, over encoded attribute values.

Fields build them (`F(Order).qty.add(-2)`), as does `difference`; `rendering` turns a list of them into one
UpdateExpression.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from partita.model.errors import ExpressionError
from partita.model.expressions.conditions import AttributeAt, DocumentPath, Value
from partita.model.schema import AttributeValue


@dataclass(frozen=True, slots=True)
class SetTo:
    """SET path = value, or = what another path holds."""

    path: DocumentPath
    operand: Value | AttributeAt


@dataclass(frozen=True, slots=True)
class SetDefault:
    """SET path = if_not_exists(path, value)."""

    path: DocumentPath
    value: AttributeValue


@dataclass(frozen=True, slots=True)
class Increase:
    """SET path = path + amount; where nothing is stored, counts from `start`, and fails if that is None."""

    path: DocumentPath
    amount: AttributeValue
    start: AttributeValue | None


@dataclass(frozen=True, slots=True)
class Append:
    """SET path = list_append(…), at the end or in front; `creates`: a missing list counts as an empty one."""

    path: DocumentPath
    elements: AttributeValue
    in_front: bool = False
    creates: bool = True


@dataclass(frozen=True, slots=True)
class Remove:
    """REMOVE path."""

    path: DocumentPath


@dataclass(frozen=True, slots=True)
class AddToSet:
    """ADD path members: a missing set is made."""

    path: DocumentPath
    members: AttributeValue


@dataclass(frozen=True, slots=True)
class DeleteFromSet:
    """DELETE path members: a set that becomes empty disappears."""

    path: DocumentPath
    members: AttributeValue


Update = SetTo | SetDefault | Increase | Append | Remove | AddToSet | DeleteFromSet


def check_overlaps(paths: Iterable[DocumentPath]) -> None:
    """Raises ExpressionError where two actions touch the same value or one a part of the other's.

    DynamoDB refuses such an update: its actions have no order among them.
    """
    seen: set[DocumentPath] = set()
    for path in sorted(paths, key=len):
        for length in range(1, len(path) + 1):
            if path[:length] in seen:
                raise ExpressionError(
                    f"two updates overlap: {spelled(path[:length])} and {spelled(path)}; all actions of an "
                    "update apply at once, so only one of them can change a value"
                )
        seen.add(path)


def spelled(path: Sequence[str | int]) -> str:
    """`address.lines[0].city`, for messages."""
    text = "".join(f"[{element}]" if isinstance(element, int) else f".{element}" for element in path)
    return text.removeprefix(".")
