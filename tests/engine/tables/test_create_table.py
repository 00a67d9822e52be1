"""CreateTable: what it answers and what it refuses (sections 15 and 17)."""

from __future__ import annotations

import sys
from typing import Any

import pytest
from tests.engine.tables.harness import ARN, SCOPE, START, Bench, defined, index, keys, table, units

VALIDATION = "ValidationException: "
INVALID = VALIDATION + "One or more parameter values were invalid: "
PROVISIONED: dict[str, Any] = {"BillingMode": None, "ProvisionedThroughput": units(5, 6)}
TWO = {"AttributeDefinitions": defined("pk", "sk", "gk")}


@pytest.fixture
def bench() -> Bench:
    return Bench()


def many(kind: str, count: int) -> dict[str, Any]:
    return {kind: [index(f"index-{n}", "pk", "gk") for n in range(count)]}


def parts(*pairs: tuple[str, str]) -> dict[str, Any]:
    schema = [{"AttributeName": name, "KeyType": kind} for name, kind in pairs]
    return {"IndexName": "idx", "KeySchema": schema, "Projection": {"ProjectionType": "ALL"}}


def too_long(path: str) -> str:
    """What facts 15.21 and 17.1 say of a key schema of pk, sk and x at `path`."""
    kinds = (("pk", "HASH"), ("sk", "RANGE"), ("x", "RANGE"))
    dump = ", ".join(f"KeySchemaElement(attributeName={name}, keyType={kind})" for name, kind in kinds)
    return (
        f"{VALIDATION}1 validation error detected: Value '[{dump}]' at '{path}' failed to satisfy constraint:"
        " Member must have length less than or equal to 2"
    )


def include(count: int) -> dict[str, Any]:
    return {"ProjectionType": "INCLUDE", "NonKeyAttributes": [f"a{n}" for n in range(count)]}


