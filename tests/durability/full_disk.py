"""A folder whose space can run out under a server that uses it, and come back."""

from __future__ import annotations

import os
import resource
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, Protocol

_DISK_BYTES: Final = 48 << 20
_LEAST_FILE_BYTES: Final = 4096
_BLOCK_BYTES: Final = 4096


class Space(Protocol):
    folder: Path

    def run_out(self, pid: int) -> None:
        """From now on the process cannot write anything more."""
        ...

    def come_back(self, pid: int) -> None: ...


class LimitedFiles:
    """A limit on the size of the process's files, set from outside: writes beyond it fail."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def run_out(self, pid: int) -> None:
        _, most = resource.prlimit(pid, resource.RLIMIT_FSIZE)
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (_LEAST_FILE_BYTES, most))

    def come_back(self, pid: int) -> None:
        _, most = resource.prlimit(pid, resource.RLIMIT_FSIZE)
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (most, most))


class SmallDisk:
    """A file system of its own, filled to the last block by a file that goes again."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._filler = folder / "filler"

    def run_out(self, pid: int | None = None) -> None:
        with self._filler.open("wb", buffering=0) as filler:
            try:
                while filler.write(bytes(_BLOCK_BYTES)):
                    pass
            except OSError:
                return

    def come_back(self, pid: int | None = None) -> None:
        self._filler.unlink()


@contextmanager
def small_disk() -> Iterator[SmallDisk]:
    """Needs the right to mount. Raises OSError."""
    with tempfile.TemporaryDirectory(prefix="partita-") as name:
        command = ["mount", "-t", "tmpfs", "-o", f"size={_DISK_BYTES}", "tmpfs", name]
        if os.geteuid() or subprocess.run(command, capture_output=True, check=False).returncode:
            raise OSError("no right to mount")
        try:
            yield SmallDisk(Path(name))
        finally:
            subprocess.run(["umount", name], check=True)


def can_mount() -> bool:
    try:
        with small_disk():
            return True
    except OSError:
        return False
