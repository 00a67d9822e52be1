"""One request and its answer, from the last byte of the one to the first of the other."""

from __future__ import annotations

from asyncio import TimerHandle
from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any, Final

import orjson

from partita.api.protocol import CONTENT_TYPE
from partita.errors import DynamoDBError

if TYPE_CHECKING:
    from partita.engine.clock import Sleep
    from partita.engine.table import Scope
    from partita.server.connection import Connection

AMZ_JSON: Final = CONTENT_TYPE.encode()


class Exchange:
    """Made by a connection, given its meaning by the gateway, run by the turns, written by `Responses`."""

    # What most exchanges never set stands in the class: one is made for every request.

    began_s: float
    """When its last bytes arrived, by `perf_counter`."""
    operation = ""
    """API name; empty when the exchange is no API call."""
    request: object = None
    """The decoded body, until the exchange runs."""
    table: str | None = None
    """The request's TableName, for the access log."""
    request_bytes = 0
    scope: Scope | None = None
    """Set once the engine may run it; None: it was answered before that."""
    coroutine: Coroutine[Sleep, None, Any] | None = None
    """Set while the operation runs or sleeps."""
    timer: TimerHandle | None = None
    status = 200
    error = ""
    """Name of the error that the answer is."""
    body = b""
    content_type = AMZ_JSON
    headers = b""
    """Further response headers, each with its CRLF."""
    gzips = False
    """Whether the client takes a compressed answer."""
    is_last = False
    """Whether the connection closes after this answer."""

    def __init__(self, connection: Connection, began_s: float) -> None:
        self.connection = connection
        self.began_s = began_s

    def fail(self, error: DynamoDBError) -> None:
        """Makes `error` the answer."""
        self.status = error.status
        self.error = error.name
        self.body = orjson.dumps(error.body(self.operation))

    def refuse(self, status: int, error: str) -> None:
        """Makes an HTTP error without a body the answer; `error` names it in the log and the metrics."""
        self.status = status
        self.error = error
        self.body = b""
