"""Calls of the disk fail under the whole engine: nobody is told of a success that was none, and when the disk
works again the database goes on where it was, its memory and its file alike."""

from __future__ import annotations

import asyncio
import random
from typing import Final

import pytest
from tests.counts import OUTAGES
from tests.storage.faults import Disk

from partita.engine.clock import ManualClock
from partita.storage import opening, turn
from partita.storage.sqlite import SqliteStore

from .clients import Clients, ended
from .in_process import InProcess
from .knowledge import Knowledge
from .memory import differences, memory_of
from .offline import problems_of_settled
from .outage import Outage, works
from .tables import PLAIN, wire_key
from .workload import account

PATH: Final = "/partita.db"
CLIENTS: Final = 3
FILLING: Final = 40
OUTAGES_A_RUN: Final = 8


class Run:
    """One database on a disk that fails now and then."""

    def __init__(self, profile: str, seed: int) -> None:
        self._profile = profile
        self._chance = chance = random.Random(seed)
        self._disk, self._clock = Disk(), ManualClock()
        self._store = SqliteStore(PATH, self._clock.now_us, vfs=self._disk.name)
        self._database = InProcess(self._store, profile, self._clock)
        self._disks: list[Disk] = []
        """Kept, since a store knows its disk by name only."""
        self._known = Knowledge(CLIENTS)
        self._clients = Clients(self._known, chance, sort_keys=3, batches=2, pipelined=1)

    async def outages(self) -> int:
        """One after the other, with an inspection after each; how many turns were lost."""
        call = (await self._database.connect()).call
        await self._database.answer_to(self._known.prepare(call, FILLING))
        for _ in range(OUTAGES_A_RUN):
            outage = Outage.drawn(self._chance)
            await self._work(outage)
            problems = await self._problems()
            assert not problems, f"{outage}: " + "\n".join(problems)
        assert not self._store.check()
        assert not problems_of_settled(self._database.engine, self._clock)
        self._store.close()
        return self._database.failed_turns

    async def _work(self, outage: Outage) -> None:
        clients, database = self._clients, self._database
        self._disk.fault = outage
        clients.progress.begin(self._chance.randrange(20, 60))
        tasks = await clients.begin(database.connect)
        await database.run(lambda: clients.progress.is_over.is_set() or outage.is_over)
        database.disconnect()
        await ended(tasks)
        self._disk.fault = works

    async def _problems(self) -> list[str]:
        """In a new process, if this one is killed now; and in this one, which goes on."""
        killed = self._killed()
        problems = killed.store.check() + await self._differences(killed, self._known.copy())
        self._known.trust_answers()
        call = (await self._database.connect()).call
        await self._database.answer_to(call("GetItem", {"TableName": PLAIN, "Key": wire_key(account(0))}))
        problems += differences(memory_of(self._database.engine), memory_of(self._killed().engine))
        return problems + await self._differences(self._database, self._known)

    def _killed(self) -> InProcess:
        """What a new process makes of what this one has left so far."""
        disk = Disk(self._disk.after_kill())
        self._disks.append(disk)
        clock = ManualClock(self._clock.now_us() / 1_000_000)
        return InProcess(SqliteStore(PATH, clock.now_us, vfs=disk.name), self._profile, clock)

    async def _differences(self, database: InProcess, known: Knowledge) -> list[str]:
        call = (await database.connect()).call
        with_counts = self._profile == "instant"
        return await database.answer_to(
            known.problems(call, lambda: asyncio.sleep(0), with_counts=with_counts)
        )


@pytest.fixture(autouse=True)
def _small_log_and_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that checkpoints happen, pages are read again, and turns are written before their end."""
    monkeypatch.setattr(turn, "CHECKPOINT_PAGES", 40)
    monkeypatch.setattr(opening, "CACHE_KIB", 64)


@pytest.mark.parametrize("profile", ["instant", "aws"])
def test_outages(profile: str) -> None:
    runs = OUTAGES // OUTAGES_A_RUN // 2
    lost = sum(asyncio.run(_outages(profile, seed)) for seed in range(runs))
    assert lost > OUTAGES // 4


async def _outages(profile: str, seed: int) -> int:
    return await Run(profile, seed).outages()
