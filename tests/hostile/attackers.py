"""Connections that send hostile messages and watch what becomes of them."""

from __future__ import annotations

import asyncio
from collections import Counter
from contextlib import suppress
from typing import Final

from .messages import Message

PATIENCE_S: Final = 60
"""Much longer than any answer takes, however busy the machine."""


class Wrong(AssertionError):
    """The server did what it must not."""


class Answers(asyncio.Protocol):
    """Reads answers; what was sent is kept by who sends."""

    def __init__(self, statuses: Counter[int]) -> None:
        self._statuses = statuses
        self._received = bytearray()
        self._is_last = False
        self.number = 0
        self.is_lost = False
        self._awaited = 0
        self._news = asyncio.Event()

    async def wait(self, number: int) -> None:
        """Until there are so many answers since the connection began, or it has ended."""
        self._awaited = number
        while self.number < number and not self.is_lost:
            self._news.clear()
            await asyncio.wait_for(self._news.wait(), PATIENCE_S)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        received = self._received
        received += data
        while (end := received.find(b"\r\n\r\n")) >= 0:
            head = bytes(received[:end]).lower()
            status = int(head[9:12])
            length = int(head.partition(b"content-length: ")[2].partition(b"\r\n")[0] or 0)
            if len(received) < end + 4 + length:
                return
            del received[: end + 4 + length]
            if status != 100:
                self.number += 1
                self._statuses[status] += 1
        if self.number >= self._awaited:
            self._news.set()

    def eof_received(self) -> None:
        self._lose()

    def connection_lost(self, error: Exception | None) -> None:
        self._lose()

    def _lose(self) -> None:
        self.is_lost = True
        self._news.set()


class Attacker:
    """Sends to one port. Counts answers by status."""

    def __init__(self, port: int) -> None:
        self._port = port
        self.statuses: Counter[int] = Counter()
        self._answers: Answers | None = None

    async def pipeline(self, messages: list[Message]) -> None:
        """Sends sound requests at once on a connection that stays. Each must be answered."""
        answers = self._answers
        if answers is None or answers.is_lost:
            answers = self._answers = await self._connect()
        before = answers.number
        answers.transport.write(b"".join(message.data for message in messages))
        try:
            await answers.wait(before + len(messages))
        except TimeoutError:
            raise Wrong(f"{answers.number - before} answers to {messages}") from None
        if answers.number - before != len(messages):
            raise Wrong(f"closed after {answers.number - before} answers to {messages}")

    async def attack(self, message: Message) -> None:
        """Sends what is no sound request on a connection of its own. It must come to an end."""
        answers = await self._connect()
        answers.transport.write(message.data)
        with suppress(OSError):  # the server may have closed already
            answers.transport.write_eof()
        try:
            await answers.wait(1 << 60)
        except TimeoutError:
            raise Wrong(f"neither answered nor closed: {message}") from None
        answers.transport.abort()

    async def _connect(self) -> Answers:
        loop = asyncio.get_running_loop()
        _, answers = await loop.create_connection(lambda: Answers(self.statuses), "127.0.0.1", self._port)
        return answers


class Dawdler:
    """Sends a request so slowly that it never comes to its end, and anew when it is cut off."""

    def __init__(self, port: int, data: bytes) -> None:
        self._port = port
        self._data = data

    async def run(self) -> None:
        while True:
            _, writer = await asyncio.open_connection("127.0.0.1", self._port)
            at = 0
            while not writer.is_closing() and at < len(self._data) - 1:
                writer.write(self._data[at : at + 1])
                at += 1
                await asyncio.sleep(0.1)
            writer.close()
