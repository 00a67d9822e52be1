"""Ways to a database: requests out, answers in, in order."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Any, Final

import orjson

from .ledger import Request

_HEAD = (
    "POST / HTTP/1.1\r\nhost: 127.0.0.1\r\n"
    "authorization: AWS4-HMAC-SHA256 Credential=AKIAEXAMPLE/20261130/eu-west-1/dynamodb/aws4_request, "
    f"SignedHeaders=host;x-amz-date;x-amz-target, Signature={'0' * 64}\r\n"
    "x-amz-date: 20261130T120000Z\r\ncontent-type: application/x-amz-json-1.0\r\n"
    "x-amz-target: DynamoDB_20120810.{operation}\r\ncontent-length: {length}\r\n\r\n"
)

INTERNAL: Final = "InternalServerError"

Answer = tuple[str, dict[str, Any]]
"""(name of the error or nothing, body)."""


def encoded(operation: str, body: dict[str, Any]) -> bytes:
    content = orjson.dumps(body)
    return _HEAD.format(operation=operation, length=len(content)).encode() + content


class Lost(Exception):
    """The connection ended before the answer came."""


class InternalError(Exception):
    """The answer is InternalServerError: the store has failed."""


class Refused(Exception):
    """The answer is another error."""

    def __init__(self, name: str, body: dict[str, Any]) -> None:
        super().__init__(name, body)
        self.name = name


def received(answer: Answer | None) -> Answer:
    """Raises Lost."""
    if answer is None:
        raise Lost
    return answer


def succeeded(answer: Answer | None) -> dict[str, Any]:
    """The body of an answer. Raises Lost, InternalError, Refused."""
    error, body = received(answer)
    if error == INTERNAL:
        raise InternalError
    if error:
        raise Refused(error, body)
    return body


class Channel:
    """A way to a database: requests on it are answered in order."""

    def send(self, request: Request) -> asyncio.Future[Answer | None]:
        """The answer; None if the connection is lost before."""
        raise NotImplementedError

    async def call(self, operation: str, body: dict[str, Any]) -> dict[str, Any]:
        """The answer. Raises Lost, InternalError, Refused."""
        return succeeded(await self.send(Request(operation, body)))


class Connection(Channel, asyncio.Protocol):
    """A channel to the server on a port."""

    def __init__(self) -> None:
        self._waiting: deque[asyncio.Future[Answer | None]] = deque()
        self._received = b""
        self._is_lost = False

    @classmethod
    async def to(cls, port: int) -> Connection:
        """Raises Lost if nobody listens."""
        try:
            _, connection = await asyncio.get_running_loop().create_connection(cls, "127.0.0.1", port)
        except OSError as error:
            raise Lost from error
        return connection

    def send(self, request: Request) -> asyncio.Future[Answer | None]:
        future: asyncio.Future[Answer | None] = asyncio.get_running_loop().create_future()
        if self._is_lost:
            future.set_result(None)
        else:
            self._waiting.append(future)
            self._transport.write(encoded(request.operation, request.body))
        return future

    def close(self) -> None:
        self._transport.close()

    # -- the transport's side
    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._received += data
        while (end := self._received.find(b"\r\n\r\n")) >= 0:
            head = self._received[:end].lower()
            length = int(head.partition(b"content-length: ")[2].partition(b"\r\n")[0])
            if len(self._received) < end + 4 + length:
                return
            body = self._received[end + 4 : end + 4 + length]
            self._received = self._received[end + 4 + length :]
            answer = orjson.loads(body) if body else {}
            is_error = not head.startswith(b"http/1.1 200")
            error = answer["__type"].rpartition("#")[2] if is_error else ""
            future = self._waiting.popleft()
            if not future.done():
                future.set_result((error, answer))

    def connection_lost(self, error: Exception | None) -> None:
        self._is_lost = True
        for future in self._waiting:
            if not future.done():
                future.set_result(None)
        self._waiting.clear()
