"""Drivers: they carry a flow's requests to a client, its pauses to the clock, and the answers back."""

from __future__ import annotations

import asyncio
import contextvars
import re
import threading
from collections.abc import Awaitable, Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from random import Random
from typing import Any, TypeVar

from partita.model.errors import ServiceError, Unreachable
from partita.model.flows.consumption import Meter
from partita.model.flows.flow import Call, Flow, NoAnswer, NotSent, Pause, Refused, Together, Wait
from partita.model.sessions.failures import failure_of
from partita.model.sessions.unanswered import watch, watching

T = TypeVar("T")
_METHODS = ("get_item", "query", "scan", "put_item", "update_item", "transact_write_items", "batch_get_item")
_Failure = Refused | NoAnswer | NotSent

_PARAMETERS = "provide-client-params.dynamodb.GetItem"
"""The event with which a resource's client translates values."""


def require_client(client: Any) -> None:
    """Raises TypeError for what has none of the methods that a session calls."""
    if isinstance(client, type) or not any(callable(getattr(client, name, None)) for name in _METHODS):
        raise TypeError(f"a session needs a client of DynamoDB, and {client!r} is none")


def require_plain(client: Any) -> None:
    """Raises TypeError for what is no client, and for that of a boto3 resource, which would store
    {"S": "x"} as a map.
    """
    if getattr(getattr(client, "meta", None), "client", None) is not None:
        raise TypeError('this is a boto3 resource: give the session a client, boto3.client("dynamodb")')
    require_client(client)
    events = getattr(getattr(client, "meta", None), "events", None)
    if events is None:
        return
    # The registry is asked, not the handlers: those of others have nothing to do with our question. It is
    # botocore's own, and where it should be another one day, the client is taken as it is.
    lookup: Any = getattr(getattr(events, "_emitter", events), "_handlers", None)
    handlers = lookup.prefix_search(_PARAMETERS) if hasattr(lookup, "prefix_search") else ()
    if any(getattr(handler, "__module__", "") == "boto3.dynamodb.transform" for handler in handlers):
        raise TypeError(
            "this is the client of a boto3 resource, which translates values by itself: give the session "
            'boto3.client("dynamodb")'
        )


@cache
def method_name(operation: str) -> str:
    """The client's method for an operation: `TransactWriteItems` is `transact_write_items`."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", operation).lower()


class Driver:
    """Drives flows on a client whose methods answer at once; its `run` may be called from several threads.

    Requests of one `Together` are sent from at most `threads` threads, which live until `close`.
    """

    def __init__(
        self, client: Any, meter: Meter, sleep: Callable[[float], object], chance: Random, threads: int
    ) -> None:
        require_plain(client)
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
        step: Any
        try:
            step = next(flow)
            while True:
                try:
                    answer = self._answer(step)
                except Exception as failure:
                    step = flow.throw(failure)
                else:
                    step = flow.send(answer)
        except StopIteration as end:
            value: T = end.value
            return value
        except (Refused, NoAnswer, NotSent) as failure:
            raise _for_callers(failure) from failure.__cause__
        finally:
            flow.close()

    def close(self) -> None:
        """Ends the threads, once they have nothing more to do. A driver that runs again makes new ones."""
        with self._lock:
            pool, self._pool = self._pool, None
        if pool is not None:
            pool.shutdown()

    def _answer(self, step: Any) -> Any:
        if isinstance(step, Call):
            return self._send(step)
        if isinstance(step, Pause):
            return self._sleep(self._chance.random() * step.most_seconds)
        if isinstance(step, Wait):
            return self._sleep(step.seconds)
        assert isinstance(step, Together)
        return _gathered(step, self._outcomes(step))

    def _outcomes(self, together: Together) -> list[Any]:
        if len(together.calls) == 1:
            return [self._outcome(together.calls[0])]
        with self._lock:
            if self._pool is None:
                self._pool = ThreadPoolExecutor(self._threads, "partita-session")
            pool = self._pool
        # Each request sees the pattern and totals of the caller, not of the thread's last request.
        futures = [
            pool.submit(contextvars.copy_context().run, self._outcome, call) for call in together.calls
        ]
        return [future.result() for future in futures]

    def _outcome(self, call: Call) -> Any:
        try:
            return self._send(call)
        except Exception as failure:
            return failure

    def _send(self, call: Call) -> Mapping[str, Any]:
        method = getattr(self._client, method_name(call.operation))
        with _sending(self._meter, call) as sent:
            sent.answer = method(**sent.parameters)
        return sent.answer


class AsyncDriver:
    """As `Driver`, on a client whose methods are coroutines.

    The loops of the two differ by `await` only. One loop for both would have to be a coroutine that the other
    one drives by hand, which is longer, and stands in every traceback of a session.

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
        require_client(client)
        watch(client)
        self._client = client
        self._meter = meter
        self._sleep = sleep
        self._chance = chance
        self._most = most

    async def run(self, flow: Flow[T]) -> T:
        """As `Driver.run`. Cancelled, it ends the flow."""
        step: Any
        try:
            step = next(flow)
            while True:
                try:
                    answer = await self._answer(step)
                except Exception as failure:
                    step = flow.throw(failure)
                else:
                    step = flow.send(answer)
        except StopIteration as end:
            value: T = end.value
            return value
        except (Refused, NoAnswer, NotSent) as failure:
            raise _for_callers(failure) from failure.__cause__
        finally:
            flow.close()

    async def _answer(self, step: Any) -> Any:
        if isinstance(step, Call):
            return await self._send(step)
        if isinstance(step, Pause):
            return await self._sleep(self._chance.random() * step.most_seconds)
        if isinstance(step, Wait):
            return await self._sleep(step.seconds)
        assert isinstance(step, Together)
        # Made here: a semaphore belongs to the event loop that it is first used in.
        free = asyncio.Semaphore(self._most)

        async def send(call: Call) -> Mapping[str, Any]:
            async with free:
                return await self._send(call)

        outcomes = await asyncio.gather(*map(send, step.calls), return_exceptions=True)
        return _gathered(step, outcomes)

    async def _send(self, call: Call) -> Mapping[str, Any]:
        method = getattr(self._client, method_name(call.operation))
        with _sending(self._meter, call) as sent:
            sent.answer = await method(**sent.parameters)
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


def _for_callers(failure: _Failure) -> ServiceError | Unreachable:
    """What a caller is told of a failure that no flow handled."""
    if isinstance(failure, Refused):
        return ServiceError(failure.code, failure.message)
    return Unreachable(str(failure))


def _gathered(together: Together, outcomes: list[Any]) -> list[Any]:
    for outcome in outcomes:
        if isinstance(outcome, BaseException) and not (together.each and isinstance(outcome, _Failure)):
            raise outcome
    return outcomes
