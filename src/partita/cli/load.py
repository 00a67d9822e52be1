"""`partita load`: reads what `partita dump` wrote. Tables that exist keep their definition."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import click

from partita.cli.failure import fail

if TYPE_CHECKING:
    from partita.cli.databases import Database
    from partita.engine.table import Scope

_BATCH_ITEMS = 25
_ACTIVE_POLL_S = 0.02


@click.command(help="Read tables from JSON lines: from the file SOURCE, or from the standard input.")
@click.argument("source", required=False, metavar="[SOURCE]")
@click.option(
    "--data", default="partita.db", show_default=True, metavar="PATH", help="Where the data is kept."
)
def command(source: str | None, data: str) -> None:
    import sys

    from partita.cli.databases import open_database

    name = "the standard input" if source is None or source == "-" else source
    try:
        with (
            sys.stdin.buffer if source is None or source == "-" else open(source, "rb") as lines,
            open_database(data, may_create=True) as database,
        ):
            _Loading(database, name).read(lines)
    except OSError as error:
        fail(f"cannot read {name}: {error.strerror}")


class _Loading:
    """What has been read so far; `place` names the line for errors."""

    def __init__(self, database: Database, source: str) -> None:
        from partita.cli.progress import Progress

        self._database = database
        self._source = source
        self._place = source
        self._scope: Scope | None = None
        self._table = ""
        self._batch: list[Any] = []
        self._new_progress = Progress
        self._progress: Progress | None = None

    def read(self, lines: Iterable[bytes]) -> None:
        import orjson

        from partita.cli.databases import Refused

        try:
            for number, line in enumerate(lines, 1):
                self._place = f"{self._source}, line {number}"
                if line.strip():
                    self._take(orjson.loads(line))
            self._end_table()
        except (ValueError, KeyError, TypeError, AttributeError):
            fail(f"{self._place}: not a line of a dump")
        except Refused as error:
            fail(f"{self._place}: {error}")

    def _take(self, line: dict[str, Any]) -> None:
        if "Item" in line and self._scope is not None:
            self._batch.append({"PutRequest": {"Item": line["Item"]}})
            if len(self._batch) == _BATCH_ITEMS:
                self._put_batch()
        else:
            self._end_table()
            self._begin_table(line["Table"])

    def _begin_table(self, head: dict[str, Any]) -> None:
        from partita.engine.table import Scope

        create = head["CreateTable"]
        self._table = create["TableName"]
        self._scope = Scope(head["Account"], head["Region"])
        if (self._scope, self._table) not in list(self._database.tables()):
            self._call("CreateTable", create)
            self._wait_until_active()
            if "TimeToLive" in head:
                specification = {"AttributeName": head["TimeToLive"], "Enabled": True}
                request = {"TableName": self._table, "TimeToLiveSpecification": specification}
                self._call("UpdateTimeToLive", request)
        self._progress = self._new_progress(self._table)

    def _wait_until_active(self) -> None:
        import time

        while self._call("DescribeTable", {"TableName": self._table})["Table"]["TableStatus"] != "ACTIVE":
            time.sleep(_ACTIVE_POLL_S)

    def _put_batch(self) -> None:
        size = len(self._batch)
        while self._batch:
            answer = self._call("BatchWriteItem", {"RequestItems": {self._table: self._batch}})
            self._batch = answer["UnprocessedItems"].get(self._table, [])
        if self._progress is not None:
            self._progress.add(size)

    def _end_table(self) -> None:
        self._put_batch()
        if self._progress is not None:
            self._progress.end()

    def _call(self, operation: str, request: dict[str, Any]) -> dict[str, Any]:
        assert self._scope is not None
        return self._database.call(operation, request, self._scope)
