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
        self.number = 0
        """Of the request that runs now; who begins one counts it."""
        self.was_drawn = False
        """Whether `flush` is to keep the number."""

    def take(self) -> int:
        """The number of the request that runs now, for its chance."""
        self.was_drawn = True
        return self.number

    def flush(self) -> None:
        """Keeps the number, from which chance was drawn; part of the turn's commit."""
        self.was_drawn = False
        number = self.number

        def decide(rows: Sequence[Row | None], stamp: int) -> Decision:
            return Decision(((BOOKS, *_PLACE, b"", number),), (), (), None)

        drive(self._store.transact(((BOOKS, *_PLACE, WRITE),), decide))

    def load(self) -> None:
        """Goes on from the number that is kept."""
        row = drive(self._store.get(BOOKS, *_PLACE))
        self.number = row.size if row is not None else 0
        self.was_drawn = False
