"""The tables of the spaces: which there are, and how one is emptied and removed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from partita.storage.slices import slice_length
from partita.storage.statements import TABLE_NAMES, SpaceStatements


def load(execute: Callable[..., Any]) -> dict[int, SpaceStatements]:
    """The spaces that the file holds."""
    names = {name for (name,) in execute(TABLE_NAMES).fetchall()}
    numbers = [int(name.removeprefix("rows_")) for name in names if name.startswith("rows_")]
    return {number: SpaceStatements(number, f"large_{number}" in names) for number in numbers}


def clear(execute: Callable[..., Any], space: SpaceStatements, limit: int) -> tuple[int, bool]:
    """Deletes a slice of the space's rows: how many, and whether the space has been removed with the last."""
    rows = execute(space.weights, (limit,)).fetchall()
    count = slice_length(row[3] for row in rows)
    for _, _, identity, _ in rows[:count]:
        if identity is not None:
            execute(space.delete_large, (identity,))
    if count:
        execute(space.delete_through, rows[count - 1][:2])
    is_removed = count == len(rows) < limit
    if is_removed:
        execute(space.drop)
        if space.has_large:
            execute(space.drop_large)
    return count, is_removed
