"""Where rows are kept: the `Store` protocol and its implementations. Keys and values are bytes here."""

from partita.storage.protocol import (
    READ,
    WRITE,
    Decision,
    Entry,
    LoggedChange,
    LogRecord,
    Put,
    Row,
    Store,
    StoreFailed,
    StoreUnusable,
    Touch,
)

__all__ = [
    "READ",
    "WRITE",
    "Decision",
    "Entry",
    "LogRecord",
    "LoggedChange",
    "Put",
    "Row",
    "Store",
    "StoreFailed",
    "StoreUnusable",
    "Touch",
]
