"""What a pattern is declared with: checked where it stands, and a TypeError says what is needed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pydantic import BaseModel

from partita.model.declaring.entity import Entity, required_class
from partita.model.expressions.conditions import Condition
from partita.model.keys.key_conditions import KeyCondition
from partita.model.values.attribute_values import shortened


def given_name(name: object) -> str:
    if not isinstance(name, str) or not name:
        raise TypeError(f"a pattern begins with its name, a text, not {shortened(name)}")
    return name


def given_key(name: str, key: Any) -> KeyCondition[Any]:
    if not isinstance(key, KeyCondition):
        raise TypeError(
            f'{name!r}: a key condition is needed, such as Order.key(id=P("id")), not {shortened(key)}'
        )
    return key


def given_entities(name: str, of: object) -> tuple[type[Entity], ...]:
    """Of a list, a mapping or another iterable of classes."""
    if isinstance(of, str | type) or not isinstance(of, Iterable):
        raise TypeError(f"{name!r}: entities are given as a list, such as [Order], not {shortened(of)}")
    try:
        return tuple(map(required_class, of))
    except TypeError as error:
        raise TypeError(f"{name!r}: {error}") from None


def given_filter(name: str, condition: object) -> None:
    if condition is not None and not isinstance(condition, Condition):
        raise TypeError(
            f"{name!r}: a filter is a condition, such as F(Order).total > 3, not {shortened(condition)}"
        )


def given_view(name: str, view: object) -> None:
    if view is not None and not (isinstance(view, type) and issubclass(view, BaseModel)):
        raise TypeError(f"{name!r}: a view is a pydantic model, not {shortened(view)}")


def given_counts(name: str, **counts: object) -> None:
    """Whole numbers; those that bound nothing are the check's to refuse."""
    for what, count in counts.items():
        if isinstance(count, bool) or not isinstance(count, int):
            raise TypeError(f"{name!r}: {what} is a whole number, not {shortened(count)}")
