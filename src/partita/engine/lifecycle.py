"""How tables and their indexes pass from status to status, by the clock and in the background.

All that is due is in the table's row, so that a restart (or a turn that failed) loses nothing: `resume`
puts the work back on the agenda.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from partita.engine import backfill
from partita.engine.table import Index, Table

if TYPE_CHECKING:
    from partita.engine.engine import Engine

_CLEARED_AT_ONCE: Final = 250
"""Rows of a discarded space that one slice deletes: about a millisecond's work."""


def resume(engine: Engine) -> None:
    """Puts all unfinished work on an empty agenda: at start, and after a turn that failed."""
    for table in engine.catalogue.all_tables():
        schedule(engine, table)
        for index in table.global_indexes:
            if index.backfilling:
                backfill.schedule(engine, table, index)
    for space in engine.catalogue.discarded_spaces():
        _schedule_clearing(engine, space)


def schedule(engine: Engine, table: Table) -> None:
    """Puts the table's next change of status on the agenda, if one is to come."""
    due = [table.due_us] if table.status != "ACTIVE" else []
    due += [index.due_us for index in table.global_indexes if _waits_for_time(index)]
    if due:
        # What is due already goes before all other work: under `instant` the next request sees it done.
        due_us = min(due)
        engine.agenda.add(due_us if due_us > engine.clock.now_us() else 0, lambda: _settle(engine, table))


def _waits_for_time(index: Index) -> bool:
    """An index of a table that is being created waits for the table, a backfill for its last row."""
    return index.status in ("UPDATING", "DELETING") or index.backfilling is False


async def _settle(engine: Engine, table: Table) -> None:
    """Makes every change of status that is due."""
    if not engine.catalogue.holds(table):
        return
    now_us = engine.clock.now_us()
    if table.status == "DELETING":
        if table.due_us <= now_us:
            await engine.catalogue.remove(table)
            for space in table.spaces:
                _schedule_clearing(engine, space)
        return
    if table.status != "ACTIVE" and table.due_us <= now_us:
        _settle_table(table)
    discarded: list[int] = []
    for index in table.global_indexes:
        if _waits_for_time(index) and index.due_us <= now_us:
            _settle_index(engine, table, index, discarded)
    await engine.catalogue.save(table, discarded)
    for space in discarded:
        _schedule_clearing(engine, space)
    schedule(engine, table)


def _settle_table(table: Table) -> None:
    if table.status == "CREATING":
        for index in table.global_indexes:
            index.status = "ACTIVE"
    table.status = "ACTIVE"
    table.pending = _apply(table, table.pending)


def _settle_index(engine: Engine, table: Table, index: Index, discarded: list[int]) -> None:
    if index.status == "DELETING":
        del table.indexes[index.name]
        discarded.append(index.space)
        _prune_definitions(table)
    elif index.status == "UPDATING":
        index.status = "ACTIVE"
        index.pending = _apply(index, index.pending)
    else:
        index.backfilling = True
        index.due_us = engine.clock.now_us() + engine.settings.index_transition_ms * 1000
        backfill.schedule(engine, table, index)


def _apply(holder: Table | Index, pending: Mapping[str, Any]) -> dict[str, Any]:
    for name, value in pending.items():
        if name == "settings":
            holder.settings |= value
        else:
            setattr(holder, name, value)
    return {}


def _prune_definitions(table: Table) -> None:
    """Drops the definitions that no key uses any more (fact 16.20)."""
    used = {table.hash.name} | ({table.range.name} if table.range else set())
    for index in table.indexes.values():
        used |= {key.name for key in index.hash + index.range}
    table.attribute_definitions = tuple(key for key in table.attribute_definitions if key.name in used)


def _schedule_clearing(engine: Engine, space: int) -> None:
    engine.agenda.add(engine.clock.now_us(), lambda: _clear(engine, space))


async def _clear(engine: Engine, space: int) -> None:
    if await engine.catalogue.clear_discarded(space, _CLEARED_AT_ONCE):
        await engine.counters.forget(space)
    else:
        _schedule_clearing(engine, space)
