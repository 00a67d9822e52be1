"""Who a request says it is: the credential scope, which gives the account and region of its tables.

Nothing is verified here (that is `signature`), so what does not change between the requests of one
client, namely all of the Authorization header before the signature, is looked at once and remembered.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple, Protocol
from urllib.parse import parse_qsl

from partita.api.protocol import account_of
from partita.engine.table import Scope
from partita.errors import wire

_NO_ACCOUNT = "000000000000"
_REMEMBERED = 1000
_LONGEST = 1000
_HEADER_PARTS = ("Credential", "Signature", "SignedHeaders")
_QUERY_PARTS = ("X-Amz-Algorithm", "X-Amz-Credential", "X-Amz-Signature", "X-Amz-SignedHeaders", "X-Amz-Date")
_SIGNATURE_LENGTH = 64


class Authorization(NamedTuple):
    """The parts of a signature, from the Authorization header or the query string."""

    access_key: str
    scope_date: str
    region: str
    service: str
    scope_end: str
    signed_headers: str
    signature: str
    date: str
    """Of the request, as sent."""
    expires_s: int | None
    """Lifetime of a signature in a query string."""
    token: str


class Authorizer(Protocol):
    """Gives the scope of a request, or raises the error that answers it."""

    verifies: bool
    """Whether the scope depends on more than the claim that comes before the signature."""

    def scope(
        self, method: bytes, url: bytes, headers: Mapping[bytes, bytes], body: bytes | bytearray
    ) -> Scope: ...


def scope_of(access_key: str, region: str) -> Scope:
    """Where the tables of a key live: all keys that are no account themselves share one."""
    return Scope(account_of(access_key) or _NO_ACCOUNT, region)


def query_of(url: bytes) -> dict[str, str]:
    """The parameters of the URL's query string."""
    _, _, query = url.partition(b"?")
    return dict(parse_qsl(query.decode("latin-1"), keep_blank_values=True)) if query else {}


def read(url: bytes, headers: Mapping[bytes, bytes]) -> Authorization:
    """The signature's parts; raises the errors of facts 1.17 to 1.19."""
    header = headers.get(b"authorization", b"").decode("latin-1").strip()
    query = query_of(url)
    in_query = "X-Amz-Algorithm" in query
    if header and in_query:
        raise wire.signed_twice()
    if in_query:
        return _of_query(query)
    if not header.startswith("AWS4-"):
        raise wire.missing_token()
    return _of_header(header, headers)


def _of_header(header: str, headers: Mapping[bytes, bytes]) -> Authorization:
    parts: dict[str, str] = {}
    for part in re.split(r"[, ]+", header)[1:]:
        name, _, value = part.partition("=")
        parts[name] = value
    date = headers.get(b"x-amz-date") or headers.get(b"date") or b""
    missing = [name for name in _HEADER_PARTS if not parts.get(name)]
    if missing or not date:
        raise wire.incomplete_header(missing, bool(date), header)
    return Authorization(
        *_credential(parts["Credential"]),
        parts["SignedHeaders"],
        parts["Signature"],
        date.decode("latin-1"),
        None,
        headers.get(b"x-amz-security-token", b"").decode("latin-1"),
    )


def _of_query(query: Mapping[str, str]) -> Authorization:
    missing = [name for name in _QUERY_PARTS if not query.get(name)]
    if missing:
        raise wire.incomplete_query(missing)
    expires = query.get("X-Amz-Expires", "")
    return Authorization(
        *_credential(query["X-Amz-Credential"]),
        query["X-Amz-SignedHeaders"],
        query["X-Amz-Signature"],
        query["X-Amz-Date"],
        int(expires) if expires.isascii() and expires.isdigit() and len(expires) < 9 else None,
        query.get("X-Amz-Security-Token", ""),
    )


def _credential(credential: str) -> tuple[str, str, str, str, str]:
    elements = credential.split("/")
    if len(elements) != 5:
        raise wire.malformed_credential(credential)
    access_key, scope_date, region, service, end = elements
    return access_key, scope_date, region, service, end


class Scopes:
    """The Authorizer that believes what a request says. `region` is for requests that name none."""

    verifies = False

    def __init__(self, region: str) -> None:
        self._region = region
        self._known: dict[bytes, Scope] = {}

    def scope(
        self, method: bytes, url: bytes, headers: Mapping[bytes, bytes], body: bytes | bytearray
    ) -> Scope:
        header = headers.get(b"authorization", b"")
        claim = header[:-_SIGNATURE_LENGTH]
        known = self._known.get(claim)
        if known is not None and headers.get(b"x-amz-date") and b"?" not in url:
            return known
        authorization = read(url, headers)
        scope = scope_of(authorization.access_key, authorization.region or self._region)
        if len(claim) <= _LONGEST and claim.endswith(b"Signature=") and header[-_SIGNATURE_LENGTH:].isalnum():
            if len(self._known) >= _REMEMBERED:
                self._known.clear()
            self._known[claim] = scope
        return scope
