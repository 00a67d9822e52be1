"""The engine in this process, driven as the server drives it: turns, commits, and a clock that is told."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Coroutine, Iterator
from contextlib import suppress
from typing import Any, Final, TypeVar

import orjson

from partita.api import encode
from partita.engine.clock import ManualClock, Sleep
from partita.engine.engine import Engine
from partita.engine.settings import Settings
from partita.engine.table import Scope
from partita.errors import DynamoDBError
from partita.storage import StoreFailed
from partita.storage.sqlite import SqliteStore

from .connection import INTERNAL, Answer, Channel
from .ledger import Request

SCOPE: Final = Scope("000000000000", "eu-west-1")
TURN_S: Final = 0.001

T = TypeVar("T")


class _Exchange:
    """A request that runs or sleeps, until it has its answer."""

    def __init__(self, engine: Engine, request: Request, future: asyncio.Future[Answer | None]) -> None:
        body = orjson.loads(orjson.dumps(request.body))
        self._operation = request.operation
        self._coroutine: Coroutine[Sleep, None, Any] = engine.call(request.operation, body, SCOPE)
        self._future = future
        self.sleeps_until_us = 0
        self.answer: Answer | None = None

    def step(self) -> None:
        """Raises StoreFailed."""
        try:
            self.sleeps_until_us = self._coroutine.send(None).until_us
        except StopIteration as done:
            self.answer = ("", orjson.loads(encode(done.value)))
        except DynamoDBError as error:
            self.answer = (error.name, orjson.loads(orjson.dumps(error.body(self._operation))))

    def fail(self) -> None:
        self._coroutine.close()
        self.answer = (INTERNAL, {})

    def release(self) -> None:
        if not self._future.done():
            self._future.set_result(self.answer)


class LocalChannel(Channel):
    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._waiting: deque[tuple[Request, asyncio.Future[Answer | None]]] = deque()
        self._asleep: _Exchange | None = None
        self._is_closed = False

    def send(self, request: Request) -> asyncio.Future[Answer | None]:
        future: asyncio.Future[Answer | None] = asyncio.get_running_loop().create_future()
        if self._is_closed:
            future.set_result(None)
        else:
            self._waiting.append((request, future))
        return future

    def step(self, now_us: int) -> Iterator[_Exchange]:
        """Gives each exchange that may run in this turn; the next runs when this one has its answer."""
        while True:
            if self._asleep is not None and self._asleep.answer is None:
                if self._asleep.sleeps_until_us > now_us:
                    return
                exchange, self._asleep = self._asleep, None
            elif self._waiting:
                exchange = _Exchange(self._engine, *self._waiting.popleft())
            else:
                return
            yield exchange
            if exchange.answer is None:
                self._asleep = exchange
                return

    def close(self) -> None:
        """What has no answer gets none."""
        self._is_closed = True
        for _, future in self._waiting:
            if not future.done():
                future.set_result(None)
        self._waiting.clear()
        if self._asleep is not None:
            self._asleep.release()


class InProcess:
    """A database and its turns."""

    def __init__(self, store: SqliteStore, profile: str, clock: ManualClock) -> None:
        self.store = store
        self.clock = clock
        self.engine = Engine(store, settings=Settings.of(profile), clock=clock)
        self.failed_turns = 0
        self._channels: list[LocalChannel] = []

    async def connect(self) -> LocalChannel:
        channel = LocalChannel(self.engine)
        self._channels.append(channel)
        return channel

    async def run(self, is_over: Callable[[], bool]) -> None:
        """Turns, each with all that waits."""
        while not is_over():
            self.turn()
            # Whoever has been answered may ask again.
            for _ in range(4):
                await asyncio.sleep(0)

    async def answer_to(self, question: Coroutine[Any, Any, T]) -> T:
        """Runs turns until somebody who asks is through."""
        task = asyncio.create_task(question)
        await self.run(task.done)
        return task.result()

    def disconnect(self) -> None:
        for channel in self._channels:
            channel.close()
        self._channels.clear()

    def turn(self) -> None:
        """What is due, a step of each channel, the commit, and then the answers."""
        ran: list[_Exchange] = []
        has_failed = False
        # If this leaves the store in a turn that has failed, the requests notice.
        with suppress(StoreFailed):
            self.engine.run_due()
        try:
            for channel in self._channels:
                for exchange in channel.step(self.clock.now_us()):
                    ran.append(exchange)
                    exchange.step()
        except StoreFailed:
            has_failed = True
        try:
            self.engine.flush()
        except StoreFailed:
            has_failed = True
        self.failed_turns += has_failed
        for exchange in ran:
            if has_failed:
                exchange.fail()
            if exchange.answer is not None:
                exchange.release()
        self.clock.advance(TURN_S)
