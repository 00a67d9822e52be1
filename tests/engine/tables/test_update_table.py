"""UpdateTable: what it changes and what it refuses (section 16)."""

from __future__ import annotations

from typing import Any

import pytest
from tests.engine.tables.harness import ARN, START, Bench, defined, index, keys, table, units

VALIDATION = "ValidationException: "
INVALID = VALIDATION + "One or more parameter values were invalid: "
NO_INDEX = "ResourceNotFoundException: Requested resource not found: Index none for table music"
LIMIT = "LimitExceededException: Subscriber limit exceeded: "
NOTHING = (
    VALIDATION + "At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled,"
    " GlobalSecondaryIndexUpdates, SSESpecification, ReplicaUpdates, MultiAccountReplicaReady,"
    " ReplicaTransitRoleArn, MultiRegionConsistency, DeletionProtectionEnabled, OnDemandThroughput,"
    " WarmThroughput or TableClass is required"
)
INDEXES = "Cannot delete table while indexes are being created, updated, or deleted."
STREAM = {"StreamEnabled": True, "StreamViewType": "KEYS_ONLY"}


def creation(name: str, *key_names: str, **members: Any) -> dict[str, Any]:
    return {"Create": index(name, *key_names, **members)}


def deletion(name: str) -> dict[str, Any]:
    return {"Delete": {"IndexName": name}}


def change(name: str, read: int, write: int) -> dict[str, Any]:
    return {"Update": {"IndexName": name, "ProvisionedThroughput": units(read, write)}}


def update(**members: Any) -> dict[str, Any]:
    return {"TableName": "music", **members}


def indexes(*updates: dict[str, Any], names: tuple[str, ...] = ("gk",), **members: Any) -> dict[str, Any]:
    return update(AttributeDefinitions=defined(*names), GlobalSecondaryIndexUpdates=list(updates), **members)


@pytest.fixture
def on_demand() -> Bench:
    """A table on demand with a global index `gsi` and a local index `lsi`."""
    bench = Bench()
    bench.call(
        "CreateTable",
        table(
            "pk",
            "sk",
            AttributeDefinitions=defined("pk", "sk", "gk"),
            GlobalSecondaryIndexes=[index("gsi", "gk")],
            LocalSecondaryIndexes=[index("lsi", "pk", "gk")],
        ),
    )
    return bench


@pytest.fixture
def provisioned() -> Bench:
    """A table of 5 and 6 units with a global index `gsi` of 1 and 2."""
    bench = Bench()
    bench.call(
        "CreateTable",
        table(
            BillingMode="PROVISIONED",
            ProvisionedThroughput=units(5, 6),
            AttributeDefinitions=defined("pk", "gk"),
            GlobalSecondaryIndexes=[index("gsi", "gk", ProvisionedThroughput=units(1, 2))],
        ),
    )
    return bench


