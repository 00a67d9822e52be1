"""What makes a stored item what its class would write of it, on condition that it is as it was read."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any

from partita.model.declaring.entity import Entity
from partita.model.declaring.items import primary_key
from partita.model.errors import ModelError, UnreadableItem, WriteRefused
from partita.model.expressions.difference import difference
from partita.model.expressions.guards import unchanged
from partita.model.flows.actions import Action
from partita.model.flows.context import Context
from partita.model.schema import EntitySchema, Item
from partita.model.uniqueness.marking import marking
from partita.model.values.attribute_values import key_text
from partita.model.writing.demands import all_of, present
from partita.model.writing.item_actions import update_action
from partita.model.writing.planning import known_part
from partita.model.writing.refusals import Changed

Change = Callable[[Any], object]
"""Changes an entity in place."""


class OtherKey(ModelError):
    """The model writes the entity under another primary key."""


@dataclass(frozen=True, slots=True)
class Mending:
    """One item and the writes that it needs."""

    schema: EntitySchema
    key: Item
    actions: tuple[Action, ...]
    """The update of the item; then of markers, where unique values or their expiry change."""
    attributes: tuple[str, ...]
    """The stored attributes that are set or removed."""


def mending(
    context: Context, schema: EntitySchema, item: Item, remove: Collection[str], change: Change | None
) -> Mending | None:
    """The writes that an item needs; None where it is right.

    The version and what `before_write` would do are left alone: nothing that a reader sees has changed.
    Raises UnreadableItem, OtherKey, and ModelError where it cannot be written as it would become.
    """
    try:
        entity = schema.decode(item)
        if change is not None:
            changed = change(entity)
            if isinstance(changed, Entity) and changed is not entity:
                raise WriteRefused(
                    f"{schema.cls.__name__}: change= gives another entity back: it is to change the one that "
                    "it is given"
                )
        new = schema.encode(entity)
    except ModelError:
        raise
    except Exception as error:
        # Of an upcaster, a hook, a `when` or `change`: it says nothing about the next item.
        raise UnreadableItem(f"{schema.cls.__name__}: {type(error).__name__}: {error}") from error
    key = primary_key(schema.table, item)
    if primary_key(schema.table, new) != key:
        raise OtherKey(f"the model writes it under {key_text(primary_key(schema.table, new))}")
    version = None if schema.version is None else schema.fields[schema.version].attribute
    old = known_part(schema, item) | {name: item[name] for name in remove if name in item}
    updates = difference(schema, _without(old, version), _without(new, version))
    if not updates:
        return None
    markers = marking(context, schema, item, entity, new)
    if version is not None and version in item:
        as_read = all_of(unchanged(item, [(version,)]), markers.guard)
    else:
        as_read = unchanged(item, [(name,) for name in (schema.attributes | old.keys()) - key.keys()])
    condition = all_of(present(schema), as_read)
    action = update_action(context, schema, key, updates, condition, Changed(schema.cls, None))
    attributes = tuple(dict.fromkeys(str(update.path[0]) for update in updates))
    return Mending(schema, key, (action, *markers.actions), attributes)


def _without(item: Item, name: str | None) -> Item:
    return {known: value for known, value in item.items() if known != name}
