"""Fills a new global index with the items that its table already has, in slices (fact 16.22).

Writes keep the index up to date from the moment it is made; the backfill brings in what was there before,
walking the table's space in order. Each item is a transaction that reads the item as it then is, so that
nothing that was deleted comes back. How far it is come is a row, saved in the commit of what it stands for.

Where indexes lag, the walk only appends a touch record for each item to the change log, and the log's reader
makes the entry when it comes to it (`apply_touch`): so it stays in order with the item's own changes. A touch
record holds the item as both images; its origin is the number of the index's space.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import orjson

from partita.engine.catalogue import BOOKS, FILLED, space_key
from partita.engine.indexes import UNCHANGED, IndexChange, index_changes
from partita.engine.keys import Place
from partita.engine.table import NOTHING_FILLED, Index, Table
from partita.storage import READ, WRITE, Decide, Decision, Entry, LogRecord, Put, Row, Touch

if TYPE_CHECKING:
    from partita.engine.engine import Engine

_WALKED: Final = b"walked"
_ITEMS_AT_ONCE: Final = 24
_BYTES_AT_ONCE: Final = 256 * 1024
_END: Final = b"\xff" * 17
"""As the partition of a touch record: no item is left. Items' partitions have 16 bytes."""


def begin(index: Index) -> None:
    """Makes an index one that is to be filled: phase one, in which only writes reach it."""
    index.backfilling = False
    index.filled_below = NOTHING_FILLED


def schedule(engine: Engine, table: Table, index: Index) -> None:
    """Puts the next slice of the walk on the agenda."""
    engine.agenda.add(engine.clock.now_us(), lambda: _slice(engine, table, index))


async def forget(engine: Engine, index: Index) -> None:
    """Drops the rows of a backfill that is over or given up."""
    keys = [(BOOKS, book, space_key(index.space)) for book in (_WALKED, FILLED)]
    touches: list[Touch] = [(*key, WRITE) for key in keys]
    await engine.store.transact(touches, lambda rows, stamp: Decision((), keys, (), None))


# -- the walk
async def _slice(engine: Engine, table: Table, index: Index) -> None:
    is_current = engine.catalogue.holds(table) and table.indexes.get(index.name) is index
    if not is_current or index.status != "CREATING":
        return
    walked = await engine.store.get(BOOKS, _WALKED, space_key(index.space))
    if walked is None or walked.value:
        await _walk(engine, table, index, _place(walked.value) if walked is not None else None)
    elif index.filled_below is None:
        await _finish(engine, table, index)


async def _walk(engine: Engine, table: Table, index: Index, after: Place | None) -> None:
    entries = await engine.store.walk(
        table.space, after, b"", None, limit=_ITEMS_AT_ONCE, size_limit=_BYTES_AT_ONCE
    )
    fill = _touch_item if engine.settings.has_index_lag else _fill_item
    units = [fill(table, index, entry) for entry in entries]
    for change in await engine.store.transact_each(units):
        if isinstance(change, Exception):
            raise change
        engine.counters.add(index, change.entries_gained, change.bytes_gained)
    is_end = len(entries) < _ITEMS_AT_ONCE and sum(entry[3] for entry in entries) < _BYTES_AT_ONCE
    await _save_walked(engine, table, index, None if is_end else (entries[-1][0], entries[-1][1]))
    if not is_end:
        schedule(engine, table, index)
    elif index.filled_below is None:
        await _finish(engine, table, index)


def _fill_item(table: Table, index: Index, entry: Entry) -> tuple[list[Touch], Decide]:
    partition, sort = entry[:2]

    def decide(rows: Sequence[Row | None], stamp: int) -> Decision:
        row = rows[0]
        if row is None:
            return Decision((), (), (), UNCHANGED)
        change = _entry_of(index, (partition, sort), row.value, row.size)
        return Decision(change.puts, (), (), change)

    return [(table.space, partition, sort, READ)], decide


def _touch_item(table: Table, index: Index, entry: Entry) -> tuple[list[Touch], Decide]:
    partition, sort = entry[:2]

    def decide(rows: Sequence[Row | None], stamp: int) -> Decision:
        row = rows[0]
        if row is None:
            return Decision((), (), (), UNCHANGED)
        image, size = row.value, row.size
        record = LogRecord(table.space, partition, sort, image, image, size, size, index.space)
        return Decision((), (), (record,), UNCHANGED)

    return [(table.space, partition, sort, READ)], decide


def _entry_of(index: Index, place: Place, value: bytes, size: int) -> IndexChange:
    return index_changes(index, place, None, orjson.loads(value), new_value=value, new_size=size)


async def _save_walked(engine: Engine, table: Table, index: Index, place: Place | None) -> None:
    """`place` is that of the last item that was done; None: there is none left."""
    key = space_key(index.space)
    puts: list[Put] = [(BOOKS, _WALKED, key, _value(place), 0)]
    records: list[LogRecord] = []
    if not engine.settings.has_index_lag:
        puts.append(_filled(index, place))
    elif place is None:
        records.append(LogRecord(table.space, _END, b"", None, None, 0, 0, index.space))
    touches: list[Touch] = [(BOOKS, _WALKED, key, WRITE), (BOOKS, FILLED, key, WRITE)]
    await engine.store.transact(touches, lambda rows, stamp: Decision(puts, (), records, None))
    if engine.settings.has_index_lag:
        engine.follower.wake()
    else:
        _set_filled(index, place)


async def _finish(engine: Engine, table: Table, index: Index) -> None:
    """The index is complete; it is ACTIVE when its time has come."""
    if index.due_us > engine.clock.now_us():
        engine.agenda.add(index.due_us, lambda: _slice(engine, table, index))
        return
    index.status = "ACTIVE"
    index.backfilling = None
    await engine.catalogue.save(table)
    await forget(engine, index)


# -- the reader of the change log
def touched(table: Table, record: LogRecord) -> Index | None:
    """The index that a touch record is for, unless it has been given up."""
    for index in table.global_indexes:
        if index.space == record.origin and index.status == "CREATING":
            return index
    return None


def touch_changes(index: Index, record: LogRecord) -> tuple[IndexChange, Put]:
    """What the reader of the log puts: the item's entry, and how far the index is filled now."""
    place = _touched_place(record)
    if record.new is None or place is None:
        return UNCHANGED, _filled(index, place)
    return _entry_of(index, place, record.new, record.new_size), _filled(index, place)


def note_touch(engine: Engine, table: Table, index: Index, record: LogRecord, change: IndexChange) -> None:
    """To be called when what `touch_changes` gave has been put."""
    engine.counters.add(index, change.entries_gained, change.bytes_gained)
    _set_filled(index, _touched_place(record))
    if index.filled_below is None:
        schedule(engine, table, index)


def _touched_place(record: LogRecord) -> Place | None:
    return (record.partition, record.sort) if record.partition != _END else None


# -- rows
def _filled(index: Index, place: Place | None) -> Put:
    return (BOOKS, FILLED, space_key(index.space), _value(place), 0)


def _set_filled(index: Index, place: Place | None) -> None:
    index.filled_below = (place[0], place[1] + b"\0") if place is not None else None


def _value(place: Place | None) -> bytes:
    return place[0] + place[1] if place is not None else b""


def _place(value: bytes) -> Place:
    return value[:16], value[16:]
