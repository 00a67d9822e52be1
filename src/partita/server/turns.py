"""Drives the engine by hand: requests that arrive together share one commit, then their answers go out.

A turn opens with the first request and ends when the event loop comes round again, or earlier when it
is full. Coroutines of the engine are resumed here and nowhere else; a task for each would cost more
than the operation.
"""

from __future__ import annotations

import sys
import traceback
from asyncio import AbstractEventLoop, TimerHandle
from collections.abc import Callable, Coroutine, Mapping
from contextlib import suppress
from time import perf_counter
from typing import Any, Protocol

from partita.api.protocol import BODILESS
from partita.engine.clock import Clock, Sleep
from partita.engine.table import Scope
from partita.errors import DynamoDBError, wire
from partita.server.access_log import AccessLog, table_name
from partita.server.exchange import Exchange
from partita.server.limits import Limits
from partita.server.metrics import Metrics
from partita.server.response import Responses
from partita.storage import StoreFailed

_AFTER_FAULT_US = 1_000_000
_WORKS_AFTER_S = 1.0
"""A store works again when it has taken writes for so long and refused none."""


class Engine(Protocol):
    """What the server needs of the engine."""

    def call(self, operation: str, request: object, scope: Scope) -> Coroutine[Sleep, None, Any]: ...

    def flush(self) -> bool: ...

    def abandon(self) -> None: ...

    def run_due(self) -> int | None: ...

    def close(self) -> None: ...


class Slices:
    """Long work in slices that must not run while a turn is open."""

    def __init__(self, step: Callable[[], bool], abandon: Callable[[], None]) -> None:
        self.step = step
        """Does a slice; True when the work is over."""
        self.abandon = abandon
        self.is_over = False
        self.failure: Exception | None = None


