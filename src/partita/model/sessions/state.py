"""What a session has and tells, whether its methods wait or are awaited."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from datetime import datetime
from random import Random, SystemRandom
from typing import Any, TypedDict, TypeVar

from partita.model.declaring.table import Table, required_table
from partita.model.flows.consumption import Consumed, Meter, Request, Sent, Total
from partita.model.flows.context import Context, utc_now
from partita.model.flows.flow import Flow
from partita.model.flows.patterns import AccessPattern, require_recipe
from partita.model.flows.retries import Retries
from partita.model.flows.written import SECONDS_REMEMBERED, WRITES_REMEMBERED, Written
from partita.model.sessions.driving import AsyncDriver, Driver
from partita.model.values.attribute_values import shortened

T = TypeVar("T")


class SessionOptions(TypedDict, total=False):
    """How a session works.

    - tables: the tables that are not called as declared, and their names in DynamoDB
    - cursor_key: signs cursors, so that only those of sessions with this key are taken
    - retries: how often, and after which pauses, a request is sent again
    - measure: asks every request for its capacity
    - log: called with each `Request` once it has ended
    - now, chance, timer (seconds; for the log): there to be replaced in tests
    """

    tables: Mapping[Any, str] | None
    cursor_key: bytes | None
    retries: Retries | None
    measure: bool
    log: Callable[[Request], object] | None
    now: Callable[[], datetime]
    chance: Random | None
    timer: Callable[[], float]


class State:
    """The settings of a session, and what it has measured."""

    def __init__(
        self,
        *,
        tables: Mapping[Any, str] | None = None,
        cursor_key: bytes | None = None,
        retries: Retries | None = None,
        measure: bool = False,
        log: Callable[[Request], object] | None = None,
        now: Callable[[], datetime] = utc_now,
        chance: Random | None = None,
        timer: Callable[[], float] = time.perf_counter,
    ) -> None:
        if cursor_key is not None and not (isinstance(cursor_key, bytes) and cursor_key):
            raise TypeError(
                f"cursor_key is a secret of bytes that is not empty, not {type(cursor_key).__name__}"
            )
        if tables is not None and not isinstance(tables, Mapping):
            raise TypeError(
                f"tables= maps tables to their names, as in {{App: 'app-prod'}}; not {shortened(tables)}"
            )
        for name, given, fits, what in (
            ("now", now, callable(now), "a function"),
            ("timer", timer, callable(timer), "a function"),
            ("log", log, log is None or callable(log), "a function"),
            ("retries", retries, isinstance(retries, Retries | None), "Retries(…)"),
            ("chance", chance, isinstance(chance, Random | None), "Random(…)"),
        ):
            if not fits:
                raise TypeError(f"{name}= is {what}, not {shortened(given)}")
        # The operating system's: processes that fork must not draw the same tokens.
        source = SystemRandom() if chance is None else chance
        self._chance = source
        self._context = Context(
            tables=dict(tables or {}),
            retries=retries or Retries(),
            now=now,
            token=lambda: f"{source.getrandbits(128):032x}",
            written=Written(WRITES_REMEMBERED, SECONDS_REMEMBERED, now),
            cursor_key=cursor_key,
        )
        self._meter = Meter(measure, log, timer)

    @property
    def consumed(self) -> Mapping[str | None, Consumed]:
        """Requests and capacity units so far, per access pattern; None: outside any."""
        return self._meter.consumed

    def table_name(self, table: type[Table]) -> str:
        """The name in DynamoDB that the session has for a table. Raises TypeError for what is none."""
        return self._context.table_name(required_table(table).__schema__)

    def pattern(self, name: str) -> AbstractContextManager[None]:
        """Inside, requests are counted and logged under the access pattern `name`.

        Tasks that are started there inherit it.
        """
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

    def _asked(
        self, of: AccessPattern[T] | Callable[[Context], Flow[T]], values: Mapping[str, Any]
    ) -> Flow[T]:
        """The read that an access pattern is with these values, or what a recipe does."""
        if isinstance(of, AccessPattern):
            return of.flow(self._context, values)
        require_recipe(of, values)
        return of(self._context)

    def _named(self, of: object) -> AbstractContextManager[None]:
        """Inside, requests are those of an access pattern, or of nobody in particular."""
        return self._meter.pattern(of.name) if isinstance(of, AccessPattern) else nullcontext()


class Driven(State):
    """A session whose methods wait for what they give."""

    _driver: Driver

    def _run(self, flow: Flow[T]) -> T:
        return self._driver.run(flow)


class AsyncDriven(State):
    """A session whose methods are awaited."""

    _driver: AsyncDriver

    def _run(self, flow: Flow[T]) -> Awaitable[T]:
        return self._driver.run(flow)
