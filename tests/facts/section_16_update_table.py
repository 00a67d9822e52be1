"""Section 16: UpdateTable."""

# ruff: noqa: E501 - the service's texts stand whole on their lines

from typing import Any

from tests.facts.answers import Answer, any_number, any_text, matching
from tests.facts.client import ACCOUNT, REGION, Client
from tests.facts.descriptions import STARTED, index_description, table_description, throughput
from tests.facts.requests import S, call, describe, item, key, put, query, scan
from tests.facts.runner import create_table, make_table, run_steps
from tests.facts.shapes import (
    ABSENT,
    LOCAL,
    PLAIN,
    PROVISIONED,
    SPARSE,
    definitions,
    named,
    secondary_index,
    table,
    units,
)
from tests.facts.table import Advance, Await, Program, Request, Step, case, fact, section

INVALID = "One or more parameter values were invalid: "
STREAM = {"StreamEnabled": True, "StreamViewType": "NEW_IMAGE"}
STREAM_OFF = {"StreamEnabled": False}
LATE = secondary_index("late", ["gk"])
LATE_TOO = secondary_index("late_too", ["gk"])
GK = definitions(gk="S")
LABEL = matching(r"2023-11-14T22:\d\d:\d\d\.\d{3}")
STREAM_ARN = matching(
    r"arn:aws:dynamodb:eu-central-1:000000000000:table/plain/stream/2023-11-14T22:\d\d:\d\d\.\d{3}"
)
NOTHING = (
    "At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled, GlobalSecondaryIndexUpdates, "
    "SSESpecification, ReplicaUpdates, MultiAccountReplicaReady, ReplicaTransitRoleArn, MultiRegionConsistency, "
    "DeletionProtectionEnabled, OnDemandThroughput, WarmThroughput or TableClass is required"
)


ALONE = INVALID + "{} modification must be the only operation in the request"
WARM = {"ReadUnitsPerSecond": 13_000, "WriteUnitsPerSecond": 5_000}
MOST = {"MaxReadRequestUnits": 5}
MADE = table("made", "pk", None, {"pk": "S"})
KEY = f"arn:aws:kms:{REGION}:{ACCOUNT}:key/k"
ENCRYPTED = {"Status": "ENABLED", "SSEType": "KMS", "KMSMasterKeyArn": KEY}


WARM_ON_DEMAND = {"ReadUnitsPerSecond": 12_000, "WriteUnitsPerSecond": 4_000}
CHANGED = {"LastIncreaseDateTime": STARTED, "LastDecreaseDateTime": STARTED}
INFREQUENT = {"TableClass": "STANDARD_INFREQUENT_ACCESS", "LastUpdateDateTime": any_number(STARTED)}
ON_DEMAND_SINCE = {
    "BillingMode": "PAY_PER_REQUEST",
    "LastUpdateToPayPerRequestDateTime": any_number(STARTED),
}
G_KEYS = secondary_index("g_keys", ["gk"], projection="KEYS_ONLY")


def answer(shape: str, status: str = "ACTIVE", **more: Any) -> dict[str, Any]:
    return {"TableDescription": table_description(shape, status, **more)}


def warm_throughput_never_falls(client: Client) -> None:
    make_table(client, PROVISIONED)
    for request, reads, writes in (
        ({"ProvisionedThroughput": units(8, 6)}, 8, 6),
        ({"ProvisionedThroughput": units(1, 9)}, 8, 9),
        ({"BillingMode": "PAY_PER_REQUEST"}, 12_000, 4_000),
        ({"BillingMode": "PROVISIONED", "ProvisionedThroughput": units(2, 5_000)}, 12_000, 5_000),
        ({"ProvisionedThroughput": units(1, 1)}, 12_000, 5_000),
    ):
        changed = client.send("UpdateTable", {"TableName": PROVISIONED, **request})
        assert changed.status == 200, changed
        shown = client.send("DescribeTable", {"TableName": PROVISIONED}).body["Table"]["WarmThroughput"]
        assert shown == {"ReadUnitsPerSecond": reads, "WriteUnitsPerSecond": writes, "Status": "ACTIVE"}


def decreases_are_limited(client: Client) -> None:
    """The clock begins on a Tuesday at 22:13:20."""
    creation = table(
        "made", "pk", None, {"pk": "S"}, BillingMode="PROVISIONED", ProvisionedThroughput=units(20, 20)
    )
    creation["GlobalSecondaryIndexes"] = [secondary_index("g_k", ["pk"], ProvisionedThroughput=units(20, 20))]
    create_table(client, creation)

    def of_table(read: int, write: int) -> Answer:
        return client.send("UpdateTable", {"TableName": "made", "ProvisionedThroughput": units(read, write)})

    def of_index(read: int, write: int, **more: Any) -> Answer:
        action = {"IndexName": "g_k", "ProvisionedThroughput": units(read, write)}
        return client.send(
            "UpdateTable", {"TableName": "made", "GlobalSecondaryIndexUpdates": [{"Update": action}], **more}
        )

    def refused_after(answer: Answer, count: int, last: str, next_: str) -> None:
        assert answer.status == 400, answer
        assert answer.body == {
            "__type": "com.amazonaws.dynamodb.v20120810#LimitExceededException",
            "message": "Subscriber limit exceeded: Provisioned throughput decreases are limited within a given UTC day. "
            "After the first 4 decreases, each subsequent decrease in the same UTC day can be performed at most once every 3600 seconds. "
            f"Number of decreases today: {count}. Last decrease at {last} Coordinated Universal Time. "
            f"Next decrease can be made at {next_} Coordinated Universal Time",
        }

    for read, write in ((19, 19), (18, 30), (18, 17), (16, 16), (17, 17)):
        assert of_table(read, write).status == 200
    began, later = "Tuesday, November 14, 2023 at 10:13:20 PM", "Tuesday, November 14, 2023 at 11:13:20 PM"
    for answer in (
        of_table(17, 16),
        of_table(16, 99),
        of_index(19, 19, ProvisionedThroughput=units(15, 15)),
    ):
        refused_after(answer, 4, began, later)
    for units_ in (19, 18, 17, 16):
        assert of_index(units_, units_).status == 200
    refused_after(of_index(15, 15), 4, began, later)
    client.advance(3599)
    refused_after(of_table(16, 17), 4, began, later)
    client.advance(1)
    assert of_table(16, 17).status == 200
    refused_after(of_table(15, 17), 5, later, "Wednesday, November 15, 2023 at 12:00:00 AM")
    assert client.send("UpdateTable", {"TableName": "made", "BillingMode": "PAY_PER_REQUEST"}).status == 200
    assert of_index(1, 1, BillingMode="PROVISIONED", ProvisionedThroughput=units(9, 9)).status == 200
    client.advance(46 * 60 + 39)
    refused_after(of_table(8, 8), 5, later, "Wednesday, November 15, 2023 at 12:00:00 AM")
    client.advance(1)
    for units_ in (8, 7, 6, 5):
        assert of_table(units_, units_).status == 200


