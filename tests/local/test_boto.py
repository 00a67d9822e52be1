"""boto3's own tools on `db.client()` and `db.resource()`, with no socket."""

from __future__ import annotations

import socket
from decimal import Decimal
from typing import Any, NoReturn
from zlib import crc32

import boto3
import botocore.session
import pytest
from boto3.dynamodb.conditions import Attr, Key
from boto3.dynamodb.types import Binary
from botocore.config import Config
from botocore.exceptions import ClientError, ParamValidationError, WaiterError
from tests.local.tables import ORDERS, key, order

from partita import Database, ManualClock
from partita.storage import StoreFailed


@pytest.fixture(autouse=True)
def no_sockets(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any, **__: Any) -> NoReturn:
        raise AssertionError("a socket was opened")

    monkeypatch.setattr(socket, "socket", refuse)
    monkeypatch.setattr(socket, "create_connection", refuse)


@pytest.fixture
def client(orders: Database) -> Any:
    return orders.client()


@pytest.fixture
def table(orders: Database) -> Any:
    return orders.resource().Table("orders")


def fill(client: Any, count: int) -> None:
    for number in range(count):
        client.put_item(TableName="orders", Item=order("ann", number, status={"S": "open"}))


class TestClient:
    def test_shares_the_database(self, orders: Database, client: Any) -> None:
        client.put_item(TableName="orders", Item=order("ann", 1, b={"B": b"\x00\xff"}))
        assert orders.get_item(TableName="orders", Key=key("ann", 1))["Item"]["b"] == {"B": "AP8="}
        assert client.get_item(TableName="orders", Key=key("ann", 1))["Item"]["b"] == {"B": b"\x00\xff"}

    def test_answers_have_the_headers_of_the_service(self, client: Any) -> None:
        metadata = client.list_tables()["ResponseMetadata"]
        assert metadata["HTTPStatusCode"] == 200
        assert metadata["RetryAttempts"] == 0
        assert len(metadata["RequestId"]) == 52
        headers = metadata["HTTPHeaders"]
        body = b'{"TableNames":["orders"]}'
        assert headers["x-amz-crc32"] == str(crc32(body))
        assert headers["content-length"] == str(len(body))
        assert headers["content-type"] == "application/x-amz-json-1.0"
        assert headers["server"] == "Server"
        assert headers["date"].endswith("GMT")

    def test_errors_are_parsed_as_usual(self, client: Any) -> None:
        client.put_item(TableName="orders", Item=order("ann", 1))
        with pytest.raises(client.exceptions.ConditionalCheckFailedException) as failed:
            client.put_item(
                TableName="orders",
                Item=order("ann", 1),
                ConditionExpression="attribute_not_exists(pk)",
                ReturnValuesOnConditionCheckFailure="ALL_OLD",
            )
        assert failed.value.response["Error"] == {
            "Code": "ConditionalCheckFailedException",
            "Message": "The conditional request failed",
        }
        assert failed.value.response["Item"] == order("ann", 1)
        with pytest.raises(client.exceptions.TransactionCanceledException) as canceled:
            client.transact_write_items(
                TransactItems=[
                    {"Put": {"TableName": "orders", "Item": order("bob", 1)}},
                    {
                        "Put": {
                            "TableName": "orders",
                            "Item": order("ann", 1),
                            "ConditionExpression": "attribute_not_exists(pk)",
                        }
                    },
                ]
            )
        assert [reason["Code"] for reason in canceled.value.response["CancellationReasons"]] == [
            "None",
            "ConditionalCheckFailed",
        ]
        with pytest.raises(ClientError, match="Requested resource not found"):
            client.scan(TableName="nowhere")

    def test_botocore_still_checks_parameters(self, client: Any) -> None:
        with pytest.raises(ParamValidationError):
            client.put_item(TableName="orders", Item="no item")

    def test_an_operation_that_is_not_done_is_unknown(self, client: Any) -> None:
        with pytest.raises(ClientError) as raised:
            client.list_backups()
        assert raised.value.response["Error"]["Code"] == "UnknownOperationException"

    def test_tagging_answers_with_an_empty_body(self, client: Any) -> None:
        arn = client.describe_table(TableName="orders")["Table"]["TableArn"]
        client.tag_resource(ResourceArn=arn, Tags=[{"Key": "team", "Value": "a"}])
        assert client.list_tags_of_resource(ResourceArn=arn)["Tags"] == [{"Key": "team", "Value": "a"}]

    def test_credentials_and_region_choose_the_tables(self, orders: Database) -> None:
        other_region = orders.client(region_name="eu-west-1")
        other_account = orders.client(aws_access_key_id="111122223333", aws_secret_access_key="x")
        any_key = orders.client(aws_access_key_id="AKIAEXAMPLE", aws_secret_access_key="x")
        assert other_region.list_tables()["TableNames"] == []
        assert other_account.list_tables()["TableNames"] == []
        assert any_key.list_tables()["TableNames"] == ["orders"]
        made = other_account.create_table(**ORDERS)["TableDescription"]
        assert made["TableArn"] == "arn:aws:dynamodb:us-east-1:111122223333:table/orders"

    def test_unsigned_requests_go_to_the_databases_own_tables(self, orders: Database) -> None:
        unsigned = orders.client(config=Config(signature_version=botocore.UNSIGNED), region_name="eu-west-1")
        assert unsigned.list_tables()["TableNames"] == ["orders"]

    @pytest.mark.parametrize("mode", ["legacy", "standard", "adaptive"])
    def test_every_retry_mode_works(self, orders: Database, mode: str) -> None:
        client = orders.client(config=Config(retries={"mode": mode, "max_attempts": 3}))
        client.put_item(TableName="orders", Item=order("ann", 1))
        with pytest.raises(ClientError) as raised:
            client.put_item(TableName="orders", Item=order("ann", 1), ConditionExpression="pk = sk")
        assert raised.value.response["ResponseMetadata"]["RetryAttempts"] == 0

    def test_an_endpoint_from_the_environment_makes_no_difference(
        self, orders: Database, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("AWS_ENDPOINT_URL_DYNAMODB", "http://localhost:9")
        assert orders.client().list_tables()["TableNames"] == ["orders"]

    def test_two_databases_have_nothing_in_common(self, orders: Database) -> None:
        with Database() as other:
            assert other.client().list_tables()["TableNames"] == []
            assert orders.client().list_tables()["TableNames"] == ["orders"]


class TestWaitersAndPaginators:
    def test_waiters_need_not_wait(self, db: Database) -> None:
        client = db.client()
        client.create_table(**ORDERS)
        client.get_waiter("table_exists").wait(TableName="orders")
        client.delete_table(TableName="orders")
        client.get_waiter("table_not_exists").wait(TableName="orders")

    def test_a_waiter_gives_up_as_usual(self, db: Database) -> None:
        with pytest.raises(WaiterError, match="Max attempts exceeded"):
            db.client().get_waiter("table_exists").wait(
                TableName="nowhere", WaiterConfig={"Delay": 0, "MaxAttempts": 2}
            )

    def test_query_pages(self, client: Any) -> None:
        fill(client, 10)
        pages = client.get_paginator("query").paginate(
            TableName="orders",
            KeyConditionExpression="pk = :pk",
            ExpressionAttributeValues={":pk": {"S": "ann"}},
            PaginationConfig={"PageSize": 3},
        )
        numbers = [[item["sk"]["S"] for item in page["Items"]] for page in pages]
        assert [len(page) for page in numbers] == [3, 3, 3, 1]
        assert [number for page in numbers for number in page] == [f"{number:04d}" for number in range(10)]

    def test_index_scan_pages_with_max_items_and_a_token(self, client: Any) -> None:
        fill(client, 10)
        paginator = client.get_paginator("scan")
        first = paginator.paginate(
            TableName="orders", IndexName="by-status", PaginationConfig={"MaxItems": 4, "PageSize": 2}
        ).build_full_result()
        rest = paginator.paginate(
            TableName="orders",
            IndexName="by-status",
            PaginationConfig={"StartingToken": first["NextToken"]},
        ).build_full_result()
        assert (len(first["Items"]), len(rest["Items"])) == (4, 6)

    def test_list_tables_pages(self, db: Database) -> None:
        client = db.client()
        for number in range(5):
            client.create_table(**ORDERS | {"TableName": f"orders-{number}"})
        pages = client.get_paginator("list_tables").paginate(PaginationConfig={"PageSize": 2})
        assert [page["TableNames"] for page in pages] == [
            ["orders-0", "orders-1"],
            ["orders-2", "orders-3"],
            ["orders-4"],
        ]


class TestResource:
    def test_python_values_go_in_and_come_back(self, table: Any) -> None:
        item = {
            "pk": "ann",
            "sk": "1",
            "number": Decimal("12.5"),
            "whole": 3,
            "text": "é\u0000🙂",
            "yes": True,
            "nothing": None,
            "raw": b"\x00\xff",
            "wrapped": Binary(b"abc"),
            "strings": {"a", "b"},
            "numbers": {1, Decimal("2.5")},
            "binaries": {b"a", Binary(b"b")},
            "list": [1, "two", [Decimal("3")], {}],
            "map": {"a": {"b": []}},
        }
        table.put_item(Item=item)
        got = table.get_item(Key={"pk": "ann", "sk": "1"})["Item"]
        assert got == item
        assert isinstance(got["raw"], Binary)
        assert isinstance(got["whole"], Decimal)

    def test_batch_writer_writes_deletes_and_drops_duplicates(self, table: Any) -> None:
        with table.batch_writer() as batch:
            for number in range(60):
                batch.put_item(Item={"pk": "ann", "sk": f"{number:04d}"})
        assert table.scan(Select="COUNT")["Count"] == 60
        with table.batch_writer(overwrite_by_pkeys=["pk", "sk"]) as batch:
            for number in (1, 2, 2, 1):
                batch.put_item(Item={"pk": "ann", "sk": f"{number:04d}", "n": number})
            batch.delete_item(Key={"pk": "ann", "sk": "0003"})
        assert table.scan(Select="COUNT")["Count"] == 59

    def test_conditions_are_objects(self, table: Any) -> None:
        with table.batch_writer() as batch:
            for number in range(10):
                batch.put_item(
                    Item={"pk": "ann", "sk": f"{number:04d}", "status": "open", "n": number, "t": {"x"}}
                )
        between = table.query(
            KeyConditionExpression=Key("pk").eq("ann") & Key("sk").between("0002", "0005"),
            FilterExpression=Attr("n").gt(2) & (Attr("t").contains("x") | ~Attr("n").exists()),
        )
        assert [int(item["n"]) for item in between["Items"]] == [3, 4, 5]
        assert between["ScannedCount"] == 4
        backwards = table.query(
            IndexName="by-status",
            KeyConditionExpression=Key("status").eq("open") & Key("sk").begins_with("000"),
            ScanIndexForward=False,
            Limit=2,
        )
        assert [item["sk"] for item in backwards["Items"]] == ["0009", "0008"]
        scanned = table.scan(FilterExpression=Attr("n").is_in([1, 2]) | Attr("sk").size().gt(100))
        assert scanned["Count"] == 2
        with pytest.raises(ClientError, match="ConditionalCheckFailed"):
            table.delete_item(Key={"pk": "ann", "sk": "0001"}, ConditionExpression=Attr("status").ne("open"))

    def test_update_item_returns_what_it_changed(self, table: Any) -> None:
        for expected in (1, 2):
            answer = table.update_item(
                Key={"pk": "ann", "sk": "1"},
                UpdateExpression="SET #n = if_not_exists(#n, :zero) + :one",
                ExpressionAttributeNames={"#n": "count"},
                ExpressionAttributeValues={":zero": 0, ":one": 1},
                ReturnValues="UPDATED_NEW",
            )
            assert answer["Attributes"] == {"count": expected}

    def test_tables_and_batches_of_the_service_resource(self, orders: Database) -> None:
        service = orders.resource()
        made = service.create_table(**ORDERS | {"TableName": "more"})
        made.wait_until_exists()
        assert [table.name for table in service.tables.all()] == ["more", "orders"]
        made.reload()
        assert made.table_status == "ACTIVE"
        assert made.key_schema == ORDERS["KeySchema"]
        made.put_item(Item={"pk": "ann", "sk": "1"})
        got = service.batch_get_item(RequestItems={"more": {"Keys": [{"pk": "ann", "sk": "1"}]}})
        assert got["Responses"] == {"more": [{"pk": "ann", "sk": "1"}]}
        made.delete()
        made.wait_until_not_exists()

    def test_transactions_through_the_resources_client(self, orders: Database) -> None:
        client = orders.resource().meta.client
        client.transact_write_items(
            TransactItems=[
                {"Put": {"TableName": "orders", "Item": {"pk": "ann", "sk": "1", "n": 1}}},
                {"Put": {"TableName": "orders", "Item": {"pk": "ann", "sk": "2", "n": 2}}},
            ],
            ClientRequestToken="once",
        )
        got = client.transact_get_items(
            TransactItems=[{"Get": {"TableName": "orders", "Key": {"pk": "ann", "sk": "2"}}}]
        )
        assert got["Responses"] == [{"Item": {"pk": "ann", "sk": "2", "n": 2}}]


def test_clients_made_elsewhere_are_not_touched(orders: Database) -> None:
    orders.client().list_tables()
    elsewhere = boto3.session.Session(aws_access_key_id="x", aws_secret_access_key="x").client(
        "dynamodb", region_name="us-east-1", config=Config(retries={"max_attempts": 0})
    )
    with pytest.raises(Exception, match=r"socket was opened|Could not connect"):
        elsewhere.list_tables()


class TestPausesOnAManualClock:
    """Waiters and retries advance the clock instead of sleeping; `time.sleep` would fail these tests."""

    @pytest.fixture(autouse=True)
    def no_sleep(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def refuse(seconds: float) -> None:
            assert seconds == 0, f"slept {seconds} s"

        monkeypatch.setattr("time.sleep", refuse)

    def test_a_waiter_advances_it(self) -> None:
        with Database(table_transition_ms=50_000, clock=ManualClock(0)) as db:
            client = db.client()
            client.create_table(**ORDERS)
            client.get_waiter("table_exists").wait(TableName="orders")
            assert db.clock.now_us() == 60_000_000

    def test_retries_advance_it(self, monkeypatch: pytest.MonkeyPatch) -> None:
        with Database(clock=ManualClock(0)) as db:
            client = db.client(config=Config(retries={"max_attempts": 3}))

            def fail() -> None:
                raise StoreFailed("disk full")

            monkeypatch.setattr(db._driver.store, "commit", fail)
            with pytest.raises(ClientError) as raised:
                client.list_tables()
            assert raised.value.response["Error"]["Code"] == "InternalServerError"
            assert raised.value.response["ResponseMetadata"]["RetryAttempts"] == 3
            assert db.clock.now_us() > 0
