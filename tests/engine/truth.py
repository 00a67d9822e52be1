"""What must be true of a database at rest: indexes, counts and books agree with the tables' items."""

from __future__ import annotations

from collections import defaultdict

import orjson
from tests.engine.item_sizes import item_bytes
from tests.engine.support import SCOPE, Item, World

from partita.engine.keys import index_place, place_of
from partita.engine.table import Index, Table

Place = tuple[bytes, bytes]
Held = dict[Place, tuple[Item, int]]
"""Place -> the item or entry there, and its size in bytes."""


def check_all(world: World) -> None:
    """Checks every table; nothing may be under way."""
    assert world.engine.follower.behind == 0
    for table in world.engine.catalogue.tables(SCOPE):
        check_table(world, table)


def check_table(world: World, table: Table) -> None:
    items = held(world, table.space)
    for place, (item, size) in items.items():
        assert place == place_of(table, item)
        assert size == item_bytes(item)
    check_counts(table, items)
    collections: defaultdict[bytes, int] = defaultdict(int)
    for place, (_, size) in items.items():
        collections[place[0]] += size
    for index in table.indexes.values():
        entries = held(world, index.space)
        assert entries == entries_of(index, items)
        check_counts(index, entries)
        if not index.is_global:
            for place, (_, size) in entries.items():
                collections[place[0]] += size
    if table.local_indexes:
        books = {entry[0]: entry[3] for entry in world.rows(table.collections_space)}
        assert books == {partition: size for partition, size in collections.items() if size}
    else:
        assert table.collections_space == 0


def held(world: World, space: int) -> Held:
    return {(entry[0], entry[1]): (orjson.loads(entry[2]), entry[3]) for entry in world.rows(space)}


def entries_of(index: Index, items: Held) -> Held:
    """The entries that an index must hold, worked out from the items alone."""
    entries: Held = {}
    keys = [(key.name, key.type) for key in index.hash + index.range]
    for base, (item, _) in items.items():
        if not all(name in item and kind in item[name] for name, kind in keys):
            continue
        entry = {name: value for name, value in item.items() if is_projected(index, name)}
        place = index_place(index, item, base)
        assert place is not None
        entries[place] = (entry, item_bytes(entry))
    return entries


def is_projected(index: Index, name: str) -> bool:
    """Every table of these tests calls its own keys `pk` and `sk`."""
    keys = {"pk", "sk"} | index.key_names
    return index.projection == "ALL" or name in keys or name in index.non_key_attributes


def check_counts(counted: Table | Index, rows: Held) -> None:
    assert counted.item_count == len(rows)
    assert counted.size_bytes == sum(size for _, size in rows.values())
