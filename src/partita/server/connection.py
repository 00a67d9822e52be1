"""One client connection: HTTP/1.1 in and out, in order, within limits."""

from __future__ import annotations

import asyncio
from collections import deque
from time import perf_counter
from typing import TYPE_CHECKING, cast

from httptools import HttpParserError, HttpParserUpgrade, HttpRequestParser

from partita.server.exchange import Exchange
from partita.server.response import CONTINUE
from partita.server.shortcut import Shortcut

if TYPE_CHECKING:
    from partita.server.server import Server

_DISCARDED_BYTES = 32 * 1024 * 1024
_HOP_BY_HOP = (b"upgrade", b"connection", b"http2-settings")


class Connection(asyncio.Protocol):
    """Reads requests, hands them on one after the other, writes their answers.

    Requests that a client pipelines run in order, each begun when the one before has its answer. Those
    that may not run yet wait in a backlog, during which nothing more is read.
    """

    __slots__ = (
        "_answer_bytes",
        "_asleep",
        "_backlog",
        "_began_s",
        "_body",
        "_closes",
        "_discarded_bytes",
        "_gateway",
        "_has_ended",
        "_has_head",
        "_head",
        "_headers",
        "_idle_since_s",
        "_is_between",
        "_is_reading_paused",
        "_last_read",
        "_limits",
        "_lingers",
        "_now_s",
        "_parser",
        "_received_bytes",
        "_server",
        "_shortcut",
        "_stalled_since_s",
        "_transport",
        "_turns",
        "_unanswered",
        "_url",
        "client",
    )

    def __init__(self, server: Server) -> None:
        self._server = server
        self._turns = server.turns
        self._gateway = server.gateway
        self._limits = server.limits
        self._transport: asyncio.Transport | None = None
        self._parser = HttpRequestParser(self)
        self._shortcut: Shortcut | None = None
        """The way past the parser that fitted the last request."""
        self.client = ""
        # The request that is arriving.
        self._is_between = True
        """Whether none is."""
        self._url = b""
        self._headers: dict[bytes, bytes] = {}
        self._head: dict[bytes, bytes] = {}
        """The headers once they are complete: trailers of a chunked body must not change them."""
        self._has_head = False
        self._body: bytes | bytearray = b""
        self._received_bytes = 0
        self._last_read: Exchange | None = None
        """The exchange that the parser completed last, of those of one read."""
        self._began_s = 0.0
        """When its first bytes arrived, if it is still incomplete."""
        # The requests before it.
        self._backlog: deque[Exchange] = deque()
        self._asleep: Exchange | None = None
        self._unanswered = 0
        """Exchanges without an answer, those of the backlog included."""
        self._answer_bytes = 0
        """Of the answers that wait for the end of the turn."""
        # The connection.
        self._now_s = 0.0
        self._idle_since_s = perf_counter()
        self._stalled_since_s = 0.0
        """Since when the client does not read its answers, if so."""
        self._is_reading_paused = False
        self._closes = False
        """Whether no further request is taken."""
        self._lingers = False
        """Whether the client may still be sending what nobody reads."""
        self._has_ended = False
        self._discarded_bytes = 0

    # -- the transport's side

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        peer = transport.get_extra_info("peername")
        self.client = f"{peer[0]}:{peer[1]}" if isinstance(peer, tuple) else ""
        if not self._server.admit(self):
            self._refuse(503, "TooManyConnections")

    def connection_lost(self, error: Exception | None) -> None:
        self._transport = None
        self._unanswered -= len(self._backlog)
        self._backlog.clear()
        self._server.forget(self)

    def data_received(self, data: bytes) -> None:
        if self._closes:
            self._discard(data)
            return
        self._now_s = perf_counter()
        is_start = self._is_between
        if is_start and self._shortcut is not None and len(data) <= self._limits.header_bytes:
            admitted = self._shortcut.read(data)
            if admitted is not None:
                exchange = Exchange(self, self._now_s)
                self._gateway.admit(exchange, *admitted)
                self._take(exchange)
                return
        self._received_bytes += len(data)
        self._last_read = None
        try:
            self._parser.feed_data(data)
        except HttpParserUpgrade as upgrade:
            if not self._closes:
                self._ignore_upgrade(data[upgrade.args[0] :])
        except HttpParserError:
            if not self._closes:
                self._refuse(400, "BadRequest")
        else:
            if self._closes:
                return
            if not self._is_between:
                self._wait_for_more()
            elif is_start and self._last_read is not None:
                self._shortcut = self._gateway.shortcut(data, self._last_read)

    def eof_received(self) -> bool | None:
        self._has_ended = True
        if self._transport is not None and self._transport.get_extra_info("sslcontext") is not None:
            return None
        return self._unanswered > 0

    def pause_writing(self) -> None:
        self._stalled_since_s = perf_counter()
        self._pause_reading()

    def resume_writing(self) -> None:
        self._stalled_since_s = 0.0
        self._resume()

    # -- the parser's side

    def on_message_begin(self) -> None:
        self._is_between = False

    def on_url(self, url: bytes) -> None:
        self._url += url

    def on_header(self, name: bytes, value: bytes) -> None:
        self._headers[name.lower()] = value

    def on_headers_complete(self) -> None:
        self._has_head = True
        headers = self._headers
        self._head = dict(headers) if b"transfer-encoding" in headers else headers

    def on_body(self, body: bytes) -> None:
        if self._body:
            if type(self._body) is bytes:
                self._body = bytearray(self._body)
            self._body += body
        else:
            self._body = body

    def on_message_complete(self) -> None:
        parser = self._parser
        if self._closes or parser.should_upgrade():
            return
        head = self._head
        exchange = Exchange(self, self._now_s)
        if not parser.should_keep_alive():
            exchange.is_last = True
        elif b"connection" in head and parser.get_http_version() == "1.0":
            exchange.headers = b"Connection: keep-alive\r\n"
        body = self._body
        limits = self._limits
        if self._received_bytes > limits.header_bytes and self._has_long_head():
            self._refuse(400, "HeaderTooLarge")
        elif len(body) > limits.body_bytes:
            self._refuse(413, "ContentTooLarge")
        else:
            self._closes = exchange.is_last
            exchange.request_bytes = len(body)
            self._gateway.read(exchange, parser.get_method(), self._url, head, body)
            self._last_read = exchange
            self._take(exchange)
        self._reset()

    def _reset(self) -> None:
        """Between two requests."""
        self._is_between = True
        self._url = self._body = b""
        self._headers = {}
        self._has_head = False
        self._received_bytes = 0
        self._began_s = 0.0

    # -- requests

    def _wait_for_more(self) -> None:
        """The request that is arriving is incomplete: what is there already must be within limits."""
        limits = self._limits
        if not self._began_s:
            self._began_s = self._now_s
        if not self._has_head:
            if self._received_bytes > limits.header_bytes and (
                self._received_bytes > limits.head_bytes or self._has_long_head()
            ):
                self._refuse(400, "HeaderTooLarge")
            return
        length = self._head.get(b"content-length", b"0")
        if self._has_long_head():
            self._refuse(400, "HeaderTooLarge")
        elif (
            len(self._body) > limits.body_bytes
            or int(length) > limits.body_bytes
            or self._received_bytes > limits.message_bytes
        ):
            self._refuse(413, "ContentTooLarge")
        elif self._unanswered == 0 and self._head.pop(b"expect", b"").lower() == b"100-continue":
            self._write(CONTINUE)

    def _has_long_head(self) -> bool:
        limit = self._limits.header_bytes
        size = len(self._url)
        if size > limit:
            return True
        for name, value in self._headers.items():
            if len(name) + len(value) > limit:
                return True
            size += len(name) + len(value)
        return size > self._limits.head_bytes

    def _ignore_upgrade(self, rest: bytes) -> None:
        """Reads a request that offers another protocol as if it did not; the server speaks only this one."""
        method = self._parser.get_method()
        if method == b"CONNECT":
            self._refuse(400, "BadRequest")
            return
        lines = [method + b" " + self._url + b" HTTP/1.1"]
        lines += [name + b": " + value for name, value in self._head.items() if name not in _HOP_BY_HOP]
        self._reset()
        self._parser = HttpRequestParser(self)
        self.data_received(b"\r\n".join(lines) + b"\r\n\r\n" + rest)

    def _refuse(self, status: int, error: str) -> None:
        """Answers what cannot be read on, after the answers before it, and closes."""
        exchange = Exchange(self, perf_counter())
        exchange.is_last = True
        exchange.refuse(status, error)
        self._closes = self._lingers = True
        self._reset()
        self._take(exchange)

    def _take(self, exchange: Exchange) -> None:
        """Runs an exchange at once if it is its turn."""
        self._unanswered += 1
        if self._unanswered > 1 and (self._backlog or not self._may_run(self._unanswered - 1)):
            self._backlog.append(exchange)
            self._pause_reading()
        else:
            self._run(exchange)

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
        while backlog and not self._stalled_since_s and self._may_run(self._unanswered - len(backlog)):
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
        self._unanswered -= 1
        if transport is None:
            return
        transport.write(response)
        if exchange.is_last:
            self._finish()
        elif self._unanswered:
            if self._unanswered == len(self._backlog):
                self._answer_bytes = 0
                self._server.loop.call_soon(self._resume)
        elif self._is_between:
            self._answer_bytes = 0
            self._idle_since_s = self._server.swept_s
            if self._has_ended or self._server.is_stopping:
                transport.close()
        else:
            self._answer_bytes = 0
            self._wait_for_more()

    def _write(self, data: bytes) -> None:
        if self._transport is not None:
            self._transport.write(data)

    def _finish(self) -> None:
        """Closes once everything is written. A client in the middle of sending would lose an answer to
        the reset that closing causes, so what it still sends is read and dropped for a while."""
        self._closes = True
        transport = self._transport
        if transport is None:
            return
        if not self._lingers or self._has_ended:
            transport.close()
            return
        self._began_s = perf_counter()
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
        elif self._unanswered:
            return
        elif self._closes:
            if now_s - self._began_s > limits.linger_s:
                transport.abort()
        elif self._began_s:
            if now_s - self._began_s > limits.request_s:
                self._refuse(408, "RequestTimeout")
        elif now_s - self._idle_since_s > limits.idle_s:
            transport.close()

    def stop(self) -> None:
        """Closes the connection if nothing is in flight; else `answer` does."""
        if self._transport is None or self._unanswered or not self._is_between:
            return
        if self._closes:
            self._transport.abort()
        else:
            self._transport.close()

    def abort(self) -> None:
        if self._transport is not None:
            self._transport.abort()
