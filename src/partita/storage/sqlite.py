"""The embedded store: SQLite through apsw, one connection, one process, one transaction per turn."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any, Final, NoReturn

import apsw

from partita.storage import statements as sql
from partita.storage.opening import Durability, open_file, open_memory
from partita.storage.protocol import Decide, Decision, Entry, LoggedChange, LogRecord, Row, StoreFailed, Touch
from partita.storage.snapshot import Snapshot, copy_all
from partita.storage.statements import INLINE_BYTES, SpaceStatements

SLICE_BYTES: Final = 4 << 20
"""The most bytes of large values that one slice of clearing or trimming frees: a few ms of work."""

ROW_OVERHEAD_BYTES: Final = 32
"""What a written row counts in `turn_writes` beside its sort and value."""

_new_row = tuple.__new__


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
        self._now_us = now_us
        self._durability = durability
        name = os.fspath(path)
        self._connection = open_memory() if name == ":memory:" else open_file(name, durability, vfs)
        # One cursor for everything: each call reads its rows to the end, so none is ever left open.
        self._execute: Callable[..., Any] = self._connection.cursor().execute
        self._ready = False
        self._failure: str | None = None
        self._turn_writes = 0
        self._load()

    def _load(self) -> None:
        names = {name for (name,) in self._execute(sql.TABLE_NAMES).fetchall()}
        self._spaces: dict[int, SpaceStatements] = {}
        for name in names:
            kind, _, number = name.partition("_")
            if kind == "rows":
                self._spaces[int(number)] = SpaceStatements(int(number), f"large_{number}" in names)
        self._committed_spaces = self._spaces
        newest = self._execute(sql.LOG_NEWEST).get or 0
        self._log_last: int = max(newest, self._execute(sql.LOG_TRIMMED).get)
        self._committed_log_last = self._log_last
        self._last_stamp: int = self._execute(sql.NEWEST_STAMP).get or 0

    # -- turns

    @property
    def in_turn(self) -> bool:
        return self._ready or self._failure is not None

    @property
    def turn_writes(self) -> int:
        return self._turn_writes

    def commit(self) -> None:
        if not self._ready:
            failure = self._failure
            if failure is None:
                return
            self._failure = None
            raise StoreFailed(failure)
        self._ready = False
        try:
            self._execute("COMMIT")
        except apsw.Error as error:
            self._undo()
            raise StoreFailed(_reason(error)) from error
        if self._turn_writes:
            self._turn_writes = 0
            self._committed_spaces = self._spaces
            self._committed_log_last = self._log_last

    def rollback(self) -> None:
        self._failure = None
        if self._ready:
            self._undo()

    def _begin(self) -> None:
        if self._failure is not None:
            raise StoreFailed(self._failure)
        try:
            self._execute("BEGIN")
        except apsw.Error as error:
            self._fail(error)
        self._ready = True

    def _fail(self, error: BaseException) -> NoReturn:
        """Undoes the turn; what else is called before its end fails too, since its requests have failed."""
        self._undo()
        self._failure = _reason(error)
        raise StoreFailed(self._failure) from error

    def _undo(self) -> None:
        self._ready = False
        self._turn_writes = 0
        self._spaces = self._committed_spaces
        self._log_last = self._committed_log_last
        if self._connection.in_transaction:
            try:
                self._execute("ROLLBACK")
            except apsw.Error:
                # SQLite has left the transaction even so, or the next BEGIN fails and brings us here again.
                return

    # -- rows

    async def get(self, space: int, partition: bytes, sort: bytes) -> Row | None:
        if not self._ready:
            self._begin()
        statements = self._spaces[space]
        try:
            found = self._execute(statements.get, (partition, sort)).get
            if found is None:
                return None
            if found[0].__class__ is int:
                found = (self._large(statements, found[0]), found[1], found[2])
        except apsw.Error as error:
            self._fail(error)
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
    ) -> Sequence[Entry]:
        statements = self._spaces[space]
        if high is None:
            text = statements.range_reverse_open if reverse else statements.range_open
            return self._entries(statements, text, (partition, low, limit), size_limit)
        text = statements.range_reverse if reverse else statements.range
        return self._entries(statements, text, (partition, low, high, limit), size_limit)

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
        statements = self._spaces[space]
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
    ) -> list[Entry]:
        if not self._ready:
            self._begin()
        try:
            entries: list[Any] = self._execute(text, bindings).fetchall()
            if size_limit is not None:
                entries = _within(entries, size_limit)
            if statements.has_large:
                for place, (partition, sort, value, size, stamp) in enumerate(entries):
                    if value.__class__ is int:
                        entries[place] = (partition, sort, self._large(statements, value), size, stamp)
        except apsw.Error as error:
            self._fail(error)
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
        if not self._ready:
            self._begin()
        execute, spaces = self._execute, self._spaces
        stamp = max(self._now_us(), self._last_stamp + 1)
        rows: list[Row | None] = []
        try:
            for space, partition, sort, _ in touches:
                found = execute(spaces[space].get, (partition, sort)).get
                if found is not None:
                    if found[0].__class__ is int:
                        found = (self._large(spaces[space], found[0]), found[1], found[2])
                    if found[2] >= stamp:
                        stamp = found[2] + 1
                    found = _new_row(Row, found)
                rows.append(found)
        except apsw.Error as error:
            self._fail(error)
        self._last_stamp = stamp
        decision = decide(rows, stamp)
        try:
            self._write(decision, stamp)
        except Exception as error:
            self._fail(error)
        except BaseException:
            # An interrupt that came half-way: nothing of the turn may stay.
            self._undo()
            self._failure = "interrupted"
            raise
        return decision.answer

    def _write(self, decision: Decision, stamp: int) -> None:
        execute = self._execute
        written = 0
        for space, partition, sort, value, size in decision.puts:
            statements = self._spaces[space]
            length = len(sort) + len(value)
            written += length + ROW_OVERHEAD_BYTES
            if statements.has_large:
                execute(statements.forget_large, (partition, sort))
            if length <= INLINE_BYTES:
                execute(statements.put, (partition, sort, value, size, stamp))
            else:
                identity = self._put_large(statements, value)
                execute(statements.put, (partition, sort, identity, size, stamp))
        for space, partition, sort in decision.deletes:
            statements = self._spaces[space]
            written += len(sort) + ROW_OVERHEAD_BYTES
            if statements.has_large:
                execute(statements.forget_large, (partition, sort))
            execute(statements.delete, (partition, sort))
        for record in decision.records:
            old, new = record.old, record.new
            written += ROW_OVERHEAD_BYTES + (len(old) if old else 0) + (len(new) if new else 0)
            self._append(record, stamp)
        self._turn_writes += written

    def _put_large(self, statements: SpaceStatements, value: bytes) -> int:
        if not statements.has_large:
            self._execute(statements.create_large)
            statements = SpaceStatements(statements.space, has_large=True)
            self._spaces = {**self._spaces, statements.space: statements}
        self._execute(statements.put_large, (value,))
        return self._connection.last_insert_rowid()

    # -- spaces

    def create_space(self, space: int) -> None:
        if not self._ready:
            self._begin()
        if space in self._spaces:
            raise ValueError(f"space {space} exists")
        statements = SpaceStatements(space, has_large=False)
        try:
            self._execute(statements.create)
        except apsw.Error as error:
            self._fail(error)
        self._spaces = {**self._spaces, space: statements}
        self._turn_writes += ROW_OVERHEAD_BYTES

    def clear_space(self, space: int, limit: int) -> bool:
        if not self._ready:
            self._begin()
        statements = self._spaces.get(space)
        if statements is None:
            return True
        execute = self._execute
        try:
            rows = execute(statements.weights, (limit,)).fetchall()
            is_end = len(rows) < limit
            weight = 0
            for place, (_, _, identity, length) in enumerate(rows):
                if identity is None:
                    continue
                weight += length
                execute(statements.delete_large, (identity,))
                if weight >= SLICE_BYTES:
                    is_end = is_end and place == len(rows) - 1
                    del rows[place + 1 :]
                    break
            if rows:
                execute(statements.delete_through, rows[-1][:2])
            if is_end:
                execute(statements.drop)
                if statements.has_large:
                    execute(statements.drop_large)
        except apsw.Error as error:
            self._fail(error)
        self._turn_writes += ROW_OVERHEAD_BYTES * (len(rows) + 1)
        if is_end:
            self._spaces = {number: kept for number, kept in self._spaces.items() if number != space}
        return is_end

    def has_space(self, space: int) -> bool:
        return space in self._spaces

    # -- the change log

    def _append(self, record: LogRecord, stamp: int) -> None:
        sequence = self._log_last + 1
        self._execute(
            sql.LOG_APPEND,
            (
                sequence,
                stamp,
                record.space,
                record.partition,
                record.sort,
                record.old,
                record.new,
                record.old_size,
                record.new_size,
                record.origin,
            ),
        )
        self._log_last = sequence

    def log_read(self, after: int, limit: int) -> Sequence[LoggedChange]:
        if not self._ready:
            self._begin()
        try:
            rows = self._execute(sql.LOG_READ, (after, limit)).fetchall()
        except apsw.Error as error:
            self._fail(error)
        return [LoggedChange(sequence, stamp, LogRecord(*record)) for sequence, stamp, *record in rows]

    def log_last(self) -> int:
        return self._log_last

    def log_trim(self, upto: int, limit: int) -> bool:
        if not self._ready:
            self._begin()
        execute = self._execute
        try:
            weights = execute(sql.LOG_WEIGHTS, (upto, limit)).fetchall()
            is_end = len(weights) < limit
            total = 0
            for place, (_, weight) in enumerate(weights):
                total += weight
                if total >= SLICE_BYTES:
                    is_end = is_end and place == len(weights) - 1
                    del weights[place + 1 :]
                    break
            if weights:
                trimmed = weights[-1][0]
                execute(sql.LOG_DELETE, (trimmed,))
                execute(sql.SET_LOG_TRIMMED, (trimmed,))
                self._turn_writes += ROW_OVERHEAD_BYTES * len(weights)
        except apsw.Error as error:
            self._fail(error)
        return is_end

    # -- whole databases

    def snapshot(self) -> object:
        """A copy of everything, in memory. Between turns only (RuntimeError)."""
        self._require_no_turn()
        copy = apsw.Connection(":memory:")
        copy_all(self._connection, copy)
        return Snapshot(copy)

    def restore(self, snapshot: object) -> None:
        """Makes everything as it was when the snapshot was taken. Between turns only (RuntimeError)."""
        self._require_no_turn()
        if not isinstance(snapshot, Snapshot):
            raise TypeError("not a snapshot of a SqliteStore")
        try:
            copy_all(snapshot.connection, self._connection)
        except apsw.Error as error:
            raise StoreFailed(_reason(error)) from error
        stamp = self._last_stamp
        self._load()
        self._last_stamp = max(stamp, self._last_stamp)

    def fork(self, snapshot: object) -> SqliteStore:
        """A new store in memory that holds what the snapshot holds."""
        store = SqliteStore(":memory:", self._now_us, self._durability)
        store.restore(snapshot)
        store._last_stamp = max(store._last_stamp, self._last_stamp)
        return store

    def _require_no_turn(self) -> None:
        if self.in_turn:
            raise RuntimeError("commit or roll back the open turn first")

    def close(self) -> None:
        """Undoes the open turn and closes the file; a closed store fails whatever is asked of it."""
        self.rollback()
        self._connection.close()


def _within(entries: list[Any], size_limit: int) -> list[Any]:
    total = 0
    for place, entry in enumerate(entries):
        total += entry[3]
        if total >= size_limit:
            return entries[: place + 1]
    return entries


def _reason(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"
