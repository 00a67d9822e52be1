"""A way past the HTTP parser for requests that look like earlier ones of the same kind of client.

A client sends the same headers in the same order each time, and few of their values change. So the head of a
request is remembered as what the gateway has admitted it as, with holes where values may differ. A later
request with such a head need only be cut at the same places: what is fixed is looked up, and of what is in
the holes the parser would take every byte. Whatever differs is read the usual way: a shortcut never refuses
anything.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import itemgetter
from struct import Struct
from typing import Final, NamedTuple

from partita.engine.table import Scope
from partita.server.exchange import Exchange

_MOST_LAYOUTS: Final = 64
_REMEMBERED: Final = 32
_LONGEST: Final = 4096
_SIGNATURE_LENGTH: Final = 64
_REQUEST_LINE: Final = b"POST / HTTP/1.1"
_DECIDING: Final = frozenset(
    (
        *(b"host", b"x-amz-target", b"content-type", b"accept-encoding", b"connection"),
        # These decide nothing, but a client does not change them, and comparing costs less than looking.
        *(b"user-agent", b"x-amz-security-token"),
    )
)
"""Headers that decide what a request is, beside `authorization` without its signature."""
_NEEDED: Final = frozenset(
    (b"authorization", b"host", b"x-amz-target", b"x-amz-date", b"content-type", b"content-length")
)
_FORBIDDEN: Final = frozenset(
    (b"content-encoding", b"expect", b"origin", b"te", b"trailer", b"transfer-encoding", b"upgrade")
)
_PLAIN: Final = b"\t" + bytes(range(0x20, 0x7F)) + bytes(range(0x80, 0x100))
"""What the parser takes as the value of a header."""
_AS_PLAIN: Final = bytes(ord("p" if byte in _PLAIN else "-") for byte in range(0x100))
"""Makes letters of plain bytes alone: asking for letters is the quickest way to look at each byte."""
_HEAD_END: Final = b"\r\n\r\n"


class Admission(NamedTuple):
    """What the gateway made of a head."""

    operation: str
    scope: Scope
    gzips: bool


class Hole(NamedTuple):
    """Where in a head there is a value that may differ: from `start` on, before `end`."""

    start: int
    end: int
    header: bytes
    """The lower-case name."""


class Layout:
    """Heads of one length with holes at the same places."""

    def __init__(self, length: int, holes: Sequence[Hole]) -> None:
        self.length = length
        self.holes = holes
        self._body_at = length + len(_HEAD_END)
        starts = [0, *(hole.end for hole in holes)]
        ends = [*(hole.start for hole in holes), self._body_at]
        sizes = [end - start for start, end in zip(starts, ends, strict=True)]
        pieces = "".join(f"{size}s{hole.end - hole.start}s" for size, hole in zip(sizes, holes, strict=False))
        self._cut = Struct(f"{pieces}{sizes[-1]}s").unpack_from
        self._fixed = itemgetter(*range(0, 2 * len(holes) + 1, 2))
        places = {hole.header: 2 * number + 1 for number, hole in enumerate(holes)}
        self._length_at = places.pop(b"content-length")
        # What is no letter or digit in these is for the gateway to judge.
        self._strict = itemgetter(places.pop(b"x-amz-date"), places.pop(b"authorization"))
        # Of one place alone this would be no tuple; a piece that is looked at twice does no harm.
        self._free = itemgetter(*places.values(), *places.values()) if places else None
        self._known: list[tuple[tuple[bytes, ...], Admission]] = []

    def read(self, data: bytes) -> tuple[Admission, bytes] | None:
        """Admission and body, if `data`, whose head has this length, is one request like one remembered."""
        pieces = self._cut(data)
        fixed = self._fixed(pieces)
        for known, admission in self._known:
            if known == fixed:
                body = data[self._body_at :]
                return (admission, body) if self._is_usual(pieces, body) else None
        return None

    def remember(self, data: bytes, admission: Admission) -> None:
        """Takes note of how the gateway has admitted the request `data`, if that is exactly one."""
        pieces = self._cut(data)
        if self._is_usual(pieces, data[self._body_at :]):
            if len(self._known) >= _REMEMBERED:
                self._known.clear()
            self._known.append((self._fixed(pieces), admission))

    def _is_usual(self, pieces: Sequence[bytes], body: bytes) -> bool:
        """Whether the parser would take what is in the holes, and the body ends where the data do."""
        date, signature = self._strict(pieces)
        return (
            pieces[self._length_at] == b"%d" % len(body)
            and date.isalnum()
            and signature.isalnum()
            and (self._free is None or b"".join(self._free(pieces)).translate(_AS_PLAIN).isalnum())
        )


class Shortcuts:
    """All shortcuts. Their number is bounded: what they remember takes memory."""

    def __init__(self) -> None:
        self._layouts: list[Layout] = []

    def read(self, data: bytes) -> tuple[Admission, bytes] | None:
        """Admission and body, if `data` is exactly one request like one that was learnt."""
        for layout in self._layouts:
            if data.startswith(_HEAD_END, layout.length):
                admitted = layout.read(data)
                if admitted is not None:
                    return admitted
        return None

    def learn(self, data: bytes, exchange: Exchange) -> None:
        """Takes note of `data`, which is all of what the gateway admitted as `exchange`, if it can."""
        if exchange.scope is None or exchange.headers or exchange.is_last:
            return
        length = data.find(_HEAD_END)
        holes = _holes(data[:length]) if 0 < length <= _LONGEST else None
        if holes is None:
            return
        of_its_kind = (known for known in self._layouts if known.length == length and known.holes == holes)
        layout = next(of_its_kind, None)
        if layout is None:
            layout = Layout(length, holes)
            if len(self._layouts) >= _MOST_LAYOUTS:
                self._layouts.clear()
            self._layouts.append(layout)
        layout.remember(data, Admission(exchange.operation, exchange.scope, exchange.gzips))


def _holes(head: bytes) -> list[Hole] | None:
    """Where values may differ in requests like the one with this head; None: it is not of a usual kind."""
    first, *lines = head.split(b"\r\n")
    if first != _REQUEST_LINE or b"".join(lines).translate(None, _PLAIN):
        return None
    holes: list[Hole] = []
    names: set[bytes] = set()
    at = len(first)
    for line in lines:
        at += len(b"\r\n") + len(line)
        name, separator, value = line.partition(b": ")
        name = name.lower()
        size = _SIGNATURE_LENGTH if name == b"authorization" else len(value)
        if not separator or not name or name[:1].isspace() or name in names or name in _FORBIDDEN:
            return None
        if size > len(value):
            return None
        names.add(name)
        if size and name not in _DECIDING:
            holes.append(Hole(at - size, at, name))
    has_holes = {hole.header for hole in holes}
    return holes if names >= _NEEDED and has_holes >= _NEEDED - _DECIDING else None
