"""Whether a stored item shows that a write was applied whose answer was lost; the rules: see `plans`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from partita.model.schema import EntitySchema, Item
from partita.model.values.attribute_values import same_value
from partita.model.writing.plans import Verdict
from partita.model.writing.refusals import stored_version


def verdict_on_creation(schema: EntitySchema, ours: Item) -> Callable[[Item | None], Verdict]:
    """Whether a stored item shows that our create was applied."""

    def applied(item: Item | None) -> Verdict:
        if item is None:
            return None
        theirs = _time_of(schema, schema.created, item)
        if schema.created is not None and not same_value(_time_of(schema, schema.created, ours), theirs):
            return False
        if item.keys() == ours.keys() and _equal(ours, item):
            # Another writer may have created the same; without a time nothing tells.
            return True if schema.created is not None else None
        if schema.version is None:
            return None
        if stored_version(schema.cls, item) <= stored_version(schema.cls, ours):
            return False
        return True if schema.created is not None else None

    return applied


def verdict_on_overwriting(
    schema: EntitySchema, ours: Item, version: int | None
) -> Callable[[Item | None], Verdict]:
    """Whether a stored item shows that our write over `version` was applied."""

    def applied(item: Item | None) -> Verdict:
        if item is None or version is None or stored_version(schema.cls, item) > version + 1:
            return None
        if not _equal(ours, item):
            return False
        return True if schema.updated is not None else None

    return applied


def _equal(known: Item, item: Item) -> bool:
    """Whether a stored item has all these attributes, and their values."""
    return all(same_value(value, item.get(name)) for name, value in known.items())


def _time_of(schema: EntitySchema, field: str | None, item: Item) -> Any:
    return None if field is None else item.get(schema.fields[field].attribute)
