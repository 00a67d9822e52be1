"""The requests of one connection while they arrive: HTTP/1.1 read, within limits of size."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING

from httptools import HttpParserError, HttpParserUpgrade, HttpRequestParser

from partita.server.exchange import Exchange
from partita.server.response import CONTINUE

if TYPE_CHECKING:
    from partita.server.connection import Connection
    from partita.server.gateway import Gateway
    from partita.server.limits import Limits

_HOP_BY_HOP = (b"upgrade", b"connection", b"http2-settings")


class Reader:
    """Makes exchanges of bytes, has the gateway read them, and gives them to the connection."""

    __slots__ = (
        "_body",
        "_connection",
        "_gateway",
        "_has_head",
        "_head",
        "_headers",
        "_last_read",
        "_limits",
        "_now_s",
        "_parser",
        "_received_bytes",
        "_shortcuts",
        "_url",
        "began_s",
        "is_between",
    )

    def __init__(self, connection: Connection, gateway: Gateway, limits: Limits) -> None:
        self._connection = connection
        self._gateway = gateway
        self._limits = limits
        self._parser = HttpRequestParser(self)
        self._shortcuts = gateway.shortcuts
        self._now_s = 0.0
        self.is_between = True
        """Whether no request is arriving."""
        self._url = b""
        self._headers: dict[bytes, bytes] = {}
        self._head: dict[bytes, bytes] = {}
        """The headers once they are complete: trailers of a chunked body must not change them."""
        self._has_head = False
        self._body: bytes | bytearray = b""
        self._received_bytes = 0
        self._last_read: Exchange | None = None
        """The exchange that the parser completed last, of those of one read."""
        self.began_s = 0.0
        """When the first bytes of the request arrived, if it is still incomplete."""

    def feed(self, data: bytes) -> None:
        """Takes what has arrived, unless the connection takes no more."""
        self._now_s = perf_counter()
        is_start = self.is_between
        connection = self._connection
        shortcuts = self._shortcuts
        if is_start and shortcuts is not None and len(data) <= self._limits.body_bytes:
            admitted = shortcuts.read(data)
            if admitted is not None:
                exchange = Exchange(connection, self._now_s)
                self._gateway.admit(exchange, *admitted)
                connection.take(exchange)
                return
        self._received_bytes += len(data)
        self._last_read = None
        try:
            self._parser.feed_data(data)
        except HttpParserUpgrade as upgrade:
            if not connection.closes:
                self._ignore_upgrade(data[upgrade.args[0] :])
        except HttpParserError:
            if not connection.closes:
                connection.refuse(400, "BadRequest")
        else:
            if connection.closes:
                return
            if not self.is_between:
                self.wait_for_more()
            elif is_start and shortcuts is not None and self._last_read is not None:
                shortcuts.learn(data, self._last_read)

    def wait_for_more(self) -> None:
        """The request that is arriving is incomplete: what is there already must be within limits."""
        limits = self._limits
        connection = self._connection
        if not self.began_s:
            self.began_s = self._now_s
        if not self._has_head:
            if self._received_bytes > limits.header_bytes and (
                self._received_bytes > limits.head_bytes or self._has_long_head()
            ):
                connection.refuse(400, "HeaderTooLarge")
            return
        length = self._head.get(b"content-length", b"0")
        if self._has_long_head():
            connection.refuse(400, "HeaderTooLarge")
        elif (
            len(self._body) > limits.body_bytes
            or int(length) > limits.body_bytes
            or self._received_bytes > limits.message_bytes
        ):
            connection.refuse(413, "ContentTooLarge")
        elif connection.unanswered == 0 and self._head.pop(b"expect", b"").lower() == b"100-continue":
            connection.write(CONTINUE)

    def reset(self) -> None:
        """Between two requests."""
        self.is_between = True
        self._url = self._body = b""
        self._headers = {}
        self._has_head = False
        self._received_bytes = 0
        self.began_s = 0.0

    # -- the parser's side

    def on_message_begin(self) -> None:
        self.is_between = False

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
        connection = self._connection
        if connection.closes or parser.should_upgrade():
            return
        head = self._head
        exchange = Exchange(connection, self._now_s)
        if not parser.should_keep_alive():
            exchange.is_last = True
        elif b"connection" in head and parser.get_http_version() == "1.0":
            exchange.headers = b"Connection: keep-alive\r\n"
        body = self._body
        limits = self._limits
        if self._received_bytes > limits.header_bytes and self._has_long_head():
            connection.refuse(400, "HeaderTooLarge")
        elif len(body) > limits.body_bytes:
            connection.refuse(413, "ContentTooLarge")
        else:
            connection.closes = exchange.is_last
            exchange.request_bytes = len(body)
            self._gateway.read(exchange, parser.get_method(), self._url, head, body)
            self._last_read = exchange
            connection.take(exchange)
        self.reset()

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
            self._connection.refuse(400, "BadRequest")
            return
        lines = [method + b" " + self._url + b" HTTP/1.1"]
        lines += [name + b": " + value for name, value in self._head.items() if name not in _HOP_BY_HOP]
        self.reset()
        self._parser = HttpRequestParser(self)
        self.feed(b"\r\n".join(lines) + b"\r\n\r\n" + rest)
