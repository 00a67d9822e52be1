"""The database that a command works on: a file that nobody has open, or the server that has it open."""

from __future__ import annotations

import http.client
import os
import ssl
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import urlsplit

import orjson

from partita import api
from partita.api.protocol import CONTENT_TYPE, TARGET_PREFIX
from partita.cli.failure import fail
from partita.cli.server_file import ServerFile
from partita.engine.clock import SystemClock
from partita.engine.engine import Engine
from partita.engine.settings import Settings
from partita.engine.table import Scope
from partita.errors import DynamoDBError
from partita.storage import StoreFailed, StoreUnusable
from partita.storage.sqlite import SqliteStore

_TURN_BYTES = 4 * 1024 * 1024


class Refused(Exception):
    """What the database was asked for, or cannot do any more; the text is one line."""


class Database(Protocol):
    """Both kinds alike. Raise Refused."""

    def call(self, operation: str, request: dict[str, Any], scope: Scope) -> dict[str, Any]: ...

    def tables(self) -> Iterable[tuple[Scope, str]]: ...

    def backup(self, to_path: str) -> int:
        """Copies the file to a new one; gives the number of its pages."""
        ...

    def close(self) -> None: ...


@contextmanager
def open_database(path: str, *, may_create: bool = False) -> Iterator[Database]:
    """The database at `path`; ends the process with one line if it cannot be used, or refuses something."""
    path = str(Path(path).absolute())
    if not may_create and not os.path.exists(path):
        fail(f"there is no file {path}: give the path of a database")
    try:
        database = _database_at(path)
        try:
            yield database
        except BaseException:
            # What ended it is what is told, not that the turn in which it came is lost.
            with suppress(StoreFailed):
                database.close()
            raise
        database.close()
    except (Refused, StoreUnusable, StoreFailed) as failure:
        fail(str(failure))


def _database_at(path: str) -> Database:
    server = ServerFile.read(path)
    served = _Served.reach(server) if server is not None else None
    return served or _File(path)


class _File:
    """A file, opened by this process. Answers are durable when it is closed."""

    def __init__(self, path: str) -> None:
        clock = SystemClock()
        self._store = SqliteStore(path, clock.now_us, "relaxed")
        self._engine = Engine(self._store, settings=Settings.of("instant"), clock=clock)

    def call(self, operation: str, request: dict[str, Any], scope: Scope) -> dict[str, Any]:
        try:
            answer = self._run(operation, request, scope)
            if self._store.turn_writes > _TURN_BYTES:
                self._engine.flush()
        except StoreFailed as failure:
            self._engine.abandon()
            raise Refused(f"the data cannot be read or written: {failure}") from failure
        return answer

    def _run(self, operation: str, request: dict[str, Any], scope: Scope) -> dict[str, Any]:
        self._engine.run_due()
        coroutine = self._engine.call(operation, request, scope)
        try:
            while True:
                coroutine.send(None)
        except StopIteration as stop:
            answer: dict[str, Any] = orjson.loads(api.encode(stop.value))
        except DynamoDBError as error:
            raise Refused(error.words(operation)) from error
        return answer

    def tables(self) -> Iterable[tuple[Scope, str]]:
        return [(table.scope, table.name) for table in self._engine.catalogue.all_tables()]

    def backup(self, to_path: str) -> int:
        self._engine.flush()
        copy = self._store.backup(to_path)
        while not copy.step():
            pass
        return copy.pages

    def close(self) -> None:
        self._engine.close()


class _Served:
    """A running server, found by the file that it keeps beside its data."""

    def __init__(self, server: ServerFile) -> None:
        address = urlsplit(server.url)
        self._url = server.url
        host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(address.hostname or "", address.hostname or "")
        self._secret = server.secret
        self._connection = (
            http.client.HTTPSConnection(host, address.port, context=ssl._create_unverified_context())
            if address.scheme == "https"
            else http.client.HTTPConnection(host, address.port)
        )

    @classmethod
    def reach(cls, server: ServerFile) -> _Served | None:
        """None if nobody answers there any more."""
        served = cls(server)
        try:
            served.tables()
        except Refused:
            return None
        return served

    def call(self, operation: str, request: dict[str, Any], scope: Scope) -> dict[str, Any]:
        date = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime())
        credential = f"{scope.account}/{date[:8]}/{scope.region}/dynamodb/aws4_request"
        return self._post(
            "/",
            request,
            {
                "X-Amz-Target": TARGET_PREFIX + operation,
                "Content-Type": CONTENT_TYPE,
                "X-Amz-Date": date,
                "Authorization": f"AWS4-HMAC-SHA256 Credential={credential}, SignedHeaders=host, "
                f"Signature={'0' * 64}",
            },
        )

    def tables(self) -> Iterable[tuple[Scope, str]]:
        answer = self._post("/_partita/control/tables", {}, {})
        return [(Scope(account, region), name) for account, region, name in answer["Tables"]]

    def backup(self, to_path: str) -> int:
        pages: int = self._post("/_partita/control/backup", {"To": to_path}, {})["Pages"]
        return pages

    def close(self) -> None:
        self._connection.close()

    def _post(self, path: str, request: dict[str, Any], headers: dict[str, str]) -> dict[str, Any]:
        try:
            self._connection.request(
                "POST", path, orjson.dumps(request), {"X-Partita-Secret": self._secret, **headers}
            )
            response = self._connection.getresponse()
            body = response.read()
            answer: dict[str, Any] = orjson.loads(body) if body else {}
        except (OSError, http.client.HTTPException, ValueError) as failure:
            raise Refused(f"the server at {self._url} does not answer: {failure}") from failure
        if response.status != 200:
            raise Refused(answer.get("message") or answer.get("Message") or f"HTTP status {response.status}")
        return answer