class Turns:
    """Runs exchanges, in order, and lets their answers out once they are durable."""

    def __init__(
        self,
        engine: Engine,
        clock: Clock,
        loop: AbstractEventLoop,
        *,
        encode: Callable[[Mapping[str, Any]], bytes],
        responses: Responses,
        metrics: Metrics,
        log: AccessLog | None,
        limits: Limits,
    ) -> None:
        self._engine = engine
        self._clock = clock
        self._loop = loop
        self._encode = encode
        self._responses = responses
        self._metrics = metrics
        self._log = log
        self._turn_requests = limits.turn_requests
        self._turn_bytes = limits.turn_bytes
        self._ran: list[Exchange] = []
        """The exchanges of the open turn; those asleep among them have a coroutine."""
        self._bytes = 0
        self._is_scheduled = False
        self._due_us: int | None = None
        self._timer: TimerHandle | None = None
        self._slices: list[Slices] = []
        self._is_store_failing = False
        self._failed_s = 0.0

    def add(self, exchange: Exchange) -> None:
        """Runs an exchange, or takes one that has its answer already; it is answered at the turn's end."""
        if not self._ran:
            self._open()
        self._ran.append(exchange)
        if self._log is not None:
            exchange.table = table_name(exchange.request)
        scope = exchange.scope
        if scope is not None:
            exchange.coroutine = self._engine.call(exchange.operation, exchange.request, scope)
        # Kept until the turn's end, the requests would push each other out of the processor's caches.
        exchange.request = None
        if exchange.coroutine is not None:
            self._step(exchange, exchange.coroutine)
        self._bytes += exchange.request_bytes
        if len(self._ran) >= self._turn_requests or self._bytes >= self._turn_bytes:
            self._close()

    def run_background(self) -> None:
        """Runs a slice of what is due, makes it durable and sets the alarm for the next."""
        self._timer = None
        if self._ran:
            return
        try:
            self._due_us = self._engine.run_due()
            self._flush()
        except Exception as failure:
            self._report(failure)
            self._due_us = self._clock.now_us() + _AFTER_FAULT_US
        if self._due_us is not None:
            self._timer = self._loop.call_later(self._seconds_until(self._due_us), self.run_background)

    def run_between(self, slices: Slices) -> None:
        """Does the work between turns, a slice after each, and one after the other when there are none."""
        self._slices.append(slices)
        self._loop.call_soon(self._run_slices)

    def finish(self) -> None:
        """Ends the turn that is open, and the background work."""
        if self._ran:
            self._close()
        for slices in self._slices:
            slices.abandon()
        self._slices.clear()
        if self._timer is not None:
            self._timer.cancel()

    def _open(self) -> None:
        if not self._is_scheduled:
            self._is_scheduled = True
            self._loop.call_soon(self._end)
        if self._due_us is not None and self._clock.now_us() >= self._due_us:
            self._due_us = None
            try:
                self._engine.run_due()
            except Exception as failure:
                self._report(failure)

    def _step(self, exchange: Exchange, coroutine: Coroutine[Sleep, None, Any]) -> None:
        try:
            sleep = coroutine.send(None)
        except StopIteration as stop:
            answer = stop.value
            if answer or exchange.operation not in BODILESS:
                exchange.body = self._encode(answer)
        except DynamoDBError as error:
            exchange.fail(error)
        except StoreFailed as failure:
            self._report(failure)
            self._close(has_failed=True)
            return
        except Exception:
            # A defect can strike between two rows of one write, or leave memory ahead of the rows.
            report()
            self._engine.abandon()
            self._close(has_failed=True)
            return
        else:
            self._sleep(exchange, sleep.until_us)
            return
        exchange.coroutine = None

    def _sleep(self, exchange: Exchange, until_us: int) -> None:
        exchange.timer = self._loop.call_later(self._seconds_until(until_us), self._awake, exchange, until_us)

    def _awake(self, exchange: Exchange, until_us: int) -> None:
        exchange.timer = None
        if self._clock.now_us() < until_us:
            self._sleep(exchange, until_us)
            return
        if not self._ran:
            self._open()
        if exchange not in self._ran:
            self._ran.append(exchange)
        if exchange.coroutine is not None:
            self._step(exchange, exchange.coroutine)

    def _seconds_until(self, until_us: int) -> float:
        return max(0, until_us - self._clock.now_us()) / 1_000_000

    def _end(self) -> None:
        self._is_scheduled = False
        if self._ran:
            self._close()

    def _close(self, has_failed: bool = False) -> None:
        """Commits the turn and lets its answers out; if it could not be made durable, 500s."""
        ran, self._ran = self._ran, []
        self._bytes = 0
        try:
            self._flush()
        except Exception as failure:
            has_failed = True
            self._report(failure)
        if has_failed:
            for exchange in ran:
                self._undo(exchange)
        self._release(ran)
        if self._timer is not None:
            self._timer.cancel()
        self.run_background()
        if self._slices:
            self._run_slices()

    def _flush(self) -> None:
        has_written = self._engine.flush()
        # A turn that only read says nothing of a disk that is full.
        if has_written and self._is_store_failing:
            self._note_success()

    def _run_slices(self) -> None:
        if self._ran or not self._slices:
            return
        slices = self._slices[0]
        try:
            slices.is_over = slices.step()
        except Exception as failure:
            slices.failure = failure
            slices.is_over = True
        if slices.is_over:
            self._slices.pop(0)
        if self._slices:
            self._loop.call_soon(self._run_slices)

    def _release(self, ran: list[Exchange]) -> None:
        """Lets the answers out, those of sleepers excepted."""
        responses, metrics, log = self._responses, self._metrics, self._log
        responses.refresh()
        metrics.turns += 1
        now_s = perf_counter()
        for exchange in ran:
            if exchange.coroutine is not None:
                continue
            response = responses.of(exchange)
            latency_s = now_s - exchange.began_s
            metrics.count(exchange.operation, exchange.error, latency_s)
            if log is not None:
                log.add(exchange, len(response), latency_s, responses.last_id)
            try:
                exchange.connection.answer(exchange, response)
            except Exception:
                # The others of this turn must not lose their answers.
                report()
                exchange.connection.abort()
        if log is not None:
            log.flush()

    def _undo(self, exchange: Exchange) -> None:
        """What ran in a turn that was lost has failed; what was answered without the engine has not."""
        if exchange.scope is None:
            return
        if exchange.coroutine is not None:
            exchange.coroutine.close()
            exchange.coroutine = None
        if exchange.timer is not None:
            exchange.timer.cancel()
            exchange.timer = None
        exchange.fail(wire.internal_error())

    def _report(self, failure: Exception) -> None:
        """Notes once that the store fails, and whatever else goes wrong each time."""
        if not isinstance(failure, StoreFailed):
            report()
            return
        self._failed_s = perf_counter()
        if not self._is_store_failing:
            self._is_store_failing = True
            _say(f"the store fails, requests are answered with 500: {failure}")

    def _note_success(self) -> None:
        """A small write may still fit where others do not, so one alone does not end the failing."""
        if perf_counter() - self._failed_s > _WORKS_AFTER_S:
            self._is_store_failing = False
            _say("the store works again")


def report() -> None:
    """Writes the traceback of the exception being handled to the log; it is never sent to a client."""
    # The log may be on the very disk that is full, or its reader gone: answers must go out all the same.
    with suppress(OSError, ValueError):
        traceback.print_exc(file=sys.stderr)


def _say(line: str) -> None:
    with suppress(OSError, ValueError):
        print(f"partita: {line}", file=sys.stderr)
