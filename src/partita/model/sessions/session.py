"""`Session`: entities read and written through a boto3 client."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Self, TypeVar, Unpack, overload

from partita.model.flows.context import Context
from partita.model.flows.flow import Flow
from partita.model.flows.patterns import AccessPattern
from partita.model.sessions.driving import Driver
from partita.model.sessions.pausing import pause
from partita.model.sessions.state import SessionOptions
from partita.model.sessions.sync_reads import Reads
from partita.model.sessions.sync_upkeep import Upkeep
from partita.model.sessions.sync_writes import Writes

T = TypeVar("T")


class Session(Reads, Writes, Upkeep):
    """Reads and writes entities through `client`, any boto3 client of DynamoDB or of what speaks its API.

        session = Session(boto3.client("dynamodb"), tables={App: "app-prod"})

    `sleep` (seconds) is there to be replaced in tests; pauses on a `partita.Database` with a manual clock
    advance that clock. At most `threads` requests are under way at once for one call of the session. The
    other options: see SessionOptions. A session may be used from several threads. `close()`, or the end of a
    `with`, ends its threads; the client stays the caller's.

    While the session uses the client, botocore does not repeat a request whose answer never came: whether
    that is safe depends on the write, so `retries` decides it here.
    """

    def __init__(
        self,
        client: Any,
        *,
        sleep: Callable[[float], object] = pause,
        threads: int = 16,
        **options: Unpack[SessionOptions],
    ) -> None:
        super().__init__(**options)
        self._driver = Driver(client, self._meter, sleep, self._chance, threads)

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
        with self._named(of):
            return self._run(self._asked(of, values))
