"""A disk that is simulated under SQLite: it can lose what was not synced, and fail on purpose."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable
from dataclasses import dataclass, field

import apsw

SECTOR_BYTES = 512

_numbers = itertools.count()

Fault = Callable[[str, str], None]
"""fault(operation, file name): raises what the operation is to fail with, or does nothing."""


@dataclass
class Content:
    """A file: what a power cut leaves of it, and what the system has been told since."""

    synced: bytes = b""
    now: bytearray = field(default_factory=bytearray)
    is_name_durable: bool = False
    unsynced: list[tuple[int, bytes]] = field(default_factory=list)
    """Writes since the last sync: (offset, bytes); a truncation is (its length, empty)."""

    def after_power_cut(self, chance: random.Random | None) -> bytes:
        if chance is None:
            return self.synced
        left = bytearray(self.synced)
        for offset, data in self.unsynced:
            if not data:
                if chance.random() < 0.5:
                    del left[offset:]
                continue
            for start in range(0, len(data), SECTOR_BYTES):
                if chance.random() < 0.5:
                    _put(left, offset + start, data[start : start + SECTOR_BYTES])
        return bytes(left)


class Disk(apsw.VFS):
    """Give its `name` as a store's `vfs`. Without another process or shared memory there are no locks."""

    def __init__(self, files: dict[str, bytes] | None = None) -> None:
        self.name = f"disk-{next(_numbers)}"
        self.files = {
            name: Content(data, bytearray(data), is_name_durable=True) for name, data in (files or {}).items()
        }
        self.fault: Fault = lambda operation, name: None
        self.before_sync: Callable[[], None] = lambda: None
        super().__init__(self.name, "")

    def after_power_cut(self, chance: random.Random | None = None) -> dict[str, bytes]:
        """What a machine finds that starts again: without `chance` only what was synced, else also any part
        of what was not."""
        return {
            name: content.after_power_cut(chance)
            for name, content in self.files.items()
            if content.is_name_durable or (chance is not None and chance.random() < 0.5)
        }

    def after_kill(self) -> dict[str, bytes]:
        """What a new process finds when the old one was killed: all that the system was told."""
        return {name: bytes(content.now) for name, content in self.files.items()}

    def xOpen(self, name: str | apsw.URIFilename | None, flags: list[int]) -> OpenFile:  # noqa: N802
        path = name.filename() if isinstance(name, apsw.URIFilename) else name or "temporary"
        self.fault("open", path)
        if path not in self.files and not flags[0] & apsw.SQLITE_OPEN_CREATE:
            raise apsw.CantOpenError("no such file")
        self.files.setdefault(path, Content())
        return OpenFile(self, path)

    def xDelete(self, name: str, sync_folder: bool) -> None:  # noqa: N802
        self.fault("delete", name)
        if name not in self.files:
            raise apsw.IOError("no such file")
        del self.files[name]

    def xAccess(self, name: str, flags: int) -> bool:  # noqa: N802
        return name in self.files

    def xFullPathname(self, name: str) -> str:  # noqa: N802
        return name


class OpenFile:
    """What SQLite calls for one open file."""

    def __init__(self, disk: Disk, name: str) -> None:
        self._disk = disk
        self._name = name
        self._content = disk.files[name]

    def xRead(self, amount: int, offset: int) -> bytes:  # noqa: N802
        self._disk.fault("read", self._name)
        return bytes(self._content.now[offset : offset + amount])

    def xWrite(self, data: bytes, offset: int) -> None:  # noqa: N802
        self._disk.fault("write", self._name)
        _put(self._content.now, offset, data)
        self._content.unsynced.append((offset, bytes(data)))

    def xTruncate(self, length: int) -> None:  # noqa: N802
        self._disk.fault("truncate", self._name)
        del self._content.now[length:]
        self._content.unsynced.append((length, b""))

    def xSync(self, flags: int) -> None:  # noqa: N802
        self._disk.before_sync()
        self._disk.fault("sync", self._name)
        self._content.synced = bytes(self._content.now)
        self._content.unsynced.clear()
        for content in self._disk.files.values():
            # SQLite syncs the folder too when it syncs a new journal or log.
            content.is_name_durable = True

    def xFileSize(self) -> int:  # noqa: N802
        return len(self._content.now)

    def xLock(self, level: int) -> None:  # noqa: N802
        return

    def xUnlock(self, level: int) -> None:  # noqa: N802
        return

    def xCheckReservedLock(self) -> bool:  # noqa: N802
        return False

    def xClose(self) -> None:  # noqa: N802
        return

    def xSectorSize(self) -> int:  # noqa: N802
        return 4096

    def xDeviceCharacteristics(self) -> int:  # noqa: N802
        return 0

    def xFileControl(self, operation: int, pointer: int) -> bool:  # noqa: N802
        return False


def _put(content: bytearray, offset: int, data: bytes) -> None:
    if len(content) < offset:
        content.extend(bytes(offset - len(content)))
    content[offset : offset + len(data)] = data
