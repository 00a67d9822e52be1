"""boto3's own tools over HTTP: waiters, paginators, batch_writer, resources, the environment's endpoint."""

from __future__ import annotations

import subprocess
import sys
import threading
import zlib
from decimal import Decimal
from typing import Any

import pytest
from boto3.dynamodb.conditions import Attr, Key
from boto3.dynamodb.types import Binary
from tests.clients import app_table
from tests.clients.app_table import attributes
from tests.clients.errors import error_of
from tests.clients.server_process import Access

BRIEFLY = {"Delay": 0.05, "MaxAttempts": 200}
THINGS: dict[str, Any] = {
    "TableName": "things",
    "BillingMode": "PAY_PER_REQUEST",
    "AttributeDefinitions": attributes(pk="S", sk="N"),
    "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
}


@pytest.fixture
def table(access: Access) -> Any:
    """The resource of a table made by `create_table`."""
    table = access.resource().create_table(**THINGS)
    table.wait_until_exists()
    return table


@pytest.fixture
def full_table(table: Any) -> Any:
    """60 things of one partition and 40 of others."""
    with table.batch_writer() as batch:
        for n in range(100):
            batch.put_item(Item={"pk": "one" if n < 60 else f"other-{n}", "sk": n})
    return table


def test_waiters_see_a_table_come_and_go(any_profile: Access) -> None:
    client = any_profile.client()
    assert client.create_table(**THINGS)["TableDescription"]["TableStatus"] == "CREATING"
    client.get_waiter("table_exists").wait(TableName="things", WaiterConfig=BRIEFLY)
    client.put_item(TableName="things", Item={"pk": {"S": "a"}, "sk": {"N": "1"}})

    assert client.delete_table(TableName="things")["TableDescription"]["TableStatus"] == "DELETING"
    client.get_waiter("table_not_exists").wait(TableName="things", WaiterConfig=BRIEFLY)
    assert error_of(client.put_item, TableName="things", Item={"pk": {"S": "a"}, "sk": {"N": "1"}}) == (
        "ResourceNotFoundException",
        "Requested resource not found",
    )


def test_a_paginator_joins_the_pages_of_a_query(access: Access, full_table: Any) -> None:
    pages = list(
        access.client()
        .get_paginator("query")
        .paginate(
            TableName="things",
            KeyConditionExpression="pk = :one",
            ExpressionAttributeValues={":one": {"S": "one"}},
            ScanIndexForward=False,
            PaginationConfig={"PageSize": 25},
        )
    )
    assert [page["Count"] for page in pages] == [25, 25, 10]
    numbers = [int(item["sk"]["N"]) for page in pages for item in page["Items"]]
    assert numbers == list(range(59, -1, -1))


def test_a_paginator_goes_on_from_its_token(access: Access, full_table: Any) -> None:
    paginator = access.client().get_paginator("scan")
    found: list[int] = []
    token = None
    calls = 0
    while token is not None or calls == 0:
        read = paginator.paginate(
            TableName="things",
            PaginationConfig={"PageSize": 7, "MaxItems": 30, "StartingToken": token},
        ).build_full_result()
        found += [int(item["sk"]["N"]) for item in read["Items"]]
        token = read.get("NextToken")
        calls += 1
    assert sorted(found) == list(range(100))
    assert calls == 4


def test_a_paginator_lists_tables(access: Access) -> None:
    client = access.client()
    names = [f"table-{n:02d}" for n in range(12)]
    for name in names:
        client.create_table(**THINGS | {"TableName": name})
    paginator = client.get_paginator("list_tables")
    pages = [page["TableNames"] for page in paginator.paginate(PaginationConfig={"PageSize": 5})]
    assert pages == [names[:5], names[5:10], names[10:]]


def test_paginators_read_the_segments_of_a_parallel_scan(access: Access, full_table: Any) -> None:
    paginator = access.client().get_paginator("scan")
    segments = [
        {
            item["sk"]["N"]
            for page in paginator.paginate(
                TableName="things", Segment=segment, TotalSegments=4, PaginationConfig={"PageSize": 10}
            )
            for item in page["Items"]
        }
        for segment in range(4)
    ]
    assert sum(map(len, segments)) == 100
    assert set.union(*segments) == {str(n) for n in range(100)}


def test_the_resource_speaks_python(table: Any) -> None:
    item = {
        "pk": "types",
        "sk": Decimal("-12.5"),
        "text": "Nguyễn 𝄞 \x00",
        "number": Decimal("12345678901234567890123456789012345678"),
        "binary": Binary(b"\x00\xff"),
        "texts": {"a", "b", ""},
        "numbers": {Decimal(1), Decimal("1.5")},
        "binaries": {Binary(b"a"), Binary(b"")},
        "flag": True,
        "nothing": None,
        "list": [1, "two", [3], {"four": 4}],
        "map": {"deep": {"deeper": [None, False]}, "empty": {}},
    }
    table.put_item(Item=item)
    key = {"pk": "types", "sk": Decimal("-12.50")}
    assert table.get_item(Key=key)["Item"] == item
    table.reload()
    assert table.item_count == 1

    updated = table.update_item(
        Key=key,
        UpdateExpression="SET #m.deep.deeper[1] = :yes, #l = list_append(#l, :more) ADD numbers :n",
        ExpressionAttributeNames={"#m": "map", "#l": "list"},
        ExpressionAttributeValues={":yes": True, ":more": [5], ":n": {7}},
        ConditionExpression=Attr("flag").eq(True) & Attr("texts").contains("a"),
        ReturnValues="UPDATED_NEW",
    )["Attributes"]
    assert updated == {
        "map": {"deep": {"deeper": [True]}},
        "list": [1, "two", [3], {"four": 4}, 5],
        "numbers": {Decimal(1), Decimal("1.5"), Decimal(7)},
    }


