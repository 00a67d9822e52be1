"""A request as HTTP carries it, answered without a connection: what boto3 sends and reads."""

from __future__ import annotations

import re
from collections.abc import Mapping
from email.utils import formatdate
from functools import lru_cache
from itertools import count
from typing import Any, NamedTuple
from zlib import crc32

import orjson

from partita import api
from partita.api.protocol import BODILESS, CONTENT_TYPE, TARGET_PREFIX, account_of
from partita.engine.table import Scope
from partita.errors import DynamoDBError, wire
from partita.local.driver import Driver

_CREDENTIAL = re.compile(r"Credential=([^/]*)/[^/]*/([^/]*)/")
_numbers = count(1)


class Response(NamedTuple):
    status: int
    headers: dict[str, str]
    body: bytes


class Wire:
    """One database's side of the wire. `scope` is where the tables of requests without a scope live."""

    def __init__(self, driver: Driver, scope: Scope) -> None:
        self._driver = driver
        self._scope = scope
        self.clock = driver.clock

    def exchange(self, headers: Mapping[str, Any], body: bytes) -> Response:
        """The response to a request of the API."""
        operation = ""
        try:
            operation, request, scope = self._read(headers, body)
            return self._answer(operation, self._driver.run(operation, request, scope))
        except DynamoDBError as error:
            return self._error(error, operation)

    async def exchange_async(self, headers: Mapping[str, Any], body: bytes) -> Response:
        """As `exchange`; while the request sleeps, the event loop goes on."""
        operation = ""
        try:
            operation, request, scope = self._read(headers, body)
            return self._answer(operation, await self._driver.run_async(operation, request, scope))
        except DynamoDBError as error:
            return self._error(error, operation)

    def _read(self, headers: Mapping[str, Any], body: bytes) -> tuple[str, object, Scope]:
        target = _text(headers.get("X-Amz-Target", ""))
        if not target.startswith(TARGET_PREFIX):
            raise wire.unknown_operation()
        try:
            request = orjson.loads(body)
        except ValueError:
            raise wire.not_json() from None
        return (
            target[len(TARGET_PREFIX) :],
            request,
            scope_of(_text(headers.get("Authorization", "")), self._scope),
        )

    def _answer(self, operation: str, answer: dict[str, Any]) -> Response:
        has_body = answer or operation not in BODILESS
        return self._response(200, api.encode(answer) if has_body else b"")

    def _error(self, error: DynamoDBError, operation: str) -> Response:
        return self._response(error.status, api.encode(error.body(operation)))

    def _response(self, status: int, body: bytes) -> Response:
        headers = {
            "Server": "Server",
            "Date": formatdate(self.clock.now_us() / 1_000_000, usegmt=True),
            "Content-Type": CONTENT_TYPE,
            "Content-Length": str(len(body)),
            "x-amzn-RequestId": f"{next(_numbers):052d}",
            "x-amz-crc32": str(crc32(body)),
        }
        return Response(status, headers, body)


def scope_of(authorization: str, otherwise: Scope) -> Scope:
    """Account and region of an Authorization header: a 12-digit access key is its account."""
    # The signature, all that differs between the requests of one client in one day, comes last.
    return _scope_of(authorization.partition("SignedHeaders=")[0], otherwise)


@lru_cache(maxsize=256)
def _scope_of(credential: str, otherwise: Scope) -> Scope:
    match = _CREDENTIAL.search(credential)
    if match is None:
        return otherwise
    access_key, region = match.groups()
    return Scope(account_of(access_key) or otherwise.account, region or otherwise.region)


def _text(value: str | bytes) -> str:
    return value.decode("latin-1") if isinstance(value, bytes) else value
