"""A way past the HTTP parser for requests that look like earlier ones of the same kind of client.

A client sends the same headers in the same order each time, and few of their values change. So the head
of an admitted request becomes a regular expression, and what the request was admitted as is remembered
by the values that decided it. One match then stands for parsing and checking, at a third of their cost.
Whatever does not match in full is read the usual way: a shortcut never refuses anything.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from partita.engine.table import Scope
from partita.server.exchange import Exchange

_PATTERNS = 64
_REMEMBERED = 100
_LONGEST = 4096
_SIGNATURE_LENGTH = 64
_REQUEST_LINE = b"POST / HTTP/1.1"
_NEEDED = (b"authorization", b"host", b"x-amz-target", b"content-type", b"content-length")
_FORBIDDEN = frozenset(
    (b"content-encoding", b"expect", b"origin", b"te", b"trailer", b"transfer-encoding", b"upgrade")
)
_PLAIN = rb"[\t -~\x80-\xff]*"
"""What the parser takes as the value of a header."""
_DECIDING = rb"([\t -~\x80-\xff]*)(?<![ \t])"
"""A value that is compared with those of admitted requests."""
_FIXED = {b"connection": rb"[Kk]eep-[Aa]live", b"content-length": rb"(\d{1,7})", b"x-amz-date": rb"\w+"}


class Admission(NamedTuple):
    """What the gateway made of a head."""

    operation: str
    scope: Scope
    gzips: bool


class Shortcut:
    """The heads that have certain header names in a certain order."""

    def __init__(self, names: Sequence[bytes]) -> None:
        lines = [re.escape(_REQUEST_LINE)]
        groups: list[bytes] = []
        for name in names:
            lower = name.lower()
            if lower in _NEEDED or lower == b"accept-encoding":
                groups.append(lower)
                value = _FIXED.get(lower, _DECIDING)
            else:
                value = _FIXED.get(lower, _PLAIN)
            lines.append(re.escape(name) + rb": (?! )" + value)
        self._match = re.compile(rb"\r\n".join(lines) + rb"\r\n\r\n").match
        self._authorization, self._host, self._target, self._type, self._length = map(groups.index, _NEEDED)
        self._accept = groups.index(b"accept-encoding") if b"accept-encoding" in groups else self._host
        self._known: dict[tuple[bytes, ...], Admission] = {}

    def read(self, data: bytes) -> tuple[Admission, bytes] | None:
        """Admission and body, if `data` is exactly one request like one that was remembered."""
        head = self._read_head(data)
        if head is None:
            return None
        key, end = head
        admission = self._known.get(key)
        return None if admission is None else (admission, data[end:])

    def remember(self, data: bytes, admission: Admission) -> None:
        """Takes note of how the gateway has admitted the request `data`."""
        head = self._read_head(data)
        if head is not None:
            if len(self._known) >= _REMEMBERED:
                self._known.clear()
            self._known[head[0]] = admission

    def _read_head(self, data: bytes) -> tuple[tuple[bytes, ...], int] | None:
        found = self._match(data)
        if found is None:
            return None
        values = found.groups()
        end = found.end()
        if end + int(values[self._length]) != len(data):
            return None
        key = (
            values[self._authorization][:-_SIGNATURE_LENGTH],
            values[self._host],
            values[self._target],
            values[self._type],
            values[self._accept],
        )
        return key, end


class Shortcuts:
    """All shortcuts, by header names. Their number is bounded: a pattern takes long to compile."""

    def __init__(self) -> None:
        self._by_names: dict[tuple[bytes, ...], Shortcut] = {}

    def learn(self, data: bytes, exchange: Exchange) -> Shortcut | None:
        """The shortcut for requests like `data`, which is all of what the gateway admitted as `exchange`."""
        if exchange.scope is None or exchange.headers or exchange.is_last:
            return None
        end = data.find(b"\r\n\r\n")
        if end > _LONGEST:
            return None
        lines = data[:end].split(b"\r\n")
        names = tuple(line.partition(b": ")[0] for line in lines[1:])
        shortcut = self._by_names.get(names)
        if shortcut is None:
            lower = [name.lower() for name in names]
            if (
                len(self._by_names) >= _PATTERNS
                or lines[0] != _REQUEST_LINE
                or len(set(lower)) < len(lower)
                or not _FORBIDDEN.isdisjoint(lower)
                or not {*_NEEDED, b"x-amz-date"}.issubset(lower)
            ):
                return None
            shortcut = self._by_names[names] = Shortcut(names)
        shortcut.remember(data, Admission(exchange.operation, exchange.scope, exchange.gzips))
        return shortcut
