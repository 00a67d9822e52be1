"""What a turn promises when it is cut short, and how much one slice of background work takes on."""

from __future__ import annotations

from typing import Any

import pytest

from partita.storage import Decision, LogRecord, StoreFailed
from partita.storage.slices import SLICE_BYTES
from partita.storage.sqlite import SqliteStore

from .workload import put, run


@pytest.fixture
def store() -> SqliteStore:
    store = SqliteStore(":memory:", lambda: 1)
    store.create_space(1)
    store.commit()
    return store


class Interrupting(bytes):
    """A key that stands for an interrupt in the middle of writing."""

    def __len__(self) -> int:
        raise KeyboardInterrupt


def test_an_interrupt_half_way_leaves_nothing_of_the_turn(store: SqliteStore) -> None:
    put(store, 1, b"p", b"earlier", b"v")

    def decide(rows: Any, stamp: int) -> Decision:
        return Decision([(1, b"p", b"s", b"v", 1), (1, b"p", Interrupting(b"t"), b"v", 1)], [], [], None)

    with pytest.raises(KeyboardInterrupt):
        run(store.transact([], decide))
    with pytest.raises(StoreFailed):
        put(store, 1, b"p", b"later", b"v")
    with pytest.raises(StoreFailed):
        store.commit()
    assert run(store.walk(1, None, b"", None, limit=10)) == []
    put(store, 1, b"p", b"s", b"v")
    store.commit()


def test_a_refused_decision_leaves_the_turn_open(store: SqliteStore) -> None:
    def refuse(rows: Any, stamp: int) -> Decision:
        raise ValueError("refused")

    put(store, 1, b"p", b"s", b"v")
    with pytest.raises(ValueError, match="refused"):
        run(store.transact([], refuse))
    store.commit()
    assert run(store.get(1, b"p", b"s")).value == b"v"


def test_a_turn_that_only_reads_writes_nothing(store: SqliteStore) -> None:
    assert not store.in_turn
    run(store.get(1, b"p", b"s"))
    assert store.in_turn
    assert store.turn_writes == 0
    put(store, 1, b"p", b"s", b"v" * 1000)
    assert store.turn_writes > 1000
    store.commit()
    assert not store.in_turn
    assert store.turn_writes == 0


def test_stamps_rise_while_the_clock_stands_still_or_goes_back() -> None:
    clock = iter((100, 100, 50, 200, 10))
    store = SqliteStore(":memory:", lambda: next(clock))
    store.create_space(1)
    stamps = []
    for _ in range(5):
        put(store, 1, b"p", b"s", b"v")
        stamps.append(run(store.get(1, b"p", b"s")).stamp)
    assert stamps == [100, 101, 102, 200, 201]


def test_a_slice_of_clearing_frees_few_large_values(store: SqliteStore) -> None:
    size = 300_000
    for number in range(50):
        put(store, 1, b"p", b"%02d" % number, b"v" * size)
    store.commit()
    slices = 1
    while not store.clear_space(1, 1000):
        slices += 1
        store.commit()
    assert slices >= 50 * size / (SLICE_BYTES + size)
    assert not store.has_space(1)
    assert store.clear_space(1, 1000)
    store.commit()
    assert store.check() == []


def test_few_large_images_are_read_at_once(store: SqliteStore) -> None:
    image = b"v" * 300_000
    records = [LogRecord(1, b"p", b"s", image, image, 1, 1)] * 30
    run(store.transact([], lambda rows, stamp: Decision([], [], records, None)))
    after, reads = 0, 0
    while found := store.log_read(after, 1000):
        assert [change.sequence for change in found] == list(range(after + 1, found[-1].sequence + 1))
        after, reads = found[-1].sequence, reads + 1
    assert after == 30
    assert reads >= 30 * 2 * len(image) / (SLICE_BYTES + 2 * len(image))


def test_a_slice_of_trimming_frees_few_large_images(store: SqliteStore) -> None:
    image = b"v" * 300_000
    records = [LogRecord(1, b"p", b"s", image, image, 1, 1)] * 30
    run(store.transact([], lambda rows, stamp: Decision([], [], records, None)))
    store.commit()
    slices = 1
    while not store.log_trim(29, 1000):
        slices += 1
    store.commit()
    assert slices >= 29 * 2 * len(image) / (SLICE_BYTES + 2 * len(image))
    assert [change.sequence for change in store.log_read(0, 10)] == [30]
    assert store.log_trim(30, 1000)
    store.commit()
    assert (store.log_read(0, 10), store.log_last()) == ([], 30)
