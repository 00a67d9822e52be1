"""A server in a thread of this process, on a store of the test's own."""

from __future__ import annotations

import asyncio
import threading

from partita import api
from partita.engine.clock import Clock
from partita.engine.engine import Engine
from partita.server.listeners import address_of, listen
from partita.server.server import Configuration, Server

from .connection import Connection

_PATIENCE_S = 10


class ThreadedServer:
    """Serves an engine until it is stopped; then the engine is this thread's again."""

    def __init__(self, engine: Engine, clock: Clock) -> None:
        self._engine, self._clock = engine, clock
        self._is_ready = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._run()), daemon=True)
        self._thread.start()
        assert self._is_ready.wait(_PATIENCE_S)

    async def _run(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._is_over = asyncio.Event()
        configuration = Configuration(operations=api.OPERATIONS, encode=api.encode)
        server = Server(self._engine, self._clock, configuration)
        sockets = listen("127.0.0.1", 0)
        self._port = address_of(sockets)[1]
        await server.start(sockets)
        self._is_ready.set()
        await self._is_over.wait()
        await server.stop()

    async def connect(self) -> Connection:
        return await Connection.to(self._port)

    def stop(self) -> None:
        self._loop.call_soon_threadsafe(self._is_over.set)
        self._thread.join(_PATIENCE_S)
        assert not self._thread.is_alive()
