"""The server: its sockets, its connections, its life from start to stop."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from socket import socket
from time import perf_counter
from typing import Any, TextIO

from partita.engine.clock import Clock
from partita.server.access_log import AccessLog
from partita.server.authorization import Authorizer, Scopes
from partita.server.connection import Connection
from partita.server.control import Control
from partita.server.exchange import Exchange
from partita.server.gateway import Gateway
from partita.server.hosts import HostRules, OriginRules
from partita.server.limits import Limits
from partita.server.metrics import Metrics
from partita.server.pages import Pages
from partita.server.response import Responses
from partita.server.turns import Engine, Turns, report

_SWEEP_S = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Configuration:
    """How to serve an engine."""

    operations: Iterable[str]
    """API names that the engine answers."""
    encode: Callable[[Mapping[str, Any]], bytes]
    """From an answer of the engine to JSON."""
    region: str = "us-east-1"
    """Of requests that name none."""
    authorizer: Authorizer | None = None
    """None: every signature is believed."""
    hosts: Sequence[str] = ()
    """Names that a Host header may have beside those of the loopback; `*`: any."""
    origins: Sequence[str] = ()
    """Web origins that may use the database beside those of the loopback; `*`: any."""
    tls: ssl.SSLContext | None = None
    log: TextIO | None = None
    """Where access lines go."""
    gauges: Callable[[], Mapping[str, float]] = field(default=dict)
    """Figures of the engine for the metrics page."""
    control: Control | None = None
    """Serves the command line."""
    limits: Limits = field(default_factory=Limits)


class Server:
    """Serves one engine on one event loop. Create it inside the loop that is to run it."""

    def __init__(self, engine: Engine, clock: Clock, configuration: Configuration) -> None:
        self.loop = asyncio.get_running_loop()
        self.limits = configuration.limits
        self.is_stopping = False
        self.swept_s = perf_counter()
        """The time to within a second, for what is measured in minutes."""
        self._clock = clock
        self._configuration = configuration
        self._metrics = Metrics(configuration.gauges)
        hosts = HostRules(configuration.hosts)
        self.gateway = Gateway(
            operations=configuration.operations,
            authorizer=configuration.authorizer or Scopes(configuration.region),
            hosts=hosts,
            origins=OriginRules(configuration.origins, hosts),
            pages=Pages(configuration.region, self._metrics.text),
            control=self._control if configuration.control is not None else None,
            body_bytes=self.limits.body_bytes,
        )
        self.turns = Turns(
            engine,
            clock,
            self.loop,
            encode=configuration.encode,
            responses=Responses(self.limits.gzip_bytes),
            metrics=self._metrics,
            log=AccessLog(configuration.log) if configuration.log is not None else None,
            limits=self.limits,
        )
        self._connections: set[Connection] = set()
        self._servers: list[asyncio.Server] = []
        self._sweep_s = min(
            _SWEEP_S, self.limits.idle_s / 4, self.limits.request_s / 4, self.limits.linger_s / 4
        )

    async def start(self, sockets: Sequence[socket]) -> None:
        """Begins to answer on listening sockets."""
        tls = self._configuration.tls
        for listener in sockets:
            server = await self.loop.create_server(
                lambda: Connection(self),
                sock=listener,
                ssl=tls,
                ssl_handshake_timeout=self.limits.handshake_s if tls is not None else None,
                backlog=1024,
            )
            self._servers.append(server)
        self.loop.call_later(self._sweep_s, self._sweep)
        self.turns.run_background()

    async def stop(self) -> None:
        """Takes no more connections, lets what is in flight finish, within `drain_s`, and closes all."""
        self.is_stopping = True
        for server in self._servers:
            server.close()
        deadline_s = perf_counter() + self.limits.drain_s
        while self._connections and perf_counter() < deadline_s:
            for connection in list(self._connections):
                connection.stop()
            await asyncio.sleep(0.01)
        self.turns.finish()
        for connection in list(self._connections):
            connection.abort()
        await asyncio.sleep(0)

    def _control(
        self, exchange: Exchange, url: bytes, headers: Mapping[bytes, bytes], body: bytes | bytearray
    ) -> None:
        control = self._configuration.control
        assert control is not None
        control.answer(exchange, url, headers, body, self.turns, self._clock)

    # -- connections

    def admit(self, connection: Connection) -> bool:
        """Whether there is room for one more connection; it is to be forgotten in either case."""
        self._connections.add(connection)
        self._metrics.connections = len(self._connections)
        if len(self._connections) > self.limits.connections:
            self._metrics.connections_refused += 1
            return False
        return True

    def forget(self, connection: Connection) -> None:
        self._connections.discard(connection)
        self._metrics.connections = len(self._connections)

    def _sweep(self) -> None:
        self.swept_s = now_s = perf_counter()
        for connection in list(self._connections):
            try:
                connection.sweep(now_s)
            except Exception:
                report()
        self.loop.call_later(self._sweep_s, self._sweep)
