"""`Session`: entities read and written through a boto3 client."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
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
from partita.model.sessions.driving import Driver
from partita.model.sessions.pausing import pause
from partita.model.sessions.sync_backfill import Backfilling
from partita.model.sessions.sync_reads import Reads
from partita.model.sessions.sync_uniqueness import Uniqueness
from partita.model.sessions.sync_writes import Writes

T = TypeVar("T")


class Session(Reads, Writes, Uniqueness, Backfilling):
    """Reads and writes entities through `client`, any boto3 client of DynamoDB or of what speaks its API.

        session = Session(boto3.client("dynamodb"), tables={App: "app-prod"})

    `tables` names the tables where they are not called as declared. `now`, `sleep` (seconds), `chance` and
    `timer` (seconds; for the log) are there to be replaced in tests; pauses on a `partita.Database` with a
    manual clock advance that clock. `measure=True` asks every request for its capacity; `log` is called with
    each `Request` once it has ended. At most `threads` requests are under way at once for one call of the
    session. A session may be used from several threads. `close()`, or
    the end of a `with`, ends its threads; the client stays the caller's.

    While the session uses the client, botocore does not repeat a request whose answer never came: whether
    that is safe depends on the write, so `retries` decides it here.
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
        sleep: Callable[[float], object] = pause,
        chance: Random | None = None,
        timer: Callable[[], float] = time.perf_counter,
        threads: int = 16,
    ) -> None:
        # The operating system's: processes that fork must not draw the same tokens.
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
        self._driver = Driver(client, self._meter, sleep, chance, threads)
        self._run = self._driver.run

    def close(self) -> None:
        """Ends the session's threads, once their requests have ended."""
        self._driver.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @overload
    def run(self, of: AccessPattern[T], /, **values: Any) -> T: ...
    @overload
    def run(self, of: Callable[[Context], Flow[T]], /) -> T: ...
    def run(self, of: AccessPattern[T] | Callable[[Context], Flow[T]], /, **values: Any) -> T:
        """What a declared access pattern reads with these values, or what a recipe does.

            page = session.run(ORDERS_OF_CUSTOMER, tenant="42", customer="7", since=monday, until=friday)

        A pattern is counted and logged under its name; that of a query also takes `cursor` and `including`,
        as `query` does. Raises KeyValueError for missing values and ones too many. A recipe (of
        `partita.model.recipes`) is any function that makes a flow of the session's context.
        """
        if not isinstance(of, AccessPattern):
            require_recipe(of, values)
            return self._driver.run(of(self._context, **values))
        with self._meter.pattern(of.name):
            return self._driver.run(of.flow(self._context, values))

    @property
    def consumed(self) -> Mapping[str | None, Consumed]:
        """Requests and capacity units so far, per access pattern; None: outside any."""
        return self._meter.consumed

    def table_name(self, table: type[Table]) -> str:
        """The name in DynamoDB that the session has for a table."""
        return self._context.table_name(table.__schema__)

    def pattern(self, name: str) -> AbstractContextManager[None]:
        """Inside, requests are counted and logged under the access pattern `name`."""
        return self._meter.pattern(name)

    def recording(self) -> AbstractContextManager[list[Sent]]:
        """Inside, every request of the session is kept, from whichever thread, in the list that this gives.

        with session.recording() as sent:
            service.place_order(…)
        print([request.operation for request in sent])
        """
        return self._meter.recording()

    def measuring(self) -> AbstractContextManager[Total]:
        """Inside, capacity is asked for, and summed in what this gives: `total.consumed.units`."""
        return self._meter.measuring()
