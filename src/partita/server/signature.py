"""Signature Version 4, verified: in the Authorization header or in the query string.

AWS documents the algorithm in the IAM user guide, "Create a signed AWS API request".
"""

from __future__ import annotations

import time
from calendar import timegm
from collections.abc import Callable, Mapping
from contextlib import suppress
from email.utils import parsedate_tz
from functools import lru_cache
from hashlib import sha256
from hmac import compare_digest, digest
from urllib.parse import quote, unquote_to_bytes

from partita.engine.table import Scope
from partita.errors import wire
from partita.server.authorization import Authorization, read, scope_of
from partita.server.credentials import Credential

_SKEW_S = 300
_REMEMBERED_KEYS = 1000
_ALGORITHM = "AWS4-HMAC-SHA256"
_SERVICE = "dynamodb"
_SCOPE_END = "aws4_request"


class Signatures:
    """The Authorizer that believes only what is signed with a key it knows."""

    verifies = True

    def __init__(self, credentials: Mapping[str, Credential], now_s: Callable[[], float] = time.time) -> None:
        self._credentials = credentials
        self._now_s = now_s
        self._keys: dict[tuple[str, str, str], bytes] = {}
        """Signing keys by access key, date and region: each is four HMACs."""

    def scope(
        self, method: bytes, url: bytes, headers: Mapping[bytes, bytes], body: bytes | bytearray
    ) -> Scope:
        claim = read(url, headers)
        credential = self._credentials.get(claim.access_key)
        if credential is None or not compare_digest(credential.token.encode(), claim.token.encode()):
            raise wire.unknown_access_key()
        signed_s = _seconds(claim.date)
        signed = claim.date if claim.date.endswith("Z") else _text(signed_s)
        self._check_scope(claim, signed)
        self._check_time(claim, signed, signed_s)
        if "host" not in claim.signed_headers.split(";"):
            raise wire.host_not_signed()
        canonical = _canonical_request(method, url, headers, body, claim)
        scope = f"{claim.scope_date}/{claim.region}/{_SERVICE}/{_SCOPE_END}"
        text = f"{_ALGORITHM}\n{signed}\n{scope}\n{sha256(canonical).hexdigest()}"
        key = self._signing_key(claim, credential.secret_key)
        if not compare_digest(digest(key, text.encode(), sha256).hex().encode(), claim.signature.encode()):
            raise wire.wrong_signature()
        return scope_of(claim.access_key, claim.region)

    def _check_scope(self, claim: Authorization, signed: str) -> None:
        if claim.service != _SERVICE:
            raise wire.wrong_scope_service()
        if claim.scope_end != _SCOPE_END:
            raise wire.wrong_scope_end(claim.scope_end)
        if claim.scope_date != signed[:8]:
            raise wire.wrong_scope_date(claim.scope_date, signed)

    def _check_time(self, claim: Authorization, signed: str, signed_s: int) -> None:
        now_s = self._now_s()
        if signed_s > now_s + _SKEW_S:
            raise wire.signature_of_the_future(signed, _text(now_s + _SKEW_S), _text(now_s))
        lifetime_s = _SKEW_S if claim.expires_s is None else claim.expires_s
        if signed_s < now_s - lifetime_s:
            raise wire.signature_expired(signed, _text(now_s - lifetime_s), _text(now_s))

    def _signing_key(self, claim: Authorization, secret: str) -> bytes:
        name = (claim.access_key, claim.scope_date, claim.region)
        key = self._keys.get(name)
        if key is None:
            key = ("AWS4" + secret).encode()
            for part in (claim.scope_date, claim.region, _SERVICE, _SCOPE_END):
                key = digest(key, part.encode(), sha256)
            if len(self._keys) >= _REMEMBERED_KEYS:
                self._keys.clear()
            self._keys[name] = key
        return key


def _canonical_request(
    method: bytes, url: bytes, headers: Mapping[bytes, bytes], body: bytes | bytearray, claim: Authorization
) -> bytes:
    path, _, query = url.partition(b"?")
    names = claim.signed_headers.split(";")
    lines = [method, _canonical_path(path), _canonical_query(query)]
    for name in names:
        value = headers.get(name.encode(), b"")
        lines.append(name.encode() + b":" + b" ".join(value.split()))
    lines += [b"", claim.signed_headers.encode(), sha256(body).hexdigest().encode()]
    return b"\n".join(lines)


def _canonical_path(path: bytes) -> bytes:
    return path if path == b"/" else quote(path, safe=b"/~").encode()


def _canonical_query(query: bytes) -> bytes:
    pairs = []
    for part in query.split(b"&") if query else ():
        name, _, value = part.partition(b"=")
        if name != b"X-Amz-Signature":
            pairs.append((_encoded(name), _encoded(value)))
    return "&".join(f"{name}={value}" for name, value in sorted(pairs)).encode()


def _encoded(text: bytes) -> str:
    return quote(unquote_to_bytes(text), safe="")


@lru_cache(maxsize=256)
def _seconds(date: str) -> int:
    """Since the epoch; `date` is in the form of X-Amz-Date, or in that of a Date header."""
    with suppress(ValueError):
        return timegm(time.strptime(date, "%Y%m%dT%H%M%SZ"))
    parts = parsedate_tz(date)
    try:
        if parts is not None:
            seconds = timegm(parts[:9]) - (parts[9] or 0)
            time.gmtime(seconds)
            return seconds
    except (ValueError, OverflowError, OSError):
        # A year or an offset that no calendar has.
        pass
    raise wire.malformed_date(date)


def _text(seconds: float) -> str:
    return time.strftime("%Y%m%dT%H%M%SZ", time.gmtime(seconds))