REFUSED_ON_DEMAND: list[tuple[str, dict[str, Any], str]] = [
    ("16.1", update(), NOTHING),
    ("16.1 an empty list counts as absent and stays listed", update(GlobalSecondaryIndexUpdates=[]), NOTHING),
    ("16.2", update(AttributeDefinitions=defined("pk")), NOTHING),
    (
        "16.1 a member that does not count is left out",
        update(OnDemandThroughput={}),
        NOTHING.replace(" OnDemandThroughput,", ""),
    ),
    (
        "16.4",
        update(BillingMode="PROVISIONED"),
        INVALID + "ProvisionedThroughput must be specified when BillingMode is PROVISIONED",
    ),
    (
        "16.5 protection",
        update(DeletionProtectionEnabled=True, BillingMode="PAY_PER_REQUEST"),
        INVALID + "DeletionProtection modification must be the only operation in the request",
    ),
    (
        "16.5 encryption",
        update(SSESpecification={"Enabled": True}, BillingMode="PAY_PER_REQUEST"),
        INVALID + "Server-Side Encryption modification must be the only operation in the request",
    ),
    (
        "16.29 class",
        update(TableClass="STANDARD", BillingMode="PAY_PER_REQUEST"),
        INVALID + "TableClass modification must be the only operation in the request",
    ),
    (
        "16.6 index with stream",
        indexes(deletion("gsi"), StreamSpecification=STREAM),
        INVALID + "You cannot create or delete index while changing stream status",
    ),
    (
        "16.6 stream with throughput",
        update(StreamSpecification=STREAM, ProvisionedThroughput=units(1, 1)),
        INVALID + "You cannot modify stream status while updating table IOPS",
    ),
    (
        "16.6 index with throughput",
        indexes(deletion("gsi"), ProvisionedThroughput=units(1, 1)),
        INVALID + "You cannot create or delete index while updating table IOPS",
    ),
    (
        "16.7",
        indexes(deletion("gsi"), OnDemandThroughput={"MaxReadRequestUnits": 1}),
        INVALID + "OnDemandThroughput can only be combined with BillingMode in an UpdateTable request",
    ),
    (
        "16.8",
        indexes({**creation("new", "gk"), **deletion("gsi")}),
        INVALID + "Only one global secondary index action is allowed per GlobalSecondaryIndexUpdate object",
    ),
    (
        "16.9",
        indexes(deletion("lsi")),
        VALIDATION + "Cannot delete an index that is not a GlobalSecondaryIndex: lsi",
    ),
    (
        "16.10",
        update(GlobalSecondaryIndexUpdates=[creation("new", "pk")]),
        INVALID + "AttributeDefinitions is not specified for index: new",
    ),
    (
        "16.18",
        indexes(creation("new", "pk")),
        INVALID + "Some index key attributes are not defined in AttributeDefinitions. Keys: [pk],"
        " AttributeDefinitions: [gk]",
    ),
    ("16.14", update(SSESpecification={"Enabled": False}), INVALID + "Table is already encrypted by default"),
    (
        "16.16",
        indexes(creation("new", "gk"), deletion("gsi")),
        LIMIT + "Only 1 online index can be created or deleted simultaneously per table",
    ),
    ("16.17", indexes(deletion("none")), NO_INDEX),
    (
        "16.25",
        update(ProvisionedThroughput=units(1, 1)),
        INVALID + "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is"
        " PAY_PER_REQUEST",
    ),
    (
        "16.30 with the mode",
        update(BillingMode="PAY_PER_REQUEST", ProvisionedThroughput=units(1, 1)),
        INVALID + "ProvisionedThroughput cannot be specified when BillingMode is PAY_PER_REQUEST",
    ),
    (
        "16.27",
        update(StreamSpecification={"StreamEnabled": True}),
        INVALID + "If stream is being enabled then UpdateViewType is required",
    ),
    (
        "16.29 no stream",
        update(StreamSpecification={"StreamEnabled": False}),
        VALIDATION + "Table has no stream to disable: TableName: music",
    ),
    (
        "16.29 view of a disabled stream",
        update(StreamSpecification={**STREAM, "StreamEnabled": False}),
        INVALID + "If stream is being disabled, then UpdateViewType must not be specified",
    ),
    (
        "16.29 existing index",
        indexes(creation("gsi", "gk")),
        VALIDATION + "Attempting to create an index which already exists",
    ),
    (
        "16.29 existing local index",
        indexes(creation("lsi", "gk")),
        VALIDATION + "Attempting to create an index which already exists",
    ),
    (
        "16.29 one index twice",
        indexes(change("gsi", 1, 1), deletion("gsi")),
        INVALID + "Only one global secondary index update per index is allowed simultaneously. Index: gsi",
    ),
    (
        "16.29 no action",
        indexes({}),
        INVALID + "One of GlobalSecondaryIndexUpdate.Update, GlobalSecondaryIndexUpdate.Create,"
        " GlobalSecondaryIndexUpdate.Delete must not be null",
    ),
    (
        "throughput of a new index on demand",
        indexes(creation("new", "gk", ProvisionedThroughput=units(1, 1))),
        INVALID
        + "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified for index: new when BillingMode"
        " is PAY_PER_REQUEST",
    ),
    (
        "to PROVISIONED without the index's throughput",
        update(BillingMode="PROVISIONED", ProvisionedThroughput=units(1, 1)),
        INVALID + "ProvisionedThroughput must be specified for index: gsi",
    ),
    (
        "an on-demand limit of 0",
        update(OnDemandThroughput={"MaxReadRequestUnits": 0}),
        INVALID + "Requested MaxReadRequestUnits for OnDemandThroughput for table is outside of valid range",
    ),
    (
        "less warm throughput",
        update(WarmThroughput={"ReadUnitsPerSecond": 11_999}),
        INVALID + "Requested ReadUnitsPerSecond for WarmThroughput for table is lower than current"
        " WarmThroughput, decreasing WarmThroughput is not supported",
    ),
]


