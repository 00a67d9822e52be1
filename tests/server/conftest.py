"""A server with a stub engine on a thread of its own, and a client of raw sockets."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import orjson
import pytest
from tests.server.stub_engine import OPERATIONS, StubEngine, encode

from partita.engine.clock import SystemClock
from partita.server.limits import Limits
from partita.server.listeners import address_of, listen
from partita.server.server import Configuration, Server

AUTHORIZATION = (
    "AWS4-HMAC-SHA256 Credential=AKIAEXAMPLE/20261130/eu-west-1/dynamodb/aws4_request, "
    "SignedHeaders=host;x-amz-date;x-amz-target, Signature=" + "0" * 64
)


@dataclass
class Answer:
    """A response as received."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return orjson.loads(self.body)


def request(
    operation: str = "PutItem",
    body: object = None,
    *,
    method: str = "POST",
    url: str = "/",
    version: str = "HTTP/1.1",
    **changes: str | None,
) -> bytes:
    """Bytes of a request. `changes`: headers by name with `_` for `-`; None leaves one out."""
    content = body if isinstance(body, bytes) else orjson.dumps({} if body is None else body)
    headers: dict[str, str | None] = {
        "host": "127.0.0.1",
        "x-amz-target": f"DynamoDB_20120810.{operation}",
        "content-type": "application/x-amz-json-1.0",
        "x-amz-date": "20261130T120000Z",
        "authorization": AUTHORIZATION,
        "content-length": str(len(content)),
    }
    headers.update({name.replace("_", "-"): value for name, value in changes.items()})
    lines = [f"{method} {url} {version}"]
    lines += [f"{name}: {value}" for name, value in headers.items() if value is not None]
    return "\r\n".join([*lines, "", ""]).encode() + content


def until(condition: Callable[[], object]) -> None:
    """Waits for what a server does on its own thread."""
    pause = threading.Event()
    for _ in range(10_000):
        if condition():
            return
        pause.wait(0.001)
    raise TimeoutError


class Client:
    """One connection; reads whole responses."""

    def __init__(self, port: int) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=10)
        self._buffer = b""

    def send(self, data: bytes) -> Client:
        self.socket.sendall(data)
        return self

    def read(self) -> Answer:
        while b"\r\n\r\n" not in self._buffer:
            self._more()
        head, _, self._buffer = self._buffer.partition(b"\r\n\r\n")
        first, *lines = head.decode().split("\r\n")
        headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines)}
        length = int(headers.get("content-length", "0"))
        while len(self._buffer) < length:
            self._more()
        body, self._buffer = self._buffer[:length], self._buffer[length:]
        return Answer(int(first.split()[1]), headers, body)

    def ask(self, data: bytes) -> Answer:
        return self.send(data).read()

    def is_closed(self) -> bool:
        """Waits until the server has closed the connection."""
        try:
            return self.socket.recv(1) == b""
        except ConnectionResetError:
            return True

    def _more(self) -> None:
        data = self.socket.recv(65536)
        if not data:
            raise EOFError(f"closed after {self._buffer!r}")
        self._buffer += data

    def close(self) -> None:
        self.socket.close()


class Running:
    """A server on a thread; `settings` are members of its Configuration."""

    def __init__(self, **settings: Any) -> None:
        self.clock = SystemClock()
        self.engine = StubEngine(self.clock)
        self._settings = {"operations": OPERATIONS, "encode": encode, **settings}
        self._ready = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._run()), daemon=True)
        self._thread.start()
        assert self._ready.wait(10)
        self.clients: list[Client] = []

    async def _run(self) -> None:
        self.loop = asyncio.get_running_loop()
        self._done = asyncio.Event()
        self.server = Server(self.engine, self.clock, Configuration(**self._settings))
        sockets = listen("127.0.0.1", 0)
        self.port = address_of(sockets)[1]
        await self.server.start(sockets)
        self._ready.set()
        await self._done.wait()
        await self.server.stop()

    def client(self) -> Client:
        client = Client(self.port)
        self.clients.append(client)
        return client

    def ask(self, data: bytes) -> Answer:
        return self.client().ask(data)

    def stop_soon(self) -> None:
        self.loop.call_soon_threadsafe(self._done.set)

    def stop(self) -> None:
        if self._thread.is_alive():
            self.stop_soon()
        self._thread.join(10)
        assert not self._thread.is_alive()
        for client in self.clients:
            client.close()


Start = Callable[..., Running]


@pytest.fixture
def start() -> Iterator[Start]:
    """Starts servers; `limits` takes what differs from the usual ones."""
    running: list[Running] = []

    def begin(limits: dict[str, Any] | None = None, **settings: Any) -> Running:
        server = Running(limits=Limits(**(limits or {})), **settings)
        running.append(server)
        return server

    yield begin
    for server in running:
        if server._thread.is_alive():
            server.stop()


@pytest.fixture
def server(start: Start) -> Running:
    return start()
