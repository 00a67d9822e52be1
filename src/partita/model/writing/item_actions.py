"""Actions on the items of entities, with their expressions rendered."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from partita.model.declaring.items import primary_key
from partita.model.expressions.conditions import Condition
from partita.model.expressions.raw import Raw
from partita.model.expressions.rendering import render, require_fields_of
from partita.model.expressions.updates import Update
from partita.model.flows.actions import Action, ActionKind, Refusal
from partita.model.flows.context import Context
from partita.model.schema import EntitySchema, Item
from partita.model.writing.targets import subject_of


def put_action(
    context: Context, schema: EntitySchema, item: Item, condition: Condition | None, refused: Refusal
) -> Action:
    """Puts an item, on a condition; `refused` is what it means that this fails."""
    key = primary_key(schema.table, item)
    return _action(context, schema, "Put", key, {"Item": item}, (), condition, refused)


def update_action(
    context: Context,
    schema: EntitySchema,
    key: Item,
    updates: Sequence[Update | Raw],
    condition: Condition | None,
    refused: Refusal,
) -> Action:
    """Updates the item of a primary key, on a condition."""
    return _action(context, schema, "Update", key, {"Key": key}, updates, condition, refused)


def delete_action(
    context: Context, schema: EntitySchema, key: Item, condition: Condition | None, refused: Refusal
) -> Action:
    """Deletes the item of a primary key, on a condition."""
    return _action(context, schema, "Delete", key, {"Key": key}, (), condition, refused)


def check_action(
    context: Context, schema: EntitySchema, key: Item, condition: Condition | None, refused: Refusal
) -> Action:
    """Asks only a condition of the item of a primary key."""
    return _action(context, schema, "ConditionCheck", key, {"Key": key}, (), condition, refused)


def _action(
    context: Context,
    schema: EntitySchema,
    kind: ActionKind,
    key: Item,
    what: dict[str, Item],
    updates: Sequence[Update | Raw],
    condition: Condition | None,
    refused: Refusal,
) -> Action:
    require_fields_of((schema.cls,), condition, updates)
    parameters: dict[str, Any] = {"TableName": context.table_name(schema.table), **what}
    parameters |= render(update=updates, condition=condition)
    if "ConditionExpression" in parameters:
        parameters["ReturnValuesOnConditionCheckFailure"] = "ALL_OLD"
    return Action(kind, parameters, key, subject_of(schema, key), refused)