@pytest.mark.parametrize(
    ("request_", "expected"), [c[1:] for c in REFUSED_ON_DEMAND], ids=[c[0] for c in REFUSED_ON_DEMAND]
)
def test_refused_for_a_table_on_demand(on_demand: Bench, request_: dict[str, Any], expected: str) -> None:
    before = on_demand.describe()
    assert on_demand.error("UpdateTable", request_) == expected
    assert on_demand.describe() == before


REFUSED_PROVISIONED: list[tuple[str, dict[str, Any], str]] = [
    (
        "16.4",
        update(BillingMode="PROVISIONED"),
        INVALID + "ProvisionedThroughput must be specified when BillingMode is PROVISIONED",
    ),
    (
        "16.11",
        indexes(creation("new", "gk")),
        INVALID + "ProvisionedThroughput must be specified for index: new",
    ),
    (
        "16.23",
        update(ProvisionedThroughput=units(5, 6)),
        VALIDATION
        + "The provisioned throughput for the table will not change. The requested value equals the"
        " current value. Current ReadCapacityUnits provisioned for the table: 5. Requested ReadCapacityUnits:"
        " 5. Current WriteCapacityUnits provisioned for the table: 6. Requested WriteCapacityUnits: 6. Refer"
        " to the Amazon DynamoDB Developer Guide for current limits and how to request higher limits.",
    ),
    (
        "15.31",
        update(ProvisionedThroughput=units(1, 1_000_000_000_001)),
        VALIDATION + "Given value 1000000000001 for WriteCapacityUnits is out of bounds",
    ),
    (
        "an unknown index",
        indexes(change("none", 1, 1)),
        NO_INDEX,
    ),
    (
        "on-demand limits of a provisioned table",
        update(OnDemandThroughput={"MaxWriteRequestUnits": 1}),
        INVALID
        + "MaxWriteRequestUnits for OnDemandThroughput cannot be specified when the table BillingMode is"
        " PROVISIONED",
    ),
]


@pytest.mark.parametrize(
    ("request_", "expected"), [c[1:] for c in REFUSED_PROVISIONED], ids=[c[0] for c in REFUSED_PROVISIONED]
)
def test_refused_for_a_provisioned_table(provisioned: Bench, request_: dict[str, Any], expected: str) -> None:
    before = provisioned.describe()
    assert provisioned.error("UpdateTable", request_) == expected
    assert provisioned.describe() == before


def test_checks_of_the_request_come_before_the_table_is_looked_up() -> None:
    assert Bench().error("UpdateTable", update()) == NOTHING
    assert Bench().error("UpdateTable", update(TableClass="STANDARD")) == (
        "ResourceNotFoundException: Requested resource not found: Table: music not found"
    )


def test_fact_15_4_a_table_that_changes_is_in_use() -> None:
    bench = Bench(table_transition_ms=10)
    in_use = "ResourceInUseException: Attempt to change a resource which is still in use: Table is being "
    bench.call("CreateTable", table())
    assert bench.error("UpdateTable", update(TableClass="STANDARD")) == in_use + "created: music"
    bench.clock.advance(0.01)
    bench.call("UpdateTable", update(TableClass="STANDARD_INFREQUENT_ACCESS"))
    assert bench.error("UpdateTable", update(ProvisionedThroughput=units(1, 1))) == in_use + "updated: music"
    assert bench.error("DeleteTable", {"TableName": "music"}) == (
        in_use.replace("Table is being ", "Table: music is in the process of being updated.")
    )
    bench.clock.advance(0.01)
    bench.call("DeleteTable", {"TableName": "music"})
    assert bench.error("UpdateTable", update(TableClass="STANDARD")) == in_use + "deleted: music"


