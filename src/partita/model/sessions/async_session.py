"""`AsyncSession`: entities read and written through an aiobotocore client."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, Self, TypeVar, Unpack, overload

from partita.model.flows.context import Context
from partita.model.flows.flow import Flow
from partita.model.flows.patterns import AccessPattern
from partita.model.sessions.async_reads import AsyncReads
from partita.model.sessions.async_upkeep import AsyncUpkeep
from partita.model.sessions.async_writes import AsyncWrites
from partita.model.sessions.driving import AsyncDriver
from partita.model.sessions.pausing import pause_async
from partita.model.sessions.state import SessionOptions

T = TypeVar("T")


class AsyncSession(AsyncReads, AsyncWrites, AsyncUpkeep):
    """As `Session`, through a client of aiobotocore or any whose methods are coroutines.

    It has no threads: `threads` bounds how many requests are under way at once for one call of it, and
    nothing has to be closed; `close()` and `async with` are there as in `Session`.
    """

    def __init__(
        self,
        client: Any,
        *,
        sleep: Callable[[float], Awaitable[object]] = pause_async,
        threads: int = 16,
        **options: Unpack[SessionOptions],
    ) -> None:
        super().__init__(**options)
        self._driver = AsyncDriver(client, self._meter, sleep, self._chance, threads)

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
        with self._named(of):
            return await self._run(self._asked(of, values))
