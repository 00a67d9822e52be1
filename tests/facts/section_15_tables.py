"""Section 15: the life of tables, and DescribeTable."""

# ruff: noqa: E501 - the service's texts stand whole on their lines

from typing import Any

from tests.facts.answers import any_text, constraint, joined, length_at_most, matching
from tests.facts.client import ACCOUNT, REGION, Client
from tests.facts.descriptions import (
    STARTED,
    UUID,
    arn,
    index_description,
    made,
    table_description,
    throughput,
    warm,
)
from tests.facts.requests import (
    S,
    batch_get,
    batch_write,
    call,
    delete,
    describe,
    get,
    item,
    key,
    put,
    put_request,
    query,
    scan,
    transact_get,
    transact_write,
    tx_get,
    tx_put,
    update,
)
from tests.facts.runner import make_table
from tests.facts.shapes import (
    ABSENT,
    INDEXED,
    LOCAL,
    PLAIN,
    PROVISIONED,
    SPARSE,
    definitions,
    key_schema,
    secondary_index,
    table,
    units,
)
from tests.facts.table import Advance, Await, Program, Request, Step, case, fact, section

INVALID = "One or more parameter values were invalid: "
NOT_FOUND = "Requested resource not found"
MADE: dict[str, Any] = table("made", "pk", None, {"pk": "S"})
OTHERS = f"arn:aws:dynamodb:{REGION}:999988887777:table/plain"
"""A table of another account."""
ARN_FORM = "Valid ARN format is 'arn:<awsPartition>:<vendor>:<region>:<subscriber>:resourceType/resourceName', where Resource name must have length less than or equal to 255, Resource name must have length greater than or equal to 3, Resource name must satisfy regular expression pattern: [a-zA-Z0-9_.-]+"
LABEL = matching(r"2023-11-14T22:13:20\.\d{3}")


def create(**changes: Any) -> Request:
    """CreateTable of a plain table but for the changes; None takes a member away."""
    return call(
        "CreateTable", **{name: value for name, value in (MADE | changes).items() if value is not None}
    )


def refused(text: str, **changes: Any) -> Step:
    return create(**changes).fails(text)


def keyed(*elements: tuple[str, str]) -> list[dict[str, str]]:
    return [{"AttributeName": name, "KeyType": kind} for name, kind in elements]


def with_global(*indexes: Any, **types: str) -> dict[str, Any]:
    return {
        "GlobalSecondaryIndexes": list(indexes),
        "AttributeDefinitions": definitions(**({"pk": "S"} | types)),
    }


def with_local(*indexes: Any, **types: str) -> dict[str, Any]:
    return {
        "KeySchema": key_schema(["pk"], ["sk"]),
        "LocalSecondaryIndexes": list(indexes),
        "AttributeDefinitions": definitions(**({"pk": "S", "sk": "S"} | types)),
    }


def projected(projection: dict[str, Any]) -> dict[str, Any]:
    return with_global(
        {"IndexName": "g_s", "KeySchema": key_schema(["gk"]), "Projection": projection}, gk="S"
    )


def index_update(**changes: Any) -> dict[str, Any]:
    return {"GlobalSecondaryIndexUpdates": [{"Update": {"IndexName": "g_keys", **changes}}]}


STREAM = {"StreamEnabled": True, "StreamViewType": "NEW_IMAGE"}
MODE = {"BillingMode": "PROVISIONED", "ProvisionedThroughput": units(1, 1)}
IOPS = "Table IOPS are currently being updated. Table: provisioned"


def in_use(text: str, request: Request) -> Step:
    return request.fails(
        f"Attempt to change a resource which is still in use: {text}", "ResourceInUseException"
    )


WARM = {"ReadUnitsPerSecond": 13_000, "WriteUnitsPerSecond": 5_000}
INITIAL = "initial throughput for OnDemand. See: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/on-demand-capacity-mode.html#on-demand-capacity-mode-initial"
MAXIMUM = (
    "The requested {}, is above the per {} maximum for the account in "
    + REGION
    + ". Per table maximum: 40000. Refer to the Amazon DynamoDB Developer Guide for current limits and how to request higher limits."
)
EXCEEDS = (
    "Subscriber limit exceeded: Requested {} exceeds TableMax{}CapacityUnits of the account in region "
    + REGION
)


def the_id_stays(client: Client) -> None:
    make_table(client, PLAIN)
    first, second = (client.send("DescribeTable", {"TableName": PLAIN}).body["Table"] for _ in range(2))
    assert first == second
    assert UUID.fits(first["TableId"])
    client.send("DeleteTable", {"TableName": PLAIN})
    make_table(client, PLAIN)
    assert client.send("DescribeTable", {"TableName": PLAIN}).body["Table"]["TableId"] != first["TableId"]


SORTED: dict[str, Any] = with_global(
    secondary_index("g_z", ["z"], projection="INCLUDE", non_key=["y", "b", "m"]),
    secondary_index("g_a", ["pk", "a"], ["z"]),
    z="S",
    a="N",
)
SORTED_MADE: dict[str, Any] = {
    **MADE,
    **SORTED,
    "AttributeDefinitions": definitions(a="N", pk="S", z="S"),
    "GlobalSecondaryIndexes": [
        secondary_index("g_z", ["z"], projection="INCLUDE", non_key=["b", "m", "y"]),
        secondary_index("g_a", ["pk", "a"], ["z"]),
    ],
}
TWENTY_ONE = [secondary_index(f"g{i:02}x", ["pk"]) for i in range(21)]
SIX = [secondary_index(f"l{i}x", ["pk"], ["sk"]) for i in range(6)]