# -- throughput and billing
def test_throughput_changes_when_the_update_is_over(provisioned: Bench) -> None:
    provisioned.clock.advance(10)
    answer = provisioned.call("UpdateTable", update(ProvisionedThroughput=units(4, 9)))["TableDescription"]
    times = {
        "LastIncreaseDateTime": START + 10,
        "LastDecreaseDateTime": START + 10,
    }
    assert answer["TableStatus"] == "UPDATING"
    assert answer["ProvisionedThroughput"] == {**units(5, 6), **times, "NumberOfDecreasesToday": 0}
    described = provisioned.describe()
    assert described["TableStatus"] == "ACTIVE"
    assert described["ProvisionedThroughput"] == {**units(4, 9), **times, "NumberOfDecreasesToday": 1}
    provisioned.clock.advance(86_400)
    assert provisioned.describe()["ProvisionedThroughput"]["NumberOfDecreasesToday"] == 0


def test_throughput_of_an_index(provisioned: Bench) -> None:
    answer = provisioned.call("UpdateTable", indexes(change("gsi", 3, 2)))["TableDescription"]
    changing = answer["GlobalSecondaryIndexes"][0]
    assert (answer["TableStatus"], changing["IndexStatus"]) == ("ACTIVE", "UPDATING")
    assert changing["ProvisionedThroughput"]["ReadCapacityUnits"] == 1
    changed = provisioned.index("gsi")
    assert changed is not None
    assert changed["IndexStatus"] == "ACTIVE"
    assert changed["ProvisionedThroughput"] == {
        **units(3, 2),
        "LastIncreaseDateTime": START,
        "NumberOfDecreasesToday": 0,
    }
    assert provisioned.error("UpdateTable", indexes(change("gsi", 3, 2))).startswith(
        VALIDATION + "The provisioned throughput for the index gsi will not change."
    )


def test_fact_16_3_the_same_billing_mode_again(on_demand: Bench) -> None:
    answer = on_demand.call("UpdateTable", update(BillingMode="PAY_PER_REQUEST"))
    assert answer["TableDescription"]["TableStatus"] == "UPDATING"
    assert on_demand.engine.agenda.next_due_us is None
    described = on_demand.describe()
    assert described["TableStatus"] == "ACTIVE"
    assert described["BillingModeSummary"]["LastUpdateToPayPerRequestDateTime"] == START


def test_from_provisioned_to_on_demand_and_back(provisioned: Bench) -> None:
    provisioned.clock.advance(5)
    provisioned.call("UpdateTable", update(BillingMode="PAY_PER_REQUEST"))
    described = provisioned.describe()
    summary = {"BillingMode": "PAY_PER_REQUEST", "LastUpdateToPayPerRequestDateTime": START + 5}
    assert described["BillingModeSummary"] == summary
    assert described["ProvisionedThroughput"] == {**units(0, 0), "NumberOfDecreasesToday": 0}
    assert described["GlobalSecondaryIndexes"][0]["ProvisionedThroughput"]["ReadCapacityUnits"] == 0
    provisioned.call("UpdateTable", update(OnDemandThroughput={"MaxReadRequestUnits": 10}))
    provisioned.call(
        "UpdateTable",
        indexes(change("gsi", 7, 8), BillingMode="PROVISIONED", ProvisionedThroughput=units(2, 3)),
    )
    described = provisioned.describe()
    assert described["BillingModeSummary"] == summary | {"BillingMode": "PROVISIONED"}
    assert described["ProvisionedThroughput"]["ReadCapacityUnits"] == 2
    assert described["GlobalSecondaryIndexes"][0]["ProvisionedThroughput"]["WriteCapacityUnits"] == 8
    assert "OnDemandThroughput" not in described


