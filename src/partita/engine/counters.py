"""How many items and bytes each table and index holds: rows of the engine's books, kept in each turn."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from partita.engine.agenda import drive
from partita.engine.catalogue import BOOKS, space_key
from partita.engine.table import Index, Table
from partita.storage import WRITE, Decision, Row, Store, Touch

if TYPE_CHECKING:
    from partita.engine.writes import Effect

PARTITION = b"count"


class Counters:
    """Changes the counts that tables and indexes carry, and writes the changed ones once a turn."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.changed: dict[int, Table | Index] = {}
        """What `flush` is to write, by space."""

    def add(self, counted: Table | Index, items: int, size_bytes: int) -> None:
        """Both may be negative."""
        if items or size_bytes:
            counted.item_count += items
            counted.size_bytes += size_bytes
            self.changed[counted.space] = counted

    def add_effect(self, effect: Effect, *, with_global_indexes: bool) -> None:
        """Counts a committed effect that is a change.

        Not counted here: global indexes that lag, by who brings them up to date; and what a backfill has
        yet to come to, by the backfill.
        """
        items = (effect.new_value is not None) - (effect.row is not None)
        growth = effect.new_size - effect.old_size
        if items or growth:
            self.add(effect.write.table, items, growth)
        for index, change in effect.index_changes:
            if index.counts(effect.write.place) and (with_global_indexes or not index.is_global):
                self.add(index, change.entries_gained, change.bytes_gained)

    def flush(self) -> None:
        """Writes what changed in this turn; part of the turn's commit."""
        if not self.changed:
            return
        changed, self.changed = self.changed, {}
        touches: list[Touch] = [(BOOKS, PARTITION, space_key(space), WRITE) for space in changed]

        def decide(rows: Sequence[Row | None], stamp: int) -> Decision:
            puts = [
                (
                    BOOKS,
                    PARTITION,
                    space_key(space),
                    counted.item_count.to_bytes(8, "big"),
                    counted.size_bytes,
                )
                for space, counted in changed.items()
            ]
            return Decision(puts, (), (), None)

        drive(self._store.transact(touches, decide))

    async def forget(self, space: int) -> None:
        """Drops the counts of a space that is gone."""
        self.changed.pop(space, None)
        decision = Decision((), [(BOOKS, PARTITION, space_key(space))], (), None)
        touches = [(BOOKS, PARTITION, space_key(space), WRITE)]
        await self._store.transact(touches, lambda rows, stamp: decision)

    def load(self, tables: Iterable[Table]) -> None:
        """Reads the counts of these tables and their indexes; forgets what a failed turn had changed."""
        self.changed.clear()
        for table in tables:
            all_counted: tuple[Table | Index, ...] = (table, *table.indexes.values())
            for counted in all_counted:
                row = drive(self._store.get(BOOKS, PARTITION, space_key(counted.space)))
                counted.item_count = int.from_bytes(row.value, "big") if row is not None else 0
                counted.size_bytes = row.size if row is not None else 0
