"""Cursors: where a query goes on, as a short text that survives JSON, URLs and being stored.

    version (1 byte) · query digest (8) · places as JSON · tag (8, or 16 when signed), all in base64url

A cursor holds no partition key and no condition: only the query that made it can go on with it, and the
digest tells whether it is that one. The tag finds damage; with a key it is an HMAC, and nobody without the
key can make or change a cursor. Signed is not secret: sort keys and primary keys can be read in it.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from partita.model.errors import ModelError
from partita.model.reading.ranges import Position
from partita.model.schema import KeyAttribute

Place = Position | Literal["start", "end"]
"""Where one partition stands: before its first item, after the item at a position, or behind its last."""

_VERSION = b"\x01"
_DIGEST_BYTES = 8
_TAG_BYTES = 8
_SIGNED_TAG_BYTES = 16
_UNSIGNED = b"partita cursor"
_MOST_CHARACTERS = 65_536


class CursorRefused(ModelError, ValueError):
    """A cursor is damaged, was changed, was made with another key, or belongs to another query."""


@dataclass(frozen=True, slots=True)
class Places:
    """All that a query must know to go on."""

    places: tuple[Place, ...]
    """One for each partition."""
    last: Position | None = None
    """The position of the last item that was given out, where items are included."""
    inside: bool = False
    """The last item was an included one: others of its rank may still be to come."""
    passed: tuple[Position, ...] = ()
    """Table keys of included items of the same rank as the last one: they are not given out again."""


def encode(places: Places, digest: bytes, key: bytes | None = None) -> str:
    """The cursor as text. `digest` says which query it belongs to (see `digest_of`)."""
    shown: list[Any] = [[_shown(place) for place in places.places]]
    if places.last is not None:
        shown.extend((_shown(places.last), int(places.inside)))
        shown.extend(_shown(key) for key in places.passed)
    body = _VERSION + digest + json.dumps(shown, ensure_ascii=False, separators=(",", ":")).encode()
    return base64.urlsafe_b64encode(body + _tag(body, key)).rstrip(b"=").decode()


def decode(
    text: str,
    digest: bytes,
    key: bytes | None,
    partitions: int,
    position: Sequence[KeyAttribute],
    table_key: Sequence[KeyAttribute],
) -> Places:
    """Reads a cursor of the query that `digest` names. Raises CursorRefused."""
    body = _checked(text, key)
    start = len(_VERSION) + _DIGEST_BYTES
    if body[:1] != _VERSION or len(body) < start:
        raise CursorRefused("the cursor was made by another version of this library: start again without it")
    if body[1:start] != digest:
        raise CursorRefused(
            "the cursor belongs to another query: table, index, condition, filter, order and entities "
            "must be those of the query that gave it"
        )
    try:
        places, *rest = json.loads(body[start:])
        last = _read(rest[0], position) if rest else None
        inside = bool(rest[1]) if rest else False
        passed = tuple(_read(shown, table_key) for shown in rest[2:])
        read = tuple(p if p in ("start", "end") else _read(p, position) for p in places)
    except (ValueError, TypeError, LookupError) as error:
        raise CursorRefused(_DAMAGED) from error
    if len(read) != partitions or (inside and not passed):
        raise CursorRefused(_DAMAGED)
    return Places(read, last, inside, passed)


def digest_of(*parts: Any) -> bytes:
    """The digest of what makes a query: values with a stable JSON form; bytes are taken as hexadecimal."""
    text = json.dumps(parts, sort_keys=True, default=_plain, separators=(",", ":"))
    return hashlib.sha256(text.encode()).digest()[:_DIGEST_BYTES]


_DAMAGED = "the cursor is damaged, or was not made by this application with this cursor key"


def _plain(value: Any) -> Any:
    if isinstance(value, (bytes, bytearray)):
        return {"hex": bytes(value).hex()}
    if isinstance(value, (set, frozenset)):
        return sorted(value)
    raise TypeError(f"{type(value).__name__} cannot be part of a digest")


def _tag(body: bytes, key: bytes | None) -> bytes:
    length = _TAG_BYTES if key is None else _SIGNED_TAG_BYTES
    return hmac.digest(_UNSIGNED if key is None else key, body, "sha256")[:length]


def _checked(text: str, key: bytes | None) -> bytes:
    if not isinstance(text, str) or not text.isascii() or len(text) > _MOST_CHARACTERS:
        raise CursorRefused(_DAMAGED)
    try:
        raw = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except binascii.Error as error:
        raise CursorRefused(_DAMAGED) from error
    # Two texts must not be one cursor: the last character has bits that decoding ignores.
    if base64.urlsafe_b64encode(raw).rstrip(b"=") != text.encode():
        raise CursorRefused(_DAMAGED)
    length = _TAG_BYTES if key is None else _SIGNED_TAG_BYTES
    body, tag = raw[:-length], raw[-length:]
    if not hmac.compare_digest(tag, _tag(body, key)):
        raise CursorRefused(_DAMAGED)
    return body


def _shown(place: Place) -> Any:
    if isinstance(place, str):
        return place
    return [base64.b64encode(part).decode() if isinstance(part, bytes) else part for part in place]


def _read(shown: Any, attributes: Sequence[KeyAttribute]) -> Position:
    if not isinstance(shown, list) or len(shown) != len(attributes):
        raise ValueError("not a position")
    if not all(isinstance(part, str) for part in shown):
        raise ValueError("not a position")
    return tuple(
        base64.b64decode(part, validate=True) if attribute.kind == "B" else part
        for part, attribute in zip(shown, attributes, strict=True)
    )
