"""The writing methods of `Session`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from typing import Any, Self, TypeVar, overload

from partita.model.declaring.entity import Entity
from partita.model.expressions.conditions import Condition
from partita.model.expressions.raw import Raw
from partita.model.expressions.updates import Update
from partita.model.flows.context import Context
from partita.model.flows.flow import Flow
from partita.model.flows.progress import Progress
from partita.model.keys.key_conditions import KeyCondition
from partita.model.sessions.state import Driven
from partita.model.writing import writes
from partita.model.writing.batches import Duplicates
from partita.model.writing.commit import Committed
from partita.model.writing.frozen import FrozenTransaction
from partita.model.writing.performing import perform_frozen
from partita.model.writing.transact_get import transact_get
from partita.model.writing.transaction import Transaction

E = TypeVar("E", bound=Entity)


class Writes(Driven):
    """What `Session` can write."""

    def create(self, entity: Entity) -> None:
        """Stores a new entity. Raises AlreadyExists, with the stored entity in it."""
        self._run(writes.create(self._context, entity))

    def put(self, entity: Entity, *, when: Condition | None = None) -> None:
        """Stores an entity over whatever is there; one with a version only over the version it was read at.

        Raises StaleVersion, NotStored (a version, but no item), ConditionFailed.
        """
        self._run(writes.put(self._context, entity, when))

    def update(self, entity: Entity, *, when: Condition | None = None) -> bool:
        """Sends what changed since the entity was read or written; False: nothing had, and nothing was sent.

        An entity with a version is written in any case. Raises StaleVersion, NotStored, ConditionFailed
        with the current entity in it, WriteRefused for one that was never read nor written.
        """
        return self._run(writes.update(self._context, entity, when))

    def change(
        self,
        ref: KeyCondition[E],
        *updates: Update | Raw,
        when: Condition | None = None,
        or_create: bool = False,
    ) -> E:
        """Updates an item by its key without reading it, atomically; gives the entity as it is then.

            session.change(Stock.key(sku="9"), F(Stock).qty.add(-2), when=F(Stock).qty >= 2)

        The item must exist, unless `or_create`. Raises NotStored, ConditionFailed with the current entity
        in it, WriteRefused where an index key or unique value depends on more than the change knows, and
        OutcomeUnknown if an answer is lost and the change may not be sent twice.
        """
        return self._run(writes.change(self._context, ref, updates, when, or_create))

    def delete(self, target: Entity | KeyCondition[Any], *, when: Condition | None = None) -> None:
        """Deletes an entity or the item of a key. One with a version must be at the version it was read at.

        That nothing is stored is no error, unless a version or `when` needs it. Raises StaleVersion,
        NotStored, ConditionFailed.
        """
        self._run(writes.delete(self._context, target, when))

    def check(self, target: Entity | KeyCondition[Any], condition: Condition | None = None) -> None:
        """Asks whether an item exists, has the version that was read, and meets a condition; reads nothing.

        Raises NotStored, StaleVersion, ConditionFailed with the current entity in it.
        """
        self._run(writes.check(self._context, target, condition))

    def batch_write(
        self,
        put: Iterable[Entity] = (),
        delete: Iterable[Entity | KeyCondition[Any]] = (),
        *,
        duplicates: Duplicates = "refuse",
        progress: Progress | bool = False,
    ) -> None:
        """Puts and deletes many entities, 25 at a time, each for itself: some may fail and others not.

        Two writes of one item are refused, or the last one is kept (`duplicates="last"`; deletes count as
        later than puts). `progress` is called with (done, total); True draws a bar in a terminal. Raises
        Unprocessed with those that were not written, WriteRefused for entities with versions or unique
        values.
        """
        self._run(writes.batch_write(self._context, put, delete, duplicates, progress))

    def transaction(
        self,
        operation: str | None = None,
        *,
        at: datetime | None = None,
        remember: timedelta | None = None,
    ) -> SyncTransaction:
        """Writes that are applied all or not at all, at the end of a `with`:

            with session.transaction("place-order-991") as tx:
                tx.create(order)
                tx.change(Stock.key(sku="9"), F(Stock).qty.add(-2), when=F(Stock).qty >= 2)

        `operation` names what is done, once and for all: sent again within 10 minutes with the same
        contents it is not applied again. The same contents need the same times (`at`) and ids (`tx.id()`);
        or commit what `tx.freeze()` gave. With `remember`, a record in the table of the first write makes
        the operation recognised for that long, whatever its contents; `tx.committed.already_applied` tells.

        The end raises what a single failed condition means, UniqueViolation with all clashes,
        TransactionFailed with all reasons, OutcomeUnknown with the token, OperationReused.
        """
        return SyncTransaction(self._context, self._run, operation, at, remember)

    def commit(self, frozen: FrozenTransaction) -> Committed:
        """Commits a frozen transaction, such as one that was kept as JSON; raises as `transaction`."""
        return self._run(perform_frozen(self._context, frozen))

    @overload
    def transact_get(self, refs: Iterable[KeyCondition[E]]) -> list[E | None]: ...
    @overload
    def transact_get(self, refs: Iterable[KeyCondition[Any]]) -> list[Any]: ...
    def transact_get(self, refs: Iterable[KeyCondition[Any]]) -> list[Any]:
        """Up to 100 items as they were at one moment, by position; None where nothing is stored."""
        return self._run(transact_get(self._context, refs))


class SyncTransaction(Transaction):
    """A transaction of a `Session`."""

    def __init__(
        self,
        context: Context,
        run: Callable[[Flow[Committed | None]], object],
        operation: str | None,
        at: datetime | None,
        remember: timedelta | None,
    ) -> None:
        super().__init__(context, operation, at=at, remember=remember)
        self._run = run

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is None:
            self._run(self.as_flow())
        self.end()
