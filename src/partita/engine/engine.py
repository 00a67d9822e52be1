"""The database: takes requests as coroutines and runs its background work, driven from outside.

Whoever drives it (the server, or `partita.local` in your own process) does, in this order: `run_due`; each
request's coroutine by `send(None)` (a yielded Sleep: go on when the clock has reached it); `flush`; and only
then lets the answers out.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from partita.api import check, decode
from partita.engine.agenda import Agenda, drive
from partita.engine.catalogue import Catalogue
from partita.engine.chance import Chance
from partita.engine.clock import Clock, Sleep
from partita.engine.clock_offset import ClockOffset
from partita.engine.counters import Counters
from partita.engine.follower import Follower
from partita.engine.holds import Holds
from partita.engine.lifecycle import resume
from partita.engine.operations import OPERATIONS
from partita.engine.recent import Recent
from partita.engine.requests import RequestNumber
from partita.engine.settings import Settings
from partita.engine.table import Scope
from partita.engine.tokens import Tokens
from partita.engine.writes import Effect, Write, Writer
from partita.errors import ConditionalCheckFailedException, DynamoDBError, UnknownOperationException
from partita.errors import items as errors
from partita.storage import Store, StoreFailed

BUDGET_BYTES = 40 * 1024
"""Written by background work, after which it lets requests run: a few slices of it, some milliseconds."""
BUDGET_SLICES = 16
"""Slices of background work (about 1 ms each at most) that may run before a request."""


class Engine:
    """One database on one store. Not safe for several threads at once; see `partita.local` for those."""

    def __init__(self, store: Store, *, settings: Settings, clock: Clock, seed: int = 0) -> None:
        self.store = store
        self.settings = settings
        self.clock = clock
        self.seed = seed
        self.agenda = Agenda(clock)
        self.catalogue = Catalogue(store)
        self.counters = Counters(store)
        self.holds = Holds()
        self.recent = Recent(settings.read_lag_ms * 1000)
        self.tokens = Tokens(settings.token_seconds * 1_000_000)
        self.follower = Follower(self)
        self.requests = RequestNumber(store)
        self.clock_offset = ClockOffset(store, clock)
        self.writer = Writer(
            global_indexes_lag=settings.has_index_lag,
            keeps_log=settings.keeps_log,
            collection_limit_bytes=settings.collection_limit_bytes,
        )
        self._is_in_doubt = False
        """Whether memory may differ from the rows: then they are read again before anything else."""
        self._load()
        self.store.commit()

    async def call(self, operation: str, request: Any, scope: Scope) -> dict[str, Any]:
        """Answers one request of the API; `request` is its decoded JSON body. Raises DynamoDBError."""
        handler = OPERATIONS.get(operation)
        if handler is None:
            raise UnknownOperationException
        if self._is_in_doubt:
            self.recover()
        self.requests.number += 1
        try:
            return await handler(self, check(operation, request), scope)
        except ConditionalCheckFailedException:
            # A condition is only asked once every value of the request has been found right.
            raise
        except DynamoDBError:
            # A value of the wrong JSON type anywhere is reported before anything else (fact 2.1).
            decode(operation, request)
            raise

    async def pause(self, until_us: int = 0) -> None:
        """Lets others run, at least until the clock has come to `until_us`. StoreFailed: as `recover`."""
        await Sleep(until_us)
        if self._is_in_doubt:
            self.recover()

    def run_due(self, slices: int = BUDGET_SLICES) -> int | None:
        """Runs background work that is due, within a budget of slices and bytes; when the next is due, in µs.

        If a slice raises, the turn is undone, and the rows put the work on the agenda again.
        """
        if self._is_in_doubt:
            self.recover()
        if self.agenda.next_due_us is None:
            return None
        for _ in range(slices):
            job = self.agenda.take_due()
            if job is None:
                break
            try:
                drive(job())
            except BaseException:
                self.abandon()
                raise
            if self.store.turn_writes >= BUDGET_BYTES:
                break
        return self.agenda.next_due_us

    def flush(self) -> bool:
        """Makes the turn durable; whether it wrote.

        StoreFailed: all that ran in it is undone and has failed.
        """
        try:
            if self._is_in_doubt:
                self.recover()
            if self.counters.changed:
                self.counters.flush()
            if self.requests.was_drawn:
                self.requests.flush()
            self.clock_offset.flush()
            return self.store.commit()
        except BaseException:
            with suppress(StoreFailed):
                self.recover()
            raise

    def abandon(self) -> None:
        """Undoes a turn that broke off half-way; what memory holds is read again before anything else."""
        self._is_in_doubt = True
        self.store.rollback()

    def recover(self) -> None:
        """Undoes a failed turn and reads again what memory holds of the store's rows.

        StoreFailed: they cannot be read; the next request tries again before anything else.
        """
        self.abandon()
        self.agenda.clear()
        try:
            self._load()
            self.store.commit()
        except StoreFailed:
            self.store.rollback()
            raise
        self._is_in_doubt = False

    def close(self) -> None:
        """Ends the turn and closes the store. StoreFailed: what ran in the turn is lost."""
        try:
            if not self._is_in_doubt:
                self.flush()
        finally:
            self.store.close()

    def chance(self) -> Chance:
        """The draws of the current request."""
        return Chance(self.seed, self.requests.take())

    # -- writes
    async def write(self, write: Write) -> Effect:
        """Carries out one write; TransactionConflictException if a transaction holds the item."""
        if self.holds.is_held(write.table.space, write.place):
            raise errors.transaction_conflict()
        touches, decide = self.writer.one(write)
        effect: Effect = await self.store.transact(touches, decide)
        self.wrote((effect,))
        return effect

    def wrote(self, effects: Sequence[Effect]) -> None:
        """Takes note of effects that the store has taken: counts, recent versions, what follows the log."""
        has_lag = self.settings.has_index_lag
        for effect in effects:
            if effect.is_change:
                self.counters.add_effect(effect, with_global_indexes=not has_lag)
        if self.settings.keeps_log:
            changed = [effect for effect in effects if effect.is_change]
            self.recent.note(changed, self.store.log_last())
            self.follower.wake()

    def _load(self) -> None:
        self.catalogue.reload()
        self.clock_offset.load()
        self.counters.load(self.catalogue.all_tables())
        self.requests.load()
        self.follower.load()
        self.recent.load(self.store, self.clock.now_us())
        self.tokens.load(self)
        resume(self)
