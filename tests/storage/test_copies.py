"""Snapshots in memory, backups to files that are made while the store is in use, and the check of a file."""

from __future__ import annotations

import os
import random
from pathlib import Path

import apsw
import pytest

from partita.storage import Decision, LogRecord, StoreFailed, StoreUnusable
from partita.storage.sqlite import SqliteStore

from .faults import Disk
from .workload import SPACES, Model, delete, holds, put, random_turn, run


@pytest.fixture(params=["memory", "file"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> SqliteStore:
    return SqliteStore(":memory:" if request.param == "memory" else tmp_path / "partita.db", lambda: 1)


def fill(store: SqliteStore, seed: int, turns: int = 10) -> Model:
    model, chance = Model(), random.Random(seed)
    for _ in range(turns):
        random_turn(store, model, chance)
        store.commit()
    return model


def test_a_snapshot_is_independent(store: SqliteStore) -> None:
    model = fill(store, 1)
    snapshot = store.snapshot()
    later, chance = Model(*model.state()), random.Random(2)
    for _ in range(5):
        random_turn(store, later, chance)
        store.commit()
    forks = [store.fork(snapshot, lambda: 1) for _ in range(2)]
    random_turn(forks[0], Model(*model.state()), random.Random(3))
    forks[0].commit()
    assert holds(forks[1], SPACES) == model.state()
    assert holds(store, SPACES) == later.state()
    store.restore(snapshot)
    assert holds(store, SPACES) == model.state()
    assert store.check() == []


def test_whole_copies_are_made_between_turns_only(store: SqliteStore) -> None:
    snapshot = store.snapshot()
    store.create_space(1)
    for call in (store.snapshot, lambda: store.restore(snapshot), store.check):
        with pytest.raises(RuntimeError):
            call()
    store.commit()
    with pytest.raises(TypeError):
        store.restore("something else")


def test_a_restore_is_durable(tmp_path: Path) -> None:
    path = str(tmp_path / "partita.db")
    disk = Disk()
    store = SqliteStore(path, lambda: 1, vfs=disk.name)
    model = fill(store, 1)
    snapshot = store.snapshot()
    fill_more = Model(*model.state())
    random_turn(store, fill_more, random.Random(5))
    store.commit()
    store.restore(snapshot)
    after = Disk(disk.after_power_cut())
    again = SqliteStore(path, lambda: 1, vfs=after.name)
    assert holds(again, SPACES) == model.state()


def test_a_restore_that_fails_changes_nothing(tmp_path: Path) -> None:
    path = str(tmp_path / "partita.db")
    disk = Disk()
    store = SqliteStore(path, lambda: 1, vfs=disk.name)
    snapshot = store.snapshot()
    model = fill(store, 1)

    def full(operation: str, name: str) -> None:
        if operation == "write":
            raise apsw.FullError("on purpose")

    works, disk.fault = disk.fault, full
    with pytest.raises(StoreFailed):
        store.restore(snapshot)
    disk.fault = works
    assert holds(store, SPACES) == model.state()
    assert store.check() == []


def test_a_backup_follows_what_is_written_meanwhile(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "partita.db", lambda: 1)
    model, chance = fill(store, 1, turns=60), random.Random(2)
    to_path = tmp_path / "copy.db"
    backup = store.backup(to_path)
    slices = 1
    while not backup.step(3):
        assert not to_path.exists()
        assert 0 < backup.pages_left < backup.pages
        random_turn(store, model, chance)
        store.commit()
        if slices == 5:
            random_turn(store, Model(*model.state()), chance)
            store.rollback()
        slices += 1
    assert slices > 10
    assert holds(store, SPACES) == model.state()
    copy = SqliteStore(to_path, lambda: 1)
    assert copy.check() == []
    assert holds(copy, SPACES) == model.state()
    copy.close()
    assert {name for name in os.listdir(tmp_path) if name.startswith("copy")} == {"copy.db"}


def test_a_backup_waits_for_the_end_of_the_turn(store: SqliteStore, tmp_path: Path) -> None:
    fill(store, 1)
    backup = store.backup(tmp_path / "copy.db")
    put(store, 1, b"p", b"s", b"committed")
    assert not backup.step(1_000_000)
    store.commit()
    assert backup.step(1_000_000)
    copy = SqliteStore(tmp_path / "copy.db", lambda: 1)
    assert run(copy.get(1, b"p", b"s")).value == b"committed"
    copy.close()


def test_a_backup_overwrites_nothing(store: SqliteStore, tmp_path: Path) -> None:
    to_path = tmp_path / "copy.db"
    to_path.write_bytes(b"precious")
    with pytest.raises(StoreUnusable, match="exists: a backup overwrites nothing"):
        store.backup(to_path)
    assert to_path.read_bytes() == b"precious"


def test_a_backup_to_nowhere(store: SqliteStore, tmp_path: Path) -> None:
    with pytest.raises(StoreUnusable, match=r"there is no folder .*none: create it"):
        store.backup(tmp_path / "none" / "copy.db")


def test_a_backup_that_is_given_up_leaves_nothing(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "partita.db", lambda: 1)
    fill(store, 1)
    backup = store.backup(tmp_path / "copy.db")
    backup.step(1)
    backup.abandon()
    assert not [name for name in os.listdir(tmp_path) if name.startswith("copy")]


def test_a_backup_takes_the_place_of_one_that_was_killed(store: SqliteStore, tmp_path: Path) -> None:
    model = fill(store, 1)
    (tmp_path / "copy.db.partial").write_bytes(b"half")
    assert store.backup(tmp_path / "copy.db").step(1_000_000)
    copy = SqliteStore(tmp_path / "copy.db", lambda: 1)
    assert holds(copy, SPACES) == model.state()
    copy.close()


# -- what the check finds


def _damaged(store: SqliteStore, *statements: str) -> list[str]:
    store.create_space(1)
    put(store, 1, b"p", b"small", b"v")
    put(store, 1, b"p", b"large", b"v" * 50_000)
    put(store, 1, b"p", b"large too", b"v" * 50_000)
    records = [LogRecord(1, b"p", b"s", None, b"new", 0, 3)] * 3
    run(store.transact([], lambda rows, stamp: Decision([], [], records, None)))
    store.commit()
    assert store.check() == []
    for statement in statements:
        store._execute(statement)
    return store.check()


@pytest.mark.parametrize(
    ("statement", "problem"),
    [
        ("DELETE FROM large_1 WHERE id = 1", "space 1: 1 rows refer to large values that are missing"),
        ("DELETE FROM rows_1 WHERE sort = x'6c61726765'", "space 1: 1 large values belong to no row"),
        (
            "UPDATE rows_1 SET value = 1 WHERE sort = x'736d616c6c'",
            "space 1: 1 large values belong to several rows",
        ),
        ("DROP TABLE rows_1", "space 1 has large values and no rows"),
        ("DROP TABLE large_1", "space 1: 2 rows refer to large values that are missing"),
        ("UPDATE rows_1 SET value = 'text'", "space 1: 3 rows have columns of a wrong type"),
        ("DELETE FROM log WHERE sequence = 2", "the change log has 2 changes between 1 and 3"),
        ("DELETE FROM log WHERE sequence = 1", "the change log begins at 2, and was trimmed up to 0"),
        ("UPDATE log SET stamp = 0 WHERE sequence = 3", "the change log goes back in time 1 times"),
    ],
)
def test_what_the_store_promises_is_checked(store: SqliteStore, statement: str, problem: str) -> None:
    assert problem in _damaged(store, statement)


def test_a_damaged_page_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "partita.db"
    store = SqliteStore(path, lambda: 1)
    store.create_space(1)
    for number in range(200):
        put(store, 1, b"p", b"%d" % number, b"v" * 1500)
    store.commit()
    store.close()
    content = bytearray(path.read_bytes())
    content[-8192:] = b"\x55" * 8192
    path.write_bytes(content)
    store = SqliteStore(path, lambda: 1)
    assert store.check()
    store.close()


def test_large_values_leave_nothing_behind(store: SqliteStore) -> None:
    store.create_space(1)
    for value in (b"x", b"x" * 50_000, b"y" * 60_000, b"x", b"y" * 60_000):
        put(store, 1, b"p", b"s", value)
        assert run(store.get(1, b"p", b"s")).value == value
    delete(store, 1, b"p", b"s")
    store.commit()
    assert store.check() == []
    assert store._execute("SELECT count(*) FROM large_1").get == 0