REFUSED: list[tuple[str, dict[str, Any], str]] = [
    (
        "15.29",
        table(BillingMode=None),
        INVALID
        + "ReadCapacityUnits and WriteCapacityUnits must both be specified when BillingMode is PROVISIONED",
    ),
    (
        "15.30",
        table(ProvisionedThroughput=units(1, 1)),
        INVALID + "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is"
        " PAY_PER_REQUEST",
    ),
    (
        "15.31",
        table(BillingMode="PROVISIONED", ProvisionedThroughput=units(1_000_000_000_001, 1)),
        "ValidationException: Given value 1000000000001 for ReadCapacityUnits is out of bounds",
    ),
    (
        "15.16",
        table("pk", AttributeDefinitions=defined("pk", "other")),
        INVALID + "Number of attributes in KeySchema does not exactly match number of attributes defined in"
        " AttributeDefinitions",
    ),
    (
        "15.16 with an index",
        table("a", AttributeDefinitions=defined("a", "b", "c"), GlobalSecondaryIndexes=[index("idx", "b")]),
        INVALID
        + "Some AttributeDefinitions are not used. AttributeDefinitions: [a, b, c], keys used: [a, b]",
    ),
    (
        "15.17",
        table("a", AttributeDefinitions=defined("b")),
        INVALID + "Some index key attributes are not defined in AttributeDefinitions. Keys: [a],"
        " AttributeDefinitions: [b]",
    ),
    (
        "15.17 of an index",
        table("a", GlobalSecondaryIndexes=[index("idx", "b")]),
        INVALID + "Some index key attributes are not defined in AttributeDefinitions. Keys: [b],"
        " AttributeDefinitions: [a]",
    ),
    (
        "15.18 with two definitions",
        table("a", "a", AttributeDefinitions=defined("a", "b")),
        VALIDATION + "Both the Hash Key and the Range Key element in the KeySchema have the same name",
    ),
    (
        "15.18 with one definition",
        table("a", "a", AttributeDefinitions=defined("a")),
        "ValidationException: Invalid KeySchema: Some index key attribute have no definition",
    ),
    (
        "15.19",
        table(KeySchema=[{"AttributeName": "pk", "KeyType": "RANGE"}]),
        "ValidationException: Invalid KeySchema: The first KeySchemaElement is not a HASH key type",
    ),
    (
        "15.20",
        table("pk", "sk", KeySchema=[{"AttributeName": n, "KeyType": "HASH"} for n in ("pk", "sk")]),
        "ValidationException: Invalid KeySchema: The second KeySchemaElement is not a RANGE key type",
    ),
    (
        "15.21",
        table("pk", KeySchema=[*keys("pk", "sk"), {"AttributeName": "x", "KeyType": "RANGE"}]),
        too_long("keySchema"),
    ),
    (
        "15.22",
        table(
            "pk",
            "sk",
            **TWO,
            GlobalSecondaryIndexes=[index("sameIndex", "gk")],
            LocalSecondaryIndexes=[index("sameIndex", "pk", "gk")],
        ),
        INVALID + "Duplicate index name: sameIndex",
    ),
    (
        "15.23",
        table(
            "pk", AttributeDefinitions=defined("pk", "gk"), LocalSecondaryIndexes=[index("lsi", "pk", "gk")]
        ),
        INVALID + "Table KeySchema does not have a range key, which is required when specifying a"
        " LocalSecondaryIndex",
    ),
    (
        "a local index without range key",
        table("pk", "sk", LocalSecondaryIndexes=[index("lsi", "pk")]),
        INVALID + "Index KeySchema does not have a range key for index: lsi",
    ),
    (
        "a local index with another hash key",
        table("pk", "sk", **TWO, LocalSecondaryIndexes=[index("lsi", "gk", "sk")]),
        INVALID + "Index KeySchema does not have the same leading hash key as table KeySchema for index: lsi."
        " index hash key: gk, table hash key: pk",
    ),
    (
        "15.24",
        table("pk", GlobalSecondaryIndexes=[{"IndexName": "idx", "KeySchema": keys("pk"), "Projection": {}}]),
        INVALID + "Unknown ProjectionType: null",
    ),
    *(
        (
            f"15.25 {kind}",
            table(
                "pk",
                GlobalSecondaryIndexes=[
                    index("idx", "pk", projection={"ProjectionType": kind, "NonKeyAttributes": ["a"]})
                ],
            ),
            INVALID + f"ProjectionType is {kind}, but NonKeyAttributes is specified",
        )
        for kind in ("ALL", "KEYS_ONLY")
    ),
    (
        "15.26",
        table("pk", GlobalSecondaryIndexes=[index("idx", "pk", projection={"ProjectionType": "INCLUDE"})]),
        INVALID + "ProjectionType is INCLUDE, but NonKeyAttributes is not specified",
    ),
    (
        "15.27 global",
        table(GlobalSecondaryIndexes=[]),
        INVALID + "List of GlobalSecondaryIndexes is empty",
    ),
    (
        "15.27 local",
        table("pk", "sk", LocalSecondaryIndexes=[]),
        INVALID + "List of LocalSecondaryIndexes is empty",
    ),
    (
        "15.28 global",
        table("pk", "sk", **TWO, **many("GlobalSecondaryIndexes", 21)),
        INVALID + "GlobalSecondaryIndex count exceeds the per-table limit of 20",
    ),
    (
        "15.28 local",
        table("pk", "sk", **TWO, **many("LocalSecondaryIndexes", 6)),
        INVALID + "Number of LocalSecondaryIndexes exceeds per-table limit of 5",
    ),
    (
        "15.32",
        table(TableClass="CHEAP"),
        VALIDATION + "Invalid table-class parameter provided. Please try again with a valid table-class"
        " value: [STANDARD, STANDARD_INFREQUENT_ACCESS].",
    ),
    (
        "15.33 type",
        table(SSESpecification={"Enabled": True, "SSEType": "AES256"}),
        INVALID + "SSEType AES256 is not supported",
    ),
    (
        "15.33 key",
        table(SSESpecification={"Enabled": True, "KMSMasterKeyId": "k"}),
        INVALID + "SSEType KMS is required if KMSMasterKeyId is specified",
    ),
    (
        "15.34",
        table(**PROVISIONED, GlobalSecondaryIndexes=[index("idx", "pk")]),
        INVALID + "ProvisionedThroughput is not specified for index: idx",
    ),
    (
        "throughput of an index on demand",
        table(GlobalSecondaryIndexes=[index("idx", "pk", ProvisionedThroughput=units(1, 1))]),
        INVALID + "ProvisionedThroughput should not be specified for index: idx when BillingMode is"
        " PAY_PER_REQUEST",
    ),
    (
        "15.36",
        table(GlobalSecondaryIndexes=[index(f"idx{n}", "pk", projection=include(17)) for n in range(6)]),
        INVALID + "The total number of NonKeyAttributes projected into all of the table's secondary indexes"
        " exceeds the limit of 100",
    ),
    (
        "16.27",
        table(StreamSpecification={"StreamEnabled": True}),
        INVALID + "Table is being created with a stream enabled, UpdateViewType is required",
    ),
    (
        "17.2 HASH",
        table(
            "a",
            AttributeDefinitions=defined(*"abcde"),
            GlobalSecondaryIndexes=[parts(*((name, "HASH") for name in "abcde"))],
        ),
        INVALID + "The KeySchema exceeds the maximum allowed number of HASH key attributes",
    ),
    (
        "17.2 RANGE",
        table(
            "a",
            AttributeDefinitions=defined(*"abcdef"),
            GlobalSecondaryIndexes=[parts(("a", "HASH"), *((name, "RANGE") for name in "bcdef"))],
        ),
        INVALID + "The KeySchema exceeds the maximum allowed number of RANGE key attributes",
    ),
    (
        "17.2 order",
        table(
            "a",
            AttributeDefinitions=defined(*"abc"),
            GlobalSecondaryIndexes=[parts(("a", "HASH"), ("b", "RANGE"), ("c", "HASH"))],
        ),
        INVALID + "All HASH key attributes must precede RANGE key attributes in the KeySchema",
    ),
    (
        "17.3",
        table("a", GlobalSecondaryIndexes=[parts(("a", "HASH"), ("a", "RANGE"))]),
        "ValidationException: The KeySchema contains multiple key attributes with the same name",
    ),
    (
        "17.1 a local index has two key attributes",
        table("pk", "sk", LocalSecondaryIndexes=[parts(("pk", "HASH"), ("sk", "RANGE"), ("x", "RANGE"))]),
        too_long("localSecondaryIndexes.1.member.keySchema"),
    ),
    (
        "on-demand limits of a provisioned table",
        table(**PROVISIONED, OnDemandThroughput={"MaxReadRequestUnits": 5}),
        INVALID + "MaxReadRequestUnits for OnDemandThroughput cannot be specified when table BillingMode is"
        " PROVISIONED.",
    ),
    (
        "an on-demand limit of 0",
        table(OnDemandThroughput={"MaxWriteRequestUnits": 0}),
        INVALID + "Requested MaxWriteRequestUnits for OnDemandThroughput for table is outside of valid range",
    ),
    (
        "20.5 key",
        table(Tags=[{"Key": "a*", "Value": "b"}]),
        "ValidationException: The Tag Key provided is invalid, Key: a*",
    ),
    (
        "20.4",
        table(Tags=[{"Key": f"k{n}", "Value": "v"} for n in range(51)]),
        "ValidationException: Number of Tags exceed the current limit for the provided ResourceArn",
    ),
]


