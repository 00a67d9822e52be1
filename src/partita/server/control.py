"""What the command line asks of a server that is running, on the same machine and with its secret.

The server's file is open to no other process, so a backup is made by the server itself: in slices, between
the turns of its loop.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from hmac import compare_digest
from typing import Any, Final, Protocol

import orjson

from partita.engine.clock import Clock, Sleep
from partita.engine.table import Scope
from partita.errors import wire
from partita.server.exchange import Exchange
from partita.server.pages import not_found
from partita.server.turns import Slices, Turns
from partita.storage import StoreUnusable

PREFIX: Final = b"/_partita/control/"
SECRET_HEADER: Final = b"x-partita-secret"
_POLL_US = 5_000


class Copy(Protocol):
    """A copy under way; see `partita.storage.snapshot.Backup`."""

    @property
    def pages(self) -> int: ...

    def step(self) -> bool: ...

    def abandon(self) -> None: ...


class Control:
    """`secret` is known to who may read the server's files; the others give what the command line needs."""

    def __init__(
        self,
        secret: str,
        *,
        backup: Callable[[str], Copy],
        tables: Callable[[], Iterable[tuple[Scope, str]]],
    ) -> None:
        self._secret = secret.encode()
        self._backup = backup
        self._tables = tables

    def answer(
        self,
        exchange: Exchange,
        url: bytes,
        headers: Mapping[bytes, bytes],
        body: bytes | bytearray,
        turns: Turns,
        clock: Clock,
    ) -> None:
        """Answers a request whose path begins with PREFIX, or sets it under way."""
        if not compare_digest(headers.get(SECRET_HEADER, b""), self._secret):
            raise wire.wrong_secret()
        match url.removeprefix(PREFIX):
            case b"tables":
                tables = [[*scope, name] for scope, name in self._tables()]
                exchange.body = orjson.dumps({"Tables": tables})
            case b"backup":
                exchange.coroutine = self._make_backup(body, turns, clock)
            case _:
                not_found(exchange)

    async def _make_backup(self, body: bytes | bytearray, turns: Turns, clock: Clock) -> dict[str, Any]:
        try:
            to_path = orjson.loads(body)["To"]
            copy = self._backup(to_path)
        except (ValueError, TypeError, KeyError):
            raise wire.backup_path_missing() from None
        except StoreUnusable as failure:
            raise wire.backup_refused(str(failure)) from None
        slices = Slices(copy.step, copy.abandon)
        turns.run_between(slices)
        while not slices.is_over:
            await Sleep(clock.now_us() + _POLL_US)
        if slices.failure is not None:
            raise wire.backup_failed(str(slices.failure))
        return {"Pages": copy.pages}
