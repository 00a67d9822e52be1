"""Calls of the disk fail under a server: its clients get internal errors and no wrong answer, nobody waits in
vain, and when the disk works again it goes on."""

from __future__ import annotations

import asyncio
import random
from typing import Final

import pytest
from tests.counts import SERVER_OUTAGES
from tests.storage.faults import Disk

from partita.engine.clock import SystemClock
from partita.engine.engine import Engine
from partita.engine.settings import Settings
from partita.storage import opening, turn
from partita.storage.sqlite import SqliteStore

from .clients import Clients
from .knowledge import Knowledge
from .memory import differences, memory_of
from .outage import Outage, works
from .threaded_server import ThreadedServer

PATH: Final = "/partita.db"
CLIENTS: Final = 3
FILLING: Final = 40
OUTAGES_A_RUN: Final = 8
SAID: Final = ("partita: the store fails, requests are answered with 500: ", "partita: the store works again")


async def _outages(profile: str, seed: int) -> None:
    chance = random.Random(seed)
    disk, clock, known = Disk(), SystemClock(), Knowledge(CLIENTS)
    store = SqliteStore(PATH, clock.now_us, vfs=disk.name)
    settings = Settings.of(profile)
    engine = Engine(store, settings=settings, clock=clock)
    server = ThreadedServer(engine, clock)
    await known.prepare((await server.connect()).call, FILLING)
    clients = Clients(known, chance, sort_keys=3, batches=2, pipelined=1)
    for _ in range(OUTAGES_A_RUN):
        disk.fault = outage = Outage.drawn(chance)
        tasks = await clients.begin(server.connect)
        await clients.reach(clients.progress, chance.randrange(20, 80), tasks)
        disk.fault = works
        await clients.stop(tasks)
        known.trust_answers()
        problems = await known.problems(
            (await server.connect()).call, lambda: asyncio.sleep(0.02), with_counts=profile == "instant"
        )
        assert not problems, f"{outage}: " + "\n".join(problems)
    server.stop()
    copy = Disk(disk.after_kill())
    again = Engine(SqliteStore(PATH, clock.now_us, vfs=copy.name), settings=settings, clock=clock)
    assert not differences(memory_of(engine), memory_of(again))
    again.close()
    engine.close()


@pytest.fixture(autouse=True)
def _small_log_and_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turn, "CHECKPOINT_PAGES", 40)
    monkeypatch.setattr(opening, "CACHE_KIB", 64)


@pytest.mark.parametrize("profile", ["instant", "aws"])
def test_outages_under_a_server(profile: str, capfd: pytest.CaptureFixture[str]) -> None:
    for seed in range(SERVER_OUTAGES // OUTAGES_A_RUN // 2):
        asyncio.run(_outages(profile, seed))
    for line in capfd.readouterr().err.splitlines():
        assert line.startswith(SAID)
