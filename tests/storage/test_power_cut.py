"""Power is cut before and after every sync: what was acknowledged is there, and nothing is half there."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from partita.storage import turn
from partita.storage.sqlite import SqliteStore

from .faults import Disk
from .workload import SPACES, Model, State, holds, random_turn


@pytest.fixture(autouse=True)
def _small_log(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turn, "CHECKPOINT_PAGES", 25)


def _cuts(
    path: str, durability: str, seed: int, turns: int
) -> tuple[list[State], list[tuple[int, dict[str, bytes]]]]:
    """The state after each turn, and what each cut leaves, with the turns acknowledged before it."""
    chance = random.Random(seed)
    disk = Disk()
    model = Model()
    states: list[State] = []
    cuts: list[tuple[int, dict[str, bytes]]] = []

    def cut() -> None:
        cuts.append((len(states), disk.after_power_cut()))
        cuts.append((len(states), disk.after_power_cut(chance)))

    disk.before_sync = cut
    store = SqliteStore(path, lambda: 1, durability, vfs=disk.name)
    states.append(model.state())
    for number in range(turns):
        random_turn(store, model, chance)
        if number % 15 == 10:
            store.commit()
            states.append(model.state())
            before = model.state()
            snapshot = store.snapshot()
            random_turn(store, model, chance)
            store.commit()
            states.append(model.state())
            store.restore(snapshot)
            model = Model(*before)
        store.commit()
        states.append(model.state())
        cut()
    store.close()
    cut()
    return states, cuts


@pytest.mark.parametrize("seed", range(3))
def test_full_keeps_every_acknowledged_turn(tmp_path: Path, seed: int) -> None:
    path = str(tmp_path / "partita.db")
    states, cuts = _cuts(path, "full", seed, 40)
    assert len(cuts) > 150
    for acknowledged, files in cuts:
        after = Disk(files)
        store = SqliteStore(path, lambda: 1, vfs=after.name)
        assert store.check() == []
        assert holds(store, SPACES) in states[max(acknowledged - 1, 0) : acknowledged + 1]
        store.close()


@pytest.mark.parametrize("seed", range(2))
def test_relaxed_keeps_the_first_turns_and_nothing_half(tmp_path: Path, seed: int) -> None:
    path = str(tmp_path / "partita.db")
    states, cuts = _cuts(path, "relaxed", seed, 40)
    for acknowledged, files in cuts:
        after = Disk(files)
        store = SqliteStore(path, lambda: 1, vfs=after.name)
        assert store.check() == []
        assert holds(store, SPACES) in states[: acknowledged + 1]
        store.close()
