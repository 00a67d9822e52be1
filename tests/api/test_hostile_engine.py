"""The engine answers a request with a wrong value in any member, or with one of DynamoDB's errors."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from tests.api.hostile_requests import PLACES, WRONG, placed
from tests.api.valid_requests import KEY, VALID

from partita.api import OPERATIONS
from partita.api.shapes import INPUTS
from partita.engine.agenda import drive
from partita.engine.clock import ManualClock
from partita.engine.engine import Engine
from partita.engine.settings import Settings
from partita.engine.table import Scope
from partita.errors import DynamoDBError
from partita.storage.sqlite import SqliteStore

SCOPE = Scope("000000000000", "eu-west-1")
VALUES: list[Any] = [
    *WRONG,
    {"pk": {"N": 1}},
    {"pk": {"S": None}},
    {"pk": None},
    {"pk": {"L": [None]}},
    {"pk": {"B": "YQ"}},
    {"pk": {}},
    {":v": {"SS": []}},
    {"#a": "pk"},
    "pk = :v",
    "SET a = :v",
    "arn:aws:dynamodb:eu-west-1:000000000000:table/users/index/by_sk",
    0,
    2**64,
]
TABLE = VALID["CreateTable"] | {"BillingMode": "PAY_PER_REQUEST"}


def new_engine() -> Engine:
    """A database with one table that serves and holds one item."""
    clock = ManualClock()
    store = SqliteStore(":memory:", clock.now_us)
    engine = Engine(store, settings=Settings(profile="instant"), clock=clock)
    drive(engine.call("CreateTable", copy.deepcopy(TABLE), SCOPE))
    engine.run_due()
    drive(engine.call("PutItem", {"TableName": "users", "Item": KEY}, SCOPE))
    return engine


@pytest.mark.parametrize("operation", sorted(OPERATIONS - {"DeleteTable"}))
def test_a_wrong_value_in_every_member(operation: str) -> None:
    engine = new_engine()
    paths = [path for place, path in PLACES if place == operation]
    for path in paths:
        for value in VALUES:
            request = placed(INPUTS[operation], copy.deepcopy(VALID[operation]), path, copy.deepcopy(value))
            engine.run_due()
            try:
                drive(engine.call(operation, request, SCOPE))
            except DynamoDBError as error:
                error.body(operation)
            engine.flush()
    engine.close()
