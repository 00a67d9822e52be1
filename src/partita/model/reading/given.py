"""What a read is given: ReadRefused says what is needed, before anything is sent."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pydantic import BaseModel

from partita.model.declaring.entity import Entity
from partita.model.errors import ReadRefused
from partita.model.expressions.conditions import Condition
from partita.model.keys.key_conditions import KeyCondition
from partita.model.values.attribute_values import shortened

Included = Entity | KeyCondition[Any]


def require_entity(of: object) -> None:
    """Raises ReadRefused unless it is the class of an entity that has a key."""
    if not isinstance(of, type) or not issubclass(of, Entity):
        raise ReadRefused(f"what is read is named by its entity, such as Order, not by {shortened(of)}")
    if not hasattr(of, "__schema__"):
        raise ReadRefused(f"{of.__name__} has no key: it is a base of entities, and none by itself")


def given_entities(of: object) -> tuple[type[Entity], ...] | None:
    """Entities as a list, of one at least; None: all."""
    if of is None:
        return None
    if isinstance(of, type | str) or not isinstance(of, Iterable):
        raise ReadRefused(f"entities are given as a list, as in of=[Order], not as {shortened(of)}")
    entities = tuple(of)
    if not entities:
        raise ReadRefused("of= names no entity: leave it out to read all")
    for entity in entities:
        require_entity(entity)
    return entities


def given_including(including: Any) -> bool | list[Included]:
    """Entities and keys to include, which may be asked for again with each page."""
    if including is None or isinstance(including, bool):
        return bool(including)
    if isinstance(including, Entity | KeyCondition | str) or not isinstance(including, Iterable):
        raise _not_included(including)
    listed = list(including)
    for one in listed:
        if isinstance(one, Entity):
            require_entity(type(one))
        elif not isinstance(one, KeyCondition):
            raise _not_included(one)
    return listed


def _not_included(given: object) -> ReadRefused:
    return ReadRefused(
        f"including= is True, or a list of entities and of keys such as Order.key(…), not {shortened(given)}"
    )


def require_condition(condition: object) -> None:
    if not isinstance(condition, KeyCondition):
        raise ReadRefused(
            f"a key condition, such as Order.gsi1(customer=…), is needed and not {shortened(condition)}"
        )


def require_filter(filter: object) -> None:
    if filter is not None and not isinstance(filter, Condition):
        raise ReadRefused(f"a filter is a condition, such as F(Order).qty > 1, not {shortened(filter)}")


def require_view(view: object) -> None:
    if view is not None and not (isinstance(view, type) and issubclass(view, BaseModel)):
        raise ReadRefused(f"a view is a pydantic model's class, not {shortened(view)}")
