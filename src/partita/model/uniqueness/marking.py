"""What a write of an entity does to the markers of its unique attributes, and what it has to be sure of.

- A value that comes is taken: its marker is put if the value is free, or ours already.
- A value that goes is released: its marker is deleted if it is ours, or gone already.
- A value that stays as it is (after normalising) touches no marker, unless the time to live changes.

Which markers come and go is decided by what the entity was when it was read. So the entity's own write asks
that everything its rules depend on is still so: that is the guard.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from partita.model.declaring.entity import Entity
from partita.model.declaring.items import primary_key
from partita.model.expressions.conditions import AttributeAt, Comparison, Condition, Function, Value
from partita.model.expressions.guards import decisive, differs, require_same_key, unchanged
from partita.model.expressions.rendering import render
from partita.model.flows.actions import Action
from partita.model.flows.context import Context
from partita.model.schema import AttributeValue, EntitySchema, Item, UniqueRule
from partita.model.uniqueness.marker_refusals import NotOurs, Taken
from partita.model.uniqueness.rules import OWNER, Marker, marker_item, markers_of
from partita.model.values.attribute_values import plain_item, same_value


@dataclass(frozen=True, slots=True)
class Marking:
    """The part of a write that concerns unique attributes."""

    actions: tuple[Action, ...] = ()
    """About markers; to be sent in one transaction with the entity's own."""
    guard: Condition | None = None
    """What the entity's own action has to ask."""


NOTHING = Marking()


def marking(
    context: Context,
    schema: EntitySchema,
    stored: Item | None,
    entity: Entity | None,
    item: Item | None,
    *,
    replaces: bool = False,
) -> Marking:
    """From the item as it was read (None: there is none) to the entity and item to be (None: none).

    `replaces`: the write puts the item as a whole, what others changed since then included.
    """
    if not schema.uniques:
        return NOTHING
    known = stored if stored is not None else item
    assert known is not None
    owner = primary_key(schema.table, known)
    if item is not None:
        require_same_key(schema, known, primary_key(schema.table, item))
    before = {} if stored is None else markers_of(schema, _entity(schema, stored))
    after = {} if entity is None else markers_of(schema, entity)
    expiry = _expiry(schema, item)
    expires_anew = not same_value(_expiry(schema, stored), expiry)
    actions: list[Action] = []
    for rule in schema.uniques:
        old, new = before.get(rule.name), after.get(rule.name)
        moved = old is None or new is None or old.key != new.key
        if old is not None and moved:
            actions.append(release(context, old, owner))
        if new is not None and (moved or expires_anew):
            actions.append(take(context, new, owner, expiry))
    if stored is None:
        return Marking(tuple(actions))
    if item is None or replaces or expires_anew:
        touched = schema.uniques
    else:
        touched = tuple(
            rule for rule in schema.uniques if differs(stored, item, attributes_of(schema, rule, stored))
        )
    return Marking(tuple(actions), guard(schema, touched, stored))


def take(context: Context, marker: Marker, owner: Item, expiry: AttributeValue | None) -> Action:
    """Puts a marker, if the value is free or the owner's already."""
    schema = marker.schema
    free = Function("attribute_not_exists", (schema.table.partition.name,))
    parameters = {
        "TableName": context.table_name(schema.table),
        "Item": marker_item(marker, owner, expiry),
        **render(condition=free | _is_of(owner)),
        "ReturnValuesOnConditionCheckFailure": "ALL_OLD",
    }
    refused = Taken(schema.cls, marker.rule.name, plain_item(marker.values))
    return Action("Put", parameters, marker.key, subject_of(marker), refused)


def release(context: Context, marker: Marker, owner: Item) -> Action:
    """Deletes a marker, if it is the owner's or gone already."""
    schema = marker.schema
    gone = Function("attribute_not_exists", (schema.table.partition.name,))
    parameters = {
        "TableName": context.table_name(schema.table),
        "Key": marker.key,
        **render(condition=gone | _is_of(owner)),
        "ReturnValuesOnConditionCheckFailure": "ALL_OLD",
    }
    refused = NotOurs(schema.cls, marker.rule.name)
    return Action("Delete", parameters, marker.key, subject_of(marker), refused)


def left_alone(released: Action, owner: Item) -> Action:
    """In the place of `release`, for a marker that is another's: asks that it is not the owner's by now."""
    condition = ~_is_of(owner)
    parameters = {
        "TableName": released.table,
        "Key": released.key,
        **render(condition=condition),
        "ReturnValuesOnConditionCheckFailure": "ALL_OLD",
    }
    return replace(released, kind="ConditionCheck", parameters=parameters)


def guard(schema: EntitySchema, rules: Iterable[UniqueRule], stored: Item) -> Condition | None:
    """That all that these rules depend on is still as in the stored item; None for no rules."""
    return unchanged(stored, [(name,) for rule in rules for name in attributes_of(schema, rule, stored)])


def attributes_of(schema: EntitySchema, rule: UniqueRule, stored: Item) -> set[str]:
    """The stored attributes that decide about a rule's marker."""
    return decisive(schema, stored, (*rule.fields, *rule.scope), rule.when)


def subject_of(marker: Marker) -> str:
    """How errors call a marker: `unique email of Account`."""
    return f"unique {marker.rule.name} of {marker.schema.cls.__name__}"


def _entity(schema: EntitySchema, stored: Item) -> Entity:
    entity: Entity = schema.decode(stored)
    return entity


def _expiry(schema: EntitySchema, item: Item | None) -> Any:
    if item is None or schema.ttl is None:
        return None
    return item.get(schema.fields[schema.ttl].attribute)


def _is_of(owner: Item) -> Condition:
    return Comparison(AttributeAt((OWNER,)), "=", Value({"M": owner}))
