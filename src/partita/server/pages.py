"""What the server answers that is no API call: its health, its metrics, and preflight requests."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from partita.errors import wire
from partita.server.exchange import Exchange

METRICS_PATH: Final = b"/_partita/metrics"
_MAX_AGE_S = 172_800
_TEXT = b"text/plain; charset=utf-8"


class Pages:
    """Answers GET and OPTIONS. `metrics` gives the text of the metrics page."""

    def __init__(self, region: str, metrics: Callable[[], bytes]) -> None:
        self._health = f"healthy: dynamodb.{region}.amazonaws.com ".encode()
        self._metrics = metrics

    def answer(self, exchange: Exchange, method: bytes, url: bytes, headers: Mapping[bytes, bytes]) -> None:
        path = url.partition(b"?")[0]
        if method == b"OPTIONS" and b"origin" in headers:
            self._preflight(exchange, headers)
        elif method in (b"GET", b"HEAD") and path == b"/":
            exchange.content_type = b"text/plain"
            exchange.body = self._health
        elif method in (b"GET", b"HEAD") and path == METRICS_PATH:
            exchange.content_type = b"text/plain; version=0.0.4; charset=utf-8"
            exchange.body = self._metrics()
        else:
            not_found(exchange)

    def _preflight(self, exchange: Exchange, headers: Mapping[bytes, bytes]) -> None:
        """Fact 1.24; the gateway has already decided that the origin is allowed."""
        wanted = headers.get(b"access-control-request-headers", b"")
        exchange.headers += (
            b"Access-Control-Allow-Methods: POST, GET, OPTIONS\r\nAccess-Control-Max-Age: %d\r\n" % _MAX_AGE_S
        )
        if wanted:
            exchange.headers += b"Access-Control-Allow-Headers: %b\r\n" % wanted
        if headers.get(b"access-control-request-private-network") == b"true":
            exchange.headers += b"Access-Control-Allow-Private-Network: true\r\n"
        exchange.content_type = _TEXT


def not_found(exchange: Exchange) -> None:
    """The answer to what is no API call at all (fact 1.2)."""
    exchange.status = 404
    exchange.error = "UnknownOperationException"
    exchange.body = wire.UNKNOWN_PAGE
    exchange.content_type = b"application/xml"
