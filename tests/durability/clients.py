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
        self.internal_errors = 0

    async def begin(self, connect: Callable[[], Awaitable[Channel]]) -> list[asyncio.Task[None]]:
        """Sets all to work; the tasks end when their connections are lost."""
        tasks = [asyncio.create_task(self._work(client, await connect())) for client in self._clients]
        return [*tasks, asyncio.create_task(self.churn.run(await connect()))]

    async def _work(self, client: Client, connection: Channel) -> None:
        """Raises Lost in the end."""
        ledger = client.ledger
        while True:
            depth = self._chance.randrange(1, self._pipelined + 1)
            for answer in [connection.send(client.next()) for _ in range(depth)]:
                error, body = received(await answer)
                self.progress.count()
                request = ledger.sent[0]
                if error == INTERNAL:
                    self.internal_errors += 1
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