def test_on_demand_limits_are_merged_and_taken_away_with_minus_1(on_demand: Bench) -> None:
    on_demand.call("UpdateTable", update(OnDemandThroughput={"MaxReadRequestUnits": 5}))
    on_demand.call("UpdateTable", update(OnDemandThroughput={"MaxWriteRequestUnits": 6}))
    assert on_demand.describe()["OnDemandThroughput"] == {"MaxReadRequestUnits": 5, "MaxWriteRequestUnits": 6}
    answer = on_demand.call("UpdateTable", update(OnDemandThroughput={"MaxReadRequestUnits": -1}))
    assert answer["TableDescription"]["OnDemandThroughput"] == {
        "MaxReadRequestUnits": -1,
        "MaxWriteRequestUnits": 6,
    }
    assert on_demand.describe()["OnDemandThroughput"] == {"MaxWriteRequestUnits": 6}
    on_demand.call("UpdateTable", update(OnDemandThroughput={"MaxWriteRequestUnits": -1}))
    assert "OnDemandThroughput" not in on_demand.describe()


def test_warm_throughput_grows(on_demand: Bench) -> None:
    on_demand.call("UpdateTable", update(WarmThroughput={"WriteUnitsPerSecond": 5_000}))
    assert on_demand.describe()["WarmThroughput"] == {
        "ReadUnitsPerSecond": 12_000,
        "WriteUnitsPerSecond": 5_000,
        "Status": "ACTIVE",
    }


# -- other settings
def test_fact_16_13_protection_changes_at_most_every_15_seconds(on_demand: Bench) -> None:
    answer = on_demand.call("UpdateTable", update(DeletionProtectionEnabled=True))["TableDescription"]
    assert (answer["TableStatus"], answer["DeletionProtectionEnabled"]) == ("ACTIVE", True)
    on_demand.clock.advance(14.999)
    assert on_demand.error("UpdateTable", update(DeletionProtectionEnabled=False)) == (
        "ThrottlingException: Deletion protection setting for table music modified within the previous 15000"
        " milliseconds. Please try again after 2023-11-14T22:13:35.000Z"
    )
    assert on_demand.error("DeleteTable", {"TableName": "music"}).startswith(VALIDATION + "Resource cannot")
    on_demand.clock.advance(0.001)
    on_demand.call("UpdateTable", update(DeletionProtectionEnabled=False))
    on_demand.call("DeleteTable", {"TableName": "music"})


def test_facts_16_15_16_26_and_16_28_streams(on_demand: Bench) -> None:
    on_demand.call("UpdateTable", update(StreamSpecification=STREAM))
    first = on_demand.describe()
    assert first["StreamSpecification"] == STREAM
    assert first["LatestStreamArn"] == f"{ARN}music/stream/{first['LatestStreamLabel']}"
    assert on_demand.error("UpdateTable", update(StreamSpecification=STREAM)) == (
        VALIDATION + "Table already has an enabled stream: TableName: music"
    )
    on_demand.call("UpdateTable", update(StreamSpecification={"StreamEnabled": False}))
    second = on_demand.describe()
    assert "StreamSpecification" not in second
    assert second["LatestStreamArn"] == first["LatestStreamArn"]
    on_demand.call("UpdateTable", update(StreamSpecification=STREAM))
    assert on_demand.describe()["LatestStreamArn"] != first["LatestStreamArn"]


def test_encryption_with_a_key_and_back(on_demand: Bench) -> None:
    on_demand.call("UpdateTable", update(SSESpecification={"Enabled": True}))
    described = on_demand.describe()["SSEDescription"]
    assert (described["Status"], described["SSEType"]) == ("ENABLED", "KMS")
    assert described["KMSMasterKeyArn"].startswith("arn:aws:kms:eu-west-1:000000000000:key/")
    on_demand.call("UpdateTable", update(SSESpecification={"Enabled": False}))
    assert "SSEDescription" not in on_demand.describe()


