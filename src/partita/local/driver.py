"""Drives the engine in this process: one request, one turn, one commit, under one lock."""

from __future__ import annotations

import ctypes
import os
import threading
from collections.abc import Coroutine
from typing import Any, NoReturn
from weakref import WeakSet

import orjson

from partita import api
from partita.engine.clock import Clock, Sleep
from partita.engine.engine import Engine
from partita.engine.settings import Settings
from partita.engine.table import Scope
from partita.errors import DynamoDBError, SerializationException, wire
from partita.local.waiting import Waiting
from partita.storage import Store, StoreFailed


class Driver:
    """Owns the store and the engine on it. Safe from any thread and any event loop.

    The lock is held while a request computes, never while it waits: a request that sleeps commits what
    it did so far, lets others in, and goes on when the clock has come to the time it waits for.
    """

    def __init__(self, store: Store, settings: Settings, clock: Clock, seed: int, *, in_file: bool) -> None:
        self.store = store
        self.settings = settings
        self.clock = clock
        self.seed = seed
        self.in_file = in_file
        self.lock = threading.Lock()
        self._waiting = Waiting(clock, self.lock)
        self._engine: Engine | _Refusing = self._new_engine()
        with _registering:
            _drivers.add(self)

    def run(self, operation: str, request: object, scope: Scope) -> dict[str, Any]:
        """The answer, as the engine gives it; raises DynamoDBError in the operation's own words."""
        with self.lock:
            engine = self._engine
            coroutine = engine.call(operation, request, scope)
            outcome = self._turn(engine, coroutine, operation)
        while type(outcome) is Sleep:
            try:
                self._waiting.wait(outcome.until_us)
            except BaseException:
                self._abandon(coroutine)
                raise
            with self.lock:
                outcome = self._turn(engine, coroutine, operation)
        return outcome  # type: ignore[return-value]

    async def run_async(self, operation: str, request: object, scope: Scope) -> dict[str, Any]:
        """As `run`; while the request sleeps, the event loop goes on."""
        with self.lock:
            engine = self._engine
            coroutine = engine.call(operation, request, scope)
            outcome = self._turn(engine, coroutine, operation)
        while type(outcome) is Sleep:
            try:
                await self._waiting.wait_async(outcome.until_us)
            except BaseException:
                self._abandon(coroutine)
                raise
            with self.lock:
                outcome = self._turn(engine, coroutine, operation)
        return outcome  # type: ignore[return-value]

    def wait_ms(self, duration_ms: int) -> None:
        """Until the clock is so far on; a manual one is advanced, as by a request that sleeps."""
        self._waiting.wait(self.clock.now_us() + duration_ms * 1000)

    def _turn(
        self, engine: Engine | _Refusing, coroutine: Coroutine[Sleep, None, dict[str, Any]], operation: str
    ) -> dict[str, Any] | Sleep:
        """Takes the coroutine to its end or its next sleep, and commits. The caller holds the lock."""
        if engine is not self._engine:
            coroutine.close()
            raise wire.internal_error()
        outcome: dict[str, Any] | Sleep
        try:
            due_us = engine.run_due()
            if due_us is not None and due_us <= self.clock.now_us():
                self._catch_up(engine)
            try:
                outcome = coroutine.send(None)
            except StopIteration as stop:
                outcome = stop.value
            except DynamoDBError as error:
                engine.flush()
                _word(error, operation)
                raise
            engine.flush()
        except DynamoDBError:
            raise
        except StoreFailed as failure:
            coroutine.close()
            engine.abandon()
            raise wire.internal_error() from failure
        except (UnicodeEncodeError, orjson.JSONEncodeError):
            # A lone surrogate, which no JSON can carry.
            coroutine.close()
            engine.abandon()
            raise SerializationException from None
        except BaseException:
            # An interrupt or a defect can strike between two rows of one write: none of it may stay.
            coroutine.close()
            engine.abandon()
            raise
        return outcome

    def _catch_up(self, engine: Engine | _Refusing) -> None:
        """Runs what is due to its end, as after `clock.advance`; with a limit, since work can make work."""
        for _ in range(_CATCH_UP):
            engine.flush()
            due_us = engine.run_due()
            if due_us is None or due_us > self.clock.now_us():
                return

    def _abandon(self, coroutine: Coroutine[Sleep, None, dict[str, Any]]) -> None:
        """Ends a request whose caller was interrupted while it waited."""
        with self.lock:
            coroutine.close()

    def copy(self) -> object:
        """A copy of all rows, for `restore` here and in databases forked from it."""
        with self.lock:
            self._engine.flush()
            return self.store.snapshot()

    def restore(self, snapshot: object) -> None:
        """Requests that are waiting meanwhile fail with InternalServerError."""
        with self.lock:
            self._engine.flush()
            self.store.restore(snapshot)
            self._engine = self._new_engine()

    def fork(self, snapshot: object, clock: Clock, seed: int) -> Driver:
        with self.lock:
            self._engine.flush()
            store = self.store.fork(snapshot, clock.now_us)
        return Driver(store, self.settings, clock, seed, in_file=False)

    @property
    def is_closed(self) -> bool:
        return isinstance(self._engine, _Refusing)

    def close(self) -> None:
        """Closes the store; a second call does nothing."""
        with self.lock:
            engine = self._engine
            if isinstance(engine, Engine):
                self._engine = _Refusing("this partita.Database is closed")
                engine.close()

    def begin_in_child(self) -> None:
        """Called in a forked child, where no other thread goes on."""
        self._waiting = Waiting(self.clock, self.lock)
        if self.in_file and isinstance(self._engine, Engine):
            # A database file has one process, and that is the parent. SQLite would take the child's copy of
            # the connection for the file's owner and, when the child ends, tidy up the parent's log. So the
            # copy is never freed.
            for kept in (self._engine, self.store):
                ctypes.pythonapi.Py_IncRef(ctypes.py_object(kept))
            self._engine = _Refusing(
                "this partita.Database was opened from a file by the parent process, and a file has one "
                "process: open databases after forking, or connect both to `partita serve`"
            )

    def _new_engine(self) -> Engine:
        return Engine(self.store, settings=self.settings, clock=self.clock, seed=self.seed)


