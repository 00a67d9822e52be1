"""A server under load is killed at random moments: what was acknowledged is there, nothing is half there."""

from __future__ import annotations

import asyncio
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.counts import CRASH_ROUNDS, SOAK

from .lane import Lane
from .offline import UNDER_WAY
from .spawner import Spawner

LANES = 2
"""Databases at the same time."""
MEMORY = Path("/dev/shm")


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """In memory where there is such a thing: what the system was told outlives the process there as well."""
    if not MEMORY.is_dir():
        yield tmp_path
        return
    with tempfile.TemporaryDirectory(prefix="partita-", dir=MEMORY) as name:
        yield Path(name)


@pytest.mark.timeout(max(120, CRASH_ROUNDS * 4))
def test_what_was_acknowledged_survives_kill_9(folder: Path) -> None:
    async def run() -> list[Lane]:
        lanes = [Lane(spawner, folder, seed) for seed in range(LANES)]
        await asyncio.gather(*(_rounds(lane, CRASH_ROUNDS // LANES) for lane in lanes))
        return lanes

    with Spawner() as spawner:
        lanes = asyncio.run(run())
    assert sum(lane.rounds for lane in lanes) == CRASH_ROUNDS
    under_way = sum((lane.under_way for lane in lanes), Counter[str]())
    assert under_way.keys() == UNDER_WAY if SOAK else under_way.total() > CRASH_ROUNDS // 2, under_way


async def _rounds(lane: Lane, number: int) -> None:
    await lane.open()
    for _ in range(number):
        await lane.round()
    await lane.close()
