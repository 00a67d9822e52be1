"""A database driven by hand: what is due, the request, the commit, and only then the answer."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Coroutine, Sequence
from contextlib import ExitStack
from typing import Any, TypeVar
from unittest.mock import patch

import orjson
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from tests import counts

from partita import api
from partita.engine import pages, reads
from partita.engine.agenda import drive
from partita.engine.clock import ManualClock, Sleep
from partita.engine.engine import Engine
from partita.engine.settings import Settings
from partita.engine.table import Scope, Table
from partita.errors import DynamoDBError
from partita.storage import Store
from partita.storage.protocol import Entry
from partita.storage.sqlite import SqliteStore

SCOPE = Scope("000000000000", "eu-west-1")

Request = dict[str, Any]
Answer = dict[str, Any]
Item = dict[str, Any]


def runs(times: int) -> settings:
    """Settings of a property test: so many examples, always the same ones but in a soak."""
    return settings(
        max_examples=times,
        deadline=None,
        derandomize=not counts.SOAK,
        database=None,
        phases=(Phase.explicit, Phase.generate, Phase.shrink),
        suppress_health_check=list(HealthCheck),
    )


Choice = TypeVar("Choice")


class Dice:
    """Choices read from bytes: hypothesis draws many of them at little cost. At the end, always the first."""

    def __init__(self, drawn: bytes) -> None:
        self._drawn = iter(drawn)

    def below(self, number: int) -> int:
        return next(self._drawn, 0) % number

    def pick(self, choices: Sequence[Choice]) -> Choice:
        return choices[self.below(len(choices))]

    def is_rare(self, one_in: int) -> bool:
        return self.below(one_in) == one_in - 1


def dice(most: int) -> st.SearchStrategy[Dice]:
    """Dice for up to `most` choices."""
    return rolls(most).map(Dice)


def rolls(most: int) -> st.SearchStrategy[bytes]:
    """What dice are made of, where they are to be rolled again."""
    return st.integers(0, most).flatmap(lambda size: st.binary(min_size=size, max_size=size))


ROWS_AT_ONCE = [(1, 1, 1 << 20), (2, 3, 1 << 20), (32, 256, 600), (32, 256, 1 << 20)]
"""Rows at first and later, and bytes, that a Query or Scan reads before it lets others have their turn."""


def reading(rows: tuple[int, int, int]) -> ExitStack:
    """While it is open, Query and Scan read so few rows at once."""
    stack = ExitStack()
    stack.enter_context(patch.multiple(pages, FIRST_ROWS=rows[0], MOST_ROWS=rows[1]))
    stack.enter_context(patch.multiple(reads, AT_ONCE_BYTES=rows[2]))
    return stack


class Running:
    """A request that goes on when it is told to."""

    def __init__(self, world: World, operation: str, request: Request) -> None:
        self.operation = operation
        self._world = world
        self._coroutine: Coroutine[Sleep, None, Answer] = world.engine.call(operation, request, SCOPE)
        self.sleeps_until_us: int | None = 0
        """None once it is done."""
        self.answer: Answer | None = None
        self.error: DynamoDBError | None = None

    @property
    def is_done(self) -> bool:
        return self.sleeps_until_us is None

    def step(self) -> bool:
        """Goes on to its next sleep or its end, in a turn of its own; True once it is done."""
        if self._world.slices is None:
            self._world.run_due()
        else:
            self._world.engine.run_due(self._world.slices)
        self.step_in_turn()
        self._world.engine.flush()
        return self.is_done

    def step_in_turn(self) -> None:
        """As `step`, within a turn that the caller opens and commits."""
        try:
            self.sleeps_until_us = self._coroutine.send(None).until_us
        except StopIteration as done:
            self.sleeps_until_us, self.answer = None, orjson.loads(api.encode(done.value))
        except DynamoDBError as error:
            self.sleeps_until_us, self.error = None, error

    def close(self) -> None:
        """What a driver does with a request that failed while it slept."""
        self._coroutine.close()

    def outcome(self) -> Answer | DynamoDBError:
        """What was answered."""
        assert self.is_done
        if self.error is not None:
            return self.error
        assert self.answer is not None
        return self.answer


class World:
    """An engine on a store of its own, and the clock of both."""

    def __init__(
        self,
        profile: str = "instant",
        *,
        seed: int = 0,
        path: str | os.PathLike[str] = ":memory:",
        store_type: Callable[..., Store] = SqliteStore,
        **numbers: Any,
    ) -> None:
        self.clock = ManualClock()
        self.slices: int | None = None
        """Of background work, so many run before each step of a request; None: all that is due."""
        self.seed = seed
        self.path = path
        self._store_type = store_type
        self._open()
        self.configure(profile, **numbers)

    def _open(self) -> None:
        self.store = self._store_type(self.path, self.clock.now_us, "relaxed")

    def configure(self, profile: str = "instant", **numbers: Any) -> None:
        """As after a restart with other settings, on the same rows."""
        self.store.rollback()
        self.settings = Settings.of(profile, **numbers)
        self.engine = Engine(self.store, settings=self.settings, clock=self.clock, seed=self.seed)

    def reopen(self) -> None:
        """Ends as a process does, and starts again on the file (or, in memory, on the same rows)."""
        if self.path == ":memory:":
            self.engine.flush()
        else:
            self.engine.close()
            self._open()
        self.engine = Engine(self.store, settings=self.settings, clock=self.clock, seed=self.seed)

    def crash(self) -> None:
        """Loses the open turn and all that is in memory."""
        self.store.rollback()
        self.engine = Engine(self.store, settings=self.settings, clock=self.clock, seed=self.seed)

    def snapshot(self) -> tuple[object, int]:
        self.engine.flush()
        return self.store.snapshot(), self.clock.now_us()

    def restore(self, snapshot: tuple[object, int]) -> None:
        self.engine.flush()
        self.store.restore(snapshot[0])
        self.clock._now_us = snapshot[1]
        self.engine = Engine(self.store, settings=self.settings, clock=self.clock, seed=self.seed)

    # -- requests
    def start(self, operation: str, request: Request) -> Running:
        return Running(self, operation, request)

    def call(self, operation: str, request: Request) -> Answer:
        """The answer as JSON carries it, the clock moved on where the request waits; raises its error."""
        outcome = self.attempt(operation, request)
        if isinstance(outcome, DynamoDBError):
            raise outcome
        return outcome

    def attempt(self, operation: str, request: Request) -> Answer | DynamoDBError:
        """As `call`, but gives the error."""
        running = self.start(operation, request)
        while not running.step():
            assert running.sleeps_until_us is not None
            self.advance_to(running.sleeps_until_us)
        return running.outcome()

    def error(self, operation: str, request: Request) -> Answer:
        """The body of the error that a request gives."""
        outcome = self.attempt(operation, request)
        assert isinstance(outcome, DynamoDBError), f"no error but {outcome}"
        body: Answer = orjson.loads(api.encode(outcome.body(operation)))
        return body

    def pages(self, operation: str, request: Request) -> list[Answer]:
        """Every page of a Query or Scan, to the last; start keys go through JSON text."""
        pages = [self.call(operation, request)]
        while "LastEvaluatedKey" in pages[-1]:
            start = json.loads(json.dumps(pages[-1]["LastEvaluatedKey"]))
            pages.append(self.call(operation, {**request, "ExclusiveStartKey": start}))
            assert len(pages) < 10_000
        return pages

    def items(self, operation: str, request: Request) -> list[Item]:
        """The items of every page."""
        return [item for page in self.pages(operation, request) for item in page["Items"]]

    # -- time
    def advance_to(self, time_us: int) -> None:
        self.clock._now_us = max(self.clock.now_us(), time_us)

    def advance_ms(self, milliseconds: float) -> None:
        self.clock.advance(milliseconds / 1000)

    def run_due(self) -> None:
        """All background work that is due, each round in a turn of its own."""
        for _ in range(10_000):
            due_us = self.engine.run_due()
            self.engine.flush()
            if due_us is None or due_us > self.clock.now_us():
                return
        raise AssertionError("background work has no end")

    def finish(self) -> None:
        """Lets time pass until nothing is left to do; tokens are not waited for."""
        end_us = self.clock.now_us() + 60_000_000
        for _ in range(10_000):
            self.run_due()
            due_us = self.engine.agenda.next_due_us
            if due_us is None or due_us > end_us:
                return
            self.advance_to(due_us)
        raise AssertionError("background work has no end")

    # -- looking inside
    def table(self, name: str) -> Table:
        return self.engine.catalogue.table(SCOPE, name)

    def rows(self, space: int) -> Sequence[Entry]:
        rows: Sequence[Entry] = drive(self.store.walk(space, None, b"", None, limit=1_000_000))
        self.store.commit()
        return rows


def key_schema(hashes: Sequence[str], ranges: Sequence[str] = ()) -> list[dict[str, str]]:
    return [
        *({"AttributeName": name, "KeyType": "HASH"} for name in hashes),
        *({"AttributeName": name, "KeyType": "RANGE"} for name in ranges),
    ]


def index_of(
    name: str, hashes: Sequence[str], ranges: Sequence[str] = (), projection: str | Sequence[str] = "ALL"
) -> Request:
    """An index of CreateTable; as `projection` a type, or the names of an INCLUDE."""
    kind = (
        {"ProjectionType": projection}
        if isinstance(projection, str)
        else {"ProjectionType": "INCLUDE", "NonKeyAttributes": list(projection)}
    )
    return {"IndexName": name, "KeySchema": key_schema(hashes, ranges), "Projection": kind}


def table_of(
    name: str,
    hash_name: str,
    range_name: str | None = None,
    *,
    types: dict[str, str],
    global_indexes: Sequence[Request] = (),
    local_indexes: Sequence[Request] = (),
) -> Request:
    """A CreateTable request; `types` holds the type of every key attribute."""
    request: Request = {
        "TableName": name,
        "KeySchema": key_schema([hash_name], [range_name] if range_name else []),
        "AttributeDefinitions": [{"AttributeName": n, "AttributeType": t} for n, t in types.items()],
        "BillingMode": "PAY_PER_REQUEST",
    }
    if global_indexes:
        request["GlobalSecondaryIndexes"] = list(global_indexes)
    if local_indexes:
        request["LocalSecondaryIndexes"] = list(local_indexes)
    return request
