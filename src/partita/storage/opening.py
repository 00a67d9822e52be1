"""Opening the file: is it ours, can it be used, and the making of a new one.

Whatever is refused is left as it was: what can be known without SQLite is looked at first, since SQLite
would repair or extend a file of another program that it opens.
"""

from __future__ import annotations

import os
import stat
import struct
from typing import Final, Literal

import apsw

from partita.storage.protocol import StoreUnusable
from partita.storage.statements import APPLICATION_ID, COUNT_OPENING, CREATE_FIXED, FORMAT, PAGE_BYTES

Durability = Literal["full", "relaxed"]
"""Of a file: "full" survives power loss, "relaxed" may lose the newest turns to it (not to a crash)."""

STATEMENTS_CACHED: Final = 128
"""The hot ones of some forty tables; finding one takes longer the more places there are, used or not."""
CACHE_KIB: Final = 32 * 1024
"""Of pages that a turn writes, and that are read from the write-ahead log; taken as they are needed."""
MAPPED_BYTES: Final = 1 << 30
"""Of the file, read through memory that the system shares: a Get among 1,000,000 items costs half of what
copying its page does. The price is that a disk which fails while reading ends the process, not the turn."""
LOG_FILE_BYTES: Final = 32 << 20
"""What a large turn may leave of the write-ahead log's file when the next one begins it anew."""

_HEADER_BYTES: Final = 100
_MAGIC: Final = b"SQLite format 3\x00"
_VERSION_AND_APPLICATION: Final = struct.Struct(">60x i 4x I 28x")


def _connect(path: str, vfs: str | None = None) -> apsw.Connection:
    # One thread at a time uses a store, so SQLite need not lock for each call that it is sent.
    flags = apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE | apsw.SQLITE_OPEN_NOMUTEX
    connection = apsw.Connection(path, flags, vfs=vfs, statementcachesize=STATEMENTS_CACHED)
    # Every statement has but one sensible plan. Without this, each run with a LIMIT plans it anew, which is
    # over a third of what reading 20 rows takes.
    connection.config(apsw.SQLITE_DBCONFIG_ENABLE_QPSG, 1)
    return connection


def open_memory() -> apsw.Connection:
    """A new, empty database in memory."""
    connection = _connect(":memory:")
    connection.pragma("page_size", PAGE_BYTES)
    connection.execute("BEGIN")
    _create(connection)
    connection.execute("COMMIT")
    return connection


def open_file(path: str, durability: Durability, vfs: str | None = None) -> apsw.Connection:
    """The database in the file `path`, made if there is none, held against every other process.

    Raises StoreUnusable.
    """
    size = file_size(path)
    has_log = os.path.exists(f"{path}-wal")
    connection: apsw.Connection | None = None
    try:
        if size:
            _check_header(path, vfs)
        connection = _connect(path, vfs)
        # Only the store's own close() merges the write-ahead log into the file: not a refusal here, and
        # not a forked child that forgets its copy of the connection.
        connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
        pragma = connection.pragma
        # First of all: whatever reads the file before it would share the log's index with other processes.
        pragma("locking_mode", "EXCLUSIVE")
        pragma("page_size", PAGE_BYTES)
        pragma("cache_size", -CACHE_KIB)
        pragma("mmap_size", MAPPED_BYTES)
        pragma("fullfsync", True)
        pragma("checkpoint_fullfsync", True)
        connection.execute("BEGIN EXCLUSIVE")
        if not pragma("schema_version") and not pragma("application_id"):
            _create(connection)
        connection.execute("COMMIT")
        _check_names(path, pragma("user_version"), pragma("application_id"))
        pragma("journal_mode", "WAL")
        pragma("wal_autocheckpoint", 0)
        pragma("journal_size_limit", LOG_FILE_BYTES)
        pragma("synchronous", "FULL" if durability == "full" else "NORMAL")
        # A disk that is full or broken is to be found now, not by the first client.
        connection.execute(COUNT_OPENING)
    except (apsw.Error, StoreUnusable) as error:
        if connection is not None:
            # A log that was not there is ours, empty, and goes; one that was stays for who can open the file.
            connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, int(has_log))
            connection.close(True)
        if size is None and not isinstance(error, apsw.BusyError):
            _remove_empty(path)
        if isinstance(error, StoreUnusable):
            raise
        raise StoreUnusable(explain(path, error)) from error
    return connection


