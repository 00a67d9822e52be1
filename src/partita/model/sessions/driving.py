"""Drivers: they carry a flow's requests to a client, its pauses to the clock, and the answers back."""

from __future__ import annotations

import asyncio
import contextvars
import threading
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from random import Random
from typing import Any, TypeVar

from partita.model.flows.consumption import Meter
from partita.model.flows.flow import Call, Flow, Step, Together
from partita.model.sessions.clients import (
    method_name,
    require_answer,
    require_awaitable,
    require_awaited,
    require_waiting,
)
from partita.model.sessions.failures import failure_of
from partita.model.sessions.steps import Steps, gathered, seconds_of
from partita.model.sessions.unanswered import watch, watching

T = TypeVar("T")


class Driver:
    """Drives flows on a client whose methods answer at once; its `run` may be called from several threads.

    Requests of one `Together` are sent from at most `threads` threads, which live until `close`.
    """

    def __init__(
        self, client: Any, meter: Meter, sleep: Callable[[float], object], chance: Random, threads: int
    ) -> None:
        require_waiting(client)
        watch(client)
        self._client = client
        self._meter = meter
        self._sleep = sleep
        self._chance = chance
        self._threads = threads
        self._pool: ThreadPoolExecutor | None = None
        self._lock = threading.Lock()

    def run(self, flow: Flow[T]) -> T:
        """What the flow returns. Failures that it does not handle become ServiceError or Unreachable."""
        steps = Steps(flow)
        try:
            for step in steps:
                steps.outcome = self._outcome(step)
            return steps.returned
        finally:
            flow.close()

    def close(self) -> None:
        """Ends the threads, once they have nothing more to do. A driver that runs again makes new ones."""
        with self._lock:
            pool, self._pool = self._pool, None
        if pool is not None:
            pool.shutdown()

    def _outcome(self, step: Step) -> Any:
        """The answer to a step, or the exception that it ended with."""
        try:
            if isinstance(step, Call):
                return self._send(step)
            if isinstance(step, Together):
                return gathered(step, self._side_by_side(step.calls))
            return self._sleep(seconds_of(step, self._chance))
        except Exception as failure:
            return failure

    def _side_by_side(self, calls: Sequence[Call]) -> list[Any]:
        if len(calls) == 1:
            return [self._outcome(calls[0])]
        with self._lock:
            if self._pool is None:
                self._pool = ThreadPoolExecutor(self._threads, "partita-session")
            pool = self._pool
        # Each request sees the pattern and totals of the caller, not of the thread's last request.
        futures = [pool.submit(contextvars.copy_context().run, self._outcome, call) for call in calls]
        return [future.result() for future in futures]

    def _send(self, call: Call) -> Mapping[str, Any]:
        method = getattr(self._client, method_name(call.operation))
        with _sending(self._meter, call) as sent:
            sent.answer = method(**sent.parameters)
            require_answer(call.operation, sent.answer)
        return sent.answer


class AsyncDriver:
    """As `Driver`, on a client whose methods are coroutines.

    Of one `Together`, at most `most` requests are under way at once.
    """

    def __init__(
        self,
        client: Any,
        meter: Meter,
        sleep: Callable[[float], Awaitable[object]],
        chance: Random,
        most: int,
    ) -> None:
        require_awaited(client)
        watch(client)
        self._client = client
        self._meter = meter
        self._sleep = sleep
        self._chance = chance
        self._most = most

    async def run(self, flow: Flow[T]) -> T:
        """As `Driver.run`. Cancelled, it ends the flow."""
        steps = Steps(flow)
        try:
            for step in steps:
                steps.outcome = await self._outcome(step)
            return steps.returned
        finally:
            flow.close()

    async def _outcome(self, step: Step) -> Any:
        try:
            if isinstance(step, Call):
                return await self._send(step)
            if isinstance(step, Together):
                return gathered(step, await self._side_by_side(step.calls))
            return await self._sleep(seconds_of(step, self._chance))
        except Exception as failure:
            return failure

    async def _side_by_side(self, calls: Sequence[Call]) -> list[Any]:
        # Made here: a semaphore belongs to the event loop that it is first used in.
        free = asyncio.Semaphore(self._most)

        async def outcome(call: Call) -> Any:
            async with free:
                return await self._outcome(call)

        return await asyncio.gather(*map(outcome, calls), return_exceptions=True)

    async def _send(self, call: Call) -> Mapping[str, Any]:
        method = getattr(self._client, method_name(call.operation))
        with _sending(self._meter, call) as sent:
            answering = method(**sent.parameters)
            require_awaitable(call.operation, answering)
            sent.answer = await answering
        return sent.answer


@dataclass(slots=True)
class _Sent:
    """A request under way: what it is sent with, and then its answer."""

    parameters: dict[str, Any]
    answer: Mapping[str, Any] = field(default_factory=dict)


@contextmanager
def _sending(meter: Meter, call: Call) -> Iterator[_Sent]:
    """Around the sending of a request: it is measured, and what the client raises becomes ours."""
    sent = _Sent(meter.parameters(call))
    started = meter.timer()
    try:
        with watching():
            yield sent
    except Exception as error:
        meter.ended(call, started, {}, error)
        failure = failure_of(error)
        if failure is None or failure is error:
            raise
        raise failure from error
    meter.ended(call, started, sent.answer, None)
