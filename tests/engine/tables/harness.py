"""Drives table operations as a driver does: what is due first, then the request, then the commit."""

from __future__ import annotations

from importlib import import_module
from types import SimpleNamespace
from typing import Any

from partita.engine import lifecycle
from partita.engine.agenda import Agenda, drive
from partita.engine.catalogue import Catalogue
from partita.engine.clock import ManualClock
from partita.engine.table import Scope
from partita.errors import DynamoDBError
from partita.storage.sqlite import SqliteStore

SCOPE = Scope("000000000000", "eu-west-1")
ARN = "arn:aws:dynamodb:eu-west-1:000000000000:table/"
START = 1_700_000_000.0


class Bench:
    def __init__(self, transition_ms: int = 0, index_ms: int = 0, store: Any = None) -> None:
        self.clock = ManualClock(START)
        self.settings = SimpleNamespace(table_transition_ms=transition_ms, index_transition_ms=index_ms)
        self.store = store or SqliteStore(":memory:", self.clock.now_us)
        self.start()

    def start(self) -> None:
        """As at the start of a process: nothing is known but the rows."""
        self.agenda = Agenda(self.clock)
        self.catalogue = Catalogue(self.store)
        self.catalogue.reload()
        lifecycle.resume(self)  # type: ignore[arg-type]

    def run_due(self, slices: int = 16) -> None:
        for _ in range(slices):
            job = self.agenda.take_due()
            if job is None:
                break
            drive(job())

    def call(
        self, operation: str, request: dict[str, Any] | None = None, scope: Scope = SCOPE
    ) -> dict[str, Any]:
        self.run_due()
        module = import_module(f"partita.engine.operations.{operation}")
        try:
            answer: dict[str, Any] = drive(getattr(module, operation)(self, request or {}, scope))
        finally:
            self.store.commit()
        return answer

    def error(self, operation: str, request: dict[str, Any], scope: Scope = SCOPE) -> str:
        """The error that a request gives: `Name: message`."""
        try:
            answer = self.call(operation, request, scope)
        except DynamoDBError as error:
            return f"{error.name}: {error.message}"
        raise AssertionError(f"no error but {answer}")

    def describe(self, name: str = "music") -> dict[str, Any]:
        table: dict[str, Any] = self.call("describe_table", {"TableName": name})["Table"]
        return table


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
