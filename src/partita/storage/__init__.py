"""Where rows are kept: the `Store` protocol and its implementations. Keys and values are bytes here."""

from partita.storage.protocol import (
    READ,
    WRITE,
    Decision,
    LogRecord,
    Put,
    Row,
    Store,
    StoreFailed,
    Touch,
)

__all__ = ["READ", "WRITE", "Decision", "LogRecord", "Put", "Row", "Store", "StoreFailed", "Touch"]
