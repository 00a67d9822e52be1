"""Operations that are recorded: an item in the same transaction says for long that the operation was applied.

A ClientRequestToken is forgotten after 10 minutes. The record is not, until its TTL; it is put only where
it is not there yet, so that whoever sends the operation again, built anew or not, is told that it was
applied.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from datetime import datetime, timedelta

from partita.model.errors import WriteRefused
from partita.model.flows.actions import Action
from partita.model.flows.context import Context
from partita.model.schema import Item, TableSchema
from partita.model.writing.frozen import identity_of
from partita.model.writing.refusals import Done

TYPE = "_Operation"
"""The discriminator's value in records."""
IDENTITY = "identity"
_MOST_ID_BYTES = 1000
_PREFIX = "_OPERATION#"


def record_action(
    context: Context,
    table: TableSchema,
    operation: str,
    actions: Sequence[Action],
    at: datetime,
    remember: timedelta,
) -> Action:
    """Puts the record of an operation, which must not be there. Raises WriteRefused: no place for it."""
    name = table.cls.__name__
    if table.ttl is None:
        raise WriteRefused(
            f"{name} has no TTL attribute, so records of operations would stay for ever: give it ttl=…"
        )
    key = record_key(table, operation)
    item: Item = {
        **key,
        IDENTITY: {"S": identity_of(actions)},
        "operation": {"S": operation},
        table.ttl: {"N": str(int((at + remember).timestamp()))},
    }
    if table.discriminator is not None:
        item[table.discriminator] = {"S": TYPE}
    parameters = {
        "TableName": context.table_name(table),
        "Item": item,
        "ConditionExpression": "attribute_not_exists(#key)",
        "ExpressionAttributeNames": {"#key": table.partition.name},
        "ReturnValuesOnConditionCheckFailure": "ALL_OLD",
    }
    return Action("Put", parameters, key, f"operation {operation}", Done())


def record_key(table: TableSchema, operation: str) -> Item:
    """The primary key of an operation's record. Raises WriteRefused where the table's keys are no texts."""
    kinds = {attribute.kind for attribute in (table.partition, table.sort) if attribute is not None}
    if kinds != {"S"}:
        raise WriteRefused(
            f"{table.cls.__name__} has keys that are no texts, and cannot hold records of operations"
        )
    if len(operation.encode()) > _MOST_ID_BYTES:
        operation = hashlib.sha256(operation.encode()).hexdigest()
    key: Item = {table.partition.name: {"S": _PREFIX + operation}}
    if table.sort is not None:
        key[table.sort.name] = {"S": "_OPERATION"}
    return key


def is_record_key(key: Item) -> bool:
    """Whether a primary key is one that records have."""
    return any(value.get("S", "").startswith(_PREFIX) for value in key.values())


def is_record(table: TableSchema, item: Item) -> bool:
    """Whether a stored item is the record of an operation."""
    partition = item[table.partition.name].get("S", "")
    return partition.startswith(_PREFIX) and IDENTITY in item