@pytest.mark.parametrize(("request_", "expected"), [c[1:] for c in REFUSED], ids=[c[0] for c in REFUSED])
def test_refused(bench: Bench, request_: dict[str, Any], expected: str) -> None:
    assert bench.error("CreateTable", request_) == expected
    assert bench.call("ListTables") == {"TableNames": []}


def test_checks_come_before_the_table_is_looked_up(bench: Bench) -> None:
    bench.call("CreateTable", table())
    assert bench.error("CreateTable", table(GlobalSecondaryIndexes=[])).startswith(INVALID)


def test_fact_15_1_the_name_is_taken(bench: Bench) -> None:
    bench.call("CreateTable", table())
    assert bench.error("CreateTable", table()) == "ResourceInUseException: Table already exists: music"


def test_the_name_may_be_the_arn_that_the_table_is_to_have(bench: Bench) -> None:
    answer = bench.call("CreateTable", table(name=ARN + "music"))["TableDescription"]
    assert (answer["TableName"], answer["TableArn"]) == ("music", ARN + "music")
    assert bench.describe(ARN + "music")["TableName"] == "music"


NO_ARN_OF_A_TABLE = (
    "failed to satisfy constraint: Valid ARN format is"
    " 'arn:<awsPartition>:<vendor>:<region>:<subscriber>:resourceType/resourceName', where Resource name must"
    " have length less than or equal to 255, Resource name must have length greater than or equal to 3,"
    " Resource name must satisfy regular expression pattern: [a-zA-Z0-9_.-]+"
)


