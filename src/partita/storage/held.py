"""What memory holds of the file: a cache of its rows, kept by commits and forgotten when a turn is undone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from partita.storage import change_log, spaces
from partita.storage.statements import SpaceStatements


class Held:
    """The spaces by number and the newest sequence of the log. `spaces` is only ever replaced."""

    __slots__ = ("_committed", "log_last", "spaces")

    def __init__(self) -> None:
        self.spaces: dict[int, SpaceStatements] = {}
        self.log_last = 0
        self.keep()

    def load(self, execute: Callable[..., Any]) -> int:
        """Reads all of it from the file; gives the newest stamp of the log."""
        self.spaces = spaces.load(execute)
        self.log_last, stamp = change_log.last_place(execute)
        self.keep()
        return stamp

    def keep(self) -> None:
        """The turn has been committed."""
        self._committed = (self.spaces, self.log_last)

    def forget(self) -> None:
        """The turn has been undone."""
        self.spaces, self.log_last = self._committed
