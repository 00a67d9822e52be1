"""Power is cut at every sync of the whole engine: what was acknowledged is there, nothing is half there."""

from __future__ import annotations

import asyncio
import random
from dataclasses import dataclass
from typing import Final

import pytest
from tests.counts import POWER_CUTS
from tests.storage.faults import Disk

from partita.engine.clock import ManualClock
from partita.storage import turn
from partita.storage.sqlite import SqliteStore

from .clients import Clients, ended
from .in_process import InProcess
from .knowledge import Knowledge

PATH: Final = "/partita.db"
CLIENTS: Final = 3
FILLING: Final = 40
CUTS_A_RUN: Final = 15
"""Of the cuts of one run so many are looked at, since most are alike."""


@dataclass
class Cut:
    files: dict[str, bytes]
    known: Knowledge
    now_s: float


class Power:
    """Cuts the power before each sync of a disk: half of the cuts leave some of what was not synced."""

    def __init__(self, disk: Disk, known: Knowledge, clock: ManualClock, chance: random.Random) -> None:
        self.cuts: list[Cut] = []
        self._disk, self._known, self._clock, self._chance = disk, known, clock, chance
        disk.before_sync = self.cut

    def cut(self) -> None:
        chance = self._chance if self._chance.random() < 0.5 else None
        files = self._disk.after_power_cut(chance)
        self.cuts.append(Cut(files, self._known.copy(), self._clock.now_us() / 1_000_000))


async def _run(profile: str, seed: int, answers: int) -> list[Cut]:
    chance = random.Random(seed)
    disk, clock, known = Disk(), ManualClock(), Knowledge(CLIENTS)
    database = InProcess(SqliteStore(PATH, clock.now_us, vfs=disk.name), profile, clock)
    await database.answer_to(known.prepare((await database.connect()).call, FILLING))
    power = Power(disk, known, clock, chance)
    clients = Clients(known, chance, sort_keys=3, batches=2)
    clients.progress.begin(answers)
    tasks = await clients.begin(database.connect)
    while not clients.progress.is_over.is_set():
        # What is acknowledged at the end of a turn needs no further sync.
        await database.answer_to(asyncio.sleep(0))
        power.cut()
    database.disconnect()
    await ended(tasks)
    database.engine.close()
    power.cut()
    return power.cuts


async def _problems(cut: Cut, profile: str, chance: random.Random, again: list[Cut]) -> list[str]:
    """Starts on what a cut left, and cuts the power again meanwhile."""
    disk, clock = Disk(cut.files), ManualClock(cut.now_s)
    power = Power(disk, cut.known, clock, chance)
    store = SqliteStore(PATH, clock.now_us, vfs=disk.name)
    database = InProcess(store, profile, clock)
    again += power.cuts
    call = (await database.connect()).call
    problems = store.check() + await database.answer_to(
        cut.known.problems(call, lambda: asyncio.sleep(0), with_counts=profile == "instant")
    )
    store.close()
    return problems


@pytest.fixture(autouse=True)
def _small_log(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turn, "CHECKPOINT_PAGES", 40)


@pytest.mark.parametrize("profile", ["instant", "aws"])
def test_power_is_cut_at_every_sync(profile: str) -> None:
    async def run() -> None:
        left = POWER_CUTS // 2
        seed = 0
        while left > 0:
            seed += 1
            chance = random.Random(seed)
            cuts = await _run(profile, seed, 60)
            looked_at = chance.sample(cuts, min(left, CUTS_A_RUN))
            left -= len(looked_at)
            again: list[Cut] = []
            for cut in looked_at:
                next_profile = chance.choice(["instant", "aws"])
                assert not await _problems(cut, next_profile, chance, again)
            for cut in chance.sample(again, len(again) // 10):
                assert not await _problems(cut, profile, chance, [])

    asyncio.run(run())
