"""What an engine holds in memory of its rows, in a form that can be compared."""

from __future__ import annotations

from typing import Any

from partita.engine import table_row
from partita.engine.engine import Engine
from partita.engine.table import Index, Table


def memory_of(engine: Engine) -> dict[str, Any]:
    """Between turns."""
    engine.recent.forget(engine.clock.now_us())
    tables = {}
    for table in engine.catalogue.all_tables():
        serves = engine.catalogue.serving(table.scope, table.name) is table
        by_space = engine.catalogue.by_space(table.space) is table
        counted = [_counts(table), *map(_counts, table.indexes.values())]
        fills = {index.name: index.filled_below for index in table.indexes.values()}
        tables[table.scope, table.name] = (table_row.encode(table), serves, by_space, counted, fills)
    return {
        "tables": tables,
        "follower": engine.follower.position,
        "recent": {
            (space, place): row and (row.value, row.size)
            for space in {table.space for table in engine.catalogue.all_tables()}
            for place, row in engine.recent.changed_since(space, 0).items()
        },
        "log": engine.store.log_last(),
    }


def differences(one: dict[str, Any], other: dict[str, Any]) -> list[str]:
    return [f"{name}: {one[name]} and {other[name]}" for name in one if one[name] != other[name]]


def _counts(counted: Table | Index) -> tuple[str, int, int]:
    return counted.name, counted.item_count, counted.size_bytes
