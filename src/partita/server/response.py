"""Response bytes: the head that every answer carries (facts 1.3, 1.10 to 1.12), and the body."""

from __future__ import annotations

import os
import time
from zlib import crc32

from partita.server.content import compress
from partita.server.exchange import AMZ_JSON, Exchange

_ID_LETTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
CONTINUE = b"HTTP/1.1 100 Continue\r\n\r\n"
_REASONS = {
    200: b"OK",
    400: b"Bad Request",
    403: b"Forbidden",
    404: b"Not Found",
    408: b"Request Timeout",
    413: b"Content Too Large",
    500: b"Internal Server Error",
    503: b"Service Unavailable",
}
_DAYS = (b"Mon", b"Tue", b"Wed", b"Thu", b"Fri", b"Sat", b"Sun")
_MONTHS = b"Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()


def http_date(second: int) -> bytes:
    """A time since the epoch as a Date header has it, whatever the locale."""
    year, month, day, hour, minute, second, weekday, *_ = time.gmtime(second)
    return b"%b, %02d %b %04d %02d:%02d:%02d GMT" % (
        _DAYS[weekday],
        day,
        _MONTHS[month - 1],
        year,
        hour,
        minute,
        second,
    )


class Responses:
    """Writes responses. Request ids are a random prefix of the process and a counter: 52 letters."""

    def __init__(self, gzip_bytes: int) -> None:
        self._gzip_bytes = gzip_bytes
        self._count = 0
        self._id_prefix = "".join(_ID_LETTERS[byte % len(_ID_LETTERS)] for byte in os.urandom(40))
        self._second = 0
        self._date = b""
        self._usual = b""
        self.refresh()

    def refresh(self) -> None:
        """Brings the Date header up to date; to be called once a turn."""
        second = int(time.time())
        if second != self._second:
            self._second = second
            self._date = http_date(second)
            self._usual = self._template(200, AMZ_JSON, b"")

    def _template(self, status: int, content_type: bytes, headers: bytes) -> bytes:
        """A response with places for the length, the request id's number, the checksum and the body."""
        reason = _REASONS.get(status, b"Error")
        return (
            b"HTTP/1.1 %d %b\r\nServer: Server\r\nDate: %b\r\nContent-Type: %b\r\n%b"
            b"Content-Length: %%d\r\nx-amzn-RequestId: %b%%012d\r\nx-amz-crc32: %%d\r\n\r\n%%b"
        ) % (
            status,
            reason,
            self._date,
            content_type,
            headers.replace(b"%", b"%%"),
            self._id_prefix.encode(),
        )

    @property
    def last_id(self) -> str:
        """The request id of the response that was made last."""
        return f"{self._id_prefix}{self._count:012d}"

    def of(self, exchange: Exchange) -> bytes:
        """The response to an exchange that has its answer."""
        body = exchange.body
        headers = exchange.headers
        if exchange.gzips and len(body) >= self._gzip_bytes:
            body = compress(body)
            headers += b"Content-Encoding: gzip\r\n"
        if exchange.is_last:
            headers += b"Connection: close\r\n"
        if headers or exchange.status != 200 or exchange.content_type is not AMZ_JSON:
            template = self._template(exchange.status, exchange.content_type, headers)
        else:
            template = self._usual
        self._count += 1
        return template % (len(body), self._count, crc32(body), body)