def aliases_are_described_as_keys(client: Client) -> None:
    make_table(client, PLAIN)
    shown = []
    for key_id in (None, "alias/aws/dynamodb", "alias/mine", f"arn:aws:kms:{REGION}:{ACCOUNT}:alias/mine"):
        encryption = {"Enabled": True, "SSEType": "KMS"} | (
            {} if key_id is None else {"KMSMasterKeyId": key_id}
        )
        changed = client.send("UpdateTable", {"TableName": PLAIN, "SSESpecification": encryption})
        assert changed.status == 200, changed
        described = client.send("DescribeTable", {"TableName": PLAIN}).body["Table"]["SSEDescription"]
        assert matching(rf"arn:aws:kms:{REGION}:{ACCOUNT}:key/[0-9a-f-]{{36}}").fits(
            described["KMSMasterKeyArn"]
        )
        shown.append(described["KMSMasterKeyArn"])
    assert shown[0] == shown[1] != shown[2] == shown[3]


def created(**parameters: Any) -> Request:
    return call("CreateTable", **MADE | parameters)


def change(table: str = PLAIN, /, **parameters: Any) -> Request:
    return call("UpdateTable", table=table, **parameters)


def create_index(*indexes: dict[str, Any], **parameters: Any) -> dict[str, Any]:
    return {
        "AttributeDefinitions": GK,
        "GlobalSecondaryIndexUpdates": [{"Create": index} for index in indexes],
    } | parameters


def delete_index(*names: str, **parameters: Any) -> dict[str, Any]:
    return {"GlobalSecondaryIndexUpdates": [{"Delete": {"IndexName": name}} for name in names]} | parameters


def refused(text: str, table: str = PLAIN, /, **parameters: Any) -> Step:
    return change(table, **parameters).fails(text)


def with_index(shape: str, index: dict[str, Any], status: str = "ACTIVE", **more: Any) -> dict[str, Any]:
    """The description of a shape of one key `pk` to which a global index on `gk` was added."""
    return table_description(
        shape,
        AttributeDefinitions=[*GK, *definitions(pk="S")],
        GlobalSecondaryIndexes=[index_description(index, shape, status)],
        **more,
    )


def attributes_of(client: Client, name: str) -> dict[str, str]:
    description = client.send("DescribeTable", {"TableName": name}).body["Table"]
    return {each["AttributeName"]: each["AttributeType"] for each in description["AttributeDefinitions"]}


def index_is_made_in_two_phases(client: Client) -> None:
    make_table(client, PLAIN)
    run_steps(client, *(put(item(str(i), gk=S("g"))).gives({}) for i in range(10)))
    answer = client.send("UpdateTable", change(**create_index(LATE)).parameters)
    assert answer.status == 200, answer
    assert answer.body["TableDescription"]["TableStatus"] == "UPDATING"
    seen: list[tuple[str, str, bool | None]] = []
    written = 10
    for _ in range(4000):
        description = client.send("DescribeTable", {"TableName": PLAIN}).body["Table"]
        (index,) = description["GlobalSecondaryIndexes"]
        state = (description["TableStatus"], index["IndexStatus"], index.get("Backfilling"))
        if not seen or seen[-1] != state:
            seen.append(state)
            run_steps(
                client,
                put(item(str(written), gk=S("g"))).gives({}),
                call("GetItem", table=PLAIN, Key=key(str(written)), ConsistentRead=True).gives(
                    {"Item": item(str(written), gk=S("g"))}
                ),
            )
            written += 1
            if state[1] == "CREATING":
                refused_as_in_use(client, "DeleteTable", {"TableName": PLAIN})
                assert query_status(client) == 400, "an index that is being made was queried"
            if state[2] is False:
                refused_as_in_use(client, "UpdateTable", change(**delete_index("late")).parameters)
        if state[1] == "ACTIVE":
            break
        client.advance(0.05)
    phases = [(index, backfilling) for _, index, backfilling in seen]
    assert list(dict.fromkeys(phases)) == [("CREATING", False), ("CREATING", True), ("ACTIVE", None)], seen
    assert any(table == "ACTIVE" and index == "CREATING" for table, index, _ in seen), seen
    client.advance(60)
    found = client.send("Scan", {"TableName": PLAIN, "IndexName": "late", "Select": "COUNT"})
    assert found == Answer(200, {"Count": written, "ScannedCount": written})


def query_status(client: Client) -> int:
    return client.send("Scan", {"TableName": PLAIN, "IndexName": "late"}).status


def refused_as_in_use(client: Client, operation: str, request: Any) -> None:
    answer = client.send(operation, request)
    assert answer.status == 400, answer
    assert answer.body["__type"] == "com.amazonaws.dynamodb.v20120810#ResourceInUseException", answer


