"""Who answers the cases: anything with this protocol; here the engine in memory, on a clock that stands."""

from __future__ import annotations

import json
from collections.abc import Callable, Coroutine
from typing import Any, Protocol

from tests.facts.answers import Answer

from partita.api import encode
from partita.engine.clock import ManualClock, Sleep
from partita.engine.engine import Engine
from partita.engine.settings import Settings
from partita.engine.table import Scope
from partita.errors import DynamoDBError
from partita.storage.sqlite import SqliteStore

ACCOUNT = "000000000000"
REGION = "eu-central-1"


class Client(Protocol):
    """A database of its own."""

    def send(self, operation: str, request: Any) -> Answer: ...

    def begin(self, operation: str, request: Any) -> Callable[[], Answer]:
        """Starts a request that does not end at once; calling the result waits for its answer."""
        ...

    def advance(self, seconds: float) -> None: ...

    def close(self) -> None: ...


ClientFactory = Callable[[str], Client]
"""Makes a client of an empty database, given the consistency profile."""


class EngineClient:
    """The engine on a store in memory, driven by hand."""

    def __init__(self, profile: str = "instant") -> None:
        self._clock = ManualClock()
        store = SqliteStore(":memory:", now_us=self._clock.now_us)
        self._engine = Engine(store, settings=Settings.of(profile), clock=self._clock, seed=1)
        self._scope = Scope(ACCOUNT, REGION)

    def send(self, operation: str, request: Any) -> Answer:
        work = self._engine.call(operation, request, self._scope)
        return self._finish(operation, work, self._step(operation, work))

    def begin(self, operation: str, request: Any) -> Callable[[], Answer]:
        work = self._engine.call(operation, request, self._scope)
        state = self._step(operation, work)
        if isinstance(state, Answer):
            raise AssertionError(f"{operation} was answered at once: {state}")
        return lambda: self._finish(operation, work, state)

    def advance(self, seconds: float) -> None:
        self._clock.advance(seconds)
        self._settle()

    def close(self) -> None:
        self._engine.close()

    def _settle(self) -> None:
        for _ in range(10_000):
            due_us = self._engine.run_due()
            if due_us is None or due_us > self._clock.now_us():
                break
        else:
            raise AssertionError("the background work does not come to an end")
        self._engine.flush()

    def _step(self, operation: str, work: Coroutine[Sleep, None, dict[str, Any]]) -> Answer | Sleep:
        self._engine.run_due()
        try:
            return work.send(None)
        except StopIteration as stop:
            answer = Answer(200, json.loads(encode(stop.value)))
        except DynamoDBError as failure:
            answer = Answer(failure.status, json.loads(encode(failure.body(operation))))
        finally:
            self._engine.flush()
        return answer

    def _finish(
        self, operation: str, work: Coroutine[Sleep, None, dict[str, Any]], state: Answer | Sleep
    ) -> Answer:
        while not isinstance(state, Answer):
            wait_us = state.until_us - self._clock.now_us()
            self._clock.advance(max(wait_us, 0) / 1_000_000)
            state = self._step(operation, work)
        return state
