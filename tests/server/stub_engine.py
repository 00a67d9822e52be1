"""An engine that knows the driver's interface and a handful of answers."""

from __future__ import annotations

from collections.abc import Coroutine
from typing import Any

import orjson

from partita.engine.clock import Clock, Sleep
from partita.engine.table import Scope
from partita.errors import ConditionalCheckFailedException, DynamoDBError
from partita.storage.protocol import StoreFailed

OPERATIONS = frozenset({"GetItem", "PutItem", "UpdateItem", "Query", "TagResource"})
ITEM = {f"attribute{number}": {"S": "x" * 20} for number in range(12)}


def encode(answer: object) -> bytes:
    return orjson.dumps(answer)


class StubEngine:
    """`PutItem` obeys the request's `Do` member; every answer echoes the request and its scope."""

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self.calls: list[tuple[str, object, Scope]] = []
        self.events: list[str] = []
        self.flushes = 0
        self.fails_at_flush = False
        self.due_us: int | None = None
        self.background_runs = 0
        self.is_closed = False

    def call(self, operation: str, request: object, scope: Scope) -> Coroutine[Sleep, None, Any]:
        return self._call(operation, request, scope)

    async def _call(self, operation: str, request: object, scope: Scope) -> Any:
        self.calls.append((operation, request, scope))
        if operation == "GetItem":
            return {"Item": ITEM}
        if operation == "TagResource":
            return {}
        do = request.get("Do", {}) if isinstance(request, dict) else {}
        name = do.get("name", "")
        self.events.append(f"begin {name}")
        for _ in range(do.get("sleeps", 0)):
            await Sleep(self.clock.now_us() + do["sleep_us"])
        if do.get("raise") == "condition":
            raise ConditionalCheckFailedException("The conditional request failed", Item=ITEM)
        if do.get("raise") == "store":
            raise StoreFailed("disk full")
        if do.get("raise") == "bug":
            raise RuntimeError("a secret of the inside")
        if do.get("raise") == "internal":
            raise DynamoDBError("x")
        self.events.append(f"end {name}")
        if "bytes" in do:
            return {"Fill": "x" * do["bytes"]}
        return {"Name": name, "Account": scope.account, "Region": scope.region}

    def abandon(self) -> None:
        self.events.append("abandon")

    def flush(self) -> bool:
        self.flushes += 1
        self.events.append("flush")
        if self.fails_at_flush:
            raise StoreFailed("disk full")
        return True

    def run_due(self, budget_us: int = 1000) -> int | None:
        if self.due_us is not None and self.clock.now_us() >= self.due_us:
            self.background_runs += 1
            self.due_us = None
        return self.due_us

    def close(self) -> None:
        self.is_closed = True
