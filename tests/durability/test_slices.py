"""Our own work never holds another request for long: what a step of a read, or of background work, costs."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import thread_time
from typing import Any, Final, TypeVar

import orjson

from partita.api import encode
from partita.engine.clock import ManualClock
from partita.engine.engine import Engine
from partita.engine.settings import Settings
from partita.engine.table import Scope
from partita.storage.sqlite import SqliteStore

T = TypeVar("T")

SCOPE: Final = Scope("000000000000", "eu-west-1")
ITEMS: Final = 50_000
FEW_ITEMS: Final = 3_000
LARGE_ITEMS: Final = 100
LARGE_BYTES: Final = 300_000
MOST_MS: Final = 20.0
"""Of CPU. What the disk takes comes on top and is nobody's work."""
STRAYS: Final = 0.005
"""How many steps may measure more: the machine has other things to do in between."""


class Measured:
    """A database whose every step is timed."""

    def __init__(self, store: SqliteStore, profile: str, clock: ManualClock) -> None:
        self._clock = clock
        self._engine = Engine(store, settings=Settings.of(profile), clock=clock)
        self.steps: dict[str, list[float]] = {}
        """What was done -> how long each of its steps took, in ms."""

    def call(self, what: str, operation: str, request: dict[str, Any]) -> dict[str, Any]:
        self._step("what is due", lambda: (self._engine.run_due(), self._engine.flush()))
        coroutine = self._engine.call(operation, request, SCOPE)
        while True:
            try:
                self._step(what, lambda: coroutine.send(None))
            except StopIteration as done:
                answer = done.value
                break
            self._clock.advance(0.01)
        encoded = self._step(what, lambda: encode(answer))
        self._step("the end of a turn", self._engine.flush)
        decoded: dict[str, Any] = orjson.loads(encoded)
        return decoded

    def pages(self, what: str, operation: str, request: dict[str, Any]) -> None:
        while "LastEvaluatedKey" in (answer := self.call(what, operation, request)):
            request = request | {"ExclusiveStartKey": answer["LastEvaluatedKey"]}

    def rest(self, what: str) -> None:
        """All background work there is, with the commits that it makes."""
        while (due_us := self._step(what, self._background)) is not None:
            self._clock.advance(max(0, due_us - self._clock.now_us()) / 1_000_000)

    def _background(self) -> int | None:
        due_us = self._engine.run_due()
        self._engine.flush()
        return due_us

    def _step(self, what: str, step: Callable[[], T]) -> T:
        began_s = thread_time()
        try:
            return step()
        finally:
            self.steps.setdefault(what, []).append((thread_time() - began_s) * 1000)

    def check(self) -> None:
        for what, steps in self.steps.items():
            long = [step for step in steps if step > MOST_MS]
            assert len(long) <= 1 + STRAYS * len(steps), f"{what}: {sorted(long)} of {len(steps)}"


def _create(name: str) -> dict[str, Any]:
    return {
        "TableName": name,
        "BillingMode": "PAY_PER_REQUEST",
        "KeySchema": [
            {"AttributeName": "pk", "KeyType": "HASH"},
            {"AttributeName": "sk", "KeyType": "RANGE"},
        ],
        "AttributeDefinitions": [
            {"AttributeName": "pk", "AttributeType": "S"},
            {"AttributeName": "sk", "AttributeType": "N"},
        ],
    }


def _create_index(name: str) -> dict[str, Any]:
    return {
        "TableName": name,
        "AttributeDefinitions": [
            {"AttributeName": "owner", "AttributeType": "S"},
            {"AttributeName": "sk", "AttributeType": "N"},
        ],
        "GlobalSecondaryIndexUpdates": [
            {
                "Create": {
                    "IndexName": "by_owner",
                    "KeySchema": [
                        {"AttributeName": "owner", "KeyType": "HASH"},
                        {"AttributeName": "sk", "KeyType": "RANGE"},
                    ],
                    "Projection": {"ProjectionType": "ALL"},
                }
            }
        ],
    }


def _delete_index(name: str) -> dict[str, Any]:
    return {"TableName": name, "GlobalSecondaryIndexUpdates": [{"Delete": {"IndexName": "by_owner"}}]}


def _fill(database: Measured, table: str, number: int) -> None:
    for at in range(0, number, 25):
        puts = [{"PutRequest": {"Item": _item(number, 150)}} for number in range(at, at + 25)]
        database.call("BatchWriteItem", "BatchWriteItem", {"RequestItems": {table: puts}})
    for at in range(LARGE_ITEMS):
        item = _item(at, LARGE_BYTES) | {"pk": {"S": f"large {at % 2}"}}
        database.call("PutItem", "PutItem", {"TableName": table, "Item": item})


def _item(number: int, size: int) -> dict[str, Any]:
    return {
        "pk": {"S": f"partition {number % 20}"},
        "sk": {"N": str(number)},
        "owner": {"S": f"owner {number % 3}"},
        "text": {"S": "x" * size},
    }


@contextmanager
def _collector_at_rest() -> Iterator[None]:
    """As in the server: a collection is no step of anybody's."""
    gc.collect()
    gc.freeze()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
        gc.unfreeze()


def test_no_step_takes_long(tmp_path: Path) -> None:
    clock = ManualClock()
    store = SqliteStore(tmp_path / "partita.db", clock.now_us, "relaxed")
    filtered = {
        "TableName": "many",
        "FilterExpression": "contains(#t, :y)",
        "ExpressionAttributeNames": {"#t": "text"},
        "ExpressionAttributeValues": {":y": {"S": "y"}},
    }
    by_owner = {
        "TableName": "many",
        "IndexName": "by_owner",
        "KeyConditionExpression": "#o = :o",
        "ExpressionAttributeNames": {"#o": "owner"},
        "ExpressionAttributeValues": {":o": {"S": "owner 1"}},
    }
    with _collector_at_rest():
        database = Measured(store, "instant", clock)
        database.call("CreateTable", "CreateTable", _create("many"))
        _fill(database, "many", ITEMS)
        database.pages("Scan", "Scan", {"TableName": "many"})
        database.pages("Scan with a filter", "Scan", filtered)
        database.call("UpdateTable", "UpdateTable", _create_index("many"))
        database.rest("backfill")
        database.pages("Query", "Query", by_owner)
        database.check()

        lagging = Measured(store, "aws", clock)
        lagging.call("CreateTable", "CreateTable", _create("few"))
        lagging.rest("creation")
        _fill(lagging, "few", FEW_ITEMS)
        lagging.call("UpdateTable", "UpdateTable", _create_index("few"))
        lagging.rest("backfill through the log")
        _fill(lagging, "many", FEW_ITEMS)
        lagging.rest("following and trimming")
        lagging.call("UpdateTable", "UpdateTable", _delete_index("many"))
        lagging.rest("deletion of an index")
        for name in ("many", "few"):
            lagging.call("DeleteTable", "DeleteTable", {"TableName": name})
            lagging.rest("deletion of a table")
        lagging.check()
    store.close()
