"""`partita.Database`: a whole database as one Python object."""

from __future__ import annotations

import copy
import os
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final, Self, get_args

from orjson import loads

from partita.api import encode
from partita.engine.clock import Clock, ManualClock, SystemClock
from partita.engine.settings import Settings
from partita.engine.table import Scope
from partita.local.driver import Driver
from partita.local.operations import AsyncOperations, Operations
from partita.local.wire import Wire
from partita.storage.opening import Durability
from partita.storage.sqlite import SqliteStore

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient, DynamoDBServiceResource


MEMORY: Final = ":memory:"
"""The path of a database that is in no file."""


class Snapshot:
    """The state of a database at one moment, its clock included. Holds no reference to the database."""

    __slots__ = ("_clock", "_rows")

    def __init__(self, rows: object, clock: Clock) -> None:
        self._rows = rows
        self._clock = clock

    def __repr__(self) -> str:
        return f"<partita.Snapshot at {_moment(self._clock)}>"


class Database(Operations):
    """A DynamoDB-compatible database in this process, in memory or in a file.

        db = partita.Database()
        db.create_table(TableName="t", ...)
        db.put_item(TableName="t", Item={"pk": {"S": "a"}})
        db.call("GetItem", {"TableName": "t", "Key": {"pk": {"S": "a"}}})

    Requests and answers are dicts in the form that the API sends as JSON: attribute values carry their
    type (`{"N": "1"}`), binary is base64 text, times are seconds since the epoch. What the API answers
    with an error raises its class of `partita.errors`; `str(error)` is the message. Any thread may call.
    With asyncio, `db.aio` has the same methods as coroutines; since a request takes microseconds, the
    plain ones do as well, unless the profile makes requests wait.

    `path` names a file, made if missing, or `":memory:"`. `profile` is `instant`, `aws` or `hostile`;
    each of its numbers can be given by itself (`index_lag_ms=(5, 50)`; see `partita.engine.settings`).
    The same `seed`, clock and order of requests give the same answers. `region` and `account` are where
    the tables of `call` and the typed methods live, and the defaults of `client` and `resource`.
    `durability` is about files: `full` survives power loss, `relaxed` may lose the last writes to it.
    """

    def __init__(
        self,
        path: str | os.PathLike[str] = MEMORY,
        profile: str = "instant",
        seed: int = 0,
        clock: Clock | None = None,
        region: str = "us-east-1",
        account: str = "000000000000",
        *,
        durability: Durability = "full",
        **settings: Any,
    ) -> None:
        if len(account) != 12 or not (account.isascii() and account.isdigit()):
            raise ValueError(f"an account is 12 digits, not {account!r}")
        if not region:
            raise ValueError("a region has a name")
        if not os.fspath(path):
            raise ValueError("a database has a path, or ':memory:'")
        if durability not in get_args(Durability):
            raise ValueError(
                f"unknown durability {durability!r}: it is one of {', '.join(get_args(Durability))}"
            )
        if not isinstance(seed, int):
            raise ValueError(f"a seed is a whole number, not {seed!r}")
        numbers = Settings.of(profile, **settings)
        clock = SystemClock() if clock is None else clock
        store = SqliteStore(os.fspath(path), clock.now_us, durability)
        in_file = os.fspath(path) != MEMORY
        driver = Driver(store, numbers, clock, seed, in_file=in_file)
        self._around(driver, Scope(account, region), os.fspath(path))

    def _around(self, driver: Driver, scope: Scope, path: str) -> None:
        self._driver = driver
        self._path = path
        self._run = driver.run
        self._scope = scope
        self.clock: Any = driver.clock
        self.aio = AsyncDatabase(driver, scope)
        self.wire = Wire(driver, scope)
        """Answers requests as HTTP carries them, for boto3."""

    def __repr__(self) -> str:
        driver = self._driver
        state = "closed" if driver.is_closed else f"at {_moment(self.clock)}"
        return (
            f"<partita.Database {self._path!r}, profile {driver.settings.profile}, seed {driver.seed}, "
            f"{self.account} in {self.region}, {state}>"
        )

    @property
    def region(self) -> str:
        return self._scope.region

    @property
    def account(self) -> str:
        return self._scope.account

    def call(self, operation: str, request: Mapping[str, Any]) -> dict[str, Any]:
        """Runs one request, e.g. `call("PutItem", {"TableName": "t", "Item": {...}})`.

        Raises a `partita.errors.DynamoDBError`, also for an operation that does not exist.
        """
        answer = self._run(operation, request, self._scope)
        # Decoded from JSON, it is the caller's own and shares nothing with the engine.
        return loads(encode(answer)) if answer else {}

    def snapshot(self) -> Snapshot:
        """The state as it is now, for `restore`. Takes about a millisecond for 1,000 items."""
        return Snapshot(self._driver.copy(), copy.copy(self._driver.clock))

    def restore(self, snapshot: Snapshot) -> None:
        """Goes back to a snapshot of this database or of one forked from it.

        Everything is as it was: tables, items, background work, the seed's state, and the clock if it is
        one of ours. Requests that wait at that moment fail with InternalServerError.
        """
        self._driver.restore(snapshot._rows)
        if isinstance(self.clock, (ManualClock, SystemClock)):
            self.clock.__dict__.update(snapshot._clock.__dict__)

    def fork(self, *, seed: int | None = None) -> Database:
        """A new database in memory that begins as a copy of this one; neither sees the other's writes.

        It has the same settings and its own copy of the clock. With `seed`, chance goes another way.
        """
        snapshot = self.snapshot()
        driver = self._driver.fork(
            snapshot._rows, snapshot._clock, self._driver.seed if seed is None else seed
        )
        forked = type(self).__new__(type(self))
        forked._around(driver, self._scope, MEMORY)
        return forked

    def create_tables(
        self, path: str | os.PathLike[str], parameters: Mapping[str, str] | None = None
    ) -> list[str]:
        """Makes the tables that a file describes and gives their names.

        They are ACTIVE then: where that takes its time, it is waited for, and a manual clock moves on by it.

        The file holds a CreateTable request as JSON, a list of them, or a CloudFormation template as JSON
        or YAML (for which PyYAML must be installed); `parameters` are the template's.
        """
        from partita.local.table_files import read

        tables = read(path, parameters or {}, self._scope)
        for table in tables:
            self.call("CreateTable", table.create)
        self._driver.wait_ms(self._driver.settings.table_transition_ms)
        for table in tables:
            if table.time_to_live is not None:
                self.call("UpdateTimeToLive", table.time_to_live)
        return [table.create["TableName"] for table in tables]

    def client(self, **arguments: Any) -> DynamoDBClient:
        """A boto3 client whose requests this database answers, with no socket in between.

        Takes what `boto3.client("dynamodb", ...)` takes. Tables live where its requests say: the account
        is an access key of 12 digits (any other key means the database's account), the region is the
        client's; without arguments both are the database's.
        """
        from partita.local.boto import client

        made: DynamoDBClient = client(self, arguments)
        return made

    def resource(self, **arguments: Any) -> DynamoDBServiceResource:
        """As `client`, for `boto3.resource("dynamodb", ...)`."""
        from partita.local.boto import resource

        made: DynamoDBServiceResource = resource(self, arguments)
        return made

    def close(self) -> None:
        """Closes the file; a database in memory is gone. Later calls raise RuntimeError."""
        self._driver.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class AsyncDatabase(AsyncOperations):
    """`db.aio`: the same database for `await`; while a request waits, the event loop goes on."""

    def __init__(self, driver: Driver, scope: Scope) -> None:
        self._run = driver.run_async
        self._scope = scope

    async def call(self, operation: str, request: Mapping[str, Any]) -> dict[str, Any]:
        """As `Database.call`."""
        answer = await self._run(operation, request, self._scope)
        return loads(encode(answer)) if answer else {}


def _moment(clock: Clock) -> str:
    """A clock's time, for people to read."""
    now_us = clock.now_us()
    try:
        return datetime.fromtimestamp(now_us // 1_000_000, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    except (ValueError, OverflowError, OSError):
        # A clock for tests may be beyond all calendars.
        return f"{now_us} µs"
