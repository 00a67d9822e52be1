"""A server in a process of its own, to be killed."""

from __future__ import annotations

import asyncio
import os
import signal
from pathlib import Path

from .connection import Connection
from .spawner import Spawner


class ServerProcess:
    """`partita serve` on a file; what it writes to stderr is kept beside it."""

    def __init__(self, spawner: Spawner, path: Path, *options: str) -> None:
        self._spawner = spawner
        self._errors = path.with_suffix(".stderr")
        self.port = 0
        reader, writer = os.pipe()
        self._stdout = os.fdopen(reader, "rb", buffering=0)
        with self._errors.open("ab") as errors:
            arguments = ["serve", "--data", str(path), "--port", "0", *options]
            self.pid = spawner.start(arguments, writer, errors.fileno())
        os.close(writer)

    async def ready(self) -> None:
        """Waits until it answers."""
        line = await asyncio.to_thread(self._stdout.readline)
        assert line, self.errors()
        self.port = int(line.rpartition(b":")[2])

    async def connect(self) -> Connection:
        return await Connection.to(self.port)

    def kill(self) -> None:
        assert self._spawner.end(self.pid) == -signal.SIGKILL, self.errors()
        self._stdout.close()

    def stop(self) -> None:
        assert self._spawner.end(self.pid, signal.SIGTERM) == 0, self.errors()
        self._stdout.close()

    def errors(self) -> str:
        return self._errors.read_text()
