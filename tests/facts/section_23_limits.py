"""Section 23: limits."""

# ruff: noqa: E501 - the service's texts stand whole on their lines

from importlib import import_module
from typing import Any
from unittest.mock import patch

from tests.facts.answers import any_text, constraint, length_at_least, length_at_most, matching
from tests.facts.client import Client
from tests.facts.requests import (
    S,
    batch_get,
    batch_write,
    call,
    item,
    key,
    nested,
    put,
    put_request,
    scan,
    transact_write,
    tx_put,
    update,
)
from tests.facts.runner import run_steps
from tests.facts.shapes import PAIRS, secondary_index, table
from tests.facts.table import Advance, Program, case, fact, later, section

CREATE_TABLE = import_module("partita.engine.operations.create_table")
INVALID = "One or more parameter values were invalid: "
LIMIT = 409_600


def create(name: str = "made", **more: Any) -> Any:
    return call("CreateTable", **table(name, "pk", "sk", {"pk": "S", "sk": "S"}, **more))


def indexes(count: int, range_names: list[str] | None = None) -> list[dict[str, Any]]:
    return [secondary_index(f"i{i:02}x", ["pk"], range_names) for i in range(count)]


def a_region_is_full(client: Client) -> None:
    """With the quota itself checked, a smaller one stands for it: 2,500 tables take long to make."""
    assert CREATE_TABLE.MAX_TABLES == 2500
    with patch.object(CREATE_TABLE, "MAX_TABLES", 3):
        run_steps(
            client,
            *(create(name).succeeds() for name in ("one", "two", "three")),
            create().fails(any_text(), "LimitExceededException"),
            call("DeleteTable", table="one").succeeds(),
            Advance(1),
            create().succeeds(),
        )


def too_much_changes_at_once(client: Client) -> None:
    assert CREATE_TABLE.MAX_CHANGING == 500
    with patch.object(CREATE_TABLE, "MAX_CHANGING", 2):
        run_steps(
            client,
            *(create(name).succeeds() for name in ("one", "two")),
            create().fails(any_text(), "LimitExceededException"),
            Advance(60),
            create().succeeds(),
        )


