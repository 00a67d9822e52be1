"""What a write of an entity does to the markers of its unique attributes, and what it has to be sure of.

- A value that comes is taken: its marker is put if the value is free, or ours already.
- A value that goes is released: its marker is deleted if it is ours, or gone already.
- A value that stays as it is (after normalising) touches no marker, unless the time to live changes.

Which markers come and go is decided by what the entity was when it was read. So the entity's own write asks
that everything its rules depend on is still so: that is the guard.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from partita.model.actions import Action
from partita.model.conditions import AttributeAt, Comparison, Condition, Function, Value
from partita.model.context import Context
from partita.model.entity import Entity
from partita.model.errors import WriteRefused
from partita.model.items import primary_key
from partita.model.rendering import render
from partita.model.schema import AttributeValue, EntitySchema, Item, UniqueRule
from partita.model.uniqueness.refusals import NotOurs, Taken
from partita.model.uniqueness.rules import OWNER, Marker, marker_item, markers_of
from partita.model.values import plain_item, same_value
from partita.model.when import read_by


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
    if item is not None and primary_key(schema.table, item) != owner:
        raise WriteRefused(
            f"{schema.cls.__name__}: its primary key is another one than when it was read: delete it, and "
            "create it under the new key"
        )
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
        touched = tuple(rule for rule in schema.uniques if _depends(schema, rule, stored, item))
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


def guard(schema: EntitySchema, rules: Iterable[UniqueRule], stored: Item) -> Condition | None:
    """That all that these rules depend on is still as in the stored item; None for no rules."""
    names = sorted({name for rule in rules for name in attributes_of(schema, rule, stored)})
    whole: Condition | None = None
    for name in names:
        term = _still(name, stored.get(name))
        whole = term if whole is None else whole & term
    return whole


def attributes_of(schema: EntitySchema, rule: UniqueRule, stored: Item) -> set[str]:
    """The stored attributes that decide about a rule's marker."""
    version = int(stored.get(schema.table.schema_version, {"N": "1"})["N"])
    read = read_by(schema, rule.when)
    if version < schema.schema_version or read is None:
        # Upcasters, or a `when` that cannot be seen through, may make a value of anything.
        changing = {schema.version, schema.created, schema.updated}
        names = {field.attribute for field in schema.fields.values() if field.name not in changing}
        return names | ({schema.table.schema_version} if version < schema.schema_version else set())
    fields = {*rule.fields, *rule.scope, *(read & schema.fields.keys())}
    return {schema.fields[name].attribute for name in fields}


def subject_of(marker: Marker) -> str:
    """How errors call a marker: `unique email of Account`."""
    return f"unique {marker.rule.name} of {marker.schema.cls.__name__}"


def _depends(schema: EntitySchema, rule: UniqueRule, stored: Item, item: Item) -> bool:
    names = attributes_of(schema, rule, stored)
    return any(not same_value(stored.get(name), item.get(name)) for name in names)


def _entity(schema: EntitySchema, stored: Item) -> Entity:
    entity: Entity = schema.decode(stored)
    return entity


def _expiry(schema: EntitySchema, item: Item | None) -> Any:
    if item is None or schema.ttl is None:
        return None
    return item.get(schema.fields[schema.ttl].attribute)


def _is_of(owner: Item) -> Condition:
    return Comparison(AttributeAt((OWNER,)), "=", Value({"M": owner}))


def _still(name: str, value: AttributeValue | None) -> Condition:
    if value is None:
        return Function("attribute_not_exists", (name,))
    return Comparison(AttributeAt((name,)), "=", Value(value))
