"""Two writers who read the same version: one succeeds, the other is told so and reads again."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from typing import Any

import pytest
from tests.clients import app_table
from tests.clients.errors import answer_of, error_of
from tests.clients.server_process import Access

STOCK = {"PK": "TENANT#42#PRODUCT#9", "SK": "STOCK"}


@pytest.fixture
def table(any_profile: Access) -> Any:
    resource = any_profile.resource()
    app_table.create(resource.meta.client)
    table = resource.Table("app")
    table.put_item(Item=STOCK | {"qty": 10, "version": 17})
    return table


def reserve(table: Any, number: int, version: int, **parameters: Any) -> Any:
    return table.update_item(
        Key=STOCK,
        UpdateExpression="SET qty = qty - :n, version = version + :one",
        ConditionExpression="qty >= :n AND version = :v",
        ExpressionAttributeValues={":n": number, ":one": 1, ":v": version},
        ReturnValues="ALL_NEW",
        **parameters,
    )


def stock(table: Any) -> tuple[int, int]:
    """Quantity and version."""
    item = table.get_item(Key=STOCK, ConsistentRead=True)["Item"]
    return int(item["qty"]), int(item["version"])


def test_the_second_writer_with_a_stale_version_is_refused(table: Any) -> None:
    answer = reserve(table, 2, 17)
    assert answer["Attributes"] == STOCK | {"version": Decimal(18), "qty": Decimal(8)}
    assert error_of(reserve, table=table, number=2, version=17) == (
        "ConditionalCheckFailedException",
        "The conditional request failed",
    )
    assert stock(table) == (8, 18)


def test_the_refused_writer_can_be_shown_what_is_there_now(table: Any) -> None:
    reserve(table, 2, 17)
    refusal = answer_of(
        reserve, table=table, number=2, version=17, ReturnValuesOnConditionCheckFailure="ALL_OLD"
    )
    assert refusal["Item"] == {
        "PK": {"S": "TENANT#42#PRODUCT#9"},
        "SK": {"S": "STOCK"},
        "version": {"N": "18"},
        "qty": {"N": "8"},
    }


def test_stock_is_not_sold_twice(table: Any) -> None:
    assert error_of(reserve, table=table, number=11, version=17)[0] == "ConditionalCheckFailedException"
    assert stock(table) == (10, 17)


def test_of_many_writers_at_once_each_version_has_one(table: Any) -> None:
    """Each reads, writes what it read, and reads again when it comes too late."""

    def reserve_one(_: int) -> int:
        attempts = 0
        while True:
            attempts += 1
            _, version = stock(table)
            try:
                reserve(table, 1, version)
            except table.meta.client.exceptions.ConditionalCheckFailedException:
                continue
            return attempts

    with ThreadPoolExecutor(5) as writers:
        attempts = list(writers.map(reserve_one, range(10)))
    assert stock(table) == (0, 27)
    assert sum(attempts) >= 10
