"""A table's definition as the row that the catalogue keeps: JSON, without what is derived or counted."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import orjson

from partita.engine.table import Index, KeyAttribute, Scope, Table

_NOT_STORED_OF_INDEX = {"item_count", "size_bytes", "filled_below", "key_names", "projected"}
_NOT_STORED_OF_TABLE = {
    "item_count",
    "size_bytes",
    "key_names",
    "text_keys",
    "local_indexes",
    "global_indexes",
    "index_key_types",
}
_INDEX_FIELDS = [f.name for f in fields(Index) if f.name not in _NOT_STORED_OF_INDEX]
_TABLE_FIELDS = [f.name for f in fields(Table) if f.name not in _NOT_STORED_OF_TABLE]


def encode(table: Table) -> bytes:
    """The row of a table and its indexes."""
    row: dict[str, Any] = {name: getattr(table, name) for name in _TABLE_FIELDS}
    row["indexes"] = [
        {name: getattr(index, name) for name in _INDEX_FIELDS} for index in table.indexes.values()
    ]
    return orjson.dumps(row, default=list)


def decode(row: bytes) -> Table:
    """The table of a row, its derived fields filled and its counts 0."""
    members: dict[str, Any] = orjson.loads(row)
    members["scope"] = Scope(*members["scope"])
    members["hash"] = KeyAttribute(*members["hash"])
    members["range"] = KeyAttribute(*members["range"]) if members["range"] else None
    members["attribute_definitions"] = _attributes(members["attribute_definitions"])
    members["shown_counts"] = tuple(members["shown_counts"])
    members["indexes"] = {index["name"]: _index(index) for index in members["indexes"]}
    return Table(**members).derive()


def _index(members: dict[str, Any]) -> Index:
    members["hash"] = _attributes(members["hash"])
    members["range"] = _attributes(members["range"])
    members["non_key_attributes"] = tuple(members["non_key_attributes"])
    members["shown_counts"] = tuple(members["shown_counts"])
    return Index(**members)


def _attributes(pairs: list[list[Any]]) -> tuple[KeyAttribute, ...]:
    return tuple(KeyAttribute(*pair) for pair in pairs)


def assign(table: Table, other: Table) -> None:
    """Makes `table` what `other` is, and keeps its identity (and that of its indexes) for who holds it."""
    indexes: dict[str, Index] = {}
    for name, index in other.indexes.items():
        held = table.indexes.get(name)
        if held is not None and held.space == index.space:
            for field_name in _INDEX_FIELDS:
                setattr(held, field_name, getattr(index, field_name))
            index = held
        indexes[name] = index
    for field_name in _TABLE_FIELDS:
        setattr(table, field_name, getattr(other, field_name))
    table.indexes = indexes
    table.derive()
