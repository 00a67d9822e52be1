"""Random workloads against a model of plain dicts, across snapshots, restarts and turns that fail."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from tests import counts
from tests.engine.faults import FaultyStore
from tests.engine.support import Dice, World, dice, runs
from tests.engine.workload import PROFILES, Workload, create_tables

STEPS = (
    *("write",) * 8,
    *("batch_write",) * 2,
    *("transact",) * 4,
    *("read",) * 5,
    *("wait",) * 2,
    "snapshot",
    "restore",
    "reopen",
    "change_profile",
    "lose_turn",
    "check",
)


def run(world: World, rolled: Dice, steps: int) -> None:
    create_tables(world)
    workload = Workload(world)
    for _ in range(steps):
        getattr(workload, rolled.pick(STEPS))(rolled)
    workload.check()
    world.reopen()
    workload.check()


@given(rolled=dice(1200), steps=st.integers(0, 60), profile=st.sampled_from(PROFILES))
@runs(counts.WORKLOADS)
def test_a_workload_in_memory(rolled: Dice, steps: int, profile: tuple[str, dict[str, Any]]) -> None:
    run(World(profile[0], store_type=FaultyStore, **profile[1]), rolled, steps)


@given(rolled=dice(1200), steps=st.integers(0, 60), profile=st.sampled_from(PROFILES))
@runs(counts.WORKLOADS // 4)
def test_a_workload_in_a_file(rolled: Dice, steps: int, profile: tuple[str, dict[str, Any]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        world = World(profile[0], path=Path(folder) / "partita.db", store_type=FaultyStore, **profile[1])
        run(world, rolled, steps)
        world.engine.close()
