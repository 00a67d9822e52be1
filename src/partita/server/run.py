"""Runs a server until a signal ends it."""

from __future__ import annotations

import asyncio
import gc
import signal
from collections.abc import Callable, Sequence
from socket import socket

from partita.engine.clock import Clock
from partita.server.allocator import return_large_buffers
from partita.server.server import Configuration, Server
from partita.server.turns import Engine

_SIGNALS = (signal.SIGINT, signal.SIGTERM)
_YOUNG_OBJECTS = 20_000
"""Allocations between two collections: a turn makes thousands of objects, none of which are cycles."""


def run(
    engine: Engine,
    clock: Clock,
    configuration: Configuration,
    sockets: Sequence[socket],
    ready: Callable[[], None],
) -> None:
    """Serves the engine on listening sockets until SIGINT or SIGTERM; calls `ready` once it answers.

    What is in flight is finished; the engine is left open, for the caller to close.
    """
    with asyncio.Runner(loop_factory=_loop_factory()) as runner:
        runner.run(_serve(engine, clock, configuration, sockets, ready))


def _loop_factory() -> Callable[[], asyncio.AbstractEventLoop]:
    try:
        import uvloop
    except ImportError:  # Windows and PyPy have none.
        return asyncio.new_event_loop
    return uvloop.new_event_loop


async def _serve(
    engine: Engine,
    clock: Clock,
    configuration: Configuration,
    sockets: Sequence[socket],
    ready: Callable[[], None],
) -> None:
    loop = asyncio.get_running_loop()
    ended = asyncio.Event()
    for number in _SIGNALS:
        loop.add_signal_handler(number, ended.set)
    server = Server(engine, clock, configuration)
    await server.start(sockets)
    gc.collect()
    gc.freeze()
    gc.set_threshold(_YOUNG_OBJECTS, 10, 20)
    ready()
    return_large_buffers()
    await ended.wait()
    await server.stop()
