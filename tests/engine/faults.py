"""A store that fails when it is told to, as one does whose disk is full."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

from partita.storage import Decision, Row, StoreFailed, Touch
from partita.storage.protocol import Entry, Gathered, LoggedChange, PartitionEntry
from partita.storage.sqlite import SqliteStore

Decide = Callable[[Sequence[Row | None], int], Decision]


class FaultyStore:
    """Wraps a store and keeps the protocol's promises about turns that fail."""

    def __init__(self, path: str | os.PathLike[str], now_us: Callable[[], int], durability: Any) -> None:
        self._inner = SqliteStore(path, now_us, durability)
        self._has_failed = False
        self.writes_until_fault: int | None = None
        """So many decisions are still taken."""
        self.is_commit_faulty = False
        self.faulty_turns = 0
        """So many turns cannot even begin."""

    def heal(self) -> None:
        """No fault is to come any more."""
        self.writes_until_fault, self.is_commit_faulty, self.faulty_turns = None, False, 0

    def _fail(self) -> NoReturn:
        self._inner.rollback()
        self._has_failed = True
        raise StoreFailed("a test's fault")

    def _enter(self) -> SqliteStore:
        """The store, for a call within a turn."""
        if self._has_failed:
            raise StoreFailed("a test's fault")
        if self.faulty_turns and not self._inner.in_turn:
            self.faulty_turns -= 1
            self._fail()
        return self._inner

    async def get(self, space: int, partition: bytes, sort: bytes) -> Row | None:
        return await self._enter().get(space, partition, sort)

    async def range(
        self,
        space: int,
        partition: bytes,
        low: bytes,
        high: bytes | None,
        *,
        reverse: bool = False,
        limit: int,
        size_limit: int | None = None,
    ) -> Sequence[PartitionEntry]:
        return await self._enter().range(
            space, partition, low, high, reverse=reverse, limit=limit, size_limit=size_limit
        )

    async def gather(
        self,
        space: int,
        partition: bytes,
        low: bytes,
        high: bytes | None,
        *,
        reverse: bool = False,
        limit: int,
    ) -> Gathered | None:
        return await self._enter().gather(space, partition, low, high, reverse=reverse, limit=limit)

    async def walk(
        self,
        space: int,
        after: tuple[bytes, bytes] | None,
        low_partition: bytes,
        high_partition: bytes | None,
        *,
        limit: int,
        size_limit: int | None = None,
    ) -> Sequence[Entry]:
        return await self._enter().walk(
            space, after, low_partition, high_partition, limit=limit, size_limit=size_limit
        )

    async def transact(self, touches: Sequence[Touch], decide: Decide) -> Any:
        inner = self._enter()
        if self.writes_until_fault is not None:
            self.writes_until_fault -= 1
            if self.writes_until_fault < 0:
                self.writes_until_fault = None
                self._fail()
        return await inner.transact(touches, decide)

    async def transact_each(self, units: Sequence[tuple[Sequence[Touch], Decide]]) -> Sequence[Any]:
        results: list[Any] = []
        for touches, decide in units:
            try:
                results.append(await self.transact(touches, decide))
            except StoreFailed:
                raise
            except Exception as refusal:
                results.append(refusal)
        return results

    def create_space(self, space: int) -> None:
        self._enter().create_space(space)

    def clear_space(self, space: int, limit: int) -> bool:
        return self._enter().clear_space(space, limit)

    def has_space(self, space: int) -> bool:
        return self._inner.has_space(space)

    def log_read(self, after: int, limit: int) -> Sequence[LoggedChange]:
        return self._enter().log_read(after, limit)

    def log_last(self) -> int:
        return self._inner.log_last()

    def log_trim(self, upto: int, limit: int) -> bool:
        return self._enter().log_trim(upto, limit)

    @property
    def in_turn(self) -> bool:
        return self._has_failed or self._inner.in_turn

    @property
    def turn_writes(self) -> int:
        return self._inner.turn_writes

    def commit(self) -> bool:
        if self._has_failed:
            self._has_failed = False
            raise StoreFailed("a test's fault")
        if self.is_commit_faulty and self._inner.in_turn:
            self.is_commit_faulty = False
            self._inner.rollback()
            raise StoreFailed("a test's fault")
        return self._inner.commit()

    def rollback(self) -> None:
        self._has_failed = False
        self._inner.rollback()

    def snapshot(self) -> object:
        return self._inner.snapshot()

    def restore(self, snapshot: object) -> None:
        self._inner.restore(snapshot)

    def fork(self, snapshot: object, now_us: Callable[[], int]) -> SqliteStore:
        return self._inner.fork(snapshot, now_us)

    def close(self) -> None:
        self._inner.close()
