"""How far the clock was advanced: a row, so that a file that is opened again does not go back in time."""

from __future__ import annotations

from collections.abc import Sequence

from partita.engine.agenda import drive
from partita.engine.catalogue import BOOKS
from partita.engine.clock import Clock, SystemClock
from partita.storage import WRITE, Decision, Row, Store

_PLACE = (b"clock", b"")


class ClockOffset:
    """Keeps the offset of a SystemClock. Other clocks are their owner's business."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock if isinstance(clock, SystemClock) else None
        self._kept_us = 0

    def load(self) -> None:
        """Reads what is kept; a clock that was advanced less goes on from there."""
        row = drive(self._store.get(BOOKS, *_PLACE))
        self._kept_us = row.size if row is not None else 0
        if self._clock is not None and self._clock.offset_us < self._kept_us:
            self._clock.offset_us = self._kept_us

    def flush(self) -> None:
        """Keeps the offset if it has changed; part of the turn's commit."""
        clock = self._clock
        if clock is None or clock.offset_us == self._kept_us:
            return
        self._kept_us = offset_us = clock.offset_us

        def decide(rows: Sequence[Row | None], stamp: int) -> Decision:
            return Decision(((BOOKS, *_PLACE, b"", offset_us),), (), (), None)

        drive(self._store.transact(((BOOKS, *_PLACE, WRITE),), decide))
