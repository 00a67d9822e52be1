"""The request that creates a table, and what a live table has different."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from tests.model.conftest import Server
from tests.model.definition.tables import Plain, Shop

import partita
from partita.model import Entity, Index, Key, LocalIndex, Table, upcaster
from partita.model.definition.drift import drift
from partita.model.definition.table_requests import create_table_request, time_to_live_request
from partita.model.errors import DeclarationError
from partita.model.schema import Item


def test_the_request_that_creates_the_table() -> None:
    assert create_table_request(Shop) == {
        "TableName": "shop-orders",
        "BillingMode": "PAY_PER_REQUEST",
        "KeySchema": [
            {"AttributeName": "PK", "KeyType": "HASH"},
            {"AttributeName": "SK", "KeyType": "RANGE"},
        ],
        "AttributeDefinitions": [
            {"AttributeName": name, "AttributeType": kind}
            for name, kind in [
                ("PK", "S"),
                ("SK", "S"),
                ("GSI1PK", "S"),
                ("GSI1SK", "S"),
                ("GSI2PK", "S"),
                ("GSI2SK", "S"),
                ("SlimPK", "S"),
                ("tenant", "S"),
                ("region", "S"),
                ("placed", "S"),
                ("amount", "N"),
                ("LSI1SK", "S"),
            ]
        ],
        "GlobalSecondaryIndexes": [
            {
                "IndexName": "GSI1",
                "KeySchema": [
                    {"AttributeName": "GSI1PK", "KeyType": "HASH"},
                    {"AttributeName": "GSI1SK", "KeyType": "RANGE"},
                ],
                "Projection": {"ProjectionType": "ALL"},
            },
            {
                "IndexName": "GSI2",
                "KeySchema": [
                    {"AttributeName": "GSI2PK", "KeyType": "HASH"},
                    {"AttributeName": "GSI2SK", "KeyType": "RANGE"},
                ],
                "Projection": {"ProjectionType": "KEYS_ONLY"},
            },
            {
                "IndexName": "Slim",
                "KeySchema": [{"AttributeName": "SlimPK", "KeyType": "HASH"}],
                "Projection": {
                    "ProjectionType": "INCLUDE",
                    "NonKeyAttributes": ["_type", "amount", "note"],
                },
            },
            {
                "IndexName": "by_region",
                "KeySchema": [
                    {"AttributeName": "tenant", "KeyType": "HASH"},
                    {"AttributeName": "region", "KeyType": "HASH"},
                    {"AttributeName": "placed", "KeyType": "RANGE"},
                    {"AttributeName": "amount", "KeyType": "RANGE"},
                ],
                "Projection": {"ProjectionType": "ALL"},
            },
        ],
        "LocalSecondaryIndexes": [
            {
                "IndexName": "LSI1",
                "KeySchema": [
                    {"AttributeName": "PK", "KeyType": "HASH"},
                    {"AttributeName": "LSI1SK", "KeyType": "RANGE"},
                ],
                "Projection": {"ProjectionType": "ALL"},
            }
        ],
    }
    assert time_to_live_request(Shop) == {
        "TableName": "shop-orders",
        "TimeToLiveSpecification": {"AttributeName": "expires", "Enabled": True},
    }


def test_a_table_with_nothing_but_a_partition_key() -> None:
    assert create_table_request(Plain, "other") == {
        "TableName": "other",
        "BillingMode": "PAY_PER_REQUEST",
        "KeySchema": [{"AttributeName": "PK", "KeyType": "HASH"}],
        "AttributeDefinitions": [{"AttributeName": "PK", "AttributeType": "S"}],
    }
    assert time_to_live_request(Plain) is None


def test_a_created_table_has_nothing_different(server: Server) -> None:
    client = server.client()
    for table in (Plain, Shop):
        name = f"{table.__name__}-live"
        client.create_table(**create_table_request(table, name))
        client.get_waiter("table_exists").wait(TableName=name)
        if request := time_to_live_request(table, name):
            client.update_time_to_live(**request)
        described = client.describe_table(TableName=name)
        assert drift(table, described, client.describe_time_to_live(TableName=name)) == []


def _without(*names: str) -> Callable[[dict[str, Any]], None]:
    def change(request: dict[str, Any]) -> None:
        for parameter in ("GlobalSecondaryIndexes", "LocalSecondaryIndexes"):
            request[parameter] = [one for one in request[parameter] if one["IndexName"] not in names]
            if not request[parameter]:
                del request[parameter]
        used = {
            element["AttributeName"]
            for owner in (
                request,
                *request.get("GlobalSecondaryIndexes", ()),
                *request.get("LocalSecondaryIndexes", ()),
            )
            for element in owner["KeySchema"]
        }
        request["AttributeDefinitions"] = [
            one for one in request["AttributeDefinitions"] if one["AttributeName"] in used
        ]

    return change


def _kind_of_lsi1(request: dict[str, Any]) -> None:
    next(one for one in request["AttributeDefinitions"] if one["AttributeName"] == "LSI1SK")[
        "AttributeType"
    ] = "N"


def _other_projection(request: dict[str, Any]) -> None:
    request["GlobalSecondaryIndexes"][2]["Projection"]["NonKeyAttributes"] = ["_type", "note"]
    request["GlobalSecondaryIndexes"][1]["Projection"] = {"ProjectionType": "ALL"}


def _no_sort_key_in_gsi1(request: dict[str, Any]) -> None:
    request["GlobalSecondaryIndexes"][0]["KeySchema"].pop()
    _without()(request)


def _another_index(request: dict[str, Any]) -> None:
    request["GlobalSecondaryIndexes"].append(request["GlobalSecondaryIndexes"][0] | {"IndexName": "Mine"})


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (_without("GSI1"), ["the table has no global index GSI1"]),
        (_without("LSI1"), ["the table has no local index LSI1; a local one comes with a new table only"]),
        (_kind_of_lsi1, ["the key attribute LSI1SK is of type N; declared is S"]),
        (
            _other_projection,
            [
                "the index GSI2 projects ALL; declared is KEYS_ONLY",
                "the index Slim projects INCLUDE of _type, note; declared is INCLUDE of _type, amount, note",
            ],
        ),
        (
            _no_sort_key_in_gsi1,
            ["the index GSI1 has the key GSI1PK (HASH); declared is GSI1PK (HASH), GSI1SK (RANGE)"],
        ),
        (_another_index, ["the table has a global index Mine, which Shop does not declare"]),
    ],
)
def test_what_a_live_table_has_different_is_told(
    change: Callable[[dict[str, Any]], None], words: list[str]
) -> None:
    request = create_table_request(Shop)
    change(request)
    with partita.Database() as database:
        client = database.client()
        client.create_table(**request)
        assert drift(Shop, client.describe_table(TableName="shop-orders")) == words


def test_another_primary_key_is_told() -> None:
    class Narrow(Table, name="narrow"):
        pass

    with partita.Database() as database:
        client = database.client()
        client.create_table(**create_table_request(Plain, "narrow"))
        described = client.describe_table(TableName="narrow")
        told = drift(Narrow, described, client.describe_time_to_live(TableName="narrow"))
    assert told == [
        "the table has the key PK (HASH); declared is PK (HASH), SK (RANGE)",
        "TTL is DISABLED; declared is the attribute ttl",
    ]


@pytest.mark.parametrize(
    ("table", "live", "words"),
    [
        (Shop, "other", ["TTL reads the attribute other; declared is expires"]),
        (Plain, "other", ["TTL reads the attribute other; none is declared"]),
    ],
)
def test_another_time_to_live_is_told(table: type[Table], live: str, words: list[str]) -> None:
    with partita.Database() as database:
        client = database.client()
        client.create_table(**create_table_request(table, "live"))
        client.update_time_to_live(
            TableName="live", TimeToLiveSpecification={"AttributeName": live, "Enabled": True}
        )
        described = client.describe_table(TableName="live")
        assert drift(table, described, client.describe_time_to_live(TableName="live")) == words


def test_an_index_that_is_not_ready_is_told() -> None:
    described = create_table_request(Shop)
    described["GlobalSecondaryIndexes"][0]["IndexStatus"] = "CREATING"
    assert drift(Shop, {"Table": described}) == ["the index GSI1 is CREATING, so that it cannot be queried"]


def test_an_index_that_became_local_is_told() -> None:
    described = create_table_request(Shop)
    described["GlobalSecondaryIndexes"].append(described["LocalSecondaryIndexes"].pop())
    assert drift(Shop, described) == ["the index LSI1 is global; declared is local"]


def test_more_than_20_projected_attributes_are_refused() -> None:
    class Wide(Table):
        gsi1 = Index(project=[f"a{n}" for n in range(20)])

    with pytest.raises(DeclarationError, match="21 attributes"):
        create_table_request(Wide)

    class Widest(Table):
        gsi1 = Index(project=[f"a{n}" for n in range(19)])
        gsi2 = Index(project=[f"b{n}" for n in range(19)])
        gsi3 = Index(project=[f"c{n}" for n in range(19)])
        gsi4 = Index(project=[f"d{n}" for n in range(19)])
        gsi5 = Index(project=[f"e{n}" for n in range(19)])

    assert create_table_request(Widest)

    class Wider(Widest):
        gsi1 = Index(project=[f"a{n}" for n in range(19)])
        gsi2 = Index(project=[f"b{n}" for n in range(19)])
        gsi3 = Index(project=[f"c{n}" for n in range(19)])
        gsi4 = Index(project=[f"d{n}" for n in range(19)])
        gsi5 = Index(project=[f"e{n}" for n in range(19)])
        gsi6 = Index(project=["f"])

    with pytest.raises(DeclarationError, match="102 attributes together"):
        create_table_request(Wider)


def test_what_upcasters_need_is_included() -> None:
    class Old(Table):
        gsi1 = Index(project=["x"])

    class Thing(Entity, table=Old):
        id: str
        x: int = 0
        key = Key("T#{id}", "META")
        gsi1 = Key("ALL", "{id}")

        @upcaster(1)
        @staticmethod
        def _from_1(item: Item) -> Item:
            return item

    (index,) = create_table_request(Old)["GlobalSecondaryIndexes"]
    assert index["Projection"]["NonKeyAttributes"] == ["_type", "_v", "x"]


def test_a_local_index_includes_the_discriminator_and_no_key() -> None:
    class Local(Table):
        lsi1 = LocalIndex(project=["PK", "LSI1SK", "x"], bounded=True)

    (index,) = create_table_request(Local)["LocalSecondaryIndexes"]
    assert index["Projection"] == {"ProjectionType": "INCLUDE", "NonKeyAttributes": ["_type", "x"]}
