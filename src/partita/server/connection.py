"""One client connection: its requests and their answers in order, and how long it lives."""

from __future__ import annotations

import asyncio
from collections import deque
from time import perf_counter
from typing import TYPE_CHECKING, cast

from partita.server.exchange import Exchange
from partita.server.reader import Reader

if TYPE_CHECKING:
    from partita.server.server import Server

_DISCARDED_BYTES = 32 * 1024 * 1024


class Connection(asyncio.Protocol):
    """Hands on the requests that its reader makes, one after the other, and writes their answers.

    Requests that a client pipelines run in order, each begun when the one before has its answer. Those
    that may not run yet wait in a backlog, during which nothing more is read.
    """

    __slots__ = (
        "_answer_bytes",
        "_asleep",
        "_backlog",
        "_discarded_bytes",
        "_has_ended",
        "_idle_since_s",
        "_is_reading_paused",
        "_limits",
        "_lingers",
        "_lingers_since_s",
        "_reader",
        "_server",
        "_stalled_since_s",
        "_transport",
        "_turns",
        "client",
        "closes",
        "unanswered",
    )

    def __init__(self, server: Server) -> None:
        self._server = server
        self._turns = server.turns
        self._limits = server.limits
        self._reader = Reader(self, server.gateway, server.limits)
        self._transport: asyncio.Transport | None = None
        self.client = ""
        # Requests that have arrived.
        self._backlog: deque[Exchange] = deque()
        self._asleep: Exchange | None = None
        self.unanswered = 0
        """Exchanges without an answer, those of the backlog included."""
        self._answer_bytes = 0
        """Of the answers that wait for the end of the turn."""
        # The connection.
        self._idle_since_s = perf_counter()
        self._stalled_since_s = 0.0
        """Since when the client does not read its answers, if so."""
        self._is_reading_paused = False
        self.closes = False
        """Whether no further request is taken."""
        self._lingers = False
        """Whether the client may still be sending what nobody reads."""
        self._lingers_since_s = 0.0
        self._has_ended = False
        self._discarded_bytes = 0

    # -- the transport's side

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        peer = transport.get_extra_info("peername")
        self.client = f"{peer[0]}:{peer[1]}" if isinstance(peer, tuple) else ""
        if not self._server.admit(self):
            self.refuse(503, "TooManyConnections")

    def connection_lost(self, error: Exception | None) -> None:
        self._transport = None
        self.unanswered -= len(self._backlog)
        self._backlog.clear()
        self._server.forget(self)

    def data_received(self, data: bytes) -> None:
        if self.closes:
            self._discard(data)
        else:
            self._reader.feed(data)

    def eof_received(self) -> bool | None:
        self._has_ended = True
        if self._transport is not None and self._transport.get_extra_info("sslcontext") is not None:
            return None
        return self.unanswered > 0

    def pause_writing(self) -> None:
        self._stalled_since_s = perf_counter()
        self._pause_reading()

    def resume_writing(self) -> None:
        self._stalled_since_s = 0.0
        self._resume()

    # -- requests

    def take(self, exchange: Exchange) -> None:
        """Runs an exchange at once if it is its turn."""
        self.unanswered += 1
        if self.unanswered > 1 and (self._backlog or not self._may_run(self.unanswered - 1)):
            self._backlog.append(exchange)
            self._pause_reading()
        else:
            self._run(exchange)

    def refuse(self, status: int, error: str) -> None:
        """Answers what cannot be read on, after the answers before it, and closes."""
        exchange = Exchange(self, perf_counter())
        exchange.is_last = True
        exchange.refuse(status, error)
        self.closes = self._lingers = True
        self._reader.reset()
        self.take(exchange)

    def _may_run(self, running: int) -> bool:
        """Whether one more may run in this turn, beside as many as have no answer yet."""
        asleep = self._asleep
        return (
            running < self._limits.pipeline
            and self._answer_bytes < self._limits.answer_bytes
            and (asleep is None or asleep.coroutine is None)
        )

    def _run(self, exchange: Exchange) -> None:
        self._turns.add(exchange)
        self._answer_bytes += len(exchange.body)
        if exchange.coroutine is not None:
            self._asleep = exchange

    def _resume(self) -> None:
        """Goes on with the backlog, then with reading."""
        backlog = self._backlog
        while backlog and not self._stalled_since_s and self._may_run(self.unanswered - len(backlog)):
            self._run(backlog.popleft())
        if not backlog and self._is_reading_paused and not self._stalled_since_s and self._transport:
            self._is_reading_paused = False
            self._transport.resume_reading()

    def _pause_reading(self) -> None:
        if not self._is_reading_paused and self._transport is not None:
            self._is_reading_paused = True
            self._transport.pause_reading()

    # -- answers

    def answer(self, exchange: Exchange, response: bytes) -> None:
        """Writes the response to the oldest exchange that has none."""
        transport = self._transport
        self.unanswered -= 1
        if transport is None:
            return
        transport.write(response)
        if exchange.is_last:
            self._finish()
        elif self.unanswered:
            if self.unanswered == len(self._backlog):
                self._answer_bytes = 0
                self._server.loop.call_soon(self._resume)
        elif self._reader.is_between:
            self._answer_bytes = 0
            self._idle_since_s = self._server.swept_s
            if self._has_ended or self._server.is_stopping:
                transport.close()
        else:
            self._answer_bytes = 0
            self._reader.wait_for_more()

    def write(self, data: bytes) -> None:
        if self._transport is not None:
            self._transport.write(data)

    def _finish(self) -> None:
        """Closes once everything is written. A client in the middle of sending would lose an answer to
        the reset that closing causes, so what it still sends is read and dropped for a while."""
        self.closes = True
        transport = self._transport
        if transport is None:
            return
        if not self._lingers or self._has_ended:
            transport.close()
            return
        self._lingers_since_s = perf_counter()
        if transport.can_write_eof():
            transport.write_eof()
        if self._is_reading_paused:
            self._is_reading_paused = False
            transport.resume_reading()

    def _discard(self, data: bytes) -> None:
        self._discarded_bytes += len(data)
        if self._discarded_bytes > _DISCARDED_BYTES and self._transport is not None:
            self._transport.abort()

    # -- time

    def sweep(self, now_s: float) -> None:
        """Closes the connection if it has used up its time."""
        limits = self._limits
        transport = self._transport
        if transport is None:
            return
        if self._stalled_since_s:
            if now_s - self._stalled_since_s > limits.request_s:
                transport.abort()
        elif self.unanswered:
            return
        elif self.closes:
            if now_s - self._lingers_since_s > limits.linger_s:
                transport.abort()
        elif self._reader.began_s:
            if now_s - self._reader.began_s > limits.request_s:
                self.refuse(408, "RequestTimeout")
        elif now_s - self._idle_since_s > limits.idle_s:
            transport.close()

    def stop(self) -> None:
        """Closes the connection if nothing is in flight; else `answer` does."""
        if self._transport is None or self.unanswered or not self._reader.is_between:
            return
        if self.closes:
            self._transport.abort()
        else:
            self._transport.close()

    def abort(self) -> None:
        if self._transport is not None:
            self._transport.abort()