def _create(connection: apsw.Connection) -> None:
    connection.pragma("application_id", APPLICATION_ID)
    connection.pragma("user_version", FORMAT)
    connection.execute(CREATE_FIXED).fetchall()


def _remove_empty(path: str) -> None:
    """Removes the file that an attempt to make a store left with nothing in it."""
    try:
        if os.path.getsize(path) == 0:
            os.unlink(path)
    except OSError:
        return


def file_size(path: str) -> int | None:
    """The bytes of the file, None if there is none. Raises StoreUnusable if it, or its folder, is no use."""
    folder = os.path.dirname(os.path.realpath(path))
    try:
        if not stat.S_ISDIR(os.stat(folder).st_mode):
            raise StoreUnusable(f"{folder} is not a folder: give another path")
    except FileNotFoundError as error:
        raise StoreUnusable(f"there is no folder {folder}: create it or give another path") from error
    except OSError as error:
        raise StoreUnusable(f"cannot open {path}: {error.strerror}") from error
    if not os.access(folder, os.X_OK):
        raise StoreUnusable(f"no permission to enter {folder}: change its mode or give another path")
    is_folder_writable = os.access(folder, os.W_OK)
    try:
        status = os.stat(path)
    except FileNotFoundError as error:
        if not is_folder_writable:
            raise StoreUnusable(f"no permission to create files in {folder}: give another path") from error
        return None
    except OSError as error:
        raise StoreUnusable(f"cannot open {path}: {error.strerror}") from error
    if stat.S_ISDIR(status.st_mode):
        raise StoreUnusable(f"{path} is a folder: give the path of a file in it")
    if not stat.S_ISREG(status.st_mode):
        raise StoreUnusable(f"{path} is not a file: give another path")
    if not os.access(path, os.R_OK):
        raise StoreUnusable(f"no permission to read {path}: change its mode or give another path")
    if not os.access(path, os.W_OK):
        raise StoreUnusable(f"{path} is read-only: make it writable, or copy it and open the copy")
    if not is_folder_writable:
        raise StoreUnusable(f"no permission to create files in {folder}, beside {path}: change its mode")
    return status.st_size


def _check_header(path: str, vfs: str | None) -> None:
    # Through SQLite's own layer: a plain close() would drop the lock of another store of this process.
    file = apsw.VFSFile(vfs or "", path, [apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_MAIN_DB, 0])
    try:
        header = file.xRead(_HEADER_BYTES, 0)
    finally:
        file.xClose()
    if len(header) < _HEADER_BYTES or not header.startswith(_MAGIC):
        _check_names(path, 0, 0)
    _check_names(path, *_VERSION_AND_APPLICATION.unpack(header))


def _check_names(path: str, version: int, application: int) -> None:
    if application != APPLICATION_ID:
        raise StoreUnusable(f"{path} is a file of another program: give another path")
    if version > FORMAT:
        raise StoreUnusable(
            f"{path} was written by a newer Partita (format {version}, this one knows {FORMAT}): upgrade"
        )


def explain(path: str, error: apsw.Error) -> str:
    """The line for the person at the terminal."""
    match error:
        case apsw.BusyError() | apsw.LockedError():
            return f"{path} is in use by another process: stop it or give another path"
        case apsw.FullError():
            return f"no space left on the disk of {path}: free some or give another path"
        case apsw.ReadOnlyError():
            return f"{path} is read-only: make it writable, or copy it and open the copy"
        case apsw.CantOpenError() | apsw.PermissionsError() | apsw.AuthError():
            return f"no permission to open {path}, or to create files beside it: give another path"
        case apsw.NotADBError() | apsw.CorruptError():
            return f"{path} is damaged ({error}): restore a backup"
        case _:
            return f"cannot open {path}: {error}"
