"""The number of the request: with the seed it decides all chance. Kept in the store once chance was drawn."""

from __future__ import annotations

from collections.abc import Sequence

from partita.engine.agenda import drive
from partita.engine.catalogue import BOOKS
from partita.storage import WRITE, Decision, Row, Store

_PLACE = (b"requests", b"")


class RequestNumber:
    """Counts requests. A number that chance was drawn from is never used again, not even after a restart."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._number = 0
        self._was_drawn = False

    def count(self) -> None:
        """A new request has begun."""
        self._number += 1

    def take(self) -> int:
        """The number of the request that runs now, for its chance."""
        self._was_drawn = True
        return self._number

    def flush(self) -> None:
        """Keeps the number if chance was drawn from it; part of the turn's commit."""
        if not self._was_drawn:
            return
        self._was_drawn = False
        number = self._number

        def decide(rows: Sequence[Row | None], stamp: int) -> Decision:
            return Decision(((BOOKS, *_PLACE, b"", number),), (), (), None)

        drive(self._store.transact(((BOOKS, *_PLACE, WRITE),), decide))

    def load(self) -> None:
        """Goes on from the number that is kept."""
        row = drive(self._store.get(BOOKS, *_PLACE))
        self._number = row.size if row is not None else 0
        self._was_drawn = False
