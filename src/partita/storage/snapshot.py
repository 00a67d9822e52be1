"""Whole copies of a database, page by page: in memory for tests, to a file for keeping."""

from __future__ import annotations

import os
from typing import Final

import apsw

from partita.storage.opening import file_size
from partita.storage.protocol import StoreFailed, StoreUnusable

STEP_PAGES: Final = 100
"""Pages (of 8 KB) that a slice of a backup copies: about 1 ms."""


class Snapshot:
    """A database in memory that nobody changes any more."""

    __slots__ = ("connection",)

    def __init__(self, source: apsw.Connection) -> None:
        self.connection = apsw.Connection(":memory:")
        copy_all(source, self.connection)


def copy_all(source: apsw.Connection, target: apsw.Connection) -> None:
    """Makes `target` hold what `source` holds, in one transaction. Raises apsw.Error."""
    with target.backup("main", source, "main") as copying:
        copying.step(-1)


class Backup:
    """A copy of a store to a new file, made in slices while the store is in use.

    It holds what the store held at the end of the last turn before the last slice. A turn that is undone
    meanwhile makes it begin again. The file appears under its name when it is complete and durable.
    """

    def __init__(self, source: apsw.Connection, to_path: str) -> None:
        self._is_of_file = bool(source.filename)
        if os.path.lexists(to_path):
            raise StoreUnusable(f"{to_path} exists: a backup overwrites nothing, give another path")
        # Says what is wrong with its folder.
        file_size(to_path)
        self._to_path = to_path
        self._partial_path = f"{to_path}.partial"
        try:
            # What an earlier attempt left, if it was killed.
            if os.path.lexists(self._partial_path):
                os.unlink(self._partial_path)
            self._target = apsw.Connection(self._partial_path)
            self._target.pragma("locking_mode", "EXCLUSIVE")
            # Nobody reads the file before it is complete, so there is nothing to roll back to.
            self._target.pragma("journal_mode", "OFF")
            self._target.pragma("fullfsync", True)
            self._copying = self._target.backup("main", source, "main")
        except (apsw.Error, OSError) as error:
            raise StoreUnusable(f"cannot write {to_path}: {error}") from error

    @property
    def pages_left(self) -> int:
        """How many of `pages` are still to be copied."""
        return self._copying.remaining

    @property
    def pages(self) -> int:
        """Of the whole copy, as far as it is known: 0 before the first slice."""
        return self._copying.page_count

    def step(self, pages: int = STEP_PAGES) -> bool:
        """Copies so many pages; True when the backup is complete. Raises StoreFailed.

        Copies nothing while a turn has written. All pages at once if the source is in memory, since there
        each commit would make it begin again.
        """
        try:
            if not self._copying.step(pages if self._is_of_file else -1):
                return False
            self._copying.close()
            self._target.close()
            os.rename(self._partial_path, self._to_path)
            _sync_folder(self._to_path)
        except apsw.BusyError:
            return False
        except (apsw.Error, OSError) as error:
            self.abandon()
            raise StoreFailed(f"the backup to {self._to_path} failed: {error}") from error
        return True

    def abandon(self) -> None:
        """Ends a backup that is not complete and removes its file."""
        self._copying.close(True)
        self._target.close(True)
        if os.path.lexists(self._partial_path):
            os.unlink(self._partial_path)


def _sync_folder(path: str) -> None:
    """Makes the name durable, where the system can."""
    try:
        folder = os.open(os.path.dirname(os.path.abspath(path)), os.O_RDONLY)
    except OSError:
        return
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
