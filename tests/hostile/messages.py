"""Hostile HTTP: messages around the bodies that are sound enough to be answered, and some that are not."""

from __future__ import annotations

import gzip
import random
import zlib
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from . import bodies
from .bodies import Bodies

AUTHORIZATION: Final = (
    b"AWS4-HMAC-SHA256 Credential=AKIAEXAMPLE/20261130/eu-west-1/dynamodb/aws4_request, "
    b"SignedHeaders=host;x-amz-date;x-amz-target, Signature=" + b"0" * 64
)
BOMB: Final = gzip.compress(bytes(32 << 20), 9)
"""Twice what a body may be."""
OPERATIONS: Final = [b"", b"Nothing", b"CreateBackup", b"ExecuteStatement", b"x" * 5000, b"\xff"]

Header = tuple[bytes, bytes]


class Message(NamedTuple):
    """`data` to send. If `is_framed`, it is one request and gets one answer; else the connection is to be
    closed, by either side."""

    data: bytes
    is_framed: bool


def extremes() -> Iterator[Message]:
    """The largest and deepest of all, once each."""
    for operation, body in bodies.extremes():
        yield Message(request(body, operation.encode()), is_framed=True)
    yield Message(_zip_bomb(), is_framed=False)


class Messages:
    """Draws messages of all kinds."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self._bodies = Bodies(chance)
        self._framed: dict[Callable[[], bytes], int] = {
            self._plain: 200,
            self._chunked: 8,
            self._zipped: 8,
            self._odd_headers: 12,
            self._no_call: 4,
        }
        self._unframed: list[Callable[[], bytes]] = [
            self._cut,
            self._wrong_length,
            self._bad_chunks,
            self._bad_line,
            self._bad_header,
            self._long_head,
            self._garbage,
            self._perhaps_zip_bomb,
            self._closing,
        ]

    def framed(self) -> Message:
        kind = self._chance.choices(list(self._framed), list(self._framed.values()))[0]
        return Message(kind(), is_framed=True)

    def unframed(self) -> Message:
        return Message(self._chance.choice(self._unframed)(), is_framed=False)

    # -- one request, one answer
    def _plain(self) -> bytes:
        operation, body = self._bodies.draw()
        return request(body, operation.encode())

    def _chunked(self) -> bytes:
        operation, body = self._bodies.draw()
        return request(chunks(body, self._chance), operation.encode(), [(b"transfer-encoding", b"chunked")])

    def _zipped(self) -> bytes:
        operation, body = self._bodies.draw()
        packed = self._chance.choice(
            [gzip.compress(body), gzip.compress(body)[:-3], zlib.compress(body), body, gzip.compress(b"")]
        )
        coding = self._chance.choice([b"gzip", b"GZIP", b"deflate", b"br", b"gzip, gzip", b"\xff"])
        return request(packed, operation.encode(), [(b"content-encoding", coding)])

    def _odd_headers(self) -> bytes:
        operation, body = self._bodies.draw()
        odd: list[Header] = [
            (b"authorization", b"AWS4-HMAC-SHA256 Credential="),
            (b"authorization", b"\xff" * 100),
            (b"authorization", b"Basic eDp4"),
            (b"x-amz-date", b"99999999T999999Z"),
            (b"x-amz-date", b""),
            (b"content-type", b"text/plain"),
            (b"content-type", b"application/json; charset=\xff"),
            (b"host", b"example.com"),
            (b"host", b"127.0.0.1:99999999"),
            (b"host", b"[::1"),
            (b"origin", b"http://example.com"),
            (b"origin", b"null"),
            (b"accept-encoding", b"gzip;q=0, gzip, *;q=x"),
            (b"expect", b"something"),
            (b"x-" + b"y" * 500, b"z" * 2000),
            (b"x-amz-target", self._chance.choice(OPERATIONS)),
        ]
        return request(body, operation.encode(), [self._chance.choice(odd)])

    def _no_call(self) -> bytes:
        method = self._chance.choice([b"GET", b"PUT", b"DELETE", b"OPTIONS", b"PATCH"])
        url = self._chance.choice(
            [b"/", b"/x", b"/_partita/metrics", b"/_partita/control/backup", b"/%00", b"*"]
        )
        return request(b"", b"GetItem", method=method, url=url)

    # -- no request, or not one alone
    def _cut(self) -> bytes:
        data = self._plain()
        return data[: self._chance.randrange(1, len(data))]

    def _wrong_length(self) -> bytes:
        operation, body = self._bodies.draw()
        size = len(body)
        length = self._chance.choice(
            [
                size + 1,
                size * 2 + 100,
                max(size - 5, 0),
                -1,
                10**30,
                "abc",
                "",
                "1, 1",
                "0x10",
                "+5",
                17 << 20,
            ]
        )
        return request(body, operation.encode(), [(b"content-length", str(length).encode())])

    def _bad_chunks(self) -> bytes:
        operation, body = self._bodies.draw()
        sound = chunks(body, self._chance)
        bad = self._chance.choice(
            [
                b"zz\r\n" + sound,
                sound[:-2],
                b"-1\r\n\r\n",
                b"ffffffffffffffffff\r\n",
                b"1000000\r\n" + body,
                b"5;" + b"x" * 20_000,
            ]
        )
        return request(bad, operation.encode(), [(b"transfer-encoding", b"chunked")])

    def _bad_line(self) -> bytes:
        line = self._chance.choice(
            [
                *(
                    b"POST /",
                    b"POST / HTTP/9.9",
                    b"post / HTTP/1.1",
                    b"POST  / HTTP/1.1",
                    b"\0",
                    b" POST / HTTP/1.1",
                ),
                *(
                    b"CONNECT x:1 HTTP/1.1",
                    b"PRI * HTTP/2.0",
                    b"GET / HTTP/0.9",
                    b"POST http:// HTTP/1.1",
                    b"\xff" * 50,
                ),
                b"POST /" + b"x" * 20_000 + b" HTTP/1.1",
            ]
        )
        _, _, rest = self._plain().partition(b"\r\n")
        return line + b"\r\n" + rest

    def _bad_header(self) -> bytes:
        line = self._chance.choice(
            [
                *(b"no colon", b": empty", b"sp ace: x", b"x: \0", b"\xff: x", b"x: a\r\n folded", b"x\r: y"),
                *(
                    b"transfer-encoding: chunked, gzip",
                    b"content-length: 5\r\ncontent-length: 6",
                    b"upgrade: h2c",
                ),
                b"transfer-encoding: chunked\r\ncontent-length: 3",
            ]
        )
        first, _, rest = self._plain().partition(b"\r\n")
        return first + b"\r\n" + line + b"\r\n" + rest

    def _long_head(self) -> bytes:
        number, size = self._chance.choice([(1, 17_000), (100, 1000), (3000, 5), (1, 80_000)])
        return request(b"{}", b"GetItem", [(b"x-%d" % at, b"y" * size) for at in range(number)])

    def _garbage(self) -> bytes:
        chance = self._chance
        return chance.choice(
            [
                chance.randbytes(chance.randrange(1, 2000)),
                b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + chance.randbytes(500),
                b"\r\n" * 1000,
                self._plain() + chance.randbytes(300) + self._plain(),
                self._plain() * 3 + b"POST",
            ]
        )

    def _perhaps_zip_bomb(self) -> bytes:
        return self._cut() if self._chance.random() < 0.9 else _zip_bomb()

    def _closing(self) -> bytes:
        operation, body = self._bodies.draw()
        if self._chance.random() < 0.5:
            return request(body, operation.encode(), [(b"connection", b"close")]) + self._plain()
        return request(body, operation.encode()).replace(b"HTTP/1.1", b"HTTP/1.0", 1)


def _zip_bomb() -> bytes:
    return request(BOMB, b"GetItem", [(b"content-encoding", b"gzip")])


def request(
    body: bytes,
    operation: bytes,
    changes: list[Header] | None = None,
    *,
    method: bytes = b"POST",
    url: bytes = b"/",
) -> bytes:
    headers: dict[bytes, bytes] = {
        b"host": b"127.0.0.1",
        b"x-amz-target": b"DynamoDB_20120810." + operation,
        b"content-type": b"application/x-amz-json-1.0",
        b"x-amz-date": b"20261130T120000Z",
        b"authorization": AUTHORIZATION,
        b"content-length": b"%d" % len(body),
    }
    headers.update(changes or [])
    if b"transfer-encoding" in headers:
        del headers[b"content-length"]
    lines = [b"%b %b HTTP/1.1" % (method, url), *(b"%b: %b" % header for header in headers.items())]
    return b"\r\n".join(lines) + b"\r\n\r\n" + body


def chunks(body: bytes, chance: random.Random) -> bytes:
    """The body as chunks, at most a hundred."""
    pieces: list[bytes] = []
    at = 0
    least = len(body) // 100 + 1
    while at < len(body):
        size = chance.randrange(least, least + 200)
        piece = body[at : at + size]
        pieces.append(b"%x\r\n%b\r\n" % (len(piece), piece))
        at += size
    return b"".join(pieces) + b"0\r\n\r\n"
