"""The writing methods of `AsyncSession`."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
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
from partita.model.sessions.state import AsyncDriven
from partita.model.writing import writes
from partita.model.writing.batches import Duplicates
from partita.model.writing.commit import Committed
from partita.model.writing.frozen import FrozenTransaction
from partita.model.writing.performing import perform_frozen
from partita.model.writing.transact_get import transact_get
from partita.model.writing.transaction import Transaction

E = TypeVar("E", bound=Entity)


class AsyncWrites(AsyncDriven):
    """What `AsyncSession` can write."""

    async def create(self, entity: Entity) -> None:
        """As `Session.create`."""
        await self._run(writes.create(self._context, entity))

    async def put(self, entity: Entity, *, when: Condition | None = None) -> None:
        """As `Session.put`."""
        await self._run(writes.put(self._context, entity, when))

    async def update(self, entity: Entity, *, when: Condition | None = None) -> bool:
        """As `Session.update`."""
        return await self._run(writes.update(self._context, entity, when))

    async def change(
        self,
        ref: KeyCondition[E],
        *updates: Update | Raw,
        when: Condition | None = None,
        or_create: bool = False,
    ) -> E:
        """As `Session.change`."""
        return await self._run(writes.change(self._context, ref, updates, when, or_create))

    async def delete(self, target: Entity | KeyCondition[Any], *, when: Condition | None = None) -> None:
        """As `Session.delete`."""
        await self._run(writes.delete(self._context, target, when))

    async def check(self, target: Entity | KeyCondition[Any], condition: Condition | None = None) -> None:
        """As `Session.check`."""
        await self._run(writes.check(self._context, target, condition))

    async def batch_write(
        self,
        put: Iterable[Entity] = (),
        delete: Iterable[Entity | KeyCondition[Any]] = (),
        *,
        duplicates: Duplicates = "refuse",
        progress: Progress | bool = False,
    ) -> None:
        """As `Session.batch_write`."""
        await self._run(writes.batch_write(self._context, put, delete, duplicates, progress))

    def transaction(
        self,
        operation: str | None = None,
        *,
        at: datetime | None = None,
        remember: timedelta | None = None,
    ) -> AsyncTransaction:
        """As `Session.transaction`, with `async with`."""
        return AsyncTransaction(self._context, self._run, operation, at, remember)

    async def commit(self, frozen: FrozenTransaction) -> Committed:
        """As `Session.commit`."""
        return await self._run(perform_frozen(self._context, frozen))

    @overload
    async def transact_get(self, refs: Iterable[KeyCondition[E]]) -> list[E | None]: ...
    @overload
    async def transact_get(self, refs: Iterable[KeyCondition[Any]]) -> list[Any]: ...
    async def transact_get(self, refs: Iterable[KeyCondition[Any]]) -> list[Any]:
        """As `Session.transact_get`."""
        return await self._run(transact_get(self._context, refs))


class AsyncTransaction(Transaction):
    """A transaction of an `AsyncSession`."""

    def __init__(
        self,
        context: Context,
        run: Callable[[Flow[Committed | None]], Awaitable[object]],
        operation: str | None,
        at: datetime | None,
        remember: timedelta | None,
    ) -> None:
        super().__init__(context, operation, at=at, remember=remember)
        self._run = run

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is None:
            await self._run(self.as_flow())
        self.end()
