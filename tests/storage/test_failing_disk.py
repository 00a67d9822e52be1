"""Each call of the disk fails in its turn: nobody is told of a success that was none, nothing is half there,
and when the disk works again the store goes on."""

from __future__ import annotations

import random
from dataclasses import dataclass
from pathlib import Path

import apsw
import pytest

from partita.storage import StoreFailed, StoreUnusable, turn
from partita.storage.sqlite import SqliteStore

from .faults import Disk
from .workload import SPACES, Model, State, holds, random_turn

TURNS = 12
FAILING_CALLS = 4
"""How many calls fail in a row at most: an outage ends in the middle of a turn, or at once."""

WRITE_STRIDE = 3
"""Writes are many: every third is the first to fail."""


@pytest.fixture(autouse=True)
def _small_log(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turn, "CHECKPOINT_PAGES", 25)


@dataclass
class Outage:
    """Fails the calls of one operation from the given one on, `length` of them."""

    operation: str
    begin: int
    length: int
    error: type[apsw.Error]
    calls: int = 0

    def __call__(self, operation: str, name: str) -> None:
        if operation == self.operation:
            self.calls += 1
            if self.begin < self.calls <= self.begin + self.length:
                raise self.error("on purpose")


NEVER = 1 << 60


def works(operation: str, name: str) -> None:
    """The fault of a disk that has none."""


def _after_kill(path: str, disk: Disk) -> State:
    killed = Disk(disk.after_kill())
    store = SqliteStore(path, lambda: 1, vfs=killed.name)
    assert store.check() == []
    state = holds(store, SPACES)
    store.close()
    return state


def _filled(path: str, chance: random.Random) -> tuple[Disk, Model]:
    """A disk with a store that was closed, and what it holds."""
    disk, model = Disk(), Model()
    store = SqliteStore(path, lambda: 1, vfs=disk.name)
    for _ in range(4):
        random_turn(store, model, chance)
        store.commit()
    store.close()
    return disk, model


def _work(path: str, outage: Outage) -> int:
    """Turns beside a model while the outage comes and goes; how many turns failed."""
    chance = random.Random(1)
    disk, acknowledged = _filled(path, chance)
    store = SqliteStore(path, lambda: 1, vfs=disk.name)
    disk.fault = outage
    in_doubt = [acknowledged.state()]
    failed = 0
    for _ in range(TURNS):
        model = Model(*acknowledged.state())
        try:
            random_turn(store, model, chance)
            store.commit()
            acknowledged = model
            in_doubt = [acknowledged.state()]
        except StoreFailed:
            store.rollback()
            failed += 1
            in_doubt.append(model.state())
            # What could not be synced may stand in the log, whole: the outcome of that turn was never told.
            assert _after_kill(path, disk) in in_doubt
            disk.fault = works
            assert holds(store, SPACES) == acknowledged.state()
            assert _after_kill(path, disk) == acknowledged.state()
            in_doubt = [acknowledged.state()]
            disk.fault = outage
    disk.fault = works
    assert store.check() == []
    assert holds(store, SPACES) == acknowledged.state()
    store.close()
    again = SqliteStore(path, lambda: 1, vfs=disk.name)
    assert again.check() == []
    assert holds(again, SPACES) == acknowledged.state()
    again.close()
    return failed


@pytest.mark.parametrize(
    ("operation", "error", "turns_lost_at_least"),
    [
        ("write", apsw.FullError, 20),
        ("write", apsw.IOError, 20),
        ("sync", apsw.IOError, 10),
        ("read", apsw.IOError, 1),
        # Only copying the log into the file needs these, and what fails there is done again later.
        ("truncate", apsw.IOError, 0),
        ("open", apsw.CantOpenError, 0),
    ],
)
def test_each_call_fails(
    tmp_path: Path, operation: str, error: type[apsw.Error], turns_lost_at_least: int
) -> None:
    path = str(tmp_path / "partita.db")
    counting = Outage(operation, NEVER, 0, error)
    assert _work(path, counting) == 0
    stride = WRITE_STRIDE if operation == "write" else 1
    failed = sum(
        _work(path, Outage(operation, begin, 1 + begin % FAILING_CALLS, error))
        for begin in range(0, counting.calls, stride)
    )
    assert failed >= turns_lost_at_least


def _refusal(path: str, disk: Disk, outage: Outage) -> str | None:
    """Opens and closes the store; the text if it cannot be opened. Closing never fails."""
    try:
        store = SqliteStore(path, lambda: 1, vfs=disk.name)
    except StoreUnusable as unusable:
        return str(unusable)
    assert outage.calls <= outage.begin
    store.close()
    return None


@pytest.mark.parametrize("left", ["nothing", "closed", "killed"])
@pytest.mark.parametrize("operation", ["write", "sync", "truncate", "open", "read", "delete"])
def test_each_call_of_opening_fails(tmp_path: Path, operation: str, left: str) -> None:
    path = str(tmp_path / "partita.db")
    disk, model = _filled(path, random.Random(2)) if left != "nothing" else (Disk(), Model())
    files = disk.after_kill()
    if left == "killed":
        store = SqliteStore(path, lambda: 1, vfs=disk.name)
        random_turn(store, model, random.Random(3))
        store.commit()
        files = disk.after_kill()
    counting = Outage(operation, NEVER, 0, apsw.IOError)
    for begin in range(-1, 100):
        disk = Disk(files)
        error = apsw.FullError if operation == "write" else apsw.IOError
        outage = disk.fault = counting if begin == -1 else Outage(operation, begin, 1, error)
        refusal = _refusal(path, disk, outage)
        if refusal is not None:
            assert path in refusal
            assert "\n" not in refusal
        disk.fault = works
        assert _after_kill(path, disk) == model.state()
        if begin + 1 == counting.calls:
            break


def test_a_disk_that_is_full_is_named_at_the_start(tmp_path: Path) -> None:
    path = str(tmp_path / "partita.db")
    disk, _ = _filled(path, random.Random(2))
    disk.fault = Outage("write", 0, NEVER, apsw.FullError)
    with pytest.raises(StoreUnusable, match=r"^no space left on the disk of "):
        SqliteStore(path, lambda: 1, vfs=disk.name)
