"""The only maker of index entries: what a change of an item changes in an index."""

from __future__ import annotations

from typing import NamedTuple

import orjson

from partita.attributes import Item, item_size
from partita.engine.keys import Place, index_place
from partita.engine.table import Index, Table
from partita.storage import Delete, Put


class IndexChange(NamedTuple):
    """What one write of an item does to one index."""

    puts: tuple[Put, ...]
    deletes: tuple[Delete, ...]
    written_bytes: tuple[int, ...]
    """Sizes of the entries written or deleted: each is charged by itself, rounded to 1 KB."""
    entries_gained: int
    """-1, 0 or 1."""
    bytes_gained: int
    """By the entries' sizes."""


UNCHANGED = IndexChange((), (), (), 0, 0)


def projected(index: Index, item: Item) -> Item:
    """What the index's entry for the item holds."""
    names = index.projected
    if names is None:
        return item
    return {name: value for name, value in item.items() if name in names}


def local_entries_bytes(table: Table, base: Place, item: Item, size: int) -> int:
    """Bytes of the entries that the table's local indexes have for an item of `size` bytes at `base`."""
    return sum(
        size if index.projected is None else item_size(projected(index, item))
        for index in table.local_indexes
        if index_place(index, item, base) is not None
    )


def index_changes(
    index: Index,
    base: Place,
    old: Item | None,
    new: Item | None,
    *,
    new_value: bytes | None = None,
    new_size: int = 0,
) -> IndexChange:
    """The change of `index` when the item at `base` goes from `old` to `new` (None: no item).

    `new_value` and `new_size` are the stored bytes and size of `new` where the caller has them.
    """
    old_place = index_place(index, old, base) if old is not None else None
    new_place = index_place(index, new, base) if new is not None else None
    if old_place is None and new_place is None:
        return UNCHANGED
    old_entry = projected(index, old) if old is not None and old_place is not None else None
    if new is None or new_place is None:
        assert old_place is not None
        assert old_entry is not None
        size = item_size(old_entry)
        return IndexChange((), ((index.space, *old_place),), (size,), -1, -size)
    new_entry = projected(index, new)
    if old_entry is not None and old_place == new_place and old_entry == new_entry:
        return UNCHANGED
    if new_entry is new and new_value is not None:
        value, size = new_value, new_size
    else:
        value, size = orjson.dumps(new_entry), item_size(new_entry)
    put: Put = (index.space, *new_place, value, size)
    if old_entry is None or old_place is None:
        return IndexChange((put,), (), (size,), 1, size)
    old_size = item_size(old_entry)
    if old_place == new_place:
        return IndexChange((put,), (), (max(old_size, size),), 0, size - old_size)
    return IndexChange((put,), ((index.space, *old_place),), (old_size, size), 0, size - old_size)
