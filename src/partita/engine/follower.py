"""Brings the global indexes up to date from the change log, in its order, after the profile's lag."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import orjson

from partita.engine import backfill
from partita.engine.agenda import drive
from partita.engine.catalogue import BOOKS
from partita.engine.chance import Chance
from partita.engine.indexes import IndexChange, index_changes
from partita.engine.table import Index, Table
from partita.storage import WRITE, Decision, LoggedChange, Put, Row, Touch

if TYPE_CHECKING:
    from partita.engine.engine import Engine

_PLACE = (b"follower", b"")
_EVERYTHING = -1
"""As the stored position: indexes do not lag, so that they show whatever the log holds."""
_STREAM_OF_LAGS = 1
SLICE_CHANGES = 6
SLICE_BYTES = 256 * 1024
"""Of items in the changes that one slice applies; it ends with the change that brings it there."""
_TRIMMED_AT_ONCE = 250
_TRIM_PAUSE_US = 1000
"""Trimming waits so much longer than it must, to have more to do at once."""


class Follower:
    """The reader of the log that maintains lagging global indexes, and that trims what nobody needs."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._is_applying = False
        self._is_trimming = False
        self._trimmed = 0
        """Nothing is left of the log up to this sequence."""
        self.position = 0
        """The sequence of the last change that every global index shows."""

    def load(self) -> None:
        """Reads the position; where indexes do not lag (any more), applies what an earlier run left."""
        engine = self._engine
        row = drive(engine.store.get(BOOKS, *_PLACE))
        stored = row.size if row is not None else 0
        self.position = engine.store.log_last() if stored == _EVERYTHING else stored
        self._is_applying = self._is_trimming = False
        self._trimmed = 0
        if engine.settings.has_index_lag:
            if stored == _EVERYTHING:
                self._save(self.position)
        else:
            self._catch_up()
            if engine.settings.keeps_log and stored != _EVERYTHING:
                self._save(_EVERYTHING)
        if not engine.settings.keeps_log:
            # A log that misses what is written from now on would show reads of a later run false versions.
            while not engine.store.log_trim(engine.store.log_last(), _TRIMMED_AT_ONCE):
                pass
            self._trimmed = engine.store.log_last()
        self.wake()

    def _catch_up(self) -> None:
        while changes := self._engine.store.log_read(self.position, SLICE_CHANGES):
            for change in changes:
                self._apply(change)
        self._engine.counters.flush()

    def _save(self, position: int) -> None:
        decision = Decision([(BOOKS, *_PLACE, b"", position)], (), (), None)
        drive(self._engine.store.transact([(BOOKS, *_PLACE, WRITE)], lambda rows, stamp: decision))

    @property
    def behind(self) -> int:
        """How many changes the global indexes do not show yet."""
        return self._engine.store.log_last() - self.position if self._engine.settings.has_index_lag else 0

    def wake(self) -> None:
        """Puts on the agenda what there is to do: changes to apply, changes to trim."""
        engine = self._engine
        if not self._is_applying and self.behind:
            self._is_applying = True
            next_change = engine.store.log_read(self.position, 1)[0]
            engine.agenda.add(self._visible_us(next_change), self._apply_due)
        if not self._is_trimming and self._trimmed < self._shown:
            self._is_trimming = True
            delay_us = engine.settings.read_lag_ms * 1000 + _TRIM_PAUSE_US
            engine.agenda.add(engine.clock.now_us() + delay_us, self._trim)

    @property
    def _shown(self) -> int:
        """The sequence up to which no index needs the log."""
        return self.position if self._engine.settings.has_index_lag else self._engine.store.log_last()

    def _visible_us(self, change: LoggedChange) -> int:
        chance = Chance(self._engine.seed, change.sequence, _STREAM_OF_LAGS)
        return change.stamp + chance.between_us(self._engine.settings.index_lag_ms)

    async def _apply_due(self) -> None:
        self._is_applying = False
        now_us = self._engine.clock.now_us()
        for change in self._slice():
            if self._visible_us(change) > now_us:
                break
            self._apply(change)
        self.wake()

    def _slice(self) -> Iterator[LoggedChange]:
        """The next changes, each read when the one before is applied, as many as a slice may take."""
        size_bytes = 0
        for _ in range(SLICE_CHANGES):
            # One by one: a change of a large item holds it twice.
            changes = self._engine.store.log_read(self.position, 1)
            if not changes or size_bytes >= SLICE_BYTES:
                return
            yield changes[0]
            size_bytes += changes[0].record.old_size + changes[0].record.new_size

    async def _trim(self) -> None:
        engine = self._engine
        needed = engine.recent.forget(engine.clock.now_us(), _TRIMMED_AT_ONCE)
        upto = self._shown if needed is None else min(self._shown, needed - 1)
        if engine.store.log_trim(upto, _TRIMMED_AT_ONCE):
            self._trimmed = upto
            self._is_trimming = False
            self.wake()
        else:
            engine.agenda.add(engine.clock.now_us(), self._trim)

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