def backfilling_index_may_be_deleted(client: Client) -> None:
    make_table(client, PLAIN)
    run_steps(client, put(item("a", gk=S("g"))).gives({}), change(**create_index(LATE)).succeeds())
    for _ in range(4000):
        (index,) = client.send("DescribeTable", {"TableName": PLAIN}).body["Table"]["GlobalSecondaryIndexes"]
        if index.get("Backfilling"):
            break
        assert index["IndexStatus"] == "CREATING", index
        client.advance(0.05)
    run_steps(
        client,
        change(**delete_index("late")).succeeds(),
        Advance(600),
        describe(PLAIN).gives(
            {"Table": table_description(PLAIN, ItemCount=any_number(), TableSizeBytes=any_number())}
        ),
    )


def definitions_are_merged(client: Client) -> None:
    make_table(client, PLAIN)
    run_steps(
        client,
        change(**create_index(LATE, AttributeDefinitions=definitions(gk="S", unused="N", pk="N"))).succeeds(),
        Await(PLAIN),
    )
    assert attributes_of(client, PLAIN) == {"pk": "S", "gk": "S"}


def definitions_are_pruned(client: Client) -> None:
    make_table(client, PLAIN)
    run_steps(client, change(**create_index(LATE)).succeeds(), Await(PLAIN))
    assert attributes_of(client, PLAIN) == {"pk": "S", "gk": "S"}
    run_steps(
        client,
        change(**delete_index("late")).succeeds(),
        Advance(600),
        describe(PLAIN).gives({"Table": table_description(PLAIN)}),
    )


def stream_settings_of(client: Client) -> tuple[object, object, object]:
    description = client.send("DescribeTable", {"TableName": PLAIN}).body["Table"]
    return tuple(
        description.get(name) for name in ("StreamSpecification", "LatestStreamArn", "LatestStreamLabel")
    )


def streams_leave_their_arn(client: Client) -> None:
    make_table(client, PLAIN)
    run_steps(client, change(StreamSpecification=STREAM).succeeds(), Await(PLAIN))
    specification, arn, label = stream_settings_of(client)
    assert specification == STREAM
    assert isinstance(label, str)
    assert isinstance(arn, str)
    assert arn.endswith("/stream/" + label)
    client.advance(5)
    run_steps(client, change(StreamSpecification=STREAM_OFF).succeeds(), Await(PLAIN))
    assert stream_settings_of(client) == (None, arn, label)
    client.advance(5)
    run_steps(client, change(StreamSpecification=STREAM).succeeds(), Await(PLAIN))
    again, new_arn, new_label = stream_settings_of(client)
    assert again == STREAM
    assert new_arn != arn
    assert new_label != label


def a_twenty_first_index(client: Client) -> None:
    twenty = [secondary_index(f"g{i:02}x", ["pk"]) for i in range(20)]
    create_table(client, table("full", "pk", None, {"pk": "S"}, global_indexes=twenty))
    run_steps(
        client,
        change(
            "full",
            AttributeDefinitions=definitions(gk="S"),
            GlobalSecondaryIndexUpdates=[{"Create": LATE}],
        ).fails(
            "Subscriber limit exceeded: Number of global secondary indexes exceeds per-table limit of 20",
            "LimitExceededException",
        ),
        call(
            "CreateTable",
            **table(
                "made", "pk", None, {"pk": "S"}, global_indexes=[*twenty, secondary_index("g20x", ["pk"])]
            ),
        ).fails(INVALID + "GlobalSecondaryIndex count exceeds the per-table limit of 20"),
    )


