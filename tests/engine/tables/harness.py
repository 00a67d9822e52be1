"""Drives an engine as a driver does: what is due first, then the request, then the commit."""

from __future__ import annotations

from typing import Any

import orjson

from partita.api import encode
from partita.engine.clock import ManualClock
from partita.engine.engine import Engine
from partita.engine.settings import Settings
from partita.engine.table import Scope
from partita.errors import DynamoDBError
from partita.storage.sqlite import SqliteStore

SCOPE = Scope("000000000000", "eu-west-1")
ARN = "arn:aws:dynamodb:eu-west-1:000000000000:table/"
START = 1_700_000_000.0


class Bench:
    """An engine in memory, with the numbers of `profile` and those given."""

    def __init__(self, profile: str = "instant", **settings: Any) -> None:
        self.clock = ManualClock(START)
        self.settings = Settings.of(profile, **settings)
        self.store = SqliteStore(":memory:", self.clock.now_us)
        self.start()

    def start(self) -> None:
        """As at the start of a process: nothing is known but the rows."""
        self.engine = Engine(self.store, settings=self.settings, clock=self.clock)

    def crash(self) -> None:
        """Loses the open turn, and all that is in memory."""
        self.store.rollback()
        self.start()

    def run_due(self, slices: int = 16) -> None:
        """Background work by itself, in a turn of its own."""
        self.engine.run_due(slices)
        self.engine.flush()

    def call(
        self, operation: str, request: dict[str, Any] | None = None, scope: Scope = SCOPE
    ) -> dict[str, Any]:
        self.engine.run_due()
        return self.call_at_once(operation, request, scope)

    def call_at_once(
        self, operation: str, request: dict[str, Any] | None = None, scope: Scope = SCOPE
    ) -> dict[str, Any]:
        """A request before which no background work runs."""
        coroutine = self.engine.call(operation, request or {}, scope)
        try:
            while True:
                wait = coroutine.send(None)
                self.clock.advance(max(0, wait.until_us - self.clock.now_us()) / 1_000_000)
        except StopIteration as done:
            answer: dict[str, Any] = orjson.loads(encode(done.value))
            return answer
        finally:
            self.engine.flush()

    def error(self, operation: str, request: dict[str, Any], scope: Scope = SCOPE) -> str:
        """The error that a request gives: `Name: message`."""
        try:
            answer = self.call(operation, request, scope)
        except DynamoDBError as error:
            return f"{error.name}: {error.words(operation)}"
        raise AssertionError(f"no error but {answer}")

    def describe(self, name: str = "music") -> dict[str, Any]:
        table: dict[str, Any] = self.call("DescribeTable", {"TableName": name})["Table"]
        return table

    def index(self, name: str, table_name: str = "music") -> dict[str, Any] | None:
        """The description of a global index; None if there is none of that name."""
        found = self.describe(table_name).get("GlobalSecondaryIndexes", [])
        return next((index for index in found if index["IndexName"] == name), None)


def keys(*names: str) -> list[dict[str, str]]:
    """A key schema: HASH, then RANGE."""
    return [{"AttributeName": n, "KeyType": k} for n, k in zip(names, ("HASH", "RANGE"), strict=False)]


def defined(*names: str, kind: str = "S") -> list[dict[str, str]]:
    return [{"AttributeName": name, "AttributeType": kind} for name in names]


def units(read: int, write: int) -> dict[str, int]:
    return {"ReadCapacityUnits": read, "WriteCapacityUnits": write}


def table(*key_names: str, name: str = "music", **members: Any) -> dict[str, Any]:
    """A CreateTable request, on demand unless `members` say otherwise; None leaves a member out."""
    names = key_names or ("pk",)
    request = {
        "TableName": name,
        "KeySchema": keys(*names),
        "AttributeDefinitions": defined(*names),
        "BillingMode": "PAY_PER_REQUEST",
        **members,
    }
    return {member: value for member, value in request.items() if value is not None}


def index(name: str, *key_names: str, projection: Any = None, **members: Any) -> dict[str, Any]:
    return {
        "IndexName": name,
        "KeySchema": keys(*key_names),
        "Projection": projection or {"ProjectionType": "ALL"},
        **members,
    }
