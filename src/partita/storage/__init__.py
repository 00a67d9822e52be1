"""Where rows are kept: the `Store` protocol and its implementations. Keys and values are bytes here."""

from partita.storage.protocol import (
    READ,
    WRITE,
    Decide,
    Decision,
    Delete,
    Entry,
    Gathered,
    LoggedChange,
    LogRecord,
    PartitionEntry,
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
    "Decide",
    "Decision",
    "Delete",
    "Entry",
    "Gathered",
    "LogRecord",
    "LoggedChange",
    "PartitionEntry",
    "Put",
    "Row",
    "Store",
    "StoreFailed",
    "StoreUnusable",
    "Touch",
]