def test_table_class(on_demand: Bench) -> None:
    on_demand.call("UpdateTable", update(TableClass="STANDARD_INFREQUENT_ACCESS"))
    assert on_demand.describe()["TableClassSummary"] == {
        "TableClass": "STANDARD_INFREQUENT_ACCESS",
        "LastUpdateDateTime": START,
    }


# -- indexes
def test_facts_16_19_and_16_20_definitions_follow_the_keys(on_demand: Bench) -> None:
    request = update(
        AttributeDefinitions=[*defined("new", "unused"), *defined("gk", kind="N")],
        GlobalSecondaryIndexUpdates=[creation("idx", "new", "gk")],
    )
    on_demand.call("UpdateTable", request)
    assert on_demand.describe()["AttributeDefinitions"] == defined("gk", "new", "pk", "sk")
    on_demand.call("UpdateTable", update(GlobalSecondaryIndexUpdates=[deletion("idx")]))
    assert on_demand.describe()["AttributeDefinitions"] == defined("gk", "pk", "sk")
    assert on_demand.index("idx") is None


def test_fact_16_12_a_21st_index() -> None:
    bench = Bench()
    bench.call(
        "CreateTable", table("pk", GlobalSecondaryIndexes=[index(f"idx-{n}", "pk") for n in range(20)])
    )
    assert bench.error("UpdateTable", indexes(creation("new", "pk"), names=("pk",))) == (
        LIMIT + "Number of global secondary indexes exceeds per-table limit of 20"
    )


def test_fact_16_22_the_phases_of_a_new_index() -> None:
    bench = Bench(table_transition_ms=50, index_transition_ms=80)
    bench.call("CreateTable", table())
    bench.clock.advance(0.05)
    bench.call("PutItem", {"TableName": "music", "Item": {"pk": {"S": "a"}, "gk": {"S": "b"}}})
    answer = bench.call("UpdateTable", indexes(creation("new", "gk")))["TableDescription"]
    in_use = "ResourceInUseException: Attempt to change a resource which is still in use: "

    def phase() -> tuple[Any, ...]:
        new = bench.index("new") or {}
        return bench.describe()["TableStatus"], new.get("IndexStatus"), new.get("Backfilling")

    created = answer["GlobalSecondaryIndexes"][0]
    assert (answer["TableStatus"], created["IndexStatus"], created["Backfilling"]) == (
        "UPDATING",
        "CREATING",
        False,
    )
    assert phase() == ("UPDATING", "CREATING", False)
    bench.call("GetItem", {"TableName": "music", "Key": {"pk": {"S": "a"}}})
    assert bench.error("DeleteTable", {"TableName": "music"}) == in_use + INDEXES
    bench.clock.advance(0.05)
    assert phase() == ("ACTIVE", "CREATING", False)
    assert bench.error("UpdateTable", update(GlobalSecondaryIndexUpdates=[deletion("new")])) == (
        in_use
        + "Index creation is in resource allocation phase. Retry deletion during backfilling phase or when"
        " the index is active. Table: music Index: new"
    )
    bench.clock.advance(0.03)
    assert phase() == ("ACTIVE", "CREATING", True)
    assert bench.error("DeleteTable", {"TableName": "music"}) == in_use + INDEXES
    assert bench.error("UpdateTable", indexes(creation("other", "gk"))) == (
        LIMIT + "Only 1 online index can be created or deleted simultaneously per table"
    )
    bench.clock.advance(0.08)
    assert phase() == ("ACTIVE", "ACTIVE", None)
    assert bench.index("new") is not None


def test_instant_the_index_is_active_at_the_next_request(on_demand: Bench) -> None:
    answer = on_demand.call("UpdateTable", indexes(creation("new", "gk")))["TableDescription"]
    new = next(i for i in answer["GlobalSecondaryIndexes"] if i["IndexName"] == "new")
    assert (new["IndexStatus"], new["Backfilling"], new["KeySchema"]) == ("CREATING", False, keys("gk"))
    described = on_demand.index("new")
    assert described is not None
    assert described["IndexStatus"] == "ACTIVE"
    assert "Backfilling" not in described
