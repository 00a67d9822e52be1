"""The change log: rows of one table, numbered without gaps, read and trimmed in slices."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from partita.storage.protocol import LoggedChange, LogRecord
from partita.storage.slices import slice_length

Execute = Callable[..., Any]
"""The execute method of the store's cursor."""

_APPEND: Final = "INSERT INTO log VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
_READ: Final = "SELECT * FROM log WHERE sequence > ? ORDER BY sequence LIMIT ?"
_NEWEST: Final = "SELECT sequence, stamp FROM log ORDER BY sequence DESC LIMIT 1"
_WEIGHT: Final = "ifnull(length(old), 0) + ifnull(length(new), 0)"
_WEIGHTS_AFTER: Final = f"SELECT {_WEIGHT} FROM log WHERE sequence > ? ORDER BY sequence LIMIT ?"
_WEIGHTS_UPTO: Final = f"SELECT sequence, {_WEIGHT} FROM log WHERE sequence <= ? ORDER BY sequence LIMIT ?"
_DELETE: Final = "DELETE FROM log WHERE sequence <= ?"
_TRIMMED: Final = "SELECT value FROM meta WHERE name = 'log_trimmed'"
_SET_TRIMMED: Final = "UPDATE meta SET value = ? WHERE name = 'log_trimmed'"


def last_place(execute: Execute) -> tuple[int, int]:
    """(sequence, stamp) of the newest change; the sequence also if that change has been trimmed."""
    sequence, stamp = execute(_NEWEST).get or (0, 0)
    return max(sequence, execute(_TRIMMED).get), stamp


def append(execute: Execute, sequence: int, stamp: int, record: LogRecord) -> None:
    """Adds one change; the caller numbers them."""
    execute(_APPEND, (sequence, stamp, *record))


def read(execute: Execute, after: int, limit: int) -> list[LoggedChange]:
    """Changes with sequence > after, oldest first: a slice of them."""
    if limit > 1:
        limit = slice_length(weight for (weight,) in execute(_WEIGHTS_AFTER, (after, limit)).fetchall())
    rows = execute(_READ, (after, limit)).fetchall()
    return [LoggedChange(row[0], row[1], LogRecord._make(row[2:])) for row in rows]


def trim(execute: Execute, upto: int, limit: int) -> tuple[int, bool]:
    """Deletes the oldest changes up to `upto`, a slice of them: how many, and whether that was the last."""
    weights = execute(_WEIGHTS_UPTO, (upto, limit)).fetchall()
    count = slice_length(weight for _, weight in weights)
    if count:
        through = weights[count - 1][0]
        execute(_DELETE, (through,))
        # Numbers are never used twice, even if the newest change is among the deleted.
        execute(_SET_TRIMMED, (through,))
    return count, count == len(weights) < limit
