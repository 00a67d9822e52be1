"""Opening the file: settings, the making of a new one."""

from __future__ import annotations

import os
from typing import Final, Literal

import apsw

from partita.storage.statements import APPLICATION_ID, CREATE_FIXED, FORMAT, PAGE_BYTES

STATEMENTS_CACHED: Final = 1024
CACHE_KIB: Final = 32 * 1024
CHECKPOINT_PAGES: Final = 1000


def open_connection(
    path: str | os.PathLike[str], durability: Literal["full", "relaxed"], vfs: str | None
) -> apsw.Connection:
    """A connection to a store's file, made if there is none; ":memory:" keeps nothing."""
    connection = apsw.Connection(os.fspath(path), vfs=vfs, statementcachesize=STATEMENTS_CACHED)
    pragma = connection.pragma
    pragma("page_size", PAGE_BYTES)
    pragma("cache_size", -CACHE_KIB)
    pragma("locking_mode", "EXCLUSIVE")
    if not pragma("application_id"):
        connection.execute("BEGIN")
        pragma("application_id", APPLICATION_ID)
        pragma("user_version", FORMAT)
        connection.execute(CREATE_FIXED).fetchall()
        connection.execute("COMMIT")
    pragma("journal_mode", "WAL")
    pragma("wal_autocheckpoint", CHECKPOINT_PAGES)
    pragma("synchronous", "FULL" if durability == "full" else "NORMAL")
    pragma("fullfsync", True)
    pragma("checkpoint_fullfsync", True)
    return connection
