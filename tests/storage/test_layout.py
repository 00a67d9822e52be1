"""Where values are kept: in the cell of their key or, if they are too long, apart: small items stay quick."""

from __future__ import annotations

import time

import pytest

from partita.storage import Decision
from partita.storage.sqlite import SqliteStore
from partita.storage.statements import INLINE_BYTES

from .workload import put, run

PARTITION = b"p" * 16
GREATEST_US = 1 << 55


def _overflow_pages(store: SqliteStore) -> int:
    text = "SELECT count(*) FROM dbstat WHERE name = 'rows_1' AND pagetype = 'overflow'"
    pages: int = store._execute(text).get
    return pages


@pytest.mark.parametrize("sort", [b"", b"s" * 100, b"s" * 1024])
def test_a_cell_is_filled_and_never_overflows(sort: bytes) -> None:
    store = SqliteStore(":memory:", lambda: GREATEST_US)
    store.create_space(1)
    room = INLINE_BYTES - len(PARTITION) - len(sort)

    def decide(rows: object, stamp: int) -> Decision:
        return Decision([(1, PARTITION, sort, b"v" * room, 1 << 30)], [], [], None)

    run(store.transact([], decide))
    assert _overflow_pages(store) == 0
    assert not store._held.spaces[1].has_large
    put(store, 1, PARTITION, sort, b"v" * (room + 1))
    assert store._held.spaces[1].has_large
    store._execute("UPDATE rows_1 SET value = zeroblob(?)", (room + 40,))
    assert _overflow_pages(store) > 0


def _get_us(store: SqliteStore, space: int, keys: list[bytes]) -> float:
    begin = time.process_time()
    for key in keys:
        run(store.get(space, key, b""))
    return (time.process_time() - begin) * 1e6 / len(keys)


def test_a_small_item_among_large_ones_is_as_quick() -> None:
    store = SqliteStore(":memory:", lambda: 1)
    keys = [number.to_bytes(16, "big") for number in range(400)]
    for space, odd_bytes in ((1, 500), (2, 300_000)):
        store.create_space(space)
        for number, key in enumerate(keys):
            put(store, space, key, b"", b"v" * (odd_bytes if number % 2 else 500))
    store.commit()
    small = keys[::2]
    pairs = [(_get_us(store, 1, small), _get_us(store, 2, small)) for _ in range(60)]
    usual, among_large = min(pair[0] for pair in pairs), min(pair[1] for pair in pairs)
    assert among_large <= usual * 1.3