def _word(error: DynamoDBError, operation: str) -> None:
    """Makes `str(error)` what the operation answers, and the members plain dicts."""
    words = error.words(operation)
    error.args = () if words is None else (words,)
    if error.members:
        error.members = orjson.loads(api.encode(error.members))


class _Refusing:
    """Stands where the engine was and says why there is none."""

    def __init__(self, reason: str) -> None:
        self._reason = reason

    def call(self, operation: str, request: object, scope: Scope) -> NoReturn:
        raise RuntimeError(self._reason)

    def run_due(self) -> NoReturn:
        raise RuntimeError(self._reason)

    def flush(self) -> NoReturn:
        raise RuntimeError(self._reason)

    def abandon(self) -> None:
        """There is nothing to undo."""


_CATCH_UP = 10_000
"""Rounds of background work that one request may wait for."""
_registering = threading.Lock()
_drivers: WeakSet[Driver] = WeakSet()
_held: list[Driver] = []


def _before_fork() -> None:
    # No request of another thread is cut in two by the fork, and the child finds the locks free.
    _registering.acquire()
    for driver in sorted(_drivers, key=id):
        driver.lock.acquire()
        _held.append(driver)


def _after_fork_in_parent() -> None:
    while _held:
        _held.pop().lock.release()
    _registering.release()


def _after_fork_in_child() -> None:
    while _held:
        driver = _held.pop()
        driver.lock.release()
        driver.begin_in_child()
    _registering.release()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(
        before=_before_fork,
        after_in_parent=_after_fork_in_parent,
        after_in_child=_after_fork_in_child,
    )
