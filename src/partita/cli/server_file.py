"""The file beside a database by which the command line finds the server that has it open."""

from __future__ import annotations

import contextlib
import json
import os
from dataclasses import dataclass


@dataclass(frozen=True)
class ServerFile:
    """Where the server answers, and its secret. Only the server's own user can read the file."""

    url: str
    secret: str
    process: int

    def write(self, data_path: str) -> None:
        """Replaces what an earlier server may have left. Raises OSError."""
        path = _path(data_path)
        with contextlib.suppress(FileNotFoundError):
            os.unlink(path)
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w") as file:
            json.dump({"url": self.url, "secret": self.secret, "process": self.process}, file)

    @staticmethod
    def read(data_path: str) -> ServerFile | None:
        """None if there is none, or none that this user may read."""
        try:
            with open(_path(data_path), encoding="utf-8") as file:
                members = json.load(file)
            return ServerFile(members["url"], members["secret"], members["process"])
        except (OSError, ValueError, TypeError, KeyError):
            return None

    @staticmethod
    def remove(data_path: str) -> None:
        with contextlib.suppress(OSError):
            os.unlink(_path(data_path))


def _path(data_path: str) -> str:
    return f"{data_path}-server"
