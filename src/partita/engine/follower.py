"""Brings the global indexes up to date from the change log, in its order, after the profile's lag."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import orjson

from partita.engine import backfill
from partita.engine.agenda import drive
from partita.engine.catalogue import BOOKS
from partita.engine.chance import Chance
from partita.engine.indexes import IndexChange, index_changes
from partita.engine.table import Index, Table
from partita.storage import WRITE, Decision, Put, Row, Touch
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
        record = change.record
        table = self._engine.catalogue.by_space(record.space)
        if table is None:
            self._put(change, [], [])
        elif record.origin:
            self._apply_touch(change, table)
        else:
            self._apply_change(change, table)

    def _apply_touch(self, change: LoggedChange, table: Table) -> None:
        """What a backfill comes to; its index may have been given up since."""
        record = change.record
        index = backfill.touched(table, record)
        if index is None:
            self._put(change, [], [])
            return
        made, filled = backfill.touch_changes(index, record)
        self._put(change, [(index, made)], [filled])
        backfill.note_touch(self._engine, table, index, record, made)

    def _apply_change(self, change: LoggedChange, table: Table) -> None:
        record = change.record
        place = (record.partition, record.sort)
        old = orjson.loads(record.old) if record.old is not None else None
        new = orjson.loads(record.new) if record.new is not None else None
        changes = [
            (index, index_changes(index, place, old, new))
            for index in table.global_indexes
            if index.status != "DELETING"
        ]
        before = iter(self._put(change, changes, []))
        for index, made in changes:
            # An index may not hold yet what an older change made: count by what was there.
            is_counted = index.counts(place)
            for put, row in zip(made.puts, before, strict=False):
                if is_counted:
                    self._count(index, row, put[4])
            for _, row in zip(made.deletes, before, strict=False):
                if is_counted and row is not None:
                    self._engine.counters.add(index, -1, -row.size)

    def _count(self, index: Index, replaced: Row | None, size: int) -> None:
        self._engine.counters.add(index, replaced is None, size - (replaced.size if replaced else 0))

    def _put(
        self, change: LoggedChange, changes: Sequence[tuple[Index, IndexChange]], books: Sequence[Put]
    ) -> Sequence[Row | None]:
        """Makes the changes together with the new position; gives the rows that were there before."""
        puts: list[Put] = [put for _, made in changes for put in made.puts]
        deletes = [delete for _, made in changes for delete in made.deletes]
        touches: list[Touch] = []
        for _, made in changes:
            touches.extend((put[0], put[1], put[2], WRITE) for put in made.puts)
            touches.extend((*delete, WRITE) for delete in made.deletes)
        puts += [*books, (BOOKS, *_PLACE, b"", change.sequence)]

        def decide(rows: Sequence[Row | None], stamp: int) -> Decision:
            return Decision(puts, deletes, (), rows)

        before: Sequence[Row | None] = drive(self._engine.store.transact(touches, decide))
        self.position = change.sequence
        return before
