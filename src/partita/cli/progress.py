"""Progress on the terminal: one line that is overwritten, and at its end one that stays."""

from __future__ import annotations

import sys
import time

from partita.words import counted

_INTERVAL_S = 0.2


class Progress:
    """Counts the items of one table, on stderr."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._shown_s = time.monotonic()
        self.items = 0

    def add(self, items: int) -> None:
        self.items += items
        now_s = time.monotonic()
        if sys.stderr.isatty() and now_s - self._shown_s > _INTERVAL_S:
            self._shown_s = now_s
            print(f"\r{self}", end="", file=sys.stderr, flush=True)

    def end(self) -> None:
        print(f"{chr(13) if sys.stderr.isatty() else ''}{self}", file=sys.stderr)

    def __str__(self) -> str:
        return f"{self._what}: {counted(self.items, 'item')}"
