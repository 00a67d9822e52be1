"""The open turn: one SQLite transaction, begun by the first call, ended by commit, rollback or failure."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final, NoReturn

import apsw

from partita.storage.held import Held
from partita.storage.protocol import StoreFailed
from partita.storage.statements import COUNT_FAILED_COMMIT

CHECKPOINT_PAGES: Final = 500
"""Pages in the write-ahead log (4 MB) after which a commit copies them into the file: a few ms of work."""


class Turn:
    """Begins, commits and undoes transactions, and keeps what memory holds of them in step."""

    __slots__ = (
        "_checkpoint_at",
        "_connection",
        "_execute",
        "_failure",
        "_has_doubtful_tail",
        "_held",
        "_is_file",
        "_log_pages",
        "is_ready",
        "writes",
    )

    def __init__(self, connection: apsw.Connection, held: Held) -> None:
        self.is_ready = False
        """Whether a transaction is open; if not, `begin` comes before anything else."""
        self.writes = 0
        """Bytes written; 0 if the turn only read."""
        self._connection = connection
        self._execute: Callable[..., Any] = connection.cursor().execute
        self._held = held
        self._failure: str | None = None
        self._has_doubtful_tail = False
        self._log_pages = 0
        self._checkpoint_at = CHECKPOINT_PAGES
        self._is_file = bool(connection.filename)
        if self._is_file:
            connection.set_wal_hook(self._count_pages)

    @property
    def is_open(self) -> bool:
        """Whether something ran since the last turn ended, be it that it has failed."""
        return self.is_ready or self._failure is not None

    def begin(self) -> None:
        """Opens the transaction. Raises StoreFailed, also until a turn that failed has been ended."""
        if self._failure is not None:
            raise StoreFailed(self._failure)
        if self._has_doubtful_tail:
            self._overwrite_tail()
        try:
            self._execute("BEGIN")
        except apsw.Error as error:
            self.fail(error)
        self.is_ready = True

    def commit(self) -> bool:
        """Makes the turn durable and ends it; whether it wrote. Raises StoreFailed."""
        if not self.is_ready:
            failure = self._failure
            if failure is None:
                return False
            self._failure = None
            raise StoreFailed(failure)
        try:
            self.is_ready = False
            self._execute("COMMIT")
            has_written = self.writes > 0
            if has_written:
                self.writes = 0
                self._held.keep()
        except apsw.Error as error:
            self._undo()
            self._has_doubtful_tail = self._is_file
            raise StoreFailed(_reason(error)) from error
        except BaseException:
            # An interrupt: it may have come before or after the commit itself.
            self._undo()
            self._held.load(self._execute)
            raise
        if self._log_pages >= self._checkpoint_at:
            self._checkpoint()
        return has_written

    def rollback(self) -> None:
        """Undoes the turn and ends it."""
        self._failure = None
        if self.is_ready:
            self._undo()

    def fail(self, error: BaseException) -> NoReturn:
        """Undoes the turn; what is called before its end fails too, since the turn's requests have failed."""
        self.spoil(error)
        raise StoreFailed(_reason(error)) from error

    def spoil(self, error: BaseException) -> None:
        """As `fail`, for an interrupt that goes on its own way."""
        self._undo()
        self._failure = _reason(error)

    def _undo(self) -> None:
        self.is_ready = False
        self.writes = 0
        if self._connection.in_transaction:
            # If that fails and leaves the transaction open, the next BEGIN fails and brings us here again.
            with suppress(apsw.Error):
                self._execute("ROLLBACK")
        self._held.forget()

    def _overwrite_tail(self) -> None:
        """A commit that failed at its sync stands whole in the log, and would be found after a kill."""
        try:
            self._execute(COUNT_FAILED_COMMIT)
            self._has_doubtful_tail = False
        except apsw.Error:
            # Still no space: reading goes on, and the next turn tries again.
            return

    def _count_pages(self, _connection: apsw.Connection, _database: str, pages: int) -> int:
        self._log_pages = pages
        return apsw.SQLITE_OK

    def _checkpoint(self) -> None:
        """Not SQLite's automatic one: what goes wrong here must not look like a failure of the turn."""
        self._checkpoint_at = CHECKPOINT_PAGES
        try:
            self._connection.wal_checkpoint()
        except apsw.Error:
            # Nothing is lost, the log only grows; it is tried again when it has grown as much again.
            self._checkpoint_at += self._log_pages
        self._log_pages = 0


def _reason(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"
