"""The embedded store: SQLite through apsw, one connection, one process, one transaction per turn."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import accumulate
from operator import itemgetter
from typing import Any, Final

import apsw

from partita.storage import change_log, integrity, spaces
from partita.storage.held import Held
from partita.storage.opening import Durability, explain, open_file, open_memory
from partita.storage.protocol import (
    Decide,
    Decision,
    Entry,
    Gathered,
    LoggedChange,
    PartitionEntry,
    Row,
    StoreFailed,
    StoreUnusable,
    Touch,
)
from partita.storage.snapshot import Backup, Snapshot, copy_all
from partita.storage.statements import INLINE_BYTES, SpaceStatements
from partita.storage.turn import Turn

ROW_OVERHEAD_BYTES: Final = 32
"""What a row that is written or deleted counts in `turn_writes` beside its key and value."""

# What the classes themselves do to make one, without the call in between.
_new_row = tuple.__new__
_size_of = itemgetter(-1)


class SqliteStore:
    """A `Store` in one SQLite file, or in memory. See the protocol for what each method promises."""

    def __init__(
        self,
        path: str | os.PathLike[str],
        now_us: Callable[[], int],
        durability: Durability = "full",
        *,
        vfs: str | None = None,
    ) -> None:
        """Opens `path`, or makes it; ":memory:" keeps nothing. Raises StoreUnusable."""
        name = os.fspath(path)
        self._now_us = now_us
        self._is_file = name != ":memory:"
        self._process = os.getpid()
        self._connection = open_file(name, durability, vfs) if self._is_file else open_memory()
        # One cursor for everything: each call reads its rows to the end, so none is ever left open.
        self._execute: Callable[..., Any] = self._connection.cursor().execute
        self._held = Held()
        self._turn = Turn(self._connection, self._held)
        try:
            self._last_stamp = self._held.load(self._execute)
        except apsw.Error as error:
            self._connection.close()
            raise StoreUnusable(explain(name, error)) from error

    # -- turns

    @property
    def in_turn(self) -> bool:
        return self._turn.is_open

    @property
    def turn_writes(self) -> int:
        return self._turn.writes

    def commit(self) -> bool:
        return self._turn.commit()

    def rollback(self) -> None:
        self._turn.rollback()

    # -- rows

    async def get(self, space: int, partition: bytes, sort: bytes) -> Row | None:
        if not self._turn.is_ready:
            self._turn.begin()
        statements = self._held.spaces[space]
        try:
            found = self._execute(statements.get, (partition, sort)).get
            if found is None:
                return None
            if found[0].__class__ is int:
                found = (self._large(statements, found[0]), found[1], found[2])
        except apsw.Error as error:
            self._turn.fail(error)
        return _new_row(Row, found)

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
        if not self._turn.is_ready:
            self._turn.begin()
        statements = self._held.spaces[space]
        if high is None:
            text = statements.range_reverse_open if reverse else statements.range_open
            return self._entries(statements, text, (partition, low, limit), size_limit)
        text = statements.range_reverse if reverse else statements.range
        return self._entries(statements, text, (partition, low, high, limit), size_limit)

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
        if not self._turn.is_ready:
            self._turn.begin()
        statements = self._held.spaces[space]
        if statements.has_large:
            return None
        bindings: tuple[bytes | int, ...]
        if high is None:
            text = statements.gather_reverse_open if reverse else statements.gather_open
            bindings = (partition, low, limit)
        else:
            text = statements.gather_reverse if reverse else statements.gather
            bindings = (partition, low, limit, high)
        try:
            return _new_row(Gathered, self._execute(text, bindings).get)
        except apsw.Error as error:
            self._turn.fail(error)

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
        if not self._turn.is_ready:
            self._turn.begin()
        statements = self._held.spaces[space]
        if after is None or after[0] < low_partition:
            start: tuple[bytes, ...] = (low_partition,)
            text, text_open = statements.walk_from, statements.walk_from_open
        else:
            start = after
            text, text_open = statements.walk_after, statements.walk_after_open
        if high_partition is None:
            return self._entries(statements, text_open, (*start, limit), size_limit)
        return self._entries(statements, text, (*start, high_partition, limit), size_limit)

    def _entries(
        self,
        statements: SpaceStatements,
        text: str,
        bindings: tuple[bytes | int, ...],
        size_limit: int | None,
    ) -> list[Any]:
        """Rows whose last columns are value and size."""
        try:
            entries: list[Any] = self._execute(text, bindings).fetchall()
            if size_limit is not None:
                entries = _within(entries, size_limit)
            if statements.has_large:
                for place, (*key, value, size) in enumerate(entries):
                    if value.__class__ is int:
                        entries[place] = (*key, self._large(statements, value), size)
        except apsw.Error as error:
            self._turn.fail(error)
        return entries

    def _large(self, statements: SpaceStatements, identity: int) -> bytes:
        value: bytes | None = self._execute(statements.get_large, (identity,)).get
        if value is None:
            raise apsw.CorruptError(f"large value {identity} of space {statements.space} is missing")
        return value

    async def transact(self, touches: Sequence[Touch], decide: Decide) -> Any:
        return self._transact(touches, decide)

    async def transact_each(self, units: Sequence[tuple[Sequence[Touch], Decide]]) -> Sequence[Any]:
        results: list[Any] = []
        for touches, decide in units:
            try:
                results.append(self._transact(touches, decide))
            except StoreFailed:
                raise
            except Exception as refusal:
                results.append(refusal)
        return results

    def _transact(self, touches: Sequence[Touch], decide: Decide) -> Any:
        if not self._turn.is_ready:
            self._turn.begin()
        execute, known = self._execute, self._held.spaces
        stamp = self._now_us()
        if stamp <= self._last_stamp:
            stamp = self._last_stamp + 1
        rows: list[Row | None] = []
        try:
            for space, partition, sort, _ in touches:
                statements = known[space]
                found = execute(statements.get, (partition, sort)).get
                if found is None:
                    rows.append(None)
                    continue
                if found[0].__class__ is int:
                    found = (self._large(statements, found[0]), found[1], found[2])
                if found[2] >= stamp:
                    stamp = found[2] + 1
                rows.append(_new_row(Row, found))
        except apsw.Error as error:
            self._turn.fail(error)
        self._last_stamp = stamp
        decision = decide(rows, stamp)
        try:
            self._write(decision, stamp)
        except Exception as error:
            self._turn.fail(error)
        except BaseException as interrupt:
            # It came half-way: nothing of the turn may stay.
            self._turn.spoil(interrupt)
            raise
        return decision.answer

    def _write(self, decision: Decision, stamp: int) -> None:
        execute = self._execute
        written = 0
        puts, deletes, records, _ = decision
        for space, partition, sort, value, size in puts:
            statements = self._held.spaces[space]
            length = len(partition) + len(sort) + len(value)
            written += length + ROW_OVERHEAD_BYTES
            if statements.has_large:
                execute(statements.forget_large, (partition, sort))
            if length <= INLINE_BYTES:
                execute(statements.put, (partition, sort, value, size, stamp))
            else:
                identity = self._put_large(statements, value)
                execute(statements.put, (partition, sort, identity, size, stamp))
        for space, partition, sort in deletes:
            statements = self._held.spaces[space]
            written += len(partition) + len(sort) + ROW_OVERHEAD_BYTES
            if statements.has_large:
                execute(statements.forget_large, (partition, sort))
            execute(statements.delete, (partition, sort))
        for record in records:
            change_log.append(execute, self._held.log_last + 1, stamp, record)
            self._held.log_last += 1
            written += len(record.old or b"") + len(record.new or b"") + ROW_OVERHEAD_BYTES
        self._turn.writes += written

    def _put_large(self, statements: SpaceStatements, value: bytes) -> int:
        if not statements.has_large:
            self._execute(statements.create_large)
            statements = SpaceStatements(statements.space, has_large=True)
            self._held.spaces = {**self._held.spaces, statements.space: statements}
        self._execute(statements.put_large, (value,))
        return self._connection.last_insert_rowid()

    # -- spaces

    def create_space(self, space: int) -> None:
        if not self._turn.is_ready:
            self._turn.begin()
        if space in self._held.spaces:
            raise ValueError(f"space {space} exists")
        statements = SpaceStatements(space, has_large=False)
        try:
            self._execute(statements.create)
        except apsw.Error as error:
            self._turn.fail(error)
        self._held.spaces = {**self._held.spaces, space: statements}
        self._turn.writes += ROW_OVERHEAD_BYTES

    def clear_space(self, space: int, limit: int) -> bool:
        if not self._turn.is_ready:
            self._turn.begin()
        statements = self._held.spaces.get(space)
        if statements is None:
            return True
        try:
            count, is_removed = spaces.clear(self._execute, statements, limit)
        except apsw.Error as error:
            self._turn.fail(error)
        if is_removed:
            self._held.spaces = {
                number: kept for number, kept in self._held.spaces.items() if number != space
            }
        self._turn.writes += ROW_OVERHEAD_BYTES * (count + is_removed)
        return is_removed

    def has_space(self, space: int) -> bool:
        return space in self._held.spaces

    # -- the change log

    def log_read(self, after: int, limit: int) -> Sequence[LoggedChange]:
        if not self._turn.is_ready:
            self._turn.begin()
        try:
            return change_log.read(self._execute, after, limit)
        except apsw.Error as error:
            self._turn.fail(error)

    def log_last(self) -> int:
        return self._held.log_last

    def log_trim(self, upto: int, limit: int) -> bool:
        if not self._turn.is_ready:
            self._turn.begin()
        try:
            count, is_end = change_log.trim(self._execute, upto, limit)
        except apsw.Error as error:
            self._turn.fail(error)
        self._turn.writes += ROW_OVERHEAD_BYTES * count
        return is_end

    # -- whole databases

    def snapshot(self) -> object:
        self._require_no_turn()
        return Snapshot(self._connection)

    def restore(self, snapshot: object) -> None:
        self._require_no_turn()
        try:
            copy_all(_snapshot(snapshot), self._connection)
            # Later stamps are gone, and the clock may have gone back with them.
            self._last_stamp = self._held.load(self._execute)
        except apsw.Error as error:
            raise StoreFailed(f"{type(error).__name__}: {error}") from error

    def fork(self, snapshot: object, now_us: Callable[[], int]) -> SqliteStore:
        store = SqliteStore(":memory:", now_us)
        store.restore(snapshot)
        return store

    def backup(self, to_path: str | os.PathLike[str]) -> Backup:
        """A copy to the new file `to_path`, which the caller makes step by step. Raises StoreUnusable."""
        return Backup(self._connection, os.fspath(to_path))

    def check(self) -> list[str]:
        """What is wrong with the file, a line each; empty if nothing is. Reads all of it. Between turns."""
        self._require_no_turn()
        return integrity.problems(self._execute)

    def _require_no_turn(self) -> None:
        if self.in_turn:
            raise RuntimeError("commit or roll back the open turn first")

    def close(self) -> None:
        """Undoes the open turn and closes the file. Does not fail: what cannot be merged stays in the log."""
        self.rollback()
        if self._is_file and self._process == os.getpid():
            # A forked child must not: it would write to a file that its parent holds.
            self._connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 0)
        with suppress(apsw.Error):
            self._connection.close()


def _snapshot(snapshot: object) -> apsw.Connection:
    if not isinstance(snapshot, Snapshot):
        raise TypeError("not a snapshot of a SqliteStore")
    return snapshot.connection


def _within(entries: list[Any], size_limit: int) -> list[Any]:
    if sum(map(_size_of, entries)) < size_limit:
        return entries
    totals = accumulate(map(_size_of, entries))
    return entries[: next((count for count, total in enumerate(totals, 1) if total >= size_limit), 0)]