def test_the_conditions_of_boto3_become_expressions(full_table: Any) -> None:
    answer = full_table.query(
        KeyConditionExpression=Key("pk").eq("one") & Key("sk").between(10, 20),
        FilterExpression=~Attr("gone").exists() | Attr("gone").is_in([1, 2]),
        ProjectionExpression="sk",
        ScanIndexForward=False,
        Limit=3,
    )
    assert answer["Items"] == [{"sk": 20}, {"sk": 19}, {"sk": 18}]
    assert answer["LastEvaluatedKey"] == {"pk": "one", "sk": 18}


def test_the_batches_of_the_resource(access: Access, full_table: Any) -> None:
    keys = [{"pk": "one", "sk": n} for n in (3, 1, 2, 1000)]
    answer = access.resource().batch_get_item(RequestItems={"things": {"Keys": keys}})
    assert sorted(item["sk"] for item in answer["Responses"]["things"]) == [1, 2, 3]
    assert answer["UnprocessedKeys"] == {}


def test_the_resource_describes_and_deletes(access: Access, table: Any) -> None:
    resource = access.resource()
    assert [each.name for each in resource.tables.all()] == ["things"]
    table.reload()
    assert table.table_arn == f"arn:aws:dynamodb:{access.region}:{access.account}:table/things"
    assert (table.table_status, table.billing_mode_summary["BillingMode"]) == ("ACTIVE", "PAY_PER_REQUEST")
    table.delete()
    table.wait_until_not_exists()
    assert list(resource.tables.all()) == []


def test_the_endpoint_comes_from_the_environment(access: Access, table: Any) -> None:
    """A program that names no endpoint."""
    program = (
        "import boto3\n"
        "print(*boto3.client('dynamodb').list_tables()['TableNames'])\n"
        "print(*[table.name for table in boto3.resource('dynamodb').tables.all()])\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], env=access.variables, capture_output=True, text=True, timeout=60
    )
    assert (done.stdout, done.stderr) == ("things\nthings\n", "")


@pytest.mark.parametrize("mode", ["legacy", "standard", "adaptive"])
def test_every_retry_mode_is_content(access: Access, table: Any, mode: str) -> None:
    """The legacy one also verifies the checksum of each answer."""
    client = access.client(retries={"mode": mode})
    answer = client.get_item(TableName="things", Key={"pk": {"S": "a"}, "sk": {"N": "1"}})
    assert answer["ResponseMetadata"]["RetryAttempts"] == 0


def test_answers_carry_their_checksum_and_a_request_id(access: Access, full_table: Any) -> None:
    client = access.client()
    seen: list[tuple[int, int]] = []

    def compare(http_response: Any, **_: object) -> None:
        seen.append((int(http_response.headers["x-amz-crc32"]), zlib.crc32(http_response.content)))

    client.meta.events.register("after-call.dynamodb", lambda http_response, **_: compare(http_response))
    answer = client.scan(TableName="things")
    error_of(client.describe_table, TableName="none")
    assert len(seen) == 2
    assert all(sent == computed for sent, computed in seen)
    assert len(answer["ResponseMetadata"]["RequestId"]) == 52


def test_a_client_is_shared_by_threads(access: Access, full_table: Any) -> None:
    client = access.client(max_pool_connections=16)
    start = threading.Barrier(16)
    counted: list[int] = []

    def count_up(_: int) -> None:
        start.wait()
        for _ in range(10):
            client.update_item(
                TableName="things",
                Key={"pk": {"S": "counter"}, "sk": {"N": "0"}},
                UpdateExpression="ADD hits :one",
                ExpressionAttributeValues={":one": {"N": "1"}},
            )
            counted.append(1)

    threads = [threading.Thread(target=count_up, args=(n,)) for n in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert full_table.get_item(Key={"pk": "counter", "sk": 0})["Item"]["hits"] == len(counted) == 160


def test_the_large_pages_of_a_paginator_end_at_a_megabyte(access: Access, table: Any) -> None:
    with table.batch_writer() as batch:
        for n in range(30):
            batch.put_item(Item={"pk": "large", "sk": n, "text": "x" * 100_000})
    pages = list(access.client().get_paginator("scan").paginate(TableName="things"))
    assert [page["Count"] for page in pages] == [11, 11, 8]


def test_a_paginator_of_an_index_with_equal_keys_loses_nothing(access: Access) -> None:
    client = access.client()
    app_table.create(client)
    for n in range(30):
        key = {"PK": {"S": f"P#{n}"}, "SK": {"S": "META"}}
        client.put_item(
            TableName="app",
            Item=key | {"GSI1PK": {"S": "same"}, "GSI1SK": {"S": "same"}, "sk": {"N": str(n)}},
        )
    paginator = client.get_paginator("query")
    for forward in (True, False):
        pages = paginator.paginate(
            TableName="app",
            IndexName="GSI1",
            KeyConditionExpression="GSI1PK = :same",
            ExpressionAttributeValues={":same": {"S": "same"}},
            ScanIndexForward=forward,
            PaginationConfig={"PageSize": 7},
        )
        numbers = [int(item["sk"]["N"]) for page in pages for item in page["Items"]]
        assert sorted(numbers) == list(range(30))