SECTION = section(
    15,
    "Table lifecycle and DescribeTable",
    fact(
        "15.1",
        "A",
        "CreateTable on an existing name: ResourceInUseException `Table already exists: X`.",
        case(
            create().succeeds(),
            Await("made"),
            create().fails("Table already exists: made", "ResourceInUseException"),
            create(KeySchema=key_schema(["other"]), AttributeDefinitions=definitions(other="N")).fails(
                "Table already exists: made", "ResourceInUseException"
            ),
        ),
    ),
    fact(
        "15.2",
        "A",
        "The CreateTable answer has TableStatus CREATING; DescribeTable shows CREATING until ACTIVE.",
        case(
            create().gives(made(MADE)),
            describe("made").gives({"Table": table_description(MADE, "CREATING")}),
            Await("made"),
            describe("made").gives({"Table": table_description(MADE)}),
            profile="aws",
        ),
        case(
            create().gives(made(MADE)),
            Await("made"),
            describe("made").gives({"Table": table_description(MADE)}),
        ),
    ),
    fact(
        "15.3",
        "D",
        "Data operations on a table still CREATING give ResourceNotFoundException.",
        case(
            create().succeeds(),
            *(
                request.fails(NOT_FOUND, "ResourceNotFoundException")
                for request in (
                    put(key("a"), "made"),
                    get(key("a"), "made"),
                    scan("made"),
                    batch_write([put_request(key("a"))], "made"),
                    transact_write(tx_put(key("a"), "made")),
                )
            ),
            Await("made"),
            put(key("a"), "made").gives({}),
            profile="aws",
        ),
    ),
    fact(
        "15.4",
        "D",
        "DeleteTable or UpdateTable while CREATING/UPDATING gives ResourceInUseException.",
        case(
            create().succeeds(),
            call("DeleteTable", table="made").fails(any_text(), "ResourceInUseException"),
            call(
                "UpdateTable", table="made", BillingMode="PROVISIONED", ProvisionedThroughput=units(1, 1)
            ).fails(any_text(), "ResourceInUseException"),
            Await("made"),
            call(
                "UpdateTable", table="made", BillingMode="PROVISIONED", ProvisionedThroughput=units(1, 1)
            ).succeeds(),
            call("UpdateTable", table="made", ProvisionedThroughput=units(2, 2)).fails(
                any_text(), "ResourceInUseException"
            ),
            call("DeleteTable", table="made").fails(any_text(), "ResourceInUseException"),
            Await("made"),
            call("DeleteTable", table="made").succeeds(),
            profile="aws",
        ),
    ),
    fact(
        "15.5",
        "A",
        "DeleteTable's TableDescription has TableStatus DELETING, TableId, TableArn, sizes and throughput, but lacks KeySchema, AttributeDefinitions, CreationDateTime and the indexes.",
        case(
            put(key("a"), PROVISIONED).gives({}),
            call("DeleteTable", table=PROVISIONED).gives(
                {
                    "TableDescription": {
                        "TableName": PROVISIONED,
                        "TableStatus": "DELETING",
                        "TableId": UUID,
                        "TableArn": arn(PROVISIONED),
                        "TableSizeBytes": 3,
                        "ItemCount": 1,
                        "ProvisionedThroughput": throughput(units(5, 5)),
                        "DeletionProtectionEnabled": False,
                    }
                }
            ),
            describe(PROVISIONED).fails(
                "Requested resource not found: Table: provisioned not found", "ResourceNotFoundException"
            ),
            get(key("a"), PROVISIONED).fails(NOT_FOUND, "ResourceNotFoundException"),
        ),
    ),
    fact(
        "15.6",
        "A",
        "PAY_PER_REQUEST DescribeTable: BillingModeSummary with BillingMode and LastUpdateToPayPerRequestDateTime (equal to creation time for tables created so), ProvisionedThroughput with zeros.",
        case(
            Advance(10),
            create().succeeds(),
            Await("made"),
            Advance(100),
            describe("made").gives(
                {
                    "Table": table_description(
                        MADE,
                        CreationDateTime=STARTED + 10,
                        BillingModeSummary={
                            "BillingMode": "PAY_PER_REQUEST",
                            "LastUpdateToPayPerRequestDateTime": STARTED + 10,
                        },
                        ProvisionedThroughput={
                            "NumberOfDecreasesToday": 0,
                            "ReadCapacityUnits": 0,
                            "WriteCapacityUnits": 0,
                        },
                    )
                }
            ),
        ),
    ),
    fact(
        "15.7",
        "A",
        "PROVISIONED tables created so have no BillingModeSummary.",
        describe(PROVISIONED).gives({"Table": table_description(PROVISIONED)}),
        case(
            create(BillingMode=None, ProvisionedThroughput=units(1, 2)).succeeds(),
            Await("made"),
            describe("made").gives(
                {
                    "Table": table_description(
                        MADE | {"BillingMode": None, "ProvisionedThroughput": units(1, 2)}
                    )
                }
            ),
        ),
    ),
    fact(
        "15.8",
        "A",
        "ProvisionedThroughput always holds NumberOfDecreasesToday.",
        describe(PROVISIONED).gives(
            {
                "Table": table_description(
                    PROVISIONED,
                    ProvisionedThroughput={
                        "NumberOfDecreasesToday": 0,
                        "ReadCapacityUnits": 5,
                        "WriteCapacityUnits": 5,
                    },
                )
            }
        ),
        case(
            call("UpdateTable", table=PROVISIONED, ProvisionedThroughput=units(5, 4)).succeeds(),
            Await(PROVISIONED),
            describe(PROVISIONED).gives(
                {
                    "Table": table_description(
                        PROVISIONED,
                        ProvisionedThroughput={
                            "NumberOfDecreasesToday": 1,
                            "ReadCapacityUnits": 5,
                            "WriteCapacityUnits": 4,
                            "LastDecreaseDateTime": STARTED,
                        },
                    )
                }
            ),
        ),
    ),
    fact(
        "15.9",
        "D",
        "ItemCount and TableSizeBytes exist from the start (0) and are refreshed about every six hours.",
        describe(PLAIN).gives({"Table": table_description(PLAIN, TableSizeBytes=0, ItemCount=0)}),
        case(
            put(key("a")).gives({}),
            put(item("b", v=S("x"))).gives({}),
            describe(PLAIN).gives({"Table": table_description(PLAIN, TableSizeBytes=3 + 5, ItemCount=2)}),
        ),
        case(
            create().succeeds(),
            Await("made"),
            put(key("a"), "made").gives({}),
            describe("made").gives({"Table": table_description(MADE, TableSizeBytes=0, ItemCount=0)}),
            Advance(6 * 3600 + 60),
            describe("made").gives({"Table": table_description(MADE, TableSizeBytes=3, ItemCount=1)}),
            profile="aws",
        ),
    ),
    fact(
        "15.10",
        "A",
        "TableArn is `arn:aws:dynamodb:<region>:<account>:table/<name>`; index ARN is that plus `/index/<index>`; stream ARN plus `/stream/<label>`.",
        create(
            **with_global(secondary_index("g_s", ["gk"]), gk="S"),
            StreamSpecification={"StreamEnabled": True, "StreamViewType": "KEYS_ONLY"},
        ).gives(
            made(
                MADE | with_global(secondary_index("g_s", ["gk"]), gk="S"),
                TableArn="arn:aws:dynamodb:eu-central-1:000000000000:table/made",
                GlobalSecondaryIndexes=[
                    index_description(
                        secondary_index("g_s", ["gk"]),
                        "made",
                        "CREATING",
                        IndexArn="arn:aws:dynamodb:eu-central-1:000000000000:table/made/index/g_s",
                    )
                ],
                StreamSpecification={"StreamEnabled": True, "StreamViewType": "KEYS_ONLY"},
                LatestStreamLabel=LABEL,
                LatestStreamArn=matching(
                    r"arn:aws:dynamodb:eu-central-1:000000000000:table/made/stream/2023-11-14T22:13:20\.\d{3}"
                ),
            )
        ),
    ),
    fact(
        "15.11",
        "A",
        "GSIs have IndexStatus, ProvisionedThroughput, IndexSizeBytes, ItemCount, IndexArn; LSIs have neither IndexStatus nor ProvisionedThroughput.",
        describe(SPARSE).gives(
            {
                "Table": table_description(
                    SPARSE,
                    GlobalSecondaryIndexes=[
                        {
                            "IndexName": "g_keys",
                            "KeySchema": key_schema(["gk"]),
                            "Projection": {"ProjectionType": "KEYS_ONLY"},
                            "IndexStatus": "ACTIVE",
                            "ProvisionedThroughput": throughput(None),
                            "IndexSizeBytes": 0,
                            "ItemCount": 0,
                            "IndexArn": arn(SPARSE, "g_keys"),
                            "WarmThroughput": warm("ACTIVE"),
                        }
                    ],
                )
            }
        ),
        describe(LOCAL).gives({"Table": table_description(LOCAL)}),
        describe(INDEXED).gives({"Table": table_description(INDEXED)}),
        case(
            create(**with_local(secondary_index("l_s", ["pk"], ["lk"]), lk="S")).succeeds(),
            Await("made"),
            put(item("a", "b", lk=S("x")), "made").gives({}),
            describe("made").gives(
                {
                    "Table": table_description(
                        MADE | with_local(lk="S"),
                        TableSizeBytes=9,
                        ItemCount=1,
                        LocalSecondaryIndexes=[
                            {
                                "IndexName": "l_s",
                                "KeySchema": key_schema(["pk"], ["lk"]),
                                "Projection": {"ProjectionType": "ALL"},
                                "IndexSizeBytes": 9,
                                "ItemCount": 1,
                                "IndexArn": arn("made", "l_s"),
                            }
                        ],
                    )
                }
            ),
        ),
    ),
    fact(
        "15.12",
        "A",
        "SSEDescription, StreamSpecification, LatestStreamArn, RestoreSummary are absent by default.",
        describe(PLAIN).gives({"Table": table_description(PLAIN)}),
        case(
            create(SSESpecification={"Enabled": True}).gives(
                made(
                    MADE,
                    SSEDescription={
                        "Status": "ENABLED",
                        "SSEType": "KMS",
                        "KMSMasterKeyArn": matching(
                            r"arn:aws:kms:eu-central-1:000000000000:key/[0-9a-f-]{36}"
                        ),
                    },
                )
            ),
        ),
    ),
    fact(
        "15.13",
        "A",
        "DeletionProtectionEnabled is always present.",
        describe(PLAIN).gives({"Table": table_description(PLAIN, DeletionProtectionEnabled=False)}),
        case(
            create(DeletionProtectionEnabled=True).gives(made(MADE, DeletionProtectionEnabled=True)),
            Await("made"),
            describe("made").gives({"Table": table_description(MADE, DeletionProtectionEnabled=True)}),
        ),
    ),
    fact(
        "15.14",
        "A",
        "Deleting a protected table: ValidationException `Resource cannot be deleted as it is currently protected against deletion. Disable deletion protection first.`",
        case(
            create(DeletionProtectionEnabled=True).succeeds(),
            Await("made"),
            call("DeleteTable", table="made").fails(
                "Resource cannot be deleted as it is currently protected against deletion. Disable deletion protection first."
            ),
            call("UpdateTable", table="made", DeletionProtectionEnabled=False).succeeds(),
            Await("made"),
            call("DeleteTable", table="made").succeeds(),
        ),
    ),
    fact(
        "15.15",
        "D",
        "TableName may be an ARN in most operations.",
        case(
            put(key("by-name"), PLAIN).gives({}),
            put(key("a"), arn(PLAIN)).gives({}),
            get(key("a"), arn(PLAIN)).gives({"Item": key("a")}),
            get(key("a"), PLAIN).gives({"Item": key("a")}),
            delete(key("by-name"), arn(PLAIN)).gives({}),
            update(key("a"), "SET v = :v", arn(PLAIN), values={":v": S("x")}).gives({}),
            scan(arn(PLAIN)).gives({"Items": [item("a", v=S("x"))], "Count": 1, "ScannedCount": 1}),
            query("pk = :p", arn(PLAIN), values={":p": S("a")}).gives(
                {"Items": [item("a", v=S("x"))], "Count": 1, "ScannedCount": 1}
            ),
            transact_write(tx_put(key("b"), arn(PLAIN))).gives({}),
            transact_get(tx_get(key("b"), arn(PLAIN))).gives({"Responses": [{"Item": key("b")}]}),
            batch_write([put_request(key("c"))], arn(PLAIN)).gives({"UnprocessedItems": {}}),
            batch_get([key("c")], arn(PLAIN)).gives(
                {"Responses": {arn(PLAIN): [key("c")]}, "UnprocessedKeys": {}}
            ),
            describe(arn(PLAIN)).gives({"Table": table_description(PLAIN, ItemCount=3, TableSizeBytes=11)}),
            call("DeleteTable", table=arn(PLAIN)).succeeds(),
        ),
        Program(the_id_stays),
    ),
    fact(
        "15.16",
        "A",
        "Attributes defined but unused by any key: `One or more parameter values were invalid: Number of attributes in KeySchema does not exactly match number of attributes defined in AttributeDefinitions`; with indexes `One or more parameter values were invalid: Some AttributeDefinitions are not used. AttributeDefinitions: [a, b, c], keys used: [a, b]`.",
        refused(
            "One or more parameter values were invalid: Number of attributes in KeySchema does not exactly match number of attributes defined in AttributeDefinitions",
            AttributeDefinitions=definitions(pk="S", a="S"),
        ),
        refused(
            INVALID
            + "Some AttributeDefinitions are not used. AttributeDefinitions: [a, b, c], keys used: [a, b]",
            KeySchema=key_schema(["a"]),
            AttributeDefinitions=definitions(a="S", b="S", c="S"),
            GlobalSecondaryIndexes=[secondary_index("g_s", ["b"])],
        ),
    ),
    fact(
        "15.17",
        "A",
        "Index key not defined: `One or more parameter values were invalid: Some index key attributes are not defined in AttributeDefinitions. Keys: [a], AttributeDefinitions: [b]`.",
        refused(
            "One or more parameter values were invalid: Some index key attributes are not defined in AttributeDefinitions. Keys: [a], AttributeDefinitions: [b]",
            KeySchema=key_schema(["a"]),
            AttributeDefinitions=definitions(b="S"),
        ),
    ),
    fact(
        "15.18",
        "A",
        "HASH and RANGE on one attribute with two definitions: `Both the Hash Key and the Range Key element in the KeySchema have the same name`; with one definition: `Invalid KeySchema: Some index key attribute have no definition`.",
        refused(
            "Both the Hash Key and the Range Key element in the KeySchema have the same name",
            KeySchema=key_schema(["pk"], ["pk"]),
            AttributeDefinitions=definitions(pk="S", sk="S"),
        ),
        refused(
            "Invalid KeySchema: Some index key attribute have no definition",
            KeySchema=key_schema(["pk"], ["pk"]),
            AttributeDefinitions=definitions(pk="S"),
        ),
    ),
    fact(
        "15.19",
        "A",
        "First element not HASH: `Invalid KeySchema: The first KeySchemaElement is not a HASH key type`.",
        refused(
            "Invalid KeySchema: The first KeySchemaElement is not a HASH key type",
            KeySchema=keyed(("pk", "RANGE")),
        ),
    ),
    fact(
        "15.20",
        "A",
        "Second element not RANGE: `Invalid KeySchema: The second KeySchemaElement is not a RANGE key type`.",
        refused(
            "Invalid KeySchema: The second KeySchemaElement is not a RANGE key type",
            KeySchema=keyed(("pk", "HASH"), ("sk", "HASH")),
            AttributeDefinitions=definitions(pk="S", sk="S"),
        ),
    ),
    fact(
        "15.21",
        "A",
        "Three elements on a table: `1 validation error detected: Value '[<dump>]' at 'keySchema' failed to satisfy constraint: Member must have length less than or equal to 2`. An element of the dump is `KeySchemaElement(attributeName=pk, keyType=HASH)` or a Java object identity, by the host that answers; comma and blank between. The second cannot be reproduced: tests match everything but the dump.",
        create(
            KeySchema=key_schema(["pk"], ["sk", "tk"]),
            AttributeDefinitions=definitions(pk="S", sk="S", tk="S"),
        ).fails(
            matching(
                r"1 validation error detected: Value '\[.*\]' at 'keySchema' failed to satisfy constraint: "
                r"Member must have length less than or equal to 2"
            )
        ),
    ),
    fact(
        "15.22",
        "A",
        "Duplicate index names, also between GSI and LSI: `One or more parameter values were invalid: Duplicate index name: sameIndex`.",
        refused(
            "One or more parameter values were invalid: Duplicate index name: sameIndex",
            **with_global(
                secondary_index("sameIndex", ["gk"]), secondary_index("sameIndex", ["gk"], ["pk"]), gk="S"
            ),
        ),
        refused(
            INVALID + "Duplicate index name: sameIndex",
            **(
                with_local(secondary_index("sameIndex", ["pk"], ["lk"]), lk="S")
                | {"GlobalSecondaryIndexes": [secondary_index("sameIndex", ["lk"])]}
            ),
        ),
    ),
    fact(
        "15.23",
        "A",
        "LSI on a table without range key: `One or more parameter values were invalid: Table KeySchema does not have a range key, which is required when specifying a LocalSecondaryIndex`.",
        refused(
            "One or more parameter values were invalid: Table KeySchema does not have a range key, which is required when specifying a LocalSecondaryIndex",
            LocalSecondaryIndexes=[secondary_index("l_s", ["pk"], ["lk"])],
            AttributeDefinitions=definitions(pk="S", lk="S"),
        ),
    ),
    fact(
        "15.24",
        "A",
        "Projection {} : `One or more parameter values were invalid: Unknown ProjectionType: null`.",
        refused("One or more parameter values were invalid: Unknown ProjectionType: null", **projected({})),
    ),
    fact(
        "15.25",
        "A",
        "NonKeyAttributes with ALL: `One or more parameter values were invalid: ProjectionType is ALL, but NonKeyAttributes is specified`; with KEYS_ONLY likewise naming KEYS_ONLY.",
        *(
            refused(
                f"One or more parameter values were invalid: ProjectionType is {kind}, but NonKeyAttributes is specified",
                **projected({"ProjectionType": kind, "NonKeyAttributes": ["a"]}),
            )
            for kind in ("ALL", "KEYS_ONLY")
        ),
    ),
    fact(
        "15.26",
        "A",
        "INCLUDE without NonKeyAttributes: `One or more parameter values were invalid: ProjectionType is INCLUDE, but NonKeyAttributes is not specified`.",
        refused(
            "One or more parameter values were invalid: ProjectionType is INCLUDE, but NonKeyAttributes is not specified",
            **projected({"ProjectionType": "INCLUDE"}),
        ),
    ),
    fact(
        "15.27",
        "A",
        "Empty index lists: `One or more parameter values were invalid: List of GlobalSecondaryIndexes is empty`, `One or more parameter values were invalid: List of LocalSecondaryIndexes is empty`.",
        refused(
            "One or more parameter values were invalid: List of GlobalSecondaryIndexes is empty",
            **with_global(),
        ),
        refused(
            "One or more parameter values were invalid: List of LocalSecondaryIndexes is empty",
            **with_local(),
        ),
    ),
    fact(
        "15.28",
        "A",
        "Over 20 GSIs: `One or more parameter values were invalid: GlobalSecondaryIndex count exceeds the per-table limit of 20`; over 5 LSIs: `One or more parameter values were invalid: Number of LocalSecondaryIndexes exceeds per-table limit of 5`.",
        refused(
            "One or more parameter values were invalid: GlobalSecondaryIndex count exceeds the per-table limit of 20",
            GlobalSecondaryIndexes=TWENTY_ONE,
        ),
        case(create(GlobalSecondaryIndexes=TWENTY_ONE[:20]).succeeds()),
        refused(
            "One or more parameter values were invalid: Number of LocalSecondaryIndexes exceeds per-table limit of 5",
            **with_local(*SIX),
        ),
        case(create(**with_local(*SIX[:5])).succeeds()),
    ),
    fact(
        "15.29",
        "A",
        "PROVISIONED (the default) without throughput: `One or more parameter values were invalid: ReadCapacityUnits and WriteCapacityUnits must both be specified when BillingMode is PROVISIONED`.",
        *(
            refused(
                "One or more parameter values were invalid: ReadCapacityUnits and WriteCapacityUnits must both be specified when BillingMode is PROVISIONED",
                BillingMode=mode,
            )
            for mode in (None, "PROVISIONED")
        ),
    ),
    fact(
        "15.30",
        "A",
        "PAY_PER_REQUEST with throughput: `One or more parameter values were invalid: Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST`.",
        refused(
            "One or more parameter values were invalid: Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST",
            ProvisionedThroughput=units(1, 1),
        ),
    ),
    fact(
        "15.31",
        "A",
        "Throughput too large: `Given value N for ReadCapacityUnits is out of bounds`, that of an index `Given value N for ReadCapacityUnits is out of bounds for index X` (F).",
        refused(
            "Given value 1000000000001 for ReadCapacityUnits is out of bounds",
            BillingMode="PROVISIONED",
            ProvisionedThroughput=units(1_000_000_000_001, 1),
        ),
        refused(
            "Given value 1000000000001 for WriteCapacityUnits is out of bounds",
            BillingMode="PROVISIONED",
            ProvisionedThroughput=units(1, 1_000_000_000_001),
        ),
        refused(
            "Given value 1000000000001 for WriteCapacityUnits is out of bounds for index late",
            BillingMode="PROVISIONED",
            ProvisionedThroughput=units(1, 1),
            GlobalSecondaryIndexes=[
                secondary_index("late", ["pk"]) | {"ProvisionedThroughput": units(1, 1_000_000_000_001)}
            ],
        ),
        call(
            "UpdateTable",
            table=ABSENT,
            GlobalSecondaryIndexUpdates=[
                {"Update": {"IndexName": "late", "ProvisionedThroughput": units(1_000_000_000_001, 1)}}
            ],
        ).fails("Given value 1000000000001 for ReadCapacityUnits is out of bounds for index late"),
    ),
    fact(
        "15.32",
        "A",
        "TableClass bad value, newest capture: `Invalid table-class parameter provided. Please try again with a valid table-class value: [STANDARD, STANDARD_INFREQUENT_ACCESS].`",
        refused(
            "Invalid table-class parameter provided. Please try again with a valid table-class value: [STANDARD, STANDARD_INFREQUENT_ACCESS].",
            TableClass="x",
        ),
    ),
    fact(
        "15.33",
        "A",
        "SSEType AES256: `One or more parameter values were invalid: SSEType AES256 is not supported`; a key id without SSEType: `One or more parameter values were invalid: SSEType KMS is required if KMSMasterKeyId is specified`.",
        refused(
            "One or more parameter values were invalid: SSEType AES256 is not supported",
            SSESpecification={"Enabled": True, "SSEType": "AES256"},
        ),
        refused(
            "One or more parameter values were invalid: SSEType KMS is required if KMSMasterKeyId is specified",
            SSESpecification={"Enabled": True, "KMSMasterKeyId": "alias/mine"},
        ),
    ),
    fact(
        "15.34",
        "A",
        "PROVISIONED table with a GSI lacking throughput: `One or more parameter values were invalid: ProvisionedThroughput is not specified for index: X`.",
        refused(
            "One or more parameter values were invalid: ProvisionedThroughput is not specified for index: g_s",
            BillingMode="PROVISIONED",
            ProvisionedThroughput=units(1, 1),
            **with_global(secondary_index("g_s", ["gk"]), gk="S"),
        ),
    ),
    fact(
        "15.35",
        "A",
        "Key attribute names are at most 255 characters.",
        create(KeySchema=key_schema(["n" * 256]), AttributeDefinitions=definitions(**{"n" * 256: "S"})).fails(
            joined(
                "2 validation errors detected: ",
                length_at_most("n" * 256, "keySchema.1.member.attributeName", 255),
                length_at_most("n" * 256, "attributeDefinitions.1.member.attributeName", 255),
            )
        ),
        case(
            create(
                KeySchema=key_schema(["n" * 255]), AttributeDefinitions=definitions(**{"n" * 255: "S"})
            ).succeeds(),
            Await("made"),
            put({"n" * 255: S("a")}, "made").gives({}),
        ),
    ),
    fact(
        "15.36",
        "D",
        "At most 100 NonKeyAttributes over all INCLUDE projections of a table.",
        create(
            **with_global(
                *(
                    secondary_index(
                        f"g_{half}", ["gk"], None, "INCLUDE", [f"{half}{i}" for i in range(count)]
                    )
                    for half, count in (
                        ("first", 15),
                        ("second", 20),
                        ("third", 20),
                        ("fourth", 20),
                        ("fifth", 20),
                        ("sixth", 6),
                    )
                ),
                gk="S",
            )
        ).fails(any_text()),
        case(
            create(
                **with_global(
                    *(
                        secondary_index(
                            f"g_{half}", ["gk"], None, "INCLUDE", [f"{half}{i}" for i in range(20)]
                        )
                        for half in ("first", "second", "third", "fourth", "fifth")
                    ),
                    gk="S",
                )
            ).succeeds(),
        ),
    ),
    fact(
        "15.37",
        "A, older capture",
        "ListTables Limit must be 1 to 100: `1 validation error detected: Value '101' at 'limit' failed to satisfy constraint: Member must have value less than or equal to 100`.",
        call("ListTables", Limit=101).detects(
            "Value '101' at 'limit' failed to satisfy constraint: Member must have value less than or equal to 100"
        ),
        call("ListTables", Limit=0).detects(
            constraint("0", "limit", "Member must have value greater than or equal to 1")
        ),
        call("ListTables", Limit=100).gives({"TableNames": []}),
    ),
    fact(
        "15.38",
        "A",
        "ListTables returns LastEvaluatedTableName only when more remain; names come in sorted order per page.",
        case(
            *(
                call("CreateTable", **(MADE | {"TableName": name})).succeeds()
                for name in ("bbb", "aaa", "ddd", "Ccc")
            ),
            call("ListTables").gives({"TableNames": ["Ccc", "aaa", "bbb", "ddd"]}),
            call("ListTables", Limit=2).gives(
                {"TableNames": ["Ccc", "aaa"], "LastEvaluatedTableName": "aaa"}
            ),
            call("ListTables", ExclusiveStartTableName="aaa", Limit=2).gives({"TableNames": ["bbb", "ddd"]}),
            call("ListTables", ExclusiveStartTableName="b..").gives({"TableNames": ["bbb", "ddd"]}),
            call("ListTables", ExclusiveStartTableName="ddd").gives({"TableNames": []}),
        ),
    ),
    fact(
        "15.39",
        "",
        "A TableName that begins with `arn:` and is no ARN of one resource, an index's or stream's ARN for instance, is a ValidationException (A): `1 validation error detected: Value '<arn>' at 'tableName' failed to satisfy constraint: Valid ARN format is 'arn:<awsPartition>:<vendor>:<region>:<subscriber>:resourceType/resourceName', where Resource name must have length less than or equal to 255, Resource name must have length greater than or equal to 3, Resource name must satisfy regular expression pattern: [a-zA-Z0-9_.-]+` (F). So is an ARN of another service (I).",
        *(
            request.detects(constraint(name, path, ARN_FORM))
            for name in (
                arn("indexed", "g_s"),
                arn(PLAIN) + "/stream/2023-11-14T22:13:20.000",
                arn("ab"),
                arn("a" * 256),
                "arn:aws:s3:::bucket",
                f"arn:aws:s3:{REGION}:{ACCOUNT}:table/plain",
                "arn:aws",
            )
            for request, path in (
                (get(key("a"), name), "tableName"),
                (put(key("a"), name), "tableName"),
                (describe(name), "tableName"),
                (transact_get(tx_get(key("a"), name)), "transactItems.1.member.get.tableName"),
            )
        ),
    ),
    fact(
        "15.40",
        "",
        "An ARN of another region: ValidationException `1 validation error detected: Invalid AWS region in '<arn>'`; likewise `Invalid AWS partition in` and `Invalid resource type in`. Of another account: AccessDeniedException `Access is denied`. (A, Oct 2026, operations on tables; I for operations on items, where the account's text names what the other table's policy would have to allow)",
        *(
            request.detects(f"Invalid {part} in '{name}'")
            for part, name in (
                ("AWS region", f"arn:aws:dynamodb:elsewhere:{ACCOUNT}:table/plain"),
                ("AWS partition", f"arn:aws-cn:dynamodb:{REGION}:{ACCOUNT}:table/plain"),
                ("resource type", f"arn:aws:dynamodb:{REGION}:{ACCOUNT}:backup/plain"),
            )
            for request in (
                get(key("a"), name),
                batch_get([key("a")], name),
                describe(name),
                call("DeleteTable", table=name),
                call("DescribeTimeToLive", table=name),
                call("DescribeContinuousBackups", table=name),
            )
        ),
        describe(OTHERS).fails("Access is denied", "AccessDeniedException"),
        call("DeleteTable", table=OTHERS).fails("Access is denied", "AccessDeniedException"),
        get(key("a"), OTHERS).fails(
            f"User: arn:aws:iam::{ACCOUNT}:root is not authorized to perform: dynamodb:GetItem on resource: {OTHERS} because no resource-based policy allows the dynamodb:GetItem action",
            "AccessDeniedException",
        ),
    ),
    fact(
        "15.41",
        "F",
        "DeleteTable of a table that is DELETING already, although its documentation says that this is no error: ResourceInUseException `Attempt to change a resource which is still in use: Table is being deleted: X`.",
        case(
            create().succeeds(),
            Await("made"),
            call("DeleteTable", table="made").succeeds(),
            call("DeleteTable", table="made").fails(
                "Attempt to change a resource which is still in use: Table is being deleted: made",
                "ResourceInUseException",
            ),
            Advance(600),
            call("DeleteTable", table="made").fails(
                "Requested resource not found: Table: made not found", "ResourceNotFoundException"
            ),
            profile="aws",
        ),
    ),
    fact(
        "15.42",
        "",
        "A key that is not defined, and a definition that no key uses, come before everything else that is wrong with an index. More refusals of CreateTable: `Attribute Name is duplicated: pk` (whatever the types); `One or more parameter values were invalid: Duplicate element in NonKeyAttributes: a`; `One or more parameter values were invalid: All HASH key attributes must precede RANGE key attributes in the KeySchema` (of a global index). Key attributes among the NonKeyAttributes are accepted. (A, Oct 2026)",
        refused(
            "Attribute Name is duplicated: pk",
            AttributeDefinitions=[*definitions(pk="S"), *definitions(pk="S")],
        ),
        refused(
            "Attribute Name is duplicated: pk",
            AttributeDefinitions=[*definitions(pk="S"), *definitions(pk="N")],
        ),
        refused(
            INVALID + "Duplicate element in NonKeyAttributes: a",
            **projected({"ProjectionType": "INCLUDE", "NonKeyAttributes": ["a", "b", "a"]}),
        ),
        refused(
            INVALID + "All HASH key attributes must precede RANGE key attributes in the KeySchema",
            **with_global(
                {
                    "IndexName": "g_s",
                    "KeySchema": keyed(("a", "HASH"), ("b", "RANGE"), ("c", "HASH")),
                    "Projection": {"ProjectionType": "ALL"},
                },
                a="S",
                b="S",
                c="S",
            ),
        ),
        *(
            refused(
                INVALID
                + "Some AttributeDefinitions are not used. AttributeDefinitions: [pk, gk, x], keys used: [pk, gk]",
                **with_global(index, gk="S", x="S"),
            )
            for index in (
                secondary_index("g_s", ["gk"], projection="ALL", non_key=["a"]),
                secondary_index("g_s", ["gk"], ["gk"]),
                secondary_index("g_s", ["gk"], ProvisionedThroughput=units(1, 1)),
            )
        ),
        refused(
            INVALID
            + "Some index key attributes are not defined in AttributeDefinitions. Keys: [other], AttributeDefinitions: [pk]",
            **with_global(
                secondary_index("g_s", ["pk"], projection="ALL", non_key=["a"]),
                secondary_index("g_t", ["other"]),
            ),
        ),
        case(
            create(**projected({"ProjectionType": "INCLUDE", "NonKeyAttributes": ["pk", "gk"]})).succeeds(),
        ),
    ),
    fact(
        "15.43",
        "A",
        "Descriptions list AttributeDefinitions and NonKeyAttributes in the order of their names, indexes and their keys in the order in which the request gave them.",
        case(
            create(**SORTED).gives(made(SORTED_MADE)),
            Await("made"),
            describe("made").gives({"Table": table_description(SORTED_MADE)}),
        ),
    ),
    fact(
        "15.44",
        "A, Oct 2026",
        "OnDemandThroughput and WarmThroughput that are refused: `One or more parameter values were invalid: Requested MaxReadRequestUnits for OnDemandThroughput for table is outside of valid range` (of an index `for index : X`; -1 is taken by UpdateTable only, where it takes the limit away); `… MaxReadRequestUnits for OnDemandThroughput cannot be specified when table BillingMode is PROVISIONED.` (`for OnDemandThroughput for index: X cannot …`), in UpdateTable `… when the table BillingMode is PROVISIONED` without the full stop (`for index : X`); of a new table or index `… Requested ReadUnitsPerSecond for WarmThroughput for table is lower than initial throughput for OnDemand. See: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/on-demand-capacity-mode.html#on-demand-capacity-mode-initial`, provisioned `… is lower than ReadCapacityUnits of ProvisionedThroughput`, in UpdateTable `… is lower than current WarmThroughput, decreasing WarmThroughput is not supported` (`for index X`). One member alone, and none, are fine in CreateTable.",
        *(
            refused(
                INVALID
                + f"Requested MaxReadRequestUnits for OnDemandThroughput for {what} is outside of valid range",
                **request,
            )
            for units_ in (0, -1, -2)
            for what, request in (
                ("table", {"OnDemandThroughput": {"MaxReadRequestUnits": units_}}),
                (
                    "index : g_s",
                    with_global(
                        secondary_index("g_s", ["pk"], OnDemandThroughput={"MaxReadRequestUnits": units_})
                    ),
                ),
            )
        ),
        *(
            refused(
                INVALID
                + f"MaxReadRequestUnits for OnDemandThroughput{what} cannot be specified when table BillingMode is PROVISIONED.",
                BillingMode="PROVISIONED",
                ProvisionedThroughput=units(5, 5),
                **request,
            )
            for what, request in (
                ("", {"OnDemandThroughput": {"MaxReadRequestUnits": 5}}),
                (
                    " for index: g_s",
                    with_global(
                        secondary_index(
                            "g_s",
                            ["pk"],
                            ProvisionedThroughput=units(5, 5),
                            OnDemandThroughput={"MaxReadRequestUnits": 5},
                        )
                    ),
                ),
            )
        ),
        *(
            refused(
                INVALID
                + f"Requested ReadUnitsPerSecond for WarmThroughput for {what} is lower than "
                + INITIAL,
                **request,
            )
            for what, request in (
                ("table", {"WarmThroughput": {"ReadUnitsPerSecond": 1, "WriteUnitsPerSecond": 1}}),
                (
                    "index g_s",
                    with_global(
                        secondary_index("g_s", ["pk"], WarmThroughput={"ReadUnitsPerSecond": 11_999})
                    ),
                ),
            )
        ),
        refused(
            INVALID
            + "Requested WriteUnitsPerSecond for WarmThroughput for table is lower than WriteCapacityUnits of ProvisionedThroughput",
            BillingMode="PROVISIONED",
            ProvisionedThroughput=units(5, 5),
            WarmThroughput={"ReadUnitsPerSecond": 5, "WriteUnitsPerSecond": 4},
        ),
        *(
            call("UpdateTable", table=name, **request).fails(INVALID + text)
            for name, request, text in (
                (
                    PROVISIONED,
                    {"OnDemandThroughput": {"MaxReadRequestUnits": 5}},
                    "MaxReadRequestUnits for OnDemandThroughput cannot be specified when the table BillingMode is PROVISIONED",
                ),
                (
                    PLAIN,
                    {"WarmThroughput": {"ReadUnitsPerSecond": 1}},
                    "Requested ReadUnitsPerSecond for WarmThroughput for table is lower than current WarmThroughput, decreasing WarmThroughput is not supported",
                ),
                (
                    SPARSE,
                    index_update(WarmThroughput={"WriteUnitsPerSecond": 3_999}),
                    "Requested WriteUnitsPerSecond for WarmThroughput for index g_keys is lower than current WarmThroughput, decreasing WarmThroughput is not supported",
                ),
                (
                    SPARSE,
                    index_update(OnDemandThroughput={"MaxReadRequestUnits": 0}),
                    "Requested MaxReadRequestUnits for OnDemandThroughput for index : g_keys is outside of valid range",
                ),
                (
                    SPARSE,
                    {
                        "BillingMode": "PROVISIONED",
                        "ProvisionedThroughput": units(5, 5),
                        **index_update(
                            ProvisionedThroughput=units(5, 5), OnDemandThroughput={"MaxReadRequestUnits": 5}
                        ),
                    },
                    "MaxReadRequestUnits for OnDemandThroughput for index : g_keys cannot be specified when the table BillingMode is PROVISIONED",
                ),
            )
        ),
        case(
            create(
                OnDemandThroughput={"MaxReadRequestUnits": 5}, WarmThroughput={"ReadUnitsPerSecond": 12_001}
            ).succeeds(),
            Await("made"),
            describe("made").gives(
                {
                    "Table": table_description(
                        MADE,
                        OnDemandThroughput={"MaxReadRequestUnits": 5},
                        WarmThroughput={
                            "ReadUnitsPerSecond": 12_001,
                            "WriteUnitsPerSecond": 4_000,
                            "Status": "ACTIVE",
                        },
                    )
                }
            ),
        ),
        case(create(OnDemandThroughput={}, WarmThroughput={}).succeeds()),
    ),
    fact(
        "15.45",
        "A, Oct 2026",
        "More throughput than the account may have for a table or an index (DescribeLimits' TableMax…) is LimitExceededException, in CreateTable and UpdateTable: `The requested ReadCapacityUnits, 40001, is above the per table maximum for the account in <region>. Per table maximum: 40000. Refer to the Amazon DynamoDB Developer Guide for current limits and how to request higher limits.`; of an index `The requested ReadCapacityUnits for index X, 40001, is above the per index maximum …`; `Subscriber limit exceeded: Requested MaxReadRequestUnits for OnDemandThroughput for table exceeds TableMaxReadCapacityUnits of the account in region <region>` (`for index : X`); likewise `ReadUnitsPerSecond for WarmThroughput` (`for index X`). Tables and indexes are not added up.",
        *(
            request.fails(text, "LimitExceededException")
            for request, text in (
                (
                    create(BillingMode="PROVISIONED", ProvisionedThroughput=units(40_001, 5)),
                    MAXIMUM.format("ReadCapacityUnits, 40001", "table"),
                ),
                (
                    create(
                        BillingMode="PROVISIONED",
                        ProvisionedThroughput=units(5, 5),
                        **with_global(secondary_index("g_s", ["pk"], ProvisionedThroughput=units(5, 40_001))),
                    ),
                    MAXIMUM.format("WriteCapacityUnits for index g_s, 40001", "index"),
                ),
                (
                    call("UpdateTable", table=PROVISIONED, ProvisionedThroughput=units(5, 40_001)),
                    MAXIMUM.format("WriteCapacityUnits, 40001", "table"),
                ),
                (
                    call("UpdateTable", table=PLAIN, OnDemandThroughput={"MaxReadRequestUnits": 40_001}),
                    EXCEEDS.format("MaxReadRequestUnits for OnDemandThroughput for table", "Read"),
                ),
                (
                    call(
                        "UpdateTable",
                        table=SPARSE,
                        **index_update(OnDemandThroughput={"MaxWriteRequestUnits": 40_001}),
                    ),
                    EXCEEDS.format("MaxWriteRequestUnits for OnDemandThroughput for index : g_keys", "Write"),
                ),
                (
                    call(
                        "UpdateTable",
                        table=SPARSE,
                        **index_update(WarmThroughput={"ReadUnitsPerSecond": 40_001}),
                    ),
                    EXCEEDS.format("ReadUnitsPerSecond for WarmThroughput for index g_keys", "Read"),
                ),
            )
        ),
        case(
            create(
                BillingMode="PROVISIONED",
                ProvisionedThroughput=units(40_000, 40_000),
                **with_global(secondary_index("g_s", ["pk"], ProvisionedThroughput=units(40_000, 1))),
            ).succeeds()
        ),
    ),
    fact(
        "15.46",
        "A, Oct 2026",
        "The answer to CreateTable has no WarmThroughput, unless the request asked for some for the table; that of its indexes never. Until the table is ACTIVE its status is UPDATING.",
        case(
            create(
                **with_global(secondary_index("g_s", ["pk"], WarmThroughput=WARM)), WarmThroughput=WARM
            ).gives(
                made(
                    MADE | with_global(secondary_index("g_s", ["pk"])),
                    WarmThroughput=WARM | {"Status": "UPDATING"},
                )
            ),
            describe("made").gives(
                {
                    "Table": table_description(
                        MADE,
                        "CREATING",
                        WarmThroughput=WARM | {"Status": "UPDATING"},
                        GlobalSecondaryIndexes=[
                            index_description(
                                secondary_index("g_s", ["pk"]),
                                "made",
                                "CREATING",
                                WarmThroughput=WARM | {"Status": "UPDATING"},
                            )
                        ],
                    )
                }
            ),
            profile="aws",
        ),
    ),
    fact(
        "15.47",
        "A, Oct 2026",
        "More of ResourceInUseException, all beginning with `Attempt to change a resource which is still in use: ` but for CreateTable of a table that is being deleted, `Table already exists: X`. DeleteTable while an index is being created, updated or deleted: `Cannot delete table while indexes are being created, updated, or deleted.`, else while the table is UPDATING: `Table: X is in the process of being updated.` UpdateTable of throughput or billing mode while those change: `Table IOPS are currently being updated. Table: X`; then also `Can't enable or disable stream while table IOPS are being updated. Table: X`, `Can't create or delete indexes while table IOPS are being updated. Table: X`, and while the billing mode changes `OnDemandThroughput cannot be updated while BillingMode update is in progress`. While an index is being made, until it is backfilled, or deleted: `Can't change table IOPS when an index is being created. Table: X Indexes: [Y]` (`deleted`), likewise `change stream status`, and `OnDemandThroughput cannot be updated while index creation is in progress for indexes: [Y]` (`deletion`). Deleting an index that is not backfilled yet: `Index creation is in resource allocation phase. Retry deletion during backfilling phase or when the index is active. Table: X Index: Y`; updating it: `Index is being created but is not backfilling yet.  Table: X Index: Y` (two blanks); updating, deleting or creating again one that is being deleted: `Index is being deleted.  Table: X Index: Y`. While the class changes: `Can't update table class when a table class update is in progress. Table: X TableClassUpdateInProgress: STANDARD_INFREQUENT_ACCESS`, likewise `change stream status` and `create or delete an index`, and `OnDemandThroughput cannot be updated while TableClass update is in progress. TableClassUpdateInProgress: STANDARD_INFREQUENT_ACCESS`. DeletionProtectionEnabled, SSESpecification and another index may be changed meanwhile.",
        case(
            call("UpdateTable", table=PLAIN, TableClass="STANDARD_INFREQUENT_ACCESS").succeeds(),
            *(
                in_use(
                    f"Can't {change} when a table class update is in progress. Table: plain TableClassUpdateInProgress: STANDARD_INFREQUENT_ACCESS",
                    call("UpdateTable", table=PLAIN, **request),
                )
                for change, request in (
                    ("update table class", {"TableClass": "STANDARD"}),
                    ("change stream status", {"StreamSpecification": STREAM}),
                    (
                        "create or delete an index",
                        {
                            "AttributeDefinitions": definitions(gk="S"),
                            "GlobalSecondaryIndexUpdates": [{"Create": secondary_index("late", ["gk"])}],
                        },
                    ),
                )
            ),
            in_use(
                "OnDemandThroughput cannot be updated while TableClass update is in progress. TableClassUpdateInProgress: STANDARD_INFREQUENT_ACCESS",
                call("UpdateTable", table=PLAIN, OnDemandThroughput={"MaxReadRequestUnits": 5}),
            ),
            call("UpdateTable", table=PLAIN, DeletionProtectionEnabled=True).succeeds(),
            profile="aws",
        ),
        case(
            call("UpdateTable", table=PROVISIONED, ProvisionedThroughput=units(6, 6)).succeeds(),
            *(
                in_use(text, call("UpdateTable", table=PROVISIONED, **change))
                for text, change in (
                    (IOPS, {"ProvisionedThroughput": units(7, 7)}),
                    (IOPS, {"BillingMode": "PAY_PER_REQUEST"}),
                    (
                        "Can't enable or disable stream while table IOPS are being updated. Table: provisioned",
                        {"StreamSpecification": STREAM},
                    ),
                    (
                        "Can't create or delete indexes while table IOPS are being updated. Table: provisioned",
                        {
                            "AttributeDefinitions": definitions(gk="S"),
                            "GlobalSecondaryIndexUpdates": [
                                {"Create": secondary_index("late", ["gk"], ProvisionedThroughput=units(1, 1))}
                            ],
                        },
                    ),
                )
            ),
            in_use(
                "Table: provisioned is in the process of being updated.",
                call("DeleteTable", table=PROVISIONED),
            ),
            call("UpdateTable", table=PROVISIONED, DeletionProtectionEnabled=True).succeeds(),
            Await(PROVISIONED),
            call("UpdateTable", table=PROVISIONED, BillingMode="PAY_PER_REQUEST").succeeds(),
            in_use(
                "OnDemandThroughput cannot be updated while BillingMode update is in progress",
                call("UpdateTable", table=PROVISIONED, OnDemandThroughput={"MaxReadRequestUnits": 5}),
            ),
            in_use(
                IOPS,
                call(
                    "UpdateTable",
                    table=PROVISIONED,
                    BillingMode="PROVISIONED",
                    ProvisionedThroughput=units(1, 1),
                ),
            ),
            profile="aws",
        ),
        *(
            case(
                call("UpdateTable", table=SPARSE, **request).succeeds(),
                *(
                    in_use(text.format(being, name), call("UpdateTable", table=SPARSE, **change))
                    for text, change in (
                        (
                            "Can't change table IOPS when an index is being {}. Table: sparse Indexes: [{}]",
                            MODE,
                        ),
                        (
                            "Can't change stream status when an index is being {}. Table: sparse Indexes: [{}]",
                            {"StreamSpecification": STREAM},
                        ),
                    )
                ),
                in_use(
                    f"OnDemandThroughput cannot be updated while index {action} is in progress for indexes: [{name}]",
                    call("UpdateTable", table=SPARSE, OnDemandThroughput={"MaxReadRequestUnits": 5}),
                ),
                *(
                    in_use(text, call("UpdateTable", table=SPARSE, GlobalSecondaryIndexUpdates=[change]))
                    for text, change in changes
                ),
                in_use(
                    "Cannot delete table while indexes are being created, updated, or deleted.",
                    call("DeleteTable", table=SPARSE),
                ),
                call("UpdateTable", table=SPARSE, DeletionProtectionEnabled=True).succeeds(),
                call("UpdateTable", table=SPARSE, BillingMode="PAY_PER_REQUEST").succeeds(),
                profile="aws",
            )
            for being, action, name, request, changes in (
                (
                    "created",
                    "creation",
                    "late",
                    {
                        "AttributeDefinitions": definitions(gk="S"),
                        "GlobalSecondaryIndexUpdates": [{"Create": secondary_index("late", ["gk"])}],
                    },
                    (
                        (
                            "Index creation is in resource allocation phase. Retry deletion during backfilling phase or when the index is active. Table: sparse Index: late",
                            {"Delete": {"IndexName": "late"}},
                        ),
                        (
                            "Index is being created but is not backfilling yet.  Table: sparse Index: late",
                            {
                                "Update": {
                                    "IndexName": "late",
                                    "OnDemandThroughput": {"MaxReadRequestUnits": 5},
                                }
                            },
                        ),
                    ),
                ),
                (
                    "deleted",
                    "deletion",
                    "g_keys",
                    {"GlobalSecondaryIndexUpdates": [{"Delete": {"IndexName": "g_keys"}}]},
                    (
                        (
                            "Index is being deleted.  Table: sparse Index: g_keys",
                            {
                                "Update": {
                                    "IndexName": "g_keys",
                                    "OnDemandThroughput": {"MaxReadRequestUnits": 5},
                                }
                            },
                        ),
                        *(
                            ("Index is being deleted.  Table: sparse Index: g_keys", change)
                            for change in (
                                {"Delete": {"IndexName": "g_keys"}},
                                {"Create": secondary_index("g_keys", ["gk"])},
                            )
                        ),
                    ),
                ),
            )
        ),
        case(
            create().succeeds(),
            Await("made"),
            call("DeleteTable", table="made").succeeds(),
            create().fails("Table already exists: made", "ResourceInUseException"),
            profile="aws",
        ),
    ),
)
