"""One database that is used, killed, started again and inspected, round after round."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

from . import churn
from .clients import Clients, ended
from .connection import Connection
from .inspection import Call
from .knowledge import Knowledge
from .offline import problems_of_file, problems_of_pages, problems_once_settled
from .server_process import ServerProcess
from .spawner import Spawner

CLIENTS: Final = 5
FILLING: Final = 600
"""Items that nobody changes, so that a backfill takes a while."""
MOST_ANSWERS: Final = 150
"""Of a round in which the server is killed anywhere: so many answers come at most, and then a few."""
LONGEST_DELAYS_S: Final = (0.001, 0.02, 0.15)
"""From the moment to the kill."""
ROUNDS_A_CHECK: Final = 4
"""Every so many rounds the file is also checked item by item without a server."""
PATIENCE_S: Final = 20.0

ANYWHERE: Final = "anywhere"
AT_START: Final = "at the start"
MOMENTS: Final = {
    ANYWHERE: 8,
    AT_START: 1,
    churn.INDEX_MADE: 2,
    churn.INDEX_DELETED: 1,
    churn.INDEX_GONE: 1,
    churn.TABLE_MADE: 1,
    churn.TABLE_DELETED: 1,
    churn.TABLE_GONE: 2,
}
"""When the server is killed, or a little later -> how often."""


class Lane:
    def __init__(self, spawner: Spawner, folder: Path, seed: int) -> None:
        self._spawner = spawner
        self._path = folder / f"lane-{seed}" / "partita.db"
        self._path.parent.mkdir()
        self._chance = random.Random(seed)
        self._known = Knowledge(CLIENTS)
        self._clients = Clients(self._known, self._chance)
        self.rounds = 0
        self.under_way: Counter[str] = Counter()
        """What the kills interrupted -> how often."""

    async def open(self) -> None:
        async with self._server("instant") as connection:
            await self._known.prepare(connection.call, FILLING)

    async def round(self) -> None:
        """Starts, inspects, lets the clients work, kills."""
        profile = self._chance.choice(["instant", "aws"])
        moment = self._chance.choices(list(MOMENTS), list(MOMENTS.values()))[0]
        self.rounds += 1
        self._check_file()
        server = ServerProcess(self._spawner, self._path, "--profile", profile)
        if moment == AT_START:
            await asyncio.sleep(self._chance.uniform(0, 0.1))
            server.kill()
            return
        await server.ready()
        await self._inspect((await server.connect()).call, profile)
        self._clients.progress.begin(self._chance.randrange(MOST_ANSWERS))
        tasks = await self._clients.begin(server.connect)
        await self._wait_for(moment, tasks)
        server.kill()
        assert not server.errors()
        await ended(tasks)

    async def close(self) -> None:
        """A last inspection, and one of what is left in the end."""
        problems = problems_once_settled(self._path)
        async with self._server("aws") as connection:
            await self._inspect(connection.call, "aws")
        problems += problems_once_settled(self._path)
        assert not problems, "\n".join(problems)

    @asynccontextmanager
    async def _server(self, profile: str) -> AsyncIterator[Connection]:
        server = ServerProcess(self._spawner, self._path, "--profile", profile)
        await server.ready()
        yield await server.connect()
        server.stop()
        assert not server.errors()

    async def _wait_for(self, moment: str, tasks: Sequence[asyncio.Task[None]]) -> None:
        """Returns at the moment of the kill, or early if a client has failed."""
        event = self._clients.progress.is_over if moment == ANYWHERE else self._clients.churn.happened[moment]
        met = asyncio.create_task(event.wait())
        await asyncio.wait([met, *tasks], timeout=PATIENCE_S, return_when=asyncio.FIRST_COMPLETED)
        met.cancel()
        delay_s = self._chance.uniform(0, self._chance.choice(LONGEST_DELAYS_S))
        await asyncio.wait(tasks, timeout=delay_s, return_when=asyncio.FIRST_COMPLETED)

    async def _inspect(self, call: Call, profile: str) -> None:
        problems = await self._known.problems(
            call, lambda: asyncio.sleep(0.02), with_counts=profile == "instant"
        )
        assert not problems, "\n".join(problems)

    def _check_file(self) -> None:
        problems, under_way = problems_of_pages(self._path)
        self.under_way.update(under_way)
        if self.rounds % ROUNDS_A_CHECK == 0:
            problems += problems_of_file(self._path)
        assert not problems, "\n".join(problems)
