"""Tables belong to the account and region that a request is signed for."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from tests.clients.app_table import attributes
from tests.clients.errors import error_of
from tests.clients.server_process import Access

REGIONS = ("eu-west-1", "us-east-1", "ap-southeast-1", "local", "moon-north-7")


def create(access: Access, name: str) -> Any:
    client = access.client()
    client.create_table(
        TableName=name,
        BillingMode="PAY_PER_REQUEST",
        AttributeDefinitions=attributes(pk="S"),
        KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}],
    )
    client.get_waiter("table_exists").wait(TableName=name)
    return client


def names(access: Access) -> list[str]:
    return list(access.client().list_tables()["TableNames"])


def test_regions_have_tables_of_their_own(access: Access) -> None:
    for region in REGIONS:
        client = create(replace(access, region=region), "places")
        client.put_item(TableName="places", Item={"pk": {"S": "here"}, "region": {"S": region}})
    create(access, "only-here")

    for region in REGIONS:
        there = replace(access, region=region)
        item = there.client().get_item(TableName="places", Key={"pk": {"S": "here"}})["Item"]
        assert item["region"] == {"S": region}
        assert names(there) == (["only-here", "places"] if region == access.region else ["places"])
        arn = there.client().describe_table(TableName="places")["Table"]["TableArn"]
        assert arn == f"arn:aws:dynamodb:{region}:{access.account}:table/places"


def test_accounts_have_tables_of_their_own(access: Access) -> None:
    other = replace(access, account="999988887777")
    create(access, "mine").put_item(TableName="mine", Item={"pk": {"S": "a"}})
    theirs = create(other, "theirs")
    try:
        assert (names(access), names(other)) == (["mine"], ["theirs"])
        assert error_of(theirs.get_item, TableName="mine", Key={"pk": {"S": "a"}}) == (
            "ResourceNotFoundException",
            "Requested resource not found",
        )
    finally:
        theirs.delete_table(TableName="theirs")


@pytest.mark.parametrize("key", ["local", "AKIAIOSFODNN7EXAMPLE", "12345678901", "1234567890123", "anything"])
def test_a_key_that_is_no_account_is_the_account_of_zeros(access: Access, key: str) -> None:
    shared = replace(access, account=key, region=f"near-{access.account}")
    client = create(shared, "shared")
    arn = client.describe_table(TableName="shared")["Table"]["TableArn"]
    assert arn == f"arn:aws:dynamodb:{shared.region}:000000000000:table/shared"
    assert names(replace(shared, account="000000000000")) == ["shared"]


def test_a_table_is_reached_by_its_arn(access: Access) -> None:
    client = create(access, "mine")
    arn = client.describe_table(TableName="mine")["Table"]["TableArn"]
    client.put_item(TableName=arn, Item={"pk": {"S": "a"}})
    assert client.get_item(TableName=arn, Key={"pk": {"S": "a"}})["Item"] == {"pk": {"S": "a"}}
    answer = client.query(
        TableName=arn, KeyConditionExpression="pk = :a", ExpressionAttributeValues={":a": {"S": "a"}}
    )
    assert answer["Count"] == 1
