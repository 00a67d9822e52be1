"""Brings the global indexes up to date from the change log, in its order, after the profile's lag."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import orjson

from partita.engine.agenda import drive
from partita.engine.catalogue import BOOKS
from partita.engine.chance import Chance
from partita.engine.indexes import IndexChange, index_changes
from partita.engine.table import Index
from partita.storage import WRITE, Decision, Put, Row
from partita.storage.protocol import LoggedChange

if TYPE_CHECKING:
    from partita.engine.engine import Engine

_PLACE = (b"follower", b"")
_STREAM_OF_LAGS = 1
SLICE_CHANGES = 32


class Follower:
    """The reader of the log that maintains lagging global indexes, and that trims what nobody needs."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._is_waiting = False
        self.position = 0
        """The sequence of the last change that every global index shows."""

    def load(self) -> None:
        """Reads the position; where indexes do not lag (any more), applies what an earlier run left."""
        engine = self._engine
        row = drive(engine.store.get(BOOKS, *_PLACE))
        self.position = row.size if row is not None else 0
        self._is_waiting = False
        if not engine.settings.has_index_lag:
            while changes := engine.store.log_read(self.position, SLICE_CHANGES):
                for change in changes:
                    self._apply(change)
            engine.counters.flush()
        self.wake()

    @property
    def behind(self) -> int:
        """How many changes the global indexes do not show yet."""
        return self._engine.store.log_last() - self.position if self._engine.settings.has_index_lag else 0

    def wake(self) -> None:
        """Puts the next slice on the agenda if there is something to do."""
        engine = self._engine
        if self._is_waiting or not engine.settings.keeps_log or not engine.store.log_last():
            return
        self._is_waiting = True
        engine.agenda.add(self._due_us(), self._slice)

    def _due_us(self) -> int:
        engine = self._engine
        if engine.settings.has_index_lag:
            changes = engine.store.log_read(self.position, 1)
            if changes:
                return self._visible_us(changes[0])
        return engine.clock.now_us() + engine.settings.read_lag_ms * 1000 + 1000

    def _visible_us(self, change: LoggedChange) -> int:
        chance = Chance(self._engine.seed, change.sequence, _STREAM_OF_LAGS)
        return change.stamp + chance.between_us(self._engine.settings.index_lag_ms)

    async def _slice(self) -> None:
        engine = self._engine
        self._is_waiting = False
        now_us = engine.clock.now_us()
        if engine.settings.has_index_lag:
            for change in engine.store.log_read(self.position, SLICE_CHANGES):
                if self._visible_us(change) > now_us:
                    break
                self._apply(change)
        needed = engine.recent.forget(now_us)
        last = engine.store.log_last()
        upto = last if needed is None else needed - 1
        if engine.settings.has_index_lag:
            upto = min(upto, self.position)
        is_trimmed = engine.store.log_trim(upto, 1000)
        if upto < last or not is_trimmed:
            self.wake()

    def _apply(self, change: LoggedChange) -> None:
        engine = self._engine
        record = change.record
        table = engine.catalogue.by_space(record.space)
        changes: list[tuple[Index, IndexChange]] = []
        if table is not None:
            old = orjson.loads(record.old) if record.old is not None else None
            new = orjson.loads(record.new) if record.new is not None else None
            for index in table.global_indexes:
                if index.status != "DELETING":
                    made = index_changes(index, (record.partition, record.sort), old, new)
                    changes.append((index, made))
        touches = [(BOOKS, *_PLACE, WRITE)]
        for _, made in changes:
            touches.extend((p[0], p[1], p[2], WRITE) for p in made.puts)
            touches.extend((d[0], d[1], d[2], WRITE) for d in made.deletes)

        def decide(rows: Sequence[Row | None], stamp: int) -> Decision:
            puts: list[Put] = [(BOOKS, *_PLACE, b"", change.sequence)]
            deletes: list[tuple[int, bytes, bytes]] = []
            for _, made in changes:
                puts.extend(made.puts)
                deletes.extend(made.deletes)
            return Decision(puts, deletes, (), rows)

        before = drive(engine.store.transact(touches, decide))
        self.position = change.sequence
        at = 1
        for index, made in changes:
            # A backfill may have been here before: count by what was there, not by what the change says.
            for put in made.puts:
                row = before[at]
                engine.counters.add(index, row is None, put[4] - (row.size if row is not None else 0))
                at += 1
            for _ in made.deletes:
                row = before[at]
                if row is not None:
                    engine.counters.add(index, -1, -row.size)
                at += 1
