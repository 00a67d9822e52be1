"""BatchWriteItem: at most 25 requests, each by itself; what comes back unprocessed is sent again."""

from __future__ import annotations

import random
import re
import time
from typing import Any

import pytest
from tests.clients import app_table
from tests.clients.errors import error_of
from tests.clients.server_process import Access

TOO_MANY = re.compile(
    r"1 validation error detected: Value '\{app=\[.*\]\}' at 'requestItems' failed to satisfy constraint: "
    r"Map value must satisfy constraint: \[Member must have length less than or equal to 25, "
    r"Member must have length greater than or equal to 1\]",
    re.DOTALL,
)
"""Behaviour 12.3: what stands between the brackets cannot be reproduced."""


def put(number: int) -> dict[str, Any]:
    return {"PutRequest": {"Item": {"PK": {"S": f"B#{number}"}, "SK": {"S": "X"}}}}


def write_all(client: Any, requests: list[dict[str, Any]]) -> int:
    """The least loop that loses nothing; returns how many answers left something over."""
    pending = {"app": requests}
    attempt = 0
    while pending:
        pending = client.batch_write_item(RequestItems=pending)["UnprocessedItems"]
        if pending:
            time.sleep(min(2**attempt * 0.005, 0.2) + random.random() * 0.01)
            attempt += 1
    return attempt


def count(client: Any) -> int:
    pages = client.get_paginator("scan").paginate(TableName="app", Select="COUNT", ConsistentRead=True)
    return sum(page["Count"] for page in pages)


def test_26_items_are_too_many(access: Access) -> None:
    client = access.client()
    app_table.create(client)
    name, text = error_of(client.batch_write_item, RequestItems={"app": [put(n) for n in range(26)]})
    assert name == "ValidationException"
    assert TOO_MANY.fullmatch(text)
    assert count(client) == 0
    assert (
        client.batch_write_item(RequestItems={"app": [put(n) for n in range(25)]})["UnprocessedItems"] == {}
    )
    assert count(client) == 25


def test_26_items_of_two_tables_are_too_many(access: Access) -> None:
    client = access.client()
    app_table.create(client)
    app_table.create(client, TableName="app2")
    halves = {"app": [put(n) for n in range(13)], "app2": [put(n) for n in range(13)]}
    assert error_of(client.batch_write_item, RequestItems=halves) == (
        "ValidationException",
        "Too many items requested for the BatchWriteItem call",
    )


def test_the_retry_loop_writes_everything_that_came_back(hostile: Access) -> None:
    client = hostile.client()
    app_table.create(client)
    rounds = [write_all(client, [put(n) for n in range(first, first + 25)]) for first in range(0, 250, 25)]
    assert count(client) == 250
    assert sum(rounds) > 0


def test_without_the_loop_items_are_lost(hostile: Access) -> None:
    client = hostile.client()
    app_table.create(client)
    left = 0
    for first in range(0, 250, 25):
        answer = client.batch_write_item(RequestItems={"app": [put(n) for n in range(first, first + 25)]})
        left += len(answer["UnprocessedItems"].get("app", []))
    assert 0 < left == 250 - count(client)


def test_what_a_batch_read_leaves_over_is_asked_again(hostile: Access) -> None:
    client = hostile.client()
    app_table.create(client)
    write_all(client, [put(n) for n in range(25)])
    pending: Any = {
        "app": {"Keys": [put(n)["PutRequest"]["Item"] for n in range(25)], "ConsistentRead": True}
    }
    found: list[Any] = []
    while pending:
        answer = client.batch_get_item(RequestItems=pending)
        found += answer["Responses"].get("app", [])
        pending = answer["UnprocessedKeys"]
    assert sorted(item["PK"]["S"] for item in found) == sorted(f"B#{n}" for n in range(25))


def test_a_batch_is_no_transaction(any_profile: Access) -> None:
    """It overwrites what is there: BatchWriteItem takes no condition."""
    client = any_profile.client()
    app_table.create(client)
    key = put(1)["PutRequest"]["Item"]
    client.put_item(TableName="app", Item=key | {"qty": {"N": "10"}})
    write_all(client, [put(1), put(2)])
    assert client.get_item(TableName="app", Key=key, ConsistentRead=True)["Item"] == key


@pytest.mark.parametrize("number", [1, 10, 25])
def test_batch_writer_sends_again_by_itself(hostile: Access, number: int) -> None:
    resource = hostile.resource()
    app_table.create(resource.meta.client)
    with resource.Table("app").batch_writer(overwrite_by_pkeys=["PK", "SK"]) as batch:
        for n in range(number):
            batch.put_item(Item={"PK": f"B#{n}", "SK": "X"})
            batch.put_item(Item={"PK": f"B#{n}", "SK": "X", "twice": True})
        batch.delete_item(Key={"PK": "B#0", "SK": "X"})
    assert count(hostile.client()) == number - 1
