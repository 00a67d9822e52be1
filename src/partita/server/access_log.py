"""Access lines: one JSON object a line for each answer."""

from __future__ import annotations

import contextlib
from datetime import UTC, datetime
from typing import TextIO

import orjson

from partita.server.exchange import Exchange


def table_name(request: object) -> str | None:
    """What a request says of one table, right or wrong."""
    table = request.get("TableName") if isinstance(request, dict) else None
    return table if isinstance(table, str) else None


class AccessLog:
    """Collects the lines of a turn and writes them together."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._lines: list[str] = []

    def add(self, exchange: Exchange, response_bytes: int, latency_s: float, request_id: str) -> None:
        """Takes a line for an answer that goes out in this turn."""
        line: dict[str, object] = {
            "time": datetime.now(UTC).isoformat(timespec="milliseconds"),
            "client": exchange.connection.client,
            "operation": exchange.operation or None,
            "status": exchange.status,
            "error": exchange.error or None,
            "latency_ms": round(latency_s * 1000, 3),
            "request_bytes": exchange.request_bytes,
            "response_bytes": response_bytes,
            "request_id": request_id,
        }
        if exchange.table is not None:
            line["table"] = exchange.table
        if exchange.scope is not None:
            line["account"], line["region"] = exchange.scope
        self._lines.append(orjson.dumps(line, option=orjson.OPT_APPEND_NEWLINE).decode())

    def flush(self) -> None:
        """Writes what was added. A reader that is gone must not stop the server."""
        lines, self._lines = self._lines, []
        with contextlib.suppress(OSError, ValueError):
            self._stream.writelines(lines)
            self._stream.flush()
