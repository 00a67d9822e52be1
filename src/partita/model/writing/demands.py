"""What a write asks of the item that it meets."""

from __future__ import annotations

from partita.model.expressions.conditions import AttributeAt, Comparison, Condition, Function, Value
from partita.model.schema import EntitySchema


def all_of(*conditions: Condition | None) -> Condition | None:
    """The conditions that there are, all together."""
    whole: Condition | None = None
    for condition in conditions:
        if condition is not None:
            whole = condition if whole is None else whole & condition
    return whole


def present(schema: EntitySchema) -> Condition:
    """There is an item."""
    return Function("attribute_exists", (schema.table.partition.name,))


def absent(schema: EntitySchema) -> Condition:
    """There is none."""
    return Function("attribute_not_exists", (schema.table.partition.name,))


def at_version(schema: EntitySchema, version: int | None) -> Condition | None:
    """The item has this version. At 0 it has none: it is new, or older than the version field."""
    if version is None:
        return None
    assert schema.version is not None
    path = (schema.fields[schema.version].attribute,)
    if version == 0:
        return Function("attribute_not_exists", path)
    return Comparison(AttributeAt(path), "=", Value({"N": str(version)}))


def in_this_form(schema: EntitySchema, asked: Condition | None) -> Condition | None:
    """That the item is in the form that `asked` speaks of; None where nothing is asked, or there is but one.

    Upcasters may make a stored attribute mean something else: a condition must not judge, and a change must
    not write, attributes of a form that readers take apart first.
    """
    if asked is None or schema.schema_version == 1:
        return None
    version = Value({"N": str(schema.schema_version)})
    return Comparison(AttributeAt((schema.table.schema_version,)), "=", version)
