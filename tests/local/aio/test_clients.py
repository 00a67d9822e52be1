"""aiobotocore's clients under `patch_boto3` and `mock_aws`."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import wraps
from typing import Any

import pytest
from aiobotocore.session import get_session
from botocore.exceptions import ClientError, WaiterError
from tests.local.tables import ORDERS, key, order

import partita
from partita import Database, ManualClock
from partita.testing import ServiceNotMocked, mock_aws


def in_loop(test: Callable[..., Awaitable[None]]) -> Callable[..., None]:
    @wraps(test)
    def run(*args: Any, **kwargs: Any) -> None:
        asyncio.run(test(*args, **kwargs))  # type: ignore[arg-type]

    return run


@pytest.fixture(autouse=True)
def no_credentials(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "AWS_PROFILE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    monkeypatch.setenv("AWS_CONFIG_FILE", "/nowhere")
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", "/nowhere")


def new_client(service: str = "dynamodb", region: str = "us-east-1", **arguments: Any) -> Any:
    return get_session().create_client(service, region_name=region, **arguments)


@in_loop
async def test_items_go_in_and_come_back(orders: Database) -> None:
    with partita.patch_boto3(orders):
        async with new_client() as client:
            item = order("ann", 1, b={"B": b"\x00\xff"}, n={"N": "1.50"})
            await client.put_item(TableName="orders", Item=item)
            got = await client.get_item(TableName="orders", Key=key("ann", 1))
            assert got["Item"] == item | {"n": {"N": "1.5"}}
            assert got["ResponseMetadata"]["HTTPHeaders"]["x-amz-crc32"]
    assert orders.get_item(TableName="orders", Key=key("ann", 1))["Item"]["b"] == {"B": "AP8="}


@in_loop
async def test_errors_are_parsed_as_usual(orders: Database) -> None:
    with partita.patch_boto3(orders):
        async with new_client() as client:
            await client.put_item(TableName="orders", Item=order("ann", 1))
            with pytest.raises(client.exceptions.ConditionalCheckFailedException) as failed:
                await client.put_item(
                    TableName="orders",
                    Item=order("ann", 1),
                    ConditionExpression="attribute_not_exists(pk)",
                    ReturnValuesOnConditionCheckFailure="ALL_OLD",
                )
            assert failed.value.response["Item"] == order("ann", 1)
            with pytest.raises(ClientError, match="Requested resource not found"):
                await client.scan(TableName="nowhere")


@in_loop
async def test_paginators_and_waiters(db: Database) -> None:
    with partita.patch_boto3(db):
        async with new_client() as client:
            await client.create_table(**ORDERS)
            await client.get_waiter("table_exists").wait(TableName="orders")
            await asyncio.gather(
                *(client.put_item(TableName="orders", Item=order("ann", number)) for number in range(10))
            )
            pages = client.get_paginator("scan").paginate(
                TableName="orders", PaginationConfig={"PageSize": 4}
            )
            assert [page["Count"] async for page in pages] == [4, 4, 2]
            with pytest.raises(WaiterError):
                await client.get_waiter("table_exists").wait(
                    TableName="nowhere", WaiterConfig={"Delay": 0, "MaxAttempts": 2}
                )


@in_loop
async def test_a_client_made_before_and_credentials_of_its_own(orders: Database) -> None:
    async with (
        new_client() as before,
        new_client(aws_access_key_id="111122223333", aws_secret_access_key="x") as other_account,
        new_client(region="eu-west-1") as other_region,
    ):
        with partita.patch_boto3(orders):
            assert (await before.list_tables())["TableNames"] == ["orders"]
            assert (await other_account.list_tables())["TableNames"] == []
            assert (await other_region.list_tables())["TableNames"] == []


@in_loop
async def test_others_go_on_while_a_request_waits() -> None:
    """A transaction holds its items for a while, and who comes meanwhile collides."""
    with (
        Database(profile="aws", transaction_hold_ms=(50, 50), clock=ManualClock()) as db,
        partita.patch_boto3(db),
    ):
        db.create_table(**ORDERS)
        db.clock.advance(60)
        async with new_client() as client:
            put = {"Put": {"TableName": "orders", "Item": order("ann", 1)}}
            first, second = await asyncio.gather(
                client.transact_write_items(TransactItems=[put]),
                client.transact_write_items(TransactItems=[put]),
                return_exceptions=True,
            )
        assert isinstance(second, ClientError)
        assert second.response["CancellationReasons"][0]["Code"] == "TransactionConflict"
        assert not isinstance(first, BaseException)


@mock_aws
@in_loop
async def test_mock_aws_refuses_other_services() -> None:
    async with new_client() as client, new_client("sts") as sts:
        await client.create_table(**ORDERS)
        assert (await client.list_tables())["TableNames"] == ["orders"]
        with pytest.raises(ServiceNotMocked, match="GetCallerIdentity of sts"):
            await sts.get_caller_identity()


def test_mock_aws_decorates_coroutines() -> None:
    @mock_aws
    async def use() -> list[str]:
        async with new_client() as client:
            await client.create_table(**ORDERS)
            names: list[str] = (await client.list_tables())["TableNames"]
            return names

    assert asyncio.run(use()) == ["orders"]


@in_loop
async def test_a_waiter_advances_a_manual_clock() -> None:
    with Database(table_transition_ms=50_000, clock=ManualClock(0)) as db, partita.patch_boto3(db):
        async with new_client() as client:
            await client.create_table(**ORDERS)
            await client.get_waiter("table_exists").wait(TableName="orders")
        assert db.clock.now_us() == 60_000_000
