"""From an HTTP message to an operation of the engine, or to the answer that refuses it.

The order of the checks is the service's: address, content type (fact 1.2), JSON (1.14), target (1.16),
signature (1.17 to 1.19). Everything after that is the engine's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

import orjson

from partita.api.protocol import TARGET_PREFIX
from partita.errors import DynamoDBError, wire
from partita.server.authorization import Authorizer
from partita.server.content import BodyTooLarge, decompress, offers_gzip
from partita.server.control import PREFIX
from partita.server.exchange import AMZ_JSON, Exchange
from partita.server.hosts import HostRules, OriginRules, host_of, is_origin
from partita.server.pages import Pages, not_found
from partita.server.shortcut import Admission, Shortcuts


class Gateway:
    """Reads requests. `operations`: the API names that the engine answers."""

    def __init__(
        self,
        *,
        operations: Iterable[str],
        authorizer: Authorizer,
        hosts: HostRules,
        origins: OriginRules,
        pages: Pages,
        control: Callable[[Exchange, bytes, Mapping[bytes, bytes], bytes | bytearray], None] | None,
        body_bytes: int,
    ) -> None:
        self._targets = {(TARGET_PREFIX + name).encode(): name for name in operations}
        self._authorizer = authorizer
        self._hosts = hosts
        self._origins = origins
        self._pages = pages
        self._control = control
        self._body_bytes = body_bytes
        self.shortcuts = None if authorizer.verifies else Shortcuts()
        """For requests like those that it has admitted; none where each signature is looked at."""

    def read(
        self,
        exchange: Exchange,
        method: bytes,
        url: bytes,
        headers: dict[bytes, bytes],
        body: bytes | bytearray,
    ) -> None:
        """Gives the exchange its operation, request and scope, or its answer. Header names are lower-case."""
        get = headers.get
        try:
            host = get(b"host", b"")
            if not self._hosts.allows(host):
                raise wire.host_refused(host.decode("latin-1"), host_of(host).decode("latin-1"))
            origin = get(b"origin")
            if origin is not None:
                self._share(exchange, origin)
            if url.startswith(PREFIX) and self._control is not None:
                self._control(exchange, url, headers, body)
                return
            if method != b"POST":
                self._pages.answer(exchange, method, url, headers)
                return
            self._ask(exchange, method, url, headers, body)
        except DynamoDBError as error:
            exchange.fail(error)
            if error.name == "AccessDeniedException":
                exchange.status = 403
        except BodyTooLarge:
            exchange.refuse(413, "ContentTooLarge")
        finally:
            if method == b"HEAD":
                exchange.body = b""

    def _ask(
        self,
        exchange: Exchange,
        method: bytes,
        url: bytes,
        headers: dict[bytes, bytes],
        body: bytes | bytearray,
    ) -> None:
        """Gives the exchange its operation, request and scope; what asks no operation is not found."""
        get = headers.get
        content_type = get(b"content-type", b"")
        if content_type != AMZ_JSON and not _is_json(content_type):
            not_found(exchange)
            return
        accept = get(b"accept-encoding", b"identity")
        if accept != b"identity":
            exchange.gzips = offers_gzip(accept)
        encoding = get(b"content-encoding")
        text = body if encoding is None else self._decode(encoding, body)
        try:
            exchange.request = orjson.loads(text)
        except ValueError:
            if text:
                raise wire.not_json() from None
        operation = self._targets.get(get(b"x-amz-target", b""))
        if operation is None:
            raise wire.unknown_operation()
        exchange.operation = operation
        scope = self._authorizer.scope(method, url, headers, body)
        if not text:
            raise wire.not_json()
        exchange.scope = scope

    def admit(self, exchange: Exchange, admission: Admission, body: bytes) -> None:
        """As `read`, for a request whose head is known to be in order."""
        exchange.operation, scope, exchange.gzips = admission
        exchange.request_bytes = len(body)
        try:
            exchange.request = orjson.loads(body)
        except ValueError:
            exchange.fail(wire.not_json())
        else:
            exchange.scope = scope

    def _share(self, exchange: Exchange, origin: bytes) -> None:
        """Lets the page of an allowed origin read the answer (fact 1.24)."""
        allowed = self._origins.allowed(origin)
        if allowed is None:
            text = origin.decode("latin-1")
            raise wire.origin_refused(text, can_be_listed=is_origin(text))
        exchange.headers = (
            b"Access-Control-Allow-Origin: %b\r\n"
            b"Access-Control-Expose-Headers: x-amzn-RequestId, x-amz-crc32, Date\r\n" % allowed
        )
        if allowed != b"*":
            exchange.headers += b"Vary: Origin\r\n"

    def _decode(self, encoding: bytes, body: bytes | bytearray) -> bytes | bytearray:
        coding = encoding.strip().lower()
        if coding in (b"", b"identity"):
            return body
        if coding not in (b"gzip", b"x-gzip"):
            raise wire.not_json()
        try:
            return decompress(body, self._body_bytes)
        except ValueError:
            raise wire.not_json() from None


def _is_json(content_type: bytes) -> bool:
    return content_type.partition(b";")[0].strip().lower() in (AMZ_JSON, b"application/json")