@pytest.mark.parametrize("name", [ARN + "ab", ARN + "a/b", "arn:aws:s3:::table/x"])
def test_fact_15_39_other_arns_are_no_names(bench: Bench, name: str) -> None:
    assert bench.error("CreateTable", table(name=name)) == (
        f"{VALIDATION}1 validation error detected: Value '{name}' at 'tableName' {NO_ARN_OF_A_TABLE}"
    )


def test_fact_15_40_nor_are_those_of_other_regions(bench: Bench) -> None:
    name = ARN.replace("eu", "us") + "music"
    assert bench.error("CreateTable", table(name=name)) == (
        f"{VALIDATION}1 validation error detected: Invalid AWS region in '{name}'"
    )


def test_an_on_demand_table(bench: Bench) -> None:
    answer = bench.call("CreateTable", table("pk", "sk"))["TableDescription"]
    table_id = answer["TableId"]
    expected = {
        "TableName": "music",
        "TableStatus": "CREATING",
        "KeySchema": keys("pk", "sk"),
        "AttributeDefinitions": defined("pk", "sk"),
        "CreationDateTime": START,
        "BillingModeSummary": {"BillingMode": "PAY_PER_REQUEST"},
        "ProvisionedThroughput": {
            "NumberOfDecreasesToday": 0,
            "ReadCapacityUnits": 0,
            "WriteCapacityUnits": 0,
        },
        "TableSizeBytes": 0,
        "ItemCount": 0,
        "TableArn": ARN + "music",
        "TableId": table_id,
        "DeletionProtectionEnabled": False,
    }
    assert answer == expected
    assert bench.describe() == expected | {
        "TableStatus": "ACTIVE",
        "BillingModeSummary": {
            "BillingMode": "PAY_PER_REQUEST",
            "LastUpdateToPayPerRequestDateTime": START,
        },
        "WarmThroughput": {"ReadUnitsPerSecond": 12000, "WriteUnitsPerSecond": 4000, "Status": "ACTIVE"},
    }


def test_facts_15_6_to_15_13_a_provisioned_table_with_indexes(bench: Bench) -> None:
    request = table(
        "pk",
        "sk",
        **PROVISIONED,
        AttributeDefinitions=defined("pk", "sk", "gk"),
        GlobalSecondaryIndexes=[
            index("gsi", "gk", "pk", projection=include(2), ProvisionedThroughput=units(1, 2))
        ],
        LocalSecondaryIndexes=[index("lsi", "pk", "gk", projection={"ProjectionType": "KEYS_ONLY"})],
    )
    bench.call("CreateTable", request)
    described = bench.describe()
    assert "BillingModeSummary" not in described
    assert described["ProvisionedThroughput"] == {"NumberOfDecreasesToday": 0, **units(5, 6)}
    assert described["GlobalSecondaryIndexes"] == [
        {
            "IndexName": "gsi",
            "KeySchema": keys("gk", "pk"),
            "Projection": {"ProjectionType": "INCLUDE", "NonKeyAttributes": ["a0", "a1"]},
            "IndexStatus": "ACTIVE",
            "ProvisionedThroughput": {"NumberOfDecreasesToday": 0, **units(1, 2)},
            "IndexSizeBytes": 0,
            "ItemCount": 0,
            "IndexArn": ARN + "music/index/gsi",
            "WarmThroughput": {"ReadUnitsPerSecond": 1, "WriteUnitsPerSecond": 2, "Status": "ACTIVE"},
        }
    ]
    assert described["LocalSecondaryIndexes"] == [
        {
            "IndexName": "lsi",
            "KeySchema": keys("pk", "gk"),
            "Projection": {"ProjectionType": "KEYS_ONLY"},
            "IndexSizeBytes": 0,
            "ItemCount": 0,
            "IndexArn": ARN + "music/index/lsi",
        }
    ]