SECTION = section(
    23,
    "Limits",
    fact(
        "23.1",
        "D",
        "Item 400 KB; hash key 2048 bytes; range key 1024 bytes; nesting 32.",
        put(item("a", f=S("x" * (LIMIT - 4)))).gives({}),
        put(item("a", f=S("x" * (LIMIT - 3)))).fails("Item size has exceeded the maximum allowed size"),
        put(key("a" * 2048, "b" * 1024), PAIRS).gives({}),
        put(key("a" * 2049, "b"), PAIRS).fails(
            INVALID + "Size of hashkey has exceeded the maximum size limit of2048 bytes"
        ),
        put(key("a", "b" * 1025), PAIRS).fails(
            INVALID + "Aggregated size of all range keys has exceeded the size limit of 1024 bytes"
        ),
        put(item("a", v=nested(31))).gives({}),
        put(item("a", v=nested(32))).detects(
            "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported limit"
        ),
    ),
    fact(
        "23.2",
        "A",
        "Expression 4 KB; 300 operators; 100 IN operands.",
        update(key("a"), "REMOVE b" + " " * (4096 - 8)).gives({}),
        update(key("a"), "REMOVE b" + " " * (4097 - 8)).detects(
            "Invalid UpdateExpression: Expression size has exceeded the maximum allowed size;"
        ),
        put(key("a"), condition=" OR ".join(["a<>:v"] * 150) + " OR a<>:v", values={":v": S("x")}).detects(
            "Invalid ConditionExpression: The expression contains too many operators; operator count: 301"
        ),
        put(key("a"), condition="NOT (" + " OR ".join(["a=:v"] * 150) + ")", values={":v": S("x")}).gives({}),
        put(key("a"), condition=f"NOT a IN ({','.join([':v'] * 100)})", values={":v": S("x")}).gives({}),
        put(key("a"), condition=f"NOT a IN ({','.join([':v'] * 101)})", values={":v": S("x")}).detects(
            "Invalid ConditionExpression: The IN operator is provided with too many operands; number of operands: 101"
        ),
    ),
    fact(
        "23.3",
        "D",
        "Expression attribute names or values: 255 bytes each placeholder name; all values together 2 MB.",
        update(key("a"), "SET b = :" + "v" * 254, values={":" + "v" * 254: S("x")}).gives({}),
        update(
            key("a"), "SET #" + "n" * 254 + " = :v", names={"#" + "n" * 254: "b"}, values={":v": S("x")}
        ).gives({}),
        update(key("a"), "SET b = :" + "v" * 255, values={":" + "v" * 255: S("x")}).detects(
            "ExpressionAttributeValues contains invalid key: The expression attribute map contains a key that is too long; size of key: 256"
        ),
        update(
            key("a"), "SET #" + "n" * 255 + " = :v", names={"#" + "n" * 255: "b"}, values={":v": S("x")}
        ).detects(
            "ExpressionAttributeNames contains invalid key: The expression attribute map contains a key that is too long; size of key: 256"
        ),
        scan(
            filter=" OR ".join(f"a = :v{i}" for i in range(6)),
            values={f":v{i}": S("x" * 400_000) for i in range(6)},
        ).fails(any_text()),
    ),
    fact(
        "23.4",
        "D",
        "20 GSI (default quota) and 5 LSI per table.",
        create(global_indexes=indexes(21)).fails(
            INVALID + "GlobalSecondaryIndex count exceeds the per-table limit of 20"
        ),
        create(local_indexes=indexes(6, ["sk"])).fails(
            INVALID + "Number of LocalSecondaryIndexes exceeds per-table limit of 5"
        ),
        case(
            create(global_indexes=indexes(20)).succeeds(),
            create("other", local_indexes=indexes(5, ["sk"])).succeeds(),
        ),
    ),
    fact(
        "23.5",
        "D",
        "2,500 tables per region (default quota); 500 concurrent control-plane operations.",
        Program(a_region_is_full),
        Program(too_much_changes_at_once, "aws"),
    ),
    fact(
        "23.6",
        "D",
        "Query/Scan page 1 MB; BatchGet 16 MB/100 keys; BatchWrite 16 MB/25; transactions 100 items/4 MB.",
        case(
            *(put(item("a", str(i), f=S("x" * 400_000)), PAIRS).gives({}) for i in range(4)),
            scan(PAIRS, projection="sk").gives(
                {
                    "Items": [{"sk": S("0")}, {"sk": S("1")}, {"sk": S("2")}],
                    "Count": 3,
                    "ScannedCount": 3,
                    "LastEvaluatedKey": key("a", "2"),
                }
            ),
        ),
        batch_get([key(str(i)) for i in range(101)]).detects(
            "Value at 'RequestItems.plain.member.Keys' failed to satisfy constraint: Member must have length less than or equal to 100"
        ),
        batch_write([put_request(key(str(i))) for i in range(26)]).fails(
            matching(
                r"1 validation error detected: Value '.*' at 'requestItems' failed to satisfy constraint: .*"
            )
        ),
        batch_write([put_request(item(str(i), f=S("x" * 409_000))) for i in range(25)]).gives(
            {"UnprocessedItems": {}}
        ),
        transact_write(*(tx_put(key(str(i))) for i in range(101))).fails(
            matching(
                r"1 validation error detected: Value '.*' at 'transactItems' failed to satisfy constraint: "
                r"Member must have length less than or equal to 100"
            )
        ),
        transact_write(*(tx_put(item(str(i), f=S("x" * 409_000))) for i in range(11))).fails(any_text()),
    ),
    later("23.7", "D", "Two consumers at most per stream shard at a time."),
    fact(
        "23.8",
        "D",
        "Table names and index names: 3 to 255 of a-z, A-Z, 0-9, `_`, `-`, `.`.",
        create("ab").detects(length_at_least("ab", "tableName", 3)),
        create("n" * 256).detects(length_at_most("n" * 256, "tableName", 255)),
        create("bad!name").detects(
            constraint(
                "bad!name", "tableName", "Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+"
            )
        ),
        case(create("aZ0_-.").succeeds()),
        create(global_indexes=[secondary_index("ab", ["pk"])]).detects(
            length_at_least("ab", "globalSecondaryIndexes.1.member.indexName", 3)
        ),
        create(global_indexes=[secondary_index("n" * 256, ["pk"])]).detects(
            length_at_most("n" * 256, "globalSecondaryIndexes.1.member.indexName", 255)
        ),
        create(local_indexes=[secondary_index("bad!name", ["pk"], ["sk"])]).detects(
            constraint(
                "bad!name",
                "localSecondaryIndexes.1.member.indexName",
                "Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+",
            )
        ),
    ),
)
