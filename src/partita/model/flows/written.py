"""What a session wrote lately: its queries of late indexes can be asked to include it."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from partita.model.schema import Item

WRITES_REMEMBERED = 1_000
"""How many items a session remembers to have written: far more than it writes while an index lags."""
SECONDS_REMEMBERED = 60.0
"""How long: far longer than an index lags, unless it is in trouble."""


@dataclass(frozen=True, slots=True)
class Note:
    """One item that was written, or may have been."""

    key: Item
    """Its primary key."""
    item: Item | None
    """As it was written; None: deleted."""
    known: bool = True
    """False: only the key is known, and `item` says nothing."""


class Written:
    """The writes of a session in the last `seconds`, one note for each item, `most` of them at most."""

    def __init__(self, most: int, seconds: float, now: Callable[[], datetime]) -> None:
        self._most = most
        self._window = timedelta(seconds=seconds)
        self._now = now
        self._notes: OrderedDict[tuple[Any, ...], tuple[datetime, Note]] = OrderedDict()
        self._lock = threading.Lock()

    def note(self, table: str, note: Note) -> None:
        """Takes note of a write to the table of this name in DynamoDB."""
        key = (table, *((name, *value.items()) for name, value in note.key.items()))
        with self._lock:
            self._notes[key] = (self._now(), note)
            self._notes.move_to_end(key)
            if len(self._notes) > self._most:
                self._notes.popitem(last=False)

    def of(self, table: str) -> list[Note]:
        """The notes about a table, oldest first."""
        since = self._now() - self._window
        with self._lock:
            return [note for key, (at, note) in self._notes.items() if key[0] == table and at >= since]
