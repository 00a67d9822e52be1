"""Clients at work on a server, each on a connection of its own."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from typing import Final

from .churn import BATCHES, Churn
from .connection import INTERNAL, Channel, Lost, received
from .knowledge import Knowledge
from .workload import Client

PATIENCE_S: Final = 30
PIPELINED: Final = 3
"""Requests that a client sends at once, at most."""


class Progress:
    """Counts answers, up to a number of them."""

    def __init__(self) -> None:
        self.is_over = asyncio.Event()
        self._left = 0

    def begin(self, answers: int) -> None:
        self.is_over.clear()
        self._left = answers

    def count(self) -> None:
        self._left -= 1
        if self._left <= 0:
            self.is_over.set()


class Clients:
    def __init__(
        self,
        known: Knowledge,
        chance: random.Random,
        *,
        sort_keys: int = 6,
        batches: int = BATCHES,
        pipelined: int = PIPELINED,
    ) -> None:
        """With internal errors to come, nothing may be pipelined: what follows would count on what failed."""
        self._chance = chance
        self._pipelined = pipelined
        self._clients = [
            Client(name, ledger, random.Random(chance.random()), sort_keys=sort_keys)
            for name, ledger in known.ledgers.items()
        ]
        self.churn = Churn(known.churned, batches=batches)
        self.progress = Progress()
        self.failures = Progress()
        """Counts internal errors."""
        self._is_stopping = False

    async def begin(self, connect: Callable[[], Awaitable[Channel]]) -> list[asyncio.Task[None]]:
        """Sets all to work; the tasks end when their connections are lost."""
        self._is_stopping = False
        tasks = [asyncio.create_task(self._work(client, await connect())) for client in self._clients]
        return [*tasks, asyncio.create_task(self.churn.run(await connect(), lambda: self._is_stopping))]

    async def reach(self, progress: Progress, number: int, tasks: list[asyncio.Task[None]]) -> None:
        """Waits for so many answers, and no longer if a client has failed."""
        progress.begin(number)
        waiting = asyncio.create_task(progress.is_over.wait())
        await asyncio.wait([waiting, *tasks], timeout=PATIENCE_S, return_when=asyncio.FIRST_COMPLETED)
        for task in tasks:
            if task.done():
                task.result()
        assert waiting.done(), "clients wait in vain"

    async def stop(self, tasks: list[asyncio.Task[None]]) -> None:
        """Lets all that was sent have its answer. Raises what went wrong."""
        self._is_stopping = True
        await asyncio.gather(*tasks)

    async def _work(self, client: Client, connection: Channel) -> None:
        """Until it is stopped. Raises Lost."""
        ledger = client.ledger
        while not self._is_stopping:
            depth = self._chance.randrange(1, self._pipelined + 1)
            for answer in [connection.send(client.next()) for _ in range(depth)]:
                error, body = received(await answer)
                self.progress.count()
                request = ledger.sent[0]
                if error == INTERNAL:
                    self.failures.count()
                    ledger.fail()
                elif error:
                    assert error in request.errors, (request, body)
                    ledger.refuse()
                else:
                    assert not request.must_fail, request
                    assert not body.get("UnprocessedItems"), (request, body)
                    ledger.acknowledge()


async def ended(tasks: list[asyncio.Task[None]]) -> None:
    """Waits for clients whose connections are lost. Raises what else went wrong."""
    for end in await asyncio.gather(*tasks, return_exceptions=True):
        if not isinstance(end, Lost):
            raise AssertionError(f"a client ended with {end!r}") from end