SECTION = section(
    16,
    "UpdateTable",
    fact(
        "16.1",
        "A",
        "Nothing to do (capture of Oct 2026): `At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled, GlobalSecondaryIndexUpdates, SSESpecification, ReplicaUpdates, MultiAccountReplicaReady, ReplicaTransitRoleArn, MultiRegionConsistency, DeletionProtectionEnabled, OnDemandThroughput, WarmThroughput or TableClass is required`. A listed member that is in the request but does not count by itself is left out of the list (MultiRegionConsistency alone). Names outside the model are listed and newer members of the model (VectorIndexUpdates, GlobalTableWitnessUpdates and so on) are not. `GlobalSecondaryIndexUpdates: []` counts as absent and stays listed. Older captures end the list at `GlobalSecondaryIndexUpdates or SSESpecification or ReplicaUpdates is required`.",
        refused(NOTHING),
        refused(NOTHING, GlobalSecondaryIndexUpdates=[]),
    ),
    fact(
        "16.2",
        "A",
        "AttributeDefinitions alone counts as nothing to do.",
        refused(NOTHING, AttributeDefinitions=definitions(pk="S")),
    ),
    fact(
        "16.3",
        "A",
        "Re-sending BillingMode PAY_PER_REQUEST to such a table is 200; the answer says UPDATING though DescribeTable keeps ACTIVE.",
        case(
            change(BillingMode="PAY_PER_REQUEST").gives(
                {"TableDescription": table_description(PLAIN, "UPDATING")}
            ),
            describe(PLAIN).gives({"Table": table_description(PLAIN)}),
        ),
        case(
            change(BillingMode="PAY_PER_REQUEST").gives(
                {"TableDescription": table_description(PLAIN, "UPDATING")}
            ),
            describe(PLAIN).gives({"Table": table_description(PLAIN)}),
            profile="aws",
        ),
    ),
    fact(
        "16.4",
        "A",
        "BillingMode PROVISIONED without throughput fails even on a PROVISIONED table.",
        refused(
            INVALID + "ProvisionedThroughput must be specified when BillingMode is PROVISIONED",
            PROVISIONED,
            BillingMode="PROVISIONED",
        ),
    ),
    fact(
        "16.5",
        "A",
        "DeletionProtectionEnabled with anything else: `One or more parameter values were invalid: DeletionProtection modification must be the only operation in the request`; the same shape of text exists for other settings that must be changed alone (`Server-Side Encryption modification …`, `Replica modification …`).",
        *(
            refused(
                "One or more parameter values were invalid: DeletionProtection modification must be the only operation in the request",
                DeletionProtectionEnabled=True,
                **more,
            )
            for more in (
                {"BillingMode": "PAY_PER_REQUEST"},
                {"StreamSpecification": STREAM},
                create_index(LATE),
            )
        ),
        refused(
            INVALID + "Server-Side Encryption modification must be the only operation in the request",
            SSESpecification={"Enabled": True},
            BillingMode="PAY_PER_REQUEST",
        ),
    ),
    fact(
        "16.6",
        "A",
        "GSI create/delete with a stream change: `One or more parameter values were invalid: You cannot create or delete index while changing stream status`; stream change with throughput: `One or more parameter values were invalid: You cannot modify stream status while updating table IOPS`; index with throughput: `One or more parameter values were invalid: You cannot create or delete index while updating table IOPS`.",
        refused(
            "One or more parameter values were invalid: You cannot create or delete index while changing stream status",
            StreamSpecification=STREAM,
            **create_index(LATE),
        ),
        refused(
            "One or more parameter values were invalid: You cannot modify stream status while updating table IOPS",
            PROVISIONED,
            StreamSpecification=STREAM,
            ProvisionedThroughput=units(6, 6),
        ),
        refused(
            "One or more parameter values were invalid: You cannot create or delete index while updating table IOPS",
            PROVISIONED,
            ProvisionedThroughput=units(6, 6),
            **create_index(secondary_index("late", ["gk"], ProvisionedThroughput=units(1, 1))),
        ),
    ),
    fact(
        "16.7",
        "A",
        "OnDemandThroughput may be combined only with BillingMode: `One or more parameter values were invalid: OnDemandThroughput can only be combined with BillingMode in an UpdateTable request`.",
        *(
            refused(
                "One or more parameter values were invalid: OnDemandThroughput can only be combined with BillingMode in an UpdateTable request",
                OnDemandThroughput={"MaxReadRequestUnits": 10},
                **more,
            )
            for more in ({"StreamSpecification": STREAM}, create_index(LATE))
        ),
        case(
            change(
                PROVISIONED, BillingMode="PAY_PER_REQUEST", OnDemandThroughput={"MaxReadRequestUnits": 10}
            ).succeeds(),
            Await(PROVISIONED),
            describe(PROVISIONED).gives(
                {
                    "Table": table_description(
                        named(PROVISIONED)
                        | {"BillingMode": "PAY_PER_REQUEST", "ProvisionedThroughput": None},
                        OnDemandThroughput={"MaxReadRequestUnits": 10},
                    )
                }
            ),
        ),
    ),
    fact(
        "16.8",
        "A",
        "Two actions in one element: `One or more parameter values were invalid: Only one global secondary index action is allowed per GlobalSecondaryIndexUpdate object`.",
        refused(
            "One or more parameter values were invalid: Only one global secondary index action is allowed per GlobalSecondaryIndexUpdate object",
            AttributeDefinitions=GK,
            GlobalSecondaryIndexUpdates=[{"Create": LATE, "Delete": {"IndexName": "other"}}],
        ),
    ),
    fact(
        "16.9",
        "A",
        "Deleting an LSI this way: `Cannot delete an index that is not a GlobalSecondaryIndex: X`.",
        refused(
            "Cannot delete an index that is not a GlobalSecondaryIndex: l_all", LOCAL, **delete_index("l_all")
        ),
    ),
    fact(
        "16.10",
        "A",
        "GSI Create without AttributeDefinitions: `One or more parameter values were invalid: AttributeDefinitions is not specified for index: X`.",
        refused(
            "One or more parameter values were invalid: AttributeDefinitions is not specified for index: late",
            GlobalSecondaryIndexUpdates=[{"Create": LATE}],
        ),
    ),
    fact(
        "16.11",
        "A",
        "GSI Create without throughput on a PROVISIONED table: `One or more parameter values were invalid: ProvisionedThroughput must be specified for index: X`.",
        refused(
            "One or more parameter values were invalid: ProvisionedThroughput must be specified for index: late",
            PROVISIONED,
            **create_index(LATE),
        ),
    ),
    fact(
        "16.12",
        "A",
        "A 21st GSI by UpdateTable is LimitExceededException (`Subscriber limit exceeded: Number of global secondary indexes exceeds per-table limit of 20`), by CreateTable ValidationException.",
        Program(a_twenty_first_index),
    ),
    fact(
        "16.13",
        "A",
        "DeletionProtectionEnabled changed twice within 15 seconds is a ThrottlingException `Deletion protection setting for table X modified within the previous 15000 milliseconds. Please try again after <time>`.",
        case(
            change(DeletionProtectionEnabled=True).succeeds(),
            Await(PLAIN),
            change(DeletionProtectionEnabled=False).fails(
                matching(
                    r"Deletion protection setting for table plain modified within the previous 15000 milliseconds\. "
                    r"Please try again after .+"
                ),
                "ThrottlingException",
            ),
            Advance(16),
            change(DeletionProtectionEnabled=False).succeeds(),
            Await(PLAIN),
            describe(PLAIN).gives({"Table": table_description(PLAIN)}),
        ),
    ),
    fact(
        "16.14",
        "A",
        "SSESpecification Enabled false on a default-encrypted table: `One or more parameter values were invalid: Table is already encrypted by default`.",
        refused(
            "One or more parameter values were invalid: Table is already encrypted by default",
            SSESpecification={"Enabled": False},
        ),
    ),
    fact(
        "16.15",
        "A",
        "After a stream is disabled DescribeTable leaves StreamSpecification out, while LatestStreamArn and LatestStreamLabel remain.",
        case(
            change(StreamSpecification=STREAM).succeeds(),
            Await(PLAIN),
            change(StreamSpecification=STREAM_OFF).succeeds(),
            Await(PLAIN),
            describe(PLAIN).gives(
                {"Table": table_description(PLAIN, LatestStreamArn=STREAM_ARN, LatestStreamLabel=LABEL)}
            ),
        ),
    ),
    fact(
        "16.16",
        "A",
        "More than one GSI create or delete in a call: LimitExceededException `Subscriber limit exceeded: Only 1 online index can be created or deleted simultaneously per table`.",
        *(
            change(table, **updates).fails(
                "Subscriber limit exceeded: Only 1 online index can be created or deleted simultaneously per table",
                "LimitExceededException",
            )
            for table, updates in (
                (PLAIN, create_index(LATE, LATE_TOO)),
                (
                    SPARSE,
                    {
                        "AttributeDefinitions": GK,
                        "GlobalSecondaryIndexUpdates": [
                            {"Create": LATE},
                            {"Delete": {"IndexName": "g_keys"}},
                        ],
                    },
                ),
            )
        ),
    ),
    fact(
        "16.17",
        "A, Oct 2026",
        "Deleting or updating an unknown GSI: ResourceNotFoundException `Requested resource not found: Index X for table T`, and nothing else of the request is done.",
        change(**delete_index("other")).fails(
            "Requested resource not found: Index other for table plain", "ResourceNotFoundException"
        ),
        case(
            change(
                SPARSE,
                GlobalSecondaryIndexUpdates=[
                    {"Update": {"IndexName": name, "OnDemandThroughput": {"MaxReadRequestUnits": 5}}}
                    for name in ("g_keys", "other")
                ],
            ).fails(
                "Requested resource not found: Index other for table sparse", "ResourceNotFoundException"
            ),
            describe(SPARSE).gives({"Table": table_description(SPARSE)}),
        ),
    ),
    fact(
        "16.18",
        "A",
        "A GSI Create needs the definitions of that index's key attributes in the AttributeDefinitions of the same request, even if the table already defines them.",
        change(SPARSE, GlobalSecondaryIndexUpdates=[{"Create": LATE}]).fails(
            INVALID + "AttributeDefinitions is not specified for index: late"
        ),
        change(
            SPARSE,
            AttributeDefinitions=definitions(pk="S"),
            GlobalSecondaryIndexUpdates=[{"Create": LATE}],
        ).fails(any_text()),
        case(change(SPARSE, **create_index(LATE)).succeeds()),
    ),
    fact(
        "16.19",
        "A",
        "Other existing definitions need not be repeated: the request's list is merged into the table's by name. A definition that no key uses is dropped silently (CreateTable refuses it); another type for an attribute already in a key is ignored, the stored type stays.",
        Program(definitions_are_merged),
    ),
    fact(
        "16.20",
        "A",
        "Definitions no key uses any more are dropped; deleting a GSI prunes its attributes from DescribeTable.",
        Program(definitions_are_pruned),
    ),
    fact(
        "16.21",
        "D",
        "LSIs cannot be added or removed after creation.",
        refused(
            "Cannot delete an index that is not a GlobalSecondaryIndex: l_keys",
            LOCAL,
            **delete_index("l_keys"),
        ),
        refused(NOTHING, LocalSecondaryIndexes=[secondary_index("l_new", ["pk"], ["lk"])]),
    ),
    fact(
        "16.22",
        "D, M; the table's order A",
        "GSI creation by UpdateTable has two phases: resource allocation, IndexStatus CREATING with Backfilling false (neither index nor table may be deleted); then backfill, CREATING with Backfilling true (the index may be deleted, the table not); then ACTIVE without a Backfilling member. The table may be read and written meanwhile and becomes ACTIVE before the index does. Indexes made by CreateTable never show Backfilling.",
        Program(index_is_made_in_two_phases, "aws"),
        Program(backfilling_index_may_be_deleted, "aws"),
        case(
            put(item("a", gk=S("g"))).gives({}),
            change(**create_index(LATE)).succeeds(),
            Await(PLAIN),
            scan(index="late").gives({"Items": [item("a", gk=S("g"))], "Count": 1, "ScannedCount": 1}),
            query("gk = :g", index="late", values={":g": S("g")}).gives(
                {"Items": [item("a", gk=S("g"))], "Count": 1, "ScannedCount": 1}
            ),
        ),
        case(
            change(**create_index(LATE)).succeeds(),
            Await(PLAIN),
            describe(PLAIN).gives({"Table": with_index(PLAIN, LATE)}),
        ),
    ),
    fact(
        "16.23",
        "A",
        "Setting identical throughput is a ValidationException starting `The provisioned throughput for the table will not change. The requested value equals the current value.`",
        change(PROVISIONED, ProvisionedThroughput=units(5, 5)).fails(
            matching(
                r"The provisioned throughput for the table will not change\. The requested value equals the current value\..*"
            )
        ),
    ),
    fact(
        "16.24",
        "A",
        "Switching PAY_PER_REQUEST to PROVISIONED without throughput: `One or more parameter values were invalid: ProvisionedThroughput must be specified when BillingMode is PROVISIONED`.",
        refused(
            "One or more parameter values were invalid: ProvisionedThroughput must be specified when BillingMode is PROVISIONED",
            BillingMode="PROVISIONED",
        ),
    ),
    fact(
        "16.25",
        "A",
        "Throughput on a PAY_PER_REQUEST table is refused with the same text as in CreateTable.",
        refused(
            INVALID
            + "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST",
            ProvisionedThroughput=units(1, 1),
        ),
    ),
    fact(
        "16.26",
        "A",
        "Enabling a stream on a table that has one: ValidationException `Table already has an enabled stream: TableName: X`.",
        case(
            change(StreamSpecification=STREAM).gives(
                {
                    "TableDescription": table_description(
                        PLAIN,
                        "UPDATING",
                        StreamSpecification=STREAM,
                        LatestStreamArn=STREAM_ARN,
                        LatestStreamLabel=LABEL,
                    )
                }
            ),
            Await(PLAIN),
            change(StreamSpecification=STREAM).fails("Table already has an enabled stream: TableName: plain"),
        ),
    ),
    fact(
        "16.27",
        "A",
        "Enabling needs StreamViewType: `One or more parameter values were invalid: If stream is being enabled then UpdateViewType is required`; in CreateTable `One or more parameter values were invalid: Table is being created with a stream enabled, UpdateViewType is required`.",
        refused(
            "One or more parameter values were invalid: If stream is being enabled then UpdateViewType is required",
            StreamSpecification={"StreamEnabled": True},
        ),
        call(
            "CreateTable",
            **table("made", "pk", None, {"pk": "S"}),
            StreamSpecification={"StreamEnabled": True},
        ).fails(
            "One or more parameter values were invalid: Table is being created with a stream enabled, UpdateViewType is required"
        ),
    ),
    fact(
        "16.28",
        "A",
        "LatestStreamArn and LatestStreamLabel stay after disabling; re-enabling makes a new ARN.",
        Program(streams_leave_their_arn),
    ),
    fact(
        "16.29",
        "",
        "More refusals of UpdateTable (A, Oct 2026): `Table has no stream to disable: TableName: X`; `One or more parameter values were invalid: If stream is being disabled, then UpdateViewType must not be specified`; `One or more parameter values were invalid: TableClass modification must be the only operation in the request`; `Attempting to create an index which already exists`; `One or more parameter values were invalid: Only one global secondary index update per index is allowed simultaneously. Index: X`; `One or more parameter values were invalid: One of GlobalSecondaryIndexUpdate.Update, GlobalSecondaryIndexUpdate.Create, GlobalSecondaryIndexUpdate.Delete must not be null`.",
        refused("Table has no stream to disable: TableName: plain", StreamSpecification=STREAM_OFF),
        case(
            change(StreamSpecification=STREAM).succeeds(),
            Await(PLAIN),
            refused(
                "One or more parameter values were invalid: If stream is being disabled, then UpdateViewType must not be specified",
                StreamSpecification={"StreamEnabled": False, "StreamViewType": "NEW_IMAGE"},
            ),
        ),
        refused(
            "One or more parameter values were invalid: TableClass modification must be the only operation in the request",
            TableClass="STANDARD_INFREQUENT_ACCESS",
            BillingMode="PAY_PER_REQUEST",
        ),
        refused(
            "Attempting to create an index which already exists",
            SPARSE,
            **create_index(secondary_index("g_keys", ["gk"])),
        ),
        refused(
            "One or more parameter values were invalid: Only one global secondary index update per index is allowed simultaneously. Index: late",
            **create_index(LATE, LATE),
        ),
        refused(
            "One or more parameter values were invalid: One of GlobalSecondaryIndexUpdate.Update, GlobalSecondaryIndexUpdate.Create, GlobalSecondaryIndexUpdate.Delete must not be null",
            GlobalSecondaryIndexUpdates=[{}],
        ),
    ),
    fact(
        "16.30",
        "A, Oct 2026",
        "Yet more refusals of UpdateTable. Of several parameters that must be alone the first of these is named: SSESpecification, TableClass, DeletionProtectionEnabled, then OnDemandThroughput (16.7), then `One or more parameter values were invalid: WarmThroughput must be the only operation in the request`, which beside a new index is `… Create global secondary index cannot be specified when updating WarmThroughput`. Throughput together with BillingMode PAY_PER_REQUEST: `… ProvisionedThroughput cannot be specified when BillingMode is PAY_PER_REQUEST`. An empty list of index updates beside something to do: `… List of GlobalSecondaryIndexUpdates is empty`. On a PAY_PER_REQUEST table a new index with throughput: `… Neither ReadCapacityUnits nor WriteCapacityUnits can be specified for index: X when BillingMode is PAY_PER_REQUEST`; an update of one with throughput, or with nothing: `… The only Updates for index: X when TableThroughputMode is PAY_PER_REQUEST can be to OnDemandThroughput, WarmThroughput`; with an empty WarmThroughput, of any table: `… WarmThroughput must have at least one of ReadUnitsPerSecond or WriteUnitsPerSecond specified for index: X`. Updating an LSI: `Cannot update an index that is not a GlobalSecondaryIndex: X`. Identical throughput of an index: 16.23 with `the index X` for `the table`, then `index X`.",
        refused(
            ALONE.format("Server-Side Encryption"), SSESpecification={"Enabled": True}, TableClass="STANDARD"
        ),
        refused(ALONE.format("TableClass"), TableClass="STANDARD", DeletionProtectionEnabled=True),
        refused(ALONE.format("DeletionProtection"), DeletionProtectionEnabled=True, WarmThroughput=WARM),
        refused(ALONE.format("DeletionProtection"), DeletionProtectionEnabled=True, OnDemandThroughput=MOST),
        refused(
            INVALID + "OnDemandThroughput can only be combined with BillingMode in an UpdateTable request",
            OnDemandThroughput=MOST,
            WarmThroughput=WARM,
        ),
        refused(
            INVALID + "WarmThroughput must be the only operation in the request",
            WarmThroughput=WARM,
            StreamSpecification=STREAM,
        ),
        refused(
            INVALID + "WarmThroughput must be the only operation in the request",
            SPARSE,
            WarmThroughput=WARM,
            **delete_index("g_keys"),
        ),
        refused(
            INVALID + "Create global secondary index cannot be specified when updating WarmThroughput",
            WarmThroughput=WARM,
            **create_index(LATE),
        ),
        *(
            refused(
                INVALID + "ProvisionedThroughput cannot be specified when BillingMode is PAY_PER_REQUEST",
                shape,
                BillingMode="PAY_PER_REQUEST",
                ProvisionedThroughput=units(1, 1),
            )
            for shape in (PLAIN, PROVISIONED)
        ),
        *(
            refused(
                INVALID + "List of GlobalSecondaryIndexUpdates is empty",
                GlobalSecondaryIndexUpdates=[],
                **more,
            )
            for more in (
                {"DeletionProtectionEnabled": True},
                {"BillingMode": "PAY_PER_REQUEST"},
                {"OnDemandThroughput": MOST},
            )
        ),
        refused(
            INVALID
            + "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified for index: late when BillingMode is PAY_PER_REQUEST",
            **create_index(LATE | {"ProvisionedThroughput": units(1, 1)}),
        ),
        *(
            refused(
                INVALID
                + "The only Updates for index: g_keys when TableThroughputMode is PAY_PER_REQUEST can be to OnDemandThroughput, WarmThroughput",
                SPARSE,
                GlobalSecondaryIndexUpdates=[{"Update": {"IndexName": "g_keys"} | more}],
            )
            for more in ({"ProvisionedThroughput": units(1, 1)}, {}, {"OnDemandThroughput": {}})
        ),
        *(
            refused(
                INVALID
                + "WarmThroughput must have at least one of ReadUnitsPerSecond or WriteUnitsPerSecond specified for index: g_keys",
                shape,
                GlobalSecondaryIndexUpdates=[{"Update": {"IndexName": "g_keys", "WarmThroughput": {}}}],
            )
            for shape in (SPARSE, ABSENT)
        ),
        refused(
            "Cannot update an index that is not a GlobalSecondaryIndex: l_all",
            LOCAL,
            GlobalSecondaryIndexUpdates=[{"Update": {"IndexName": "l_all", "OnDemandThroughput": MOST}}],
        ),
        case(
            call(
                "CreateTable",
                **table(
                    "made",
                    "pk",
                    None,
                    {"pk": "S"},
                    BillingMode="PROVISIONED",
                    ProvisionedThroughput=units(1, 2),
                )
                | {
                    "GlobalSecondaryIndexes": [
                        secondary_index("g_k", ["pk"], ProvisionedThroughput=units(2, 3))
                    ]
                },
            ).succeeds(),
            Await("made"),
            refused(
                "The provisioned throughput for the index g_k will not change. The requested value equals the current value. Current ReadCapacityUnits provisioned for index g_k: 2. Requested ReadCapacityUnits: 2. Current WriteCapacityUnits provisioned for index g_k: 3. Requested WriteCapacityUnits: 3. Refer to the Amazon DynamoDB Developer Guide for current limits and how to request higher limits.",
                "made",
                GlobalSecondaryIndexUpdates=[
                    {"Update": {"IndexName": "g_k", "ProvisionedThroughput": units(2, 3)}}
                ],
            ),
        ),
    ),
    fact(
        "16.31",
        "A, Oct 2026",
        "More of SSESpecification, in CreateTable too: an SSEType without Enabled turns encryption with a key of KMS on. With Enabled false: `One or more parameter values were invalid: SSEType can not be specified if Enabled is false`, likewise `KMSMasterKeyId`. The key that is described already, given as its ARN: `One or more parameter values were invalid: Table is already encrypted with given KMSMasterKeyId. Use KMSMasterKeyId parameter if you want to change Master Key`; given in another form, or not at all, the request succeeds. An alias is described as its key, `alias/aws/dynamodb` as that of Enabled alone.",
        *(
            request(SSESpecification={"Enabled": False} | more).fails(
                INVALID + f"{name} can not be specified if Enabled is false"
            )
            for name, more in (
                ("SSEType", {"SSEType": "KMS"}),
                ("SSEType", {"SSEType": "KMS", "KMSMasterKeyId": "k"}),
                ("KMSMasterKeyId", {"KMSMasterKeyId": "k"}),
            )
            for request in (change, created)
        ),
        refused(INVALID + "Table is already encrypted by default", SSESpecification={}),
        case(
            change(SSESpecification={"SSEType": "KMS", "KMSMasterKeyId": "k"}).succeeds(),
            Await(PLAIN),
            describe(PLAIN).gives({"Table": table_description(PLAIN, SSEDescription=ENCRYPTED)}),
            refused(
                INVALID
                + "Table is already encrypted with given KMSMasterKeyId. Use KMSMasterKeyId parameter if you want to change Master Key",
                SSESpecification={"Enabled": True, "SSEType": "KMS", "KMSMasterKeyId": KEY},
            ),
            change(SSESpecification={"Enabled": True, "SSEType": "KMS", "KMSMasterKeyId": "k"}).succeeds(),
            Await(PLAIN),
            change(SSESpecification={"Enabled": False}).succeeds(),
            Await(PLAIN),
            describe(PLAIN).gives({"Table": table_description(PLAIN)}),
        ),
        Program(aliases_are_described_as_keys),
        case(
            created(SSESpecification={"SSEType": "KMS", "KMSMasterKeyId": "k"}).succeeds(),
            Await("made"),
            describe("made").gives({"Table": table_description(MADE, SSEDescription=ENCRYPTED)}),
        ),
    ),
    fact(
        "16.32",
        "A, Oct 2026",
        "What the answer to UpdateTable shows. Throughput, also of an index, is the old one with its old NumberOfDecreasesToday, but with the new times of the change; it is described when the update is over. So is a TableClass; that of the table sent again (STANDARD where none was ever set) is as 16.3. A new BillingMode and its throughput are there at once, LastUpdateToPayPerRequestDateTime when the update is over, and it is no increase; to PAY_PER_REQUEST the answer alone has a LastDecreaseDateTime. WarmThroughput and SSEDescription keep their old values with Status UPDATING (a first SSEDescription has that alone). The table stays ACTIVE when only OnDemandThroughput, WarmThroughput, SSESpecification, DeletionProtectionEnabled or throughput and limits of indexes change; DeletionProtectionEnabled that changes nothing begins no new 15 seconds (16.13).",
        case(
            change(PROVISIONED, ProvisionedThroughput=units(4, 9)).gives(
                answer(PROVISIONED, "UPDATING", ProvisionedThroughput=throughput(units(5, 5)) | CHANGED)
            ),
            Await(PROVISIONED),
            describe(PROVISIONED).gives(
                {
                    "Table": table_description(
                        PROVISIONED,
                        ProvisionedThroughput=throughput(units(4, 9))
                        | CHANGED
                        | {"NumberOfDecreasesToday": 1},
                    )
                }
            ),
        ),
        case(
            change(TableClass="STANDARD").gives(answer(PLAIN, "UPDATING")),
            describe(PLAIN).gives({"Table": table_description(PLAIN)}),
            change(TableClass="STANDARD_INFREQUENT_ACCESS").gives(answer(PLAIN, "UPDATING")),
            Await(PLAIN),
            describe(PLAIN).gives({"Table": table_description(PLAIN, TableClassSummary=INFREQUENT)}),
            change(TableClass="STANDARD_INFREQUENT_ACCESS").gives(
                answer(PLAIN, "UPDATING", TableClassSummary=INFREQUENT)
            ),
            change(TableClass="STANDARD").gives(answer(PLAIN, "UPDATING", TableClassSummary=INFREQUENT)),
        ),
        case(
            change(PROVISIONED, BillingMode="PAY_PER_REQUEST").gives(
                answer(
                    PROVISIONED,
                    "UPDATING",
                    BillingModeSummary={"BillingMode": "PAY_PER_REQUEST"},
                    ProvisionedThroughput=throughput(None, LastDecreaseDateTime=STARTED),
                )
            ),
            Await(PROVISIONED),
            describe(PROVISIONED).gives(
                {
                    "Table": table_description(
                        PROVISIONED,
                        BillingModeSummary=ON_DEMAND_SINCE,
                        ProvisionedThroughput=throughput(None),
                    )
                }
            ),
            change(PROVISIONED, BillingMode="PROVISIONED", ProvisionedThroughput=units(7, 7)).gives(
                answer(
                    PROVISIONED,
                    "UPDATING",
                    BillingModeSummary=ON_DEMAND_SINCE | {"BillingMode": "PROVISIONED"},
                    ProvisionedThroughput=throughput(units(7, 7)),
                )
            ),
        ),
        case(
            change(WarmThroughput=WARM).gives(
                answer(PLAIN, WarmThroughput=WARM_ON_DEMAND | {"Status": "UPDATING"})
            ),
            describe(PLAIN).gives(
                {"Table": table_description(PLAIN, WarmThroughput=WARM | {"Status": "ACTIVE"})}
            ),
        ),
        case(
            change(
                SPARSE,
                GlobalSecondaryIndexUpdates=[{"Update": {"IndexName": "g_keys", "WarmThroughput": WARM}}],
            ).gives(
                answer(
                    SPARSE,
                    GlobalSecondaryIndexes=[
                        index_description(
                            G_KEYS, SPARSE, "ACTIVE", WarmThroughput=WARM_ON_DEMAND | {"Status": "UPDATING"}
                        )
                    ],
                )
            ),
            describe(SPARSE).gives(
                {
                    "Table": table_description(
                        SPARSE,
                        GlobalSecondaryIndexes=[
                            index_description(
                                G_KEYS, SPARSE, "ACTIVE", WarmThroughput=WARM | {"Status": "ACTIVE"}
                            )
                        ],
                    )
                }
            ),
            change(
                SPARSE,
                GlobalSecondaryIndexUpdates=[{"Update": {"IndexName": "g_keys", "OnDemandThroughput": MOST}}],
            ).gives(
                answer(
                    SPARSE,
                    GlobalSecondaryIndexes=[
                        index_description(
                            G_KEYS,
                            SPARSE,
                            "UPDATING",
                            WarmThroughput=WARM | {"Status": "ACTIVE"},
                            OnDemandThroughput=MOST,
                        )
                    ],
                )
            ),
        ),
        case(
            change(SSESpecification={"SSEType": "KMS", "KMSMasterKeyId": "k"}).gives(
                answer(PLAIN, SSEDescription={"Status": "UPDATING"})
            ),
            change(SSESpecification={"SSEType": "KMS", "KMSMasterKeyId": "other"}).gives(
                answer(PLAIN, SSEDescription=ENCRYPTED | {"Status": "UPDATING"})
            ),
            change(SSESpecification={"Enabled": False}).gives(
                answer(
                    PLAIN,
                    SSEDescription=ENCRYPTED
                    | {"Status": "UPDATING", "KMSMasterKeyArn": KEY.replace("/k", "/other")},
                )
            ),
            describe(PLAIN).gives({"Table": table_description(PLAIN)}),
        ),
        case(
            change(OnDemandThroughput=MOST).gives(answer(PLAIN, OnDemandThroughput=MOST)),
            change(DeletionProtectionEnabled=False).gives(answer(PLAIN, OnDemandThroughput=MOST)),
            change(DeletionProtectionEnabled=True).gives(
                answer(PLAIN, OnDemandThroughput=MOST, DeletionProtectionEnabled=True)
            ),
            Advance(15),
            change(DeletionProtectionEnabled=True).succeeds(),
            change(DeletionProtectionEnabled=False).succeeds(),
        ),
    ),
    fact(
        "16.33",
        "A, Oct 2026",
        "WarmThroughput of a table or index is at least its provisioned throughput or, on demand, 12,000 reads and 4,000 writes; it never falls, whether throughput is decreased or the billing mode changes.",
        Program(warm_throughput_never_falls),
    ),
    fact(
        "16.34",
        "A, Oct 2026",
        "Throughput may be decreased four times a day (UTC), the table and each index by themselves, and then once more 3600 seconds after the last one, or on the next day. More is LimitExceededException `Subscriber limit exceeded: Provisioned throughput decreases are limited within a given UTC day. After the first 4 decreases, each subsequent decrease in the same UTC day can be performed at most once every 3600 seconds. Number of decreases today: 4. Last decrease at Thursday, October 8, 2026 at 11:20:48 PM Coordinated Universal Time. Next decrease can be made at Friday, October 9, 2026 at 12:00:00 AM Coordinated Universal Time`; less of one kind and more of the other is a decrease too; what is refused counts nothing. A third change of TableClass within 30 days, or by then the present class again: `Subscriber limit exceeded: Updates to TableClass are limited to 2 times in 30 day(s).` The billing mode may be changed at any time.",
        Program(decreases_are_limited),
        case(
            change(TableClass="STANDARD_INFREQUENT_ACCESS").succeeds(),
            Await(PLAIN),
            change(TableClass="STANDARD_INFREQUENT_ACCESS").succeeds(),
            change(TableClass="STANDARD").succeeds(),
            Await(PLAIN),
            *(
                change(TableClass=name).fails(
                    "Subscriber limit exceeded: Updates to TableClass are limited to 2 times in 30 day(s).",
                    "LimitExceededException",
                )
                for name in ("STANDARD", "STANDARD_INFREQUENT_ACCESS")
            ),
            Advance(30 * 86_400),
            change(TableClass="STANDARD_INFREQUENT_ACCESS").succeeds(),
        ),
    ),
)
