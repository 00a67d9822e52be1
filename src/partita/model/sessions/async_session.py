"""`AsyncSession`: entities read and written through an aiobotocore client."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AbstractContextManager
from datetime import datetime
from random import Random, SystemRandom
from typing import Any, Self, TypeVar, overload

from partita.model.declaring.table import Table
from partita.model.flows.consumption import Consumed, Meter, Request, Sent, Total
from partita.model.flows.context import Context, utc_now
from partita.model.flows.flow import Flow
from partita.model.flows.patterns import AccessPattern, require_recipe
from partita.model.flows.retries import Retries
from partita.model.flows.written import SECONDS_REMEMBERED, WRITES_REMEMBERED, Written
from partita.model.sessions.async_backfill import AsyncBackfilling
from partita.model.sessions.async_reads import AsyncReads
from partita.model.sessions.async_uniqueness import AsyncUniqueness
from partita.model.sessions.async_writes import AsyncWrites
from partita.model.sessions.driving import AsyncDriver
from partita.model.sessions.pausing import pause_async

T = TypeVar("T")


class AsyncSession(AsyncReads, AsyncWrites, AsyncUniqueness, AsyncBackfilling):
    """As `Session`, through a client of aiobotocore or any whose methods are coroutines.

    It has no threads: `threads` bounds how many requests are under way at once for one call of it, and
    nothing has to be closed; `close()` and `async with` are there as in `Session`.
    """

    def __init__(
        self,
        client: Any,
        *,
        tables: Mapping[Any, str] | None = None,
        cursor_key: bytes | None = None,
        retries: Retries | None = None,
        measure: bool = False,
        log: Callable[[Request], object] | None = None,
        now: Callable[[], datetime] = utc_now,
        sleep: Callable[[float], Awaitable[object]] = pause_async,
        chance: Random | None = None,
        timer: Callable[[], float] = time.perf_counter,
        threads: int = 16,
    ) -> None:
        chance = SystemRandom() if chance is None else chance
        self._context = Context(
            tables=dict(tables or {}),
            retries=retries or Retries(),
            now=now,
            token=lambda: f"{chance.getrandbits(128):032x}",
            written=Written(WRITES_REMEMBERED, SECONDS_REMEMBERED, now),
            cursor_key=cursor_key,
        )
        self._meter = Meter(measure, log, timer)
        self._driver = AsyncDriver(client, self._meter, sleep, chance, threads)
        self._run = self._driver.run

    async def close(self) -> None:
        """As `Session.close`: the client stays the caller's."""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    @overload
    async def run(self, of: AccessPattern[T], /, **values: Any) -> T: ...
    @overload
    async def run(self, of: Callable[[Context], Flow[T]], /) -> T: ...
    async def run(self, of: AccessPattern[T] | Callable[[Context], Flow[T]], /, **values: Any) -> T:
        """As `Session.run`."""
        if not isinstance(of, AccessPattern):
            require_recipe(of, values)
            return await self._driver.run(of(self._context, **values))
        with self._meter.pattern(of.name):
            return await self._driver.run(of.flow(self._context, values))

    @property
    def consumed(self) -> Mapping[str | None, Consumed]:
        """As `Session.consumed`."""
        return self._meter.consumed

    def table_name(self, table: type[Table]) -> str:
        """As `Session.table_name`."""
        return self._context.table_name(table.__schema__)

    def pattern(self, name: str) -> AbstractContextManager[None]:
        """As `Session.pattern`; tasks started inside inherit it."""
        return self._meter.pattern(name)

    def recording(self) -> AbstractContextManager[list[Sent]]:
        """As `Session.recording`."""
        return self._meter.recording()

    def measuring(self) -> AbstractContextManager[Total]:
        """As `Session.measuring`."""
        return self._meter.measuring()
