"""Verifies a file beyond its pages: items, index entries and counters are made again and compared."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import orjson

from partita.attributes import Item, item_size, normalise_item
from partita.engine.agenda import drive
from partita.engine.clock import SystemClock
from partita.engine.engine import Engine
from partita.engine.indexes import projected
from partita.engine.keys import Place, index_place, place_of
from partita.engine.settings import Settings
from partita.engine.table import Index, Table
from partita.storage import Entry
from partita.storage.sqlite import SqliteStore
from partita.words import counted

_PAGE_ROWS = 500
_PAGE_BYTES = 1024 * 1024


class _Untouched(SqliteStore):
    """Never commits: whatever opening the database does is undone when it is closed."""

    def commit(self) -> bool:
        return False


class Verification:
    """One pass over a file. Raises StoreUnusable if it cannot be opened."""

    def __init__(self, path: str) -> None:
        self._clock = SystemClock()
        self._store = _Untouched(path, self._clock.now_us)
        self._tables = self._items = self._indexes = 0

    @property
    def summary(self) -> str:
        return ", ".join(
            (
                counted(self._tables, "table"),
                counted(self._items, "item"),
                counted(self._indexes, "index", "indexes"),
            )
        )

    def problems(self) -> Iterator[str]:
        """What is wrong, a line each."""
        try:
            damaged = False
            for problem in self._store.check():
                damaged = True
                yield problem
            if not damaged:
                yield from self._database_problems()
        finally:
            self._store.close()

    def _database_problems(self) -> Iterator[str]:
        try:
            # Where indexes lagged, this brings them up to date, so that they can be compared.
            engine = Engine(self._store, settings=Settings.of("instant"), clock=self._clock)
        except Exception as error:
            yield f"the books cannot be read: {type(error).__name__}: {error}"
            return
        for table in engine.catalogue.all_tables():
            if table.status != "DELETING":
                self._tables += 1
                yield from _TableVerification(self._store, table).problems()
                self._items += table.item_count
                self._indexes += len(table.indexes)


class _Count:
    """Rows and bytes of a table or an index, as they should be."""

    def __init__(self, name: str, counted: Table | Index) -> None:
        self.name = name
        self.counted = counted
        self.items = 0
        self.size_bytes = 0

    def add(self, size_bytes: int) -> None:
        self.items += 1
        self.size_bytes += size_bytes

    def problems(self) -> Iterator[str]:
        counted = self.counted
        if (counted.item_count, counted.size_bytes) != (self.items, self.size_bytes):
            yield (
                f"{self.name} counts {counted.item_count} items of {counted.size_bytes} bytes, "
                f"and holds {self.items} of {self.size_bytes}"
            )


class _TableVerification:
    def __init__(self, store: SqliteStore, table: Table) -> None:
        self._store = store
        self._table = table
        self._name = f"table {table.name} ({table.scope.account}, {table.scope.region})"
        self._indexes = [index for index in table.indexes.values() if index.status != "DELETING"]
        self._expected = {
            index.name: _Count(f"{self._name}, index {index.name}", index) for index in self._indexes
        }
        self._collections: dict[bytes, int] = {}

    def problems(self) -> Iterator[str]:
        count = _Count(self._name, self._table)
        collection = b""
        for entry in _rows(self._store, self._table.space):
            if entry[0] != collection:
                yield from self._collection_problems(collection)
                collection = entry[0]
            count.add(entry[3])
            yield from self._item_problems(entry)
        yield from self._collection_problems(collection)
        yield from count.problems()
        for index in self._indexes:
            yield from self._index_problems(index)

    def _item_problems(self, entry: Entry) -> Iterator[str]:
        partition, sort, value, size = entry
        place = (partition, sort)
        where = f"{self._name}, item {partition.hex()}/{sort.hex()}"
        try:
            item: Item = orjson.loads(value)
            if normalise_item(item) != (item, size):
                yield f"{where} has size {size} and should have {item_size(item)}"
            if place_of(self._table, item) != place:
                yield f"{where} stands where its key does not belong"
        except Exception as error:
            yield f"{where} cannot be read: {type(error).__name__}: {error}"
            return
        if self._table.local_indexes:
            self._collections[partition] = self._collections.get(partition, 0) + size
        for index in self._indexes:
            yield from self._entry_problems(index, item, place, where)

    def _entry_problems(self, index: Index, item: Item, place: Place, where: str) -> Iterator[str]:
        at = index_place(index, item, place)
        if at is None or not index.counts(place):
            return
        entry = projected(index, item)
        size = item_size(entry)
        self._expected[index.name].add(size)
        if not index.is_global:
            self._collections[place[0]] += size
        row = drive(self._store.get(index.space, *at))
        if row is None:
            yield f"{where} is missing in index {index.name}"
        elif orjson.loads(row.value) != entry or row.size != size:
            yield f"{where} is another in index {index.name}"

    def _index_problems(self, index: Index) -> Iterator[str]:
        expected = self._expected[index.name]
        yield from expected.problems()
        if index.filled_below is None:
            held = sum(1 for _ in _rows(self._store, index.space))
            if held != expected.items:
                yield f"{expected.name} holds {held} entries, and should hold {expected.items}"

    def _collection_problems(self, partition: bytes) -> Iterator[str]:
        if not self._table.collections_space or not partition:
            return
        size = self._collections.pop(partition, 0)
        row = drive(self._store.get(self._table.collections_space, partition, b""))
        held = row.size if row is not None else 0
        if held != size:
            yield f"{self._name}, collection {partition.hex()} counts {held} bytes, and holds {size}"


def _rows(store: SqliteStore, space: int) -> Iterator[Entry]:
    after: Any = None
    while page := drive(store.walk(space, after, b"", None, limit=_PAGE_ROWS, size_limit=_PAGE_BYTES)):
        yield from page
        after = page[-1][0], page[-1][1]
