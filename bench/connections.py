"""Several keep-alive connections on which requests are sent at once, as clients side by side do."""

from __future__ import annotations

import json
import re
import socket
from collections.abc import Sequence
from types import TracebackType
from typing import Any, Self

from bench.load import HEADERS

_LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)
_TIMEOUT_S = 30


def encoded(operation: str, request: dict[str, Any]) -> bytes:
    """A request as it goes over the wire, with the headers of an SDK."""
    body = json.dumps(request).encode()
    headers = {
        "Host": "127.0.0.1",
        **HEADERS,
        "X-Amz-Target": f"DynamoDB_20120810.{operation}",
        "Content-Length": str(len(body)),
    }
    lines = ["POST / HTTP/1.1", *(f"{name}: {value}" for name, value in headers.items())]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


class Connections:
    def __init__(self, port: int, count: int) -> None:
        self._sockets = [socket.create_connection(("127.0.0.1", port), _TIMEOUT_S) for _ in range(count)]
        for one in self._sockets:
            one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def send(self, requests: Sequence[bytes]) -> None:
        """Sends all, as many at a time as there are connections; RuntimeError for an error answer."""
        count = len(self._sockets)
        for first in range(0, len(requests), count):
            turn = list(zip(self._sockets, requests[first : first + count], strict=False))
            for one, request in turn:
                one.sendall(request)
            for one, _ in turn:
                _check_answer(one)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc_value: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        for one in self._sockets:
            one.close()


def _check_answer(one: socket.socket) -> None:
    received = b""
    while True:
        head, end, body = received.partition(b"\r\n\r\n")
        length = _LENGTH.search(head)
        if end and length and len(body) >= int(length[1]):
            break
        more = one.recv(65536)
        if not more:
            raise RuntimeError(f"the server closed the connection after {received[:200]!r}")
        received += more
    if not head.startswith(b"HTTP/1.1 200"):
        raise RuntimeError(f"the server answered {received[:400]!r}")
