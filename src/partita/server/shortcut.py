"""A way past the HTTP parser for requests that look like earlier ones of the same kind of client.

A client sends the same headers in the same order each time, and few of their values change. So what a request
was admitted as is remembered by those lines of its head that decided it. Of the others only the names count,
and that the parser would take them. Whatever differs is read the usual way: a shortcut never refuses
anything.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import itemgetter
from typing import NamedTuple

from partita.engine.table import Scope
from partita.server.exchange import Exchange

_MOST_SHORTCUTS = 32
_REMEMBERED = 100
_LONGEST = 4096
_SIGNATURE_LENGTH = 64
_REQUEST_LINE = b"POST / HTTP/1.1"
_DECIDING = frozenset(
    (
        *(b"host", b"x-amz-target", b"content-type", b"accept-encoding", b"connection"),
        # These decide nothing, but a client does not change them, and comparing costs less than looking.
        *(b"user-agent", b"x-amz-security-token"),
    )
)
"""Headers that decide what a request is, beside `authorization` without its signature."""
_NEEDED = frozenset(
    (b"authorization", b"host", b"x-amz-target", b"x-amz-date", b"content-type", b"content-length")
)
_FORBIDDEN = frozenset(
    (b"content-encoding", b"expect", b"origin", b"te", b"trailer", b"transfer-encoding", b"upgrade")
)
_PLAIN = b"\t" + bytes(range(0x20, 0x7F)) + bytes(range(0x80, 0x100))
"""What the parser takes as the value of a header."""
_LINE_END = b"\r\n"
_HEAD_END = b"\r\n\r\n"


class Admission(NamedTuple):
    """What the gateway made of a head."""

    operation: str
    scope: Scope
    gzips: bool


class Shortcut:
    """The heads that have certain header names in a certain order."""

    def __init__(self, names: Sequence[bytes]) -> None:
        places = {name.lower(): place for place, name in enumerate(names, 1)}
        deciding = [place for name, place in places.items() if name in _DECIDING]
        free = [place for name, place in places.items() if name not in _DECIDING and name != b"authorization"]
        self._lines = 1 + len(names)
        self._authorization = places[b"authorization"]
        self._deciding = itemgetter(0, *deciding)
        self._free = itemgetter(*free)
        self._prefixes = tuple(names[place - 1] + b": " for place in free)
        self._date = places[b"x-amz-date"]
        self._length = places[b"content-length"]
        self._known: dict[tuple[bytes, ...], Admission] = {}

    def read(self, data: bytes) -> tuple[Admission, bytes] | None:
        """Admission and body, if `data` is exactly one request like one that was remembered."""
        request = self._read(data)
        if request is None:
            return None
        key, body = request
        admission = self._known.get(key)
        return None if admission is None else (admission, body)

    def remember(self, data: bytes, admission: Admission) -> None:
        """Takes note of how the gateway has admitted the request `data`, if that is exactly one."""
        request = self._read(data)
        if request is not None:
            if len(self._known) >= _REMEMBERED:
                self._known.clear()
            self._known[request[0]] = admission

    def _read(self, data: bytes) -> tuple[tuple[bytes, ...], bytes] | None:
        """What decides, and the body, of exactly one request with these headers."""
        head, _, body = data.partition(_HEAD_END)
        lines = head.split(_LINE_END)
        if len(lines) != self._lines:
            return None
        authorization = lines[self._authorization]
        free = self._free(lines)
        for line, prefix in zip(free, self._prefixes, strict=True):
            if not line.startswith(prefix):
                return None
        is_usual = (
            lines[self._length][len(b"content-length: ") :] == b"%d" % len(body)
            and lines[self._date][len(b"x-amz-date: ") :].isalnum()
            and authorization[-_SIGNATURE_LENGTH:].isalnum()
            and not b"".join(free).translate(None, _PLAIN)
        )
        return ((authorization[:-_SIGNATURE_LENGTH], *self._deciding(lines)), body) if is_usual else None


class Shortcuts:
    """All shortcuts, by header names. Their number is bounded: what they remember takes memory."""

    def __init__(self) -> None:
        self._by_names: dict[tuple[bytes, ...], Shortcut] = {}

    def learn(self, data: bytes, exchange: Exchange) -> Shortcut | None:
        """The shortcut for requests like `data`, which is all of what the gateway admitted as `exchange`."""
        if exchange.scope is None or exchange.headers or exchange.is_last:
            return None
        head = data.partition(_HEAD_END)[0]
        lines = head.split(_LINE_END)
        if lines[0] != _REQUEST_LINE or len(head) > _LONGEST or b"".join(lines).translate(None, _PLAIN):
            return None
        names = tuple(line.partition(b": ")[0] for line in lines[1:])
        shortcut = self._by_names.get(names)
        if shortcut is None:
            lower = [name.lower() for name in names]
            if (
                len(self._by_names) >= _MOST_SHORTCUTS
                or len(set(lower)) < len(lower)
                or not _FORBIDDEN.isdisjoint(lower)
                or not _NEEDED.issubset(lower)
            ):
                return None
            shortcut = self._by_names[names] = Shortcut(names)
        shortcut.remember(data, Admission(exchange.operation, exchange.scope, exchange.gzips))
        return shortcut
