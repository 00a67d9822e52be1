"""What a write is of: an entity, or the key of an item."""

from __future__ import annotations

from typing import Any, TypeVar

from partita.model.declaring.entity import Entity, kind_of
from partita.model.declaring.items import key_of
from partita.model.errors import WriteRefused
from partita.model.expressions.guards import require_same_key
from partita.model.keys.key_conditions import BoundKey, KeyCondition
from partita.model.schema import EntitySchema, Item
from partita.model.values.attribute_values import key_text

E = TypeVar("E", bound=Entity)
Target = Entity | KeyCondition[Any]
"""An entity, or `Order.key(…)` with all placeholders of the key."""


def required_entity(given: E, verb: str) -> E:
    """Raises WriteRefused for what is no entity that can be stored."""
    if not isinstance(given, Entity):
        raise WriteRefused(f"{verb} takes an entity, not {kind_of(given)}")
    if not hasattr(given, "__schema__"):
        raise WriteRefused(
            f"{type(given).__name__} has no key, so it cannot be stored: it is a base for others"
        )
    return given


def schema_of(target: Target, verb: str) -> EntitySchema:
    """The target's entity. Raises WriteRefused for what is neither an entity nor a key."""
    if isinstance(target, KeyCondition):
        schema: EntitySchema = target.entity.__schema__
        return schema
    if not isinstance(target, Entity):
        raise WriteRefused(f"{verb} takes an entity or its key, as in Order.key(id=…), not {kind_of(target)}")
    return required_entity(target, verb).__schema__


def required_key(given: KeyCondition[E], verb: str) -> KeyCondition[E]:
    """Raises WriteRefused for what is no key of one item."""
    if not isinstance(given, KeyCondition):
        raise WriteRefused(f"{verb} takes a key, as in Order.key(id=…), not {kind_of(given)}")
    return given


def key_of_target(target: Target) -> Item:
    """The primary key. Raises WriteRefused where an entity's is another one than when it was read."""
    if isinstance(target, KeyCondition):
        return target.item_key()
    key = key_of(target)
    if target._stored is not None:
        require_same_key(target.__schema__, target._stored, key)
    return key


def ref_to(entity: E) -> KeyCondition[E]:
    """The reference to an entity's item, for reading it again."""
    bound: BoundKey[E] = type(entity).key  # type: ignore[attr-defined]
    return bound(**{name: entity.__dict__[name] for name in (*bound.partition_names, *bound.sort_names)})


def subject_of(schema: EntitySchema, key: Item) -> str:
    """How errors call an item: `Order TENANT#42#ORDER#991 / META`."""
    return f"{schema.cls.__name__} {key_text(key)}"