def test_fact_17_1_a_global_index_with_four_and_four_key_attributes(bench: Bench) -> None:
    schema = parts(*((name, "HASH") for name in "abcd"), *((name, "RANGE") for name in "efgh"))
    bench.call(
        "CreateTable", table("a", AttributeDefinitions=defined(*"abcdefgh"), GlobalSecondaryIndexes=[schema])
    )
    assert bench.describe()["GlobalSecondaryIndexes"][0]["KeySchema"] == schema["KeySchema"]


def test_what_is_stored_and_described_only(bench: Bench) -> None:
    bench.call(
        "CreateTable",
        table(
            StreamSpecification={"StreamEnabled": True, "StreamViewType": "NEW_IMAGE"},
            SSESpecification={"Enabled": True, "SSEType": "KMS", "KMSMasterKeyId": "my-key"},
            TableClass="STANDARD_INFREQUENT_ACCESS",
            OnDemandThroughput={"MaxReadRequestUnits": 7},
            WarmThroughput={"ReadUnitsPerSecond": 13_000},
            DeletionProtectionEnabled=True,
            Tags=[{"Key": "team", "Value": "blue"}],
        ),
    )
    described = bench.describe()
    label = "2023-11-14T22:13:20.000"
    assert {name: described[name] for name in described.keys() - {"TableId"}} == {
        "TableName": "music",
        "TableStatus": "ACTIVE",
        "KeySchema": keys("pk"),
        "AttributeDefinitions": defined("pk"),
        "CreationDateTime": START,
        "BillingModeSummary": {
            "BillingMode": "PAY_PER_REQUEST",
            "LastUpdateToPayPerRequestDateTime": START,
        },
        "ProvisionedThroughput": {
            "NumberOfDecreasesToday": 0,
            "ReadCapacityUnits": 0,
            "WriteCapacityUnits": 0,
        },
        "TableSizeBytes": 0,
        "ItemCount": 0,
        "TableArn": ARN + "music",
        "StreamSpecification": {"StreamEnabled": True, "StreamViewType": "NEW_IMAGE"},
        "LatestStreamLabel": label,
        "LatestStreamArn": f"{ARN}music/stream/{label}",
        "SSEDescription": {
            "Status": "ENABLED",
            "SSEType": "KMS",
            "KMSMasterKeyArn": "arn:aws:kms:eu-west-1:000000000000:key/my-key",
        },
        "TableClassSummary": {"TableClass": "STANDARD_INFREQUENT_ACCESS"},
        "OnDemandThroughput": {"MaxReadRequestUnits": 7},
        "WarmThroughput": {"ReadUnitsPerSecond": 13000, "WriteUnitsPerSecond": 4000, "Status": "ACTIVE"},
        "DeletionProtectionEnabled": True,
    }
    assert bench.call("ListTagsOfResource", {"ResourceArn": ARN + "music"}) == {
        "Tags": [{"Key": "team", "Value": "blue"}]
    }


def test_fact_15_12_settings_that_are_off_are_not_described(bench: Bench) -> None:
    bench.call(
        "CreateTable",
        table(StreamSpecification={"StreamEnabled": False}, SSESpecification={"Enabled": False}),
    )
    absent = {
        "SSEDescription",
        "StreamSpecification",
        "LatestStreamArn",
        "RestoreSummary",
        "TableClassSummary",
    }
    assert not absent & bench.describe().keys()


def test_fact_23_5_there_is_a_limit_of_tables(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules["partita.engine.operations.create_table"], "MAX_TABLES", 2)
    for name in ("one", "two"):
        bench.call("CreateTable", table(name=name))
    assert bench.error("CreateTable", table(name="three")) == (
        "LimitExceededException: Subscriber limit exceeded: There is a limit of 2 tables per subscriber"
    )
    bench.call("CreateTable", table(name="three"), SCOPE._replace(region="us-east-1"))


def test_the_same_requests_at_the_same_time_give_the_same_ids() -> None:
    ids = {Bench().call("CreateTable", table())["TableDescription"]["TableId"] for _ in range(2)}
    assert len(ids) == 1
