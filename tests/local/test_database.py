"""`partita.Database`: dict in, dict out, errors as exceptions, from threads and asyncio."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import copy
import json
import re
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
from tests.local.tables import ORDERS, key, order

import partita
from partita import Database, ManualClock
from partita.api import OPERATIONS
from partita.errors import (
    ConditionalCheckFailedException,
    DynamoDBError,
    ResourceNotFoundException,
    SerializationException,
    TransactionCanceledException,
    UnknownOperationException,
    ValidationException,
)


def test_call_takes_and_gives_the_wire_form(orders: Database) -> None:
    picture = base64.b64encode(b"\x00\xff").decode()
    item = order("ann", 1, amount={"N": "12.50"}, picture={"B": picture}, tags={"SS": ["a", "b"]})
    assert orders.call("PutItem", {"TableName": "orders", "Item": item}) == {}
    assert orders.call("GetItem", {"TableName": "orders", "Key": key("ann", 1)}) == {
        "Item": item | {"amount": {"N": "12.5"}}
    }


def test_every_operation_is_a_method(db: Database) -> None:
    for operation in OPERATIONS:
        name = "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in operation)[1:]
        assert callable(getattr(db, name)), name
        assert asyncio.iscoroutinefunction(getattr(db.aio, name)), name


def test_methods_answer_as_call(orders: Database) -> None:
    orders.put_item(TableName="orders", Item=order("ann", 1, amount={"N": "1"}))
    updated = orders.update_item(
        TableName="orders",
        Key=key("ann", 1),
        UpdateExpression="ADD amount :one",
        ExpressionAttributeValues={":one": {"N": "1"}},
        ReturnValues="UPDATED_NEW",
    )
    assert updated == {"Attributes": {"amount": {"N": "2"}}}
    assert (
        orders.tag_resource(
            ResourceArn=orders.describe_table(TableName="orders")["Table"]["TableArn"],
            Tags=[{"Key": "team", "Value": "a"}],
        )
        == {}
    )


def test_answers_belong_to_the_caller(orders: Database) -> None:
    description = orders.describe_table(TableName="orders")
    description["Table"]["KeySchema"].clear()
    assert len(orders.describe_table(TableName="orders")["Table"]["KeySchema"]) == 2


def test_requests_are_left_as_they_were(orders: Database) -> None:
    request = {"TableName": "orders", "Item": order("ann", 1, n={"N": "1.0"}, m={"M": {"n": {"N": "01"}}})}
    before = json.dumps(request)
    orders.call("PutItem", request)
    assert json.dumps(request) == before


def test_an_error_says_what_the_operation_says(orders: Database) -> None:
    with pytest.raises(ValidationException) as raised:
        orders.put_item(TableName="orders", Item=order("ann", 1, n={"N": "x"}))
    text = "The parameter cannot be converted to a numeric value: x"
    assert str(raised.value) == f"1 validation error detected: {text}"
    with pytest.raises(ValidationException) as raised:
        orders.get_item(TableName="orders", Key={"pk": {"N": "x"}, "sk": {"S": "1"}})
    assert str(raised.value) == text
    assert isinstance(raised.value, DynamoDBError)
    assert raised.value.name == "ValidationException"


def test_an_error_carries_its_members_as_dicts(orders: Database) -> None:
    orders.put_item(TableName="orders", Item=order("ann", 1, n={"N": "7"}))
    condition: dict[str, Any] = {
        "TableName": "orders",
        "Item": order("ann", 1),
        "ConditionExpression": "attribute_not_exists(pk)",
        "ReturnValuesOnConditionCheckFailure": "ALL_OLD",
    }
    with pytest.raises(ConditionalCheckFailedException) as failed:
        orders.put_item(**condition)
    assert str(failed.value) == "The conditional request failed"
    assert failed.value.members == {"Item": order("ann", 1, n={"N": "7"})}
    with pytest.raises(TransactionCanceledException) as canceled:
        orders.transact_write_items(TransactItems=[{"Put": condition}])
    assert canceled.value.members["CancellationReasons"] == [
        {
            "Code": "ConditionalCheckFailed",
            "Message": "The conditional request failed",
            "Item": order("ann", 1, n={"N": "7"}),
        }
    ]


def test_what_is_no_operation_or_no_request_is_an_error(db: Database) -> None:
    with pytest.raises(UnknownOperationException):
        db.call("PutItems", {})
    with pytest.raises(SerializationException):
        db.call("PutItem", [])  # type: ignore[arg-type]
    with pytest.raises(ResourceNotFoundException, match="Requested resource not found"):
        db.get_item(TableName="nowhere", Key=key("a", 1))


def test_bytes_are_not_base64(orders: Database) -> None:
    with pytest.raises(SerializationException):
        orders.put_item(TableName="orders", Item=order("ann", 1, b={"B": b"raw"}))


def test_accounts_and_regions_are_separate() -> None:
    with Database(region="eu-west-1", account="111122223333") as db:
        db.create_table(**ORDERS)
        arn = db.describe_table(TableName="orders")["Table"]["TableArn"]
        assert arn == "arn:aws:dynamodb:eu-west-1:111122223333:table/orders"
    with pytest.raises(ValueError, match="an account is 12 digits, not '12'"):
        Database(account="12")


def test_settings_are_checked() -> None:
    with pytest.raises(ValueError, match="unknown profile 'slow'"):
        Database(profile="slow")
    with pytest.raises(ValueError, match="unknown setting 'lag'"):
        Database(lag=3)


def test_a_file_keeps_what_was_written(tmp_path: Path) -> None:
    with Database(tmp_path / "data.db") as db:
        db.create_table(**ORDERS)
        db.put_item(TableName="orders", Item=order("ann", 1))
    with Database(str(tmp_path / "data.db"), durability="relaxed") as db:
        assert db.get_item(TableName="orders", Key=key("ann", 1)) == {"Item": order("ann", 1)}


def test_closed_is_closed(db: Database) -> None:
    db.close()
    db.close()
    with pytest.raises(RuntimeError, match=r"this partita\.Database is closed"):
        db.list_tables()
    with pytest.raises(RuntimeError, match="closed"):
        db.snapshot()
    with pytest.raises(RuntimeError, match="closed"):
        asyncio.run(db.aio.list_tables())


def test_threads_share_a_database(orders: Database) -> None:
    def count_up() -> None:
        for _ in range(50):
            orders.update_item(
                TableName="orders",
                Key=key("ann", 1),
                UpdateExpression="ADD amount :one",
                ExpressionAttributeValues={":one": {"N": "1"}},
            )

    threads = [threading.Thread(target=count_up) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    amount = orders.get_item(TableName="orders", Key=key("ann", 1))["Item"]["amount"]
    assert amount == {"N": "400"}


def test_asyncio_has_the_same_methods(orders: Database) -> None:
    async def use() -> list[dict[str, Any]]:
        await orders.aio.put_item(TableName="orders", Item=order("ann", 1))
        await orders.aio.call("PutItem", {"TableName": "orders", "Item": order("ann", 2)})
        with pytest.raises(ResourceNotFoundException):
            await orders.aio.scan(TableName="nowhere")
        return list(
            await asyncio.gather(
                *(orders.aio.get_item(TableName="orders", Key=key("ann", n)) for n in (1, 2, 3))
            )
        )

    assert asyncio.run(use()) == [{"Item": order("ann", 1)}, {"Item": order("ann", 2)}, {}]


def test_the_clock_can_be_advanced() -> None:
    with Database(clock=ManualClock(1_000_000_000)) as db:
        db.create_table(**ORDERS)
        assert db.describe_table(TableName="orders")["Table"]["CreationDateTime"] == 1_000_000_000
        db.clock.advance(60)
        db.create_table(**ORDERS | {"TableName": "later"})
        assert db.describe_table(TableName="later")["Table"]["CreationDateTime"] == 1_000_000_060


def test_the_package_exports_its_names() -> None:
    assert set(partita.__all__) <= set(dir(partita))
    for name in partita.__all__:
        assert getattr(partita, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = partita.nothing


@pytest.mark.parametrize(
    ("statement", "absent"),
    [
        ("import partita", ["partita.engine", "orjson", "apsw", "boto3", "botocore"]),
        ("import partita.pytest_plugin", ["partita.engine", "orjson", "apsw", "boto3", "botocore"]),
        ("import partita.testing", ["partita.engine", "orjson", "apsw", "boto3", "botocore"]),
        ("import partita; partita.Database().list_tables()", ["boto3", "botocore"]),
    ],
)
def test_imports_are_lazy(statement: str, absent: list[str]) -> None:
    program = f"{statement}; import sys; print([name for name in {absent!r} if name in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONPATH": ":".join(sys.path)},
    )
    assert done.stdout == "[]\n"


def test_a_request_stays_the_callers_own(orders: Database) -> None:
    """Null and unknown members and fractions are not read, but neither are they taken out of the request."""
    requests: list[tuple[str, dict[str, Any]]] = [
        ("Scan", {"TableName": "orders", "Limit": 1.0, "IndexName": None, "Unknown": [1]}),
        (
            "BatchGetItem",
            {"RequestItems": {"orders": {"Keys": [key("ann", 1)], "ConsistentRead": None, "Unknown": 1}}},
        ),
        (
            "TransactWriteItems",
            {"TransactItems": [{"Put": {"TableName": "orders", "Item": order("bob", 1)}, "Delete": None}]},
        ),
        ("CreateTable", {**ORDERS, "TableName": "more", "LocalSecondaryIndexes": None, "Unknown": {}}),
        ("PutItem", {"TableName": "orders", "Item": {}, "Unknown": None}),
    ]
    for operation, request in requests:
        before = copy.deepcopy(request)
        with contextlib.suppress(ValidationException):
            orders.call(operation, request)
        assert repr(request) == repr(before)


@pytest.mark.parametrize(
    ("wrong", "text"),
    [
        ({"account": "1"}, "an account is 12 digits, not '1'"),
        ({"region": ""}, "a region has a name"),
        ({"path": ""}, "a database has a path, or ':memory:'"),
        ({"durability": "most"}, "unknown durability 'most': it is one of full, relaxed"),
        ({"seed": "x"}, "a seed is a whole number, not 'x'"),
        ({"profile": "x"}, "unknown profile 'x': it is one of instant, aws, hostile"),
    ],
)
def test_wrong_options_are_refused(wrong: dict[str, Any], text: str) -> None:
    with pytest.raises(ValueError, match="^" + re.escape(text) + "$"):
        Database(**wrong)


def test_a_database_and_a_snapshot_say_what_they_are(tmp_path: Path) -> None:
    path = tmp_path / "partita.db"
    settings: dict[str, Any] = {"region": "eu-west-1", "account": "123456789012"}
    db = Database(path, profile="aws", seed=7, clock=ManualClock(1_700_000_000), **settings)
    place = "123456789012 in eu-west-1"
    assert repr(db) == (f"<partita.Database '{path}', profile aws, seed 7, {place}, at 2023-11-14T22:13:20Z>")
    assert repr(db.fork()).startswith("<partita.Database ':memory:', profile aws, seed 7")
    assert repr(db.snapshot()) == "<partita.Snapshot at 2023-11-14T22:13:20Z>"
    db.close()
    assert repr(db).endswith(f"{place}, closed>")


def test_a_clock_beyond_all_calendars_can_be_shown() -> None:
    assert repr(Database(clock=ManualClock(2.0**60))).endswith("at 1152921504606846976000000 µs>")
