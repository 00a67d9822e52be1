"""What descriptions say a table holds: under a lagging profile, the counts of some hours ago (fact 15.9)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from partita.engine.table import Index, Table

if TYPE_CHECKING:
    from partita.engine.engine import Engine


def begin(engine: Engine, table: Table) -> None:
    """A new table shows that it is empty until its counts are first refreshed."""
    if engine.settings.count_refresh_seconds:
        table.counts_refreshed_us = engine.clock.now_us()


async def refresh(engine: Engine, table: Table) -> None:
    """Brings the shown counts up to date if their time has come."""
    period_us = engine.settings.count_refresh_seconds * 1_000_000
    now_us, last_us = engine.clock.now_us(), table.counts_refreshed_us
    if not period_us:
        if last_us is not None:
            table.counts_refreshed_us = None
            await engine.catalogue.save(table)
    elif last_us is None or now_us - last_us >= period_us:
        table.counts_refreshed_us = now_us
        table.shown_counts = (table.item_count, table.size_bytes)
        for index in table.indexes.values():
            index.shown_counts = (index.item_count, index.size_bytes)
        await engine.catalogue.save(table)


def shown(table: Table, holder: Table | Index) -> tuple[int, int]:
    """Items and bytes that a description gives for the table or one of its indexes."""
    if table.counts_refreshed_us is None:
        return holder.item_count, holder.size_bytes
    return holder.shown_counts
