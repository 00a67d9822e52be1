"""Section 14: consumed capacity and item-collection metrics."""

# ruff: noqa: E501 - the service's texts stand whole on their lines

from typing import Any

from tests.facts.answers import items, one_of, reasons, unordered
from tests.facts.descriptions import arn
from tests.facts.requests import (
    Item,
    N,
    S,
    batch_get,
    batch_write,
    call,
    delete,
    delete_request,
    get,
    item,
    key,
    put,
    put_request,
    query,
    scan,
    transact_get,
    transact_write,
    tx_check,
    tx_delete,
    tx_get,
    tx_put,
    tx_update,
    update,
)
from tests.facts.shapes import LOCAL, PAIRS, PLAIN, SPARSE, WHOLE
from tests.facts.table import case, fact, section

P = {":p": S("a")}
G = {":g": S("g")}


def total(count: float, table: str = PLAIN) -> dict[str, Any]:
    return {"TableName": table, "CapacityUnits": count}


def units(count: float, table: str = PLAIN) -> dict[str, Any]:
    return {"ConsumedCapacity": total(count, table)}


def arms(table_name: str, table: float, **indexes: float) -> dict[str, Any]:
    """The arms of a table with global indexes."""
    entry: dict[str, Any] = {
        "TableName": table_name,
        "CapacityUnits": table + sum(indexes.values()),
        "Table": {"CapacityUnits": table},
    }
    if indexes:
        entry["GlobalSecondaryIndexes"] = {name: {"CapacityUnits": count} for name, count in indexes.items()}
    return {"ConsumedCapacity": entry}


def of_size(size: int, pk: str = "a", sk: str | None = None, **more: Any) -> Item:
    """An item of `size` bytes, its key included and `more` not."""
    whole = key(pk, sk)
    taken = sum(len(name) + len(value["S"]) for name, value in whole.items()) + len("f")
    return whole | {"f": S("x" * (size - taken))} | more


THREE = [of_size(2000, "a", str(i)) for i in range(3)]
THREE_KEYS = [key("a", str(i)) for i in range(3)]

SECTION = section(
    14,
    "Consumed capacity and item-collection metrics",
    fact(
        "14.1",
        "A",
        "GetItem: ceil(size/4096) × 0.5 eventually, × 1 consistent; a missing item costs 0.5 or 1.",
        get(key("a"), capacity="TOTAL").gives(units(0.5)),
        get(key("a"), capacity="TOTAL", ConsistentRead=True).gives(units(1)),
        case(
            put(of_size(4096)).gives({}),
            get(key("a"), capacity="TOTAL", projection="pk").gives({"Item": key("a")} | units(0.5)),
            put(of_size(4097)).gives({}),
            get(key("a"), capacity="TOTAL", projection="pk").gives({"Item": key("a")} | units(1)),
            get(key("a"), capacity="TOTAL", projection="pk", ConsistentRead=True).gives(
                {"Item": key("a")} | units(2)
            ),
            put(of_size(8193)).gives({}),
            get(key("a"), capacity="TOTAL", projection="pk").gives({"Item": key("a")} | units(1.5)),
        ),
    ),
    fact(
        "14.2",
        "A",
        "Query/Scan: sizes are summed first, then rounded to 4096; an empty Query costs 0.5 (1 consistent).",
        query("pk = :p", values=P, capacity="TOTAL").gives(items() | units(0.5)),
        query("pk = :p", values=P, capacity="TOTAL", ConsistentRead=True).gives(items() | units(1)),
        case(
            *(put(each, PAIRS).gives({}) for each in THREE),
            *(
                request.gives(items(*THREE_KEYS) | units(count, PAIRS))
                for request, count in (
                    (query("pk = :p", PAIRS, values=P, projection="pk, sk", capacity="TOTAL"), 1),
                    (
                        query(
                            "pk = :p",
                            PAIRS,
                            values=P,
                            projection="pk, sk",
                            capacity="TOTAL",
                            ConsistentRead=True,
                        ),
                        2,
                    ),
                    (scan(PAIRS, projection="pk, sk", capacity="TOTAL"), 1),
                    (scan(PAIRS, projection="pk, sk", capacity="TOTAL", ConsistentRead=True), 2),
                )
            ),
            query("pk = :p", PAIRS, values=P, projection="pk, sk", capacity="TOTAL", Limit=2).gives(
                items(*THREE_KEYS[:2], LastEvaluatedKey=key("a", "1")) | units(0.5, PAIRS)
            ),
        ),
    ),
    fact(
        "14.3",
        "A",
        "BatchGetItem rounds each item.",
        case(
            *(put(each, PAIRS).gives({}) for each in THREE),
            batch_get(THREE_KEYS, PAIRS, projection="sk", capacity="TOTAL").gives(
                {
                    "Responses": {PAIRS: unordered(*({"sk": each["sk"]} for each in THREE_KEYS))},
                    "UnprocessedKeys": {},
                    "ConsumedCapacity": [total(1.5, PAIRS)],
                }
            ),
            batch_get(
                [*THREE_KEYS, key("a", "missing")],
                PAIRS,
                projection="sk",
                ConsistentRead=True,
                capacity="TOTAL",
            ).gives(
                {
                    "Responses": {PAIRS: unordered(*({"sk": each["sk"]} for each in THREE_KEYS))},
                    "UnprocessedKeys": {},
                    "ConsumedCapacity": [total(4, PAIRS)],
                }
            ),
        ),
    ),
    fact(
        "14.4",
        "A",
        "Filters, projections and COUNT do not lower the cost.",
        case(
            *(put(each, PAIRS).gives({}) for each in THREE),
            query("pk = :p", PAIRS, values=P, filter="attribute_exists(nothing)", capacity="TOTAL").gives(
                items(scanned=3) | units(1, PAIRS)
            ),
            query("pk = :p", PAIRS, values=P, projection="nothing", capacity="TOTAL").gives(
                items({}, {}, {}) | units(1, PAIRS)
            ),
            query("pk = :p", PAIRS, values=P, Select="COUNT", capacity="TOTAL").gives(
                {"Count": 3, "ScannedCount": 3} | units(1, PAIRS)
            ),
            scan(PAIRS, filter="attribute_exists(nothing)", Select="COUNT", capacity="TOTAL").gives(
                {"Count": 0, "ScannedCount": 3} | units(1, PAIRS)
            ),
        ),
    ),
    fact(
        "14.5",
        "A",
        "Writes: ceil(max(old size, new size)/1024), at least 1; deleting an absent item costs 1.",
        delete(key("a"), capacity="TOTAL").gives(units(1)),
        update(key("a"), capacity="TOTAL").gives(units(1)),
        case(
            put(of_size(1024), capacity="TOTAL").gives(units(1)),
            put(of_size(1025), capacity="TOTAL").gives(units(2)),
            put(of_size(3073), capacity="TOTAL").gives(units(4)),
            put(of_size(100), capacity="TOTAL").gives(units(4)),
            update(key("a"), "SET f = :f", values={":f": S("x" * 2100)}, capacity="TOTAL").gives(units(3)),
            update(key("a"), "SET f = :f", values={":f": S("")}, capacity="TOTAL").gives(units(3)),
            put(of_size(2049), capacity="TOTAL").gives(units(3)),
            delete(key("a"), capacity="TOTAL").gives(units(3)),
        ),
    ),
    fact(
        "14.6",
        "D",
        "A failed condition still costs write units.",
        reason="An answer that is an error carries no ConsumedCapacity, so its cost cannot be seen; throttling, which would show it, is not built yet.",
    ),
    fact(
        "14.7",
        "A",
        "TOTAL reports TableName and CapacityUnits only; INDEXES adds `Table`, and per-index arms `GlobalSecondaryIndexes`/`LocalSecondaryIndexes` where touched.",
        put(key("a"), capacity="TOTAL").gives({"ConsumedCapacity": {"TableName": PLAIN, "CapacityUnits": 1}}),
        put(key("a"), capacity="INDEXES").gives(
            {"ConsumedCapacity": {"TableName": PLAIN, "CapacityUnits": 1, "Table": {"CapacityUnits": 1}}}
        ),
        case(
            put(item("a", gk=S("g")), SPARSE, capacity="TOTAL").gives(units(2, SPARSE)),
            put(item("b"), SPARSE, capacity="INDEXES").gives(arms(SPARSE, 1)),
            put(item("c", gk=S("g")), SPARSE, capacity="INDEXES").gives(arms(SPARSE, 1, g_keys=1)),
            get(key("c"), SPARSE, capacity="INDEXES").gives(
                {"Item": item("c", gk=S("g"))} | arms(SPARSE, 0.5)
            ),
        ),
        put(item("a", "b", lk=S("x")), LOCAL, capacity="INDEXES").gives(
            {
                "ConsumedCapacity": {
                    "TableName": LOCAL,
                    "CapacityUnits": 4,
                    "Table": {"CapacityUnits": 1},
                    "LocalSecondaryIndexes": {
                        name: {"CapacityUnits": 1} for name in ("l_all", "l_keys", "l_some")
                    },
                }
            }
        ),
        case(
            put(item("a", "b", lk=S("x")), LOCAL).gives({}),
            query("pk = :p", LOCAL, index="l_all", values=P, capacity="INDEXES").gives(
                items(
                    item("a", "b", lk=S("x")),
                    ConsumedCapacity={
                        "TableName": LOCAL,
                        "CapacityUnits": 0.5,
                        "Table": {"CapacityUnits": 0},
                        "LocalSecondaryIndexes": {"l_all": {"CapacityUnits": 0.5}},
                    },
                )
            ),
        ),
    ),
    fact(
        "14.8",
        "A",
        "NONE or nothing: no ConsumedCapacity member.",
        put(key("a"), capacity="NONE").gives({}),
        put(key("a")).gives({}),
        get(key("b"), capacity="NONE").gives({}),
        query("pk = :p", values={":p": S("b")}, capacity="NONE").gives(items()),
        batch_write([put_request(key("a"))], capacity="NONE").gives({"UnprocessedItems": {}}),
        transact_write(tx_put(key("a")), capacity="NONE").gives({}),
    ),
    fact(
        "14.9",
        "A",
        "A put that makes an item enter an index costs 1 (per KB of projected entry) on that index.",
        put(item("a", gk=S("g")), SPARSE, capacity="INDEXES").gives(arms(SPARSE, 1, g_keys=1)),
        put(of_size(3000, gk=S("g")), SPARSE, capacity="INDEXES").gives(arms(SPARSE, 3, g_keys=1)),
        put(of_size(3000, gk=S("g"), gr=S("r")), WHOLE, capacity="INDEXES").gives(arms(WHOLE, 3, g_all=3)),
        case(
            put(item("a"), SPARSE).gives({}),
            update(key("a"), "SET gk = :g", SPARSE, values=G, capacity="INDEXES").gives(
                arms(SPARSE, 1, g_keys=1)
            ),
        ),
    ),
    fact(
        "14.10",
        "A",
        "Changing an index key value costs two index writes (delete and insert), each rounded by itself.",
        case(
            put(item("a", gk=S("g")), SPARSE).gives({}),
            update(key("a"), "SET gk = :g", SPARSE, values={":g": S("h")}, capacity="INDEXES").gives(
                arms(SPARSE, 1, g_keys=2)
            ),
            scan(SPARSE, index="g_keys").gives(items(item("a", gk=S("h")))),
        ),
        case(
            put(of_size(1500, gk=S("g"), gr=S("r")), WHOLE).gives({}),
            put(of_size(2500, gk=S("g"), gr=S("s")), WHOLE, capacity="INDEXES").gives(
                arms(WHOLE, 3, g_all=5)
            ),
            scan(WHOLE, index="g_all", projection="gr").gives(items({"gr": S("s")})),
        ),
    ),
    fact(
        "14.11",
        "A",
        "Removing the key attribute costs one index write; deleting the item one for each index it is in.",
        case(
            put(of_size(1500, gk=S("g"), gr=S("r")), WHOLE).gives({}),
            update(key("a"), "REMOVE gr", WHOLE, capacity="INDEXES").gives(arms(WHOLE, 2, g_all=2)),
        ),
        case(
            put(item("a", gk=S("g")), SPARSE).gives({}),
            update(key("a"), "REMOVE gk", SPARSE, capacity="INDEXES").gives(arms(SPARSE, 1, g_keys=1)),
        ),
        case(
            put(item("a", gk=S("g")), SPARSE).gives({}),
            delete(key("a"), SPARSE, capacity="INDEXES").gives(arms(SPARSE, 1, g_keys=1)),
        ),
        case(
            put(item("a", "b", lk=S("x")), LOCAL).gives({}),
            delete(key("a", "b"), LOCAL, capacity="TOTAL").gives(units(4, LOCAL)),
        ),
    ),
    fact(
        "14.12",
        "A",
        "An update that touches nothing projected by the index costs nothing on it.",
        case(
            put(item("a", gk=S("g"), v=S("1")), SPARSE).gives({}),
            update(key("a"), "SET v = :v", SPARSE, values={":v": S("2")}, capacity="INDEXES").gives(
                arms(SPARSE, 1)
            ),
        ),
        case(
            put(item("a", v=S("1")), WHOLE).gives({}),
            update(key("a"), "SET v = :v", WHOLE, values={":v": S("2")}, capacity="INDEXES").gives(
                arms(WHOLE, 1)
            ),
        ),
        case(
            put(item("a", gk=S("g"), gr=S("r"), v=S("1")), WHOLE).gives({}),
            update(key("a"), "SET v = :v", WHOLE, values={":v": S("2")}, capacity="INDEXES").gives(
                arms(WHOLE, 1, g_all=1)
            ),
        ),
    ),
    fact(
        "14.13",
        "A",
        "Rewriting an identical item costs the table but not the indexes.",
        case(
            put(of_size(1500, gk=S("g"), gr=S("r")), WHOLE).gives({}),
            put(of_size(1500, gk=S("g"), gr=S("r")), WHOLE, capacity="INDEXES").gives(arms(WHOLE, 2)),
            update(key("a"), "SET gk = :g", WHOLE, values=G, capacity="INDEXES").gives(arms(WHOLE, 2)),
        ),
    ),
    fact(
        "14.14",
        "A",
        "CapacityUnits is the sum of table and index arms.",
        case(
            put(of_size(1500, gk=S("g"), gr=S("r")), WHOLE, capacity="TOTAL").gives(units(4, WHOLE)),
            put(of_size(1500, gk=S("g"), gr=S("s")), WHOLE, capacity="TOTAL").gives(units(6, WHOLE)),
            delete(key("a"), WHOLE, capacity="INDEXES").gives(arms(WHOLE, 2, g_all=2)),
        ),
        case(
            put(of_size(2500, gk=S("g"), gr=S("r")), WHOLE, capacity="TOTAL").gives(units(6, WHOLE)),
            put(of_size(500, gk=S("g"), gr=S("r")), WHOLE, capacity="INDEXES").gives(arms(WHOLE, 3, g_all=3)),
            put(of_size(2500, gk=S("g"), gr=S("r")), WHOLE, capacity="INDEXES").gives(
                arms(WHOLE, 3, g_all=3)
            ),
        ),
    ),
    fact(
        "14.15",
        "A",
        "Transactions cost double on the table: writes 2 per KB, reads 2 per 4 KB.",
        case(
            transact_write(tx_put(of_size(1500)), capacity="TOTAL").gives(
                {"ConsumedCapacity": [total(4) | {"WriteCapacityUnits": 4}]}
            ),
            transact_write(tx_check(key("a"), "attribute_exists(pk)"), capacity="TOTAL").gives(
                {"ConsumedCapacity": [total(4) | {"WriteCapacityUnits": 4}]}
            ),
            transact_write(tx_delete(key("a")), tx_delete(key("b")), capacity="TOTAL").gives(
                {"ConsumedCapacity": [total(6) | {"WriteCapacityUnits": 6}]}
            ),
        ),
        case(
            put(of_size(5000)).gives({}),
            transact_get(tx_get(key("a"), projection="pk"), tx_get(key("b")), capacity="TOTAL").gives(
                {
                    "Responses": [{"Item": key("a")}, {}],
                    "ConsumedCapacity": [total(6) | {"ReadCapacityUnits": 6}],
                }
            ),
        ),
        transact_write(tx_put(item("a", gk=S("g")), SPARSE), capacity="TOTAL").gives(
            {"ConsumedCapacity": [total(3, SPARSE) | {"WriteCapacityUnits": 3}]}
        ),
    ),
    fact(
        "14.16",
        "A",
        "Transaction capacity entries also show ReadCapacityUnits or WriteCapacityUnits.",
        transact_write(tx_put(key("a")), capacity="TOTAL").gives(
            {"ConsumedCapacity": [{"TableName": PLAIN, "CapacityUnits": 2, "WriteCapacityUnits": 2}]}
        ),
        transact_get(tx_get(key("b")), capacity="TOTAL").gives(
            {
                "Responses": [{}],
                "ConsumedCapacity": [{"TableName": PLAIN, "CapacityUnits": 2, "ReadCapacityUnits": 2}],
            }
        ),
        transact_write(tx_put(key("a")), capacity="INDEXES").gives(
            {
                "ConsumedCapacity": [
                    {
                        "TableName": PLAIN,
                        "CapacityUnits": 2,
                        "WriteCapacityUnits": 2,
                        "Table": one_of({"CapacityUnits": 2, "WriteCapacityUnits": 2}, {"CapacityUnits": 2}),
                    }
                ]
            }
        ),
        case(
            transact_write(tx_put(key("a")), ClientRequestToken="token", capacity="TOTAL").gives(
                {"ConsumedCapacity": [{"TableName": PLAIN, "CapacityUnits": 2, "WriteCapacityUnits": 2}]}
            ),
            transact_write(tx_put(key("a")), ClientRequestToken="token", capacity="TOTAL").gives(
                {"ConsumedCapacity": [{"TableName": PLAIN, "CapacityUnits": 2, "ReadCapacityUnits": 2}]}
            ),
        ),
    ),
    fact(
        "14.17",
        "A",
        "BatchGetItem, BatchWriteItem and the transactions give ConsumedCapacity as a list, one entry per table.",
        batch_get([key("a"), key("b")], capacity="INDEXES").gives(
            {
                "Responses": {PLAIN: []},
                "UnprocessedKeys": {},
                "ConsumedCapacity": [total(1) | {"Table": {"CapacityUnits": 1}}],
            }
        ),
        call(
            "BatchGetItem",
            RequestItems={PLAIN: {"Keys": [key("a")]}, PAIRS: {"Keys": [key("a", "b")]}},
            capacity="TOTAL",
        ).gives(
            {
                "Responses": {PLAIN: [], PAIRS: []},
                "UnprocessedKeys": {},
                "ConsumedCapacity": unordered(total(0.5), total(0.5, PAIRS)),
            }
        ),
        call(
            "BatchWriteItem",
            RequestItems={
                PLAIN: [put_request(of_size(1500)), delete_request(key("b"))],
                SPARSE: [put_request(item("a", gk=S("g")))],
            },
            capacity="TOTAL",
        ).gives({"UnprocessedItems": {}, "ConsumedCapacity": unordered(total(3), total(2, SPARSE))}),
        transact_write(
            tx_put(key("a")),
            tx_put(key("a", "b"), PAIRS),
            tx_update(key("b"), "SET n = :n", values={":n": N("1")}),
            capacity="TOTAL",
        ).gives(
            {
                "ConsumedCapacity": unordered(
                    total(4) | {"WriteCapacityUnits": 4}, total(2, PAIRS) | {"WriteCapacityUnits": 2}
                )
            }
        ),
    ),
    fact(
        "14.18",
        "A",
        "A cancelled transaction returns no ConsumedCapacity.",
        transact_write(
            tx_put(key("a")), tx_check(key("b"), "attribute_exists(pk)"), capacity="INDEXES"
        ).answers(reasons("None", ("ConditionalCheckFailed", "The conditional request failed"))),
    ),
    fact(
        "14.19",
        "A",
        "Query on a GSI charges the index arm, sized by the projected entries.",
        case(
            *(put(of_size(3000, f"{i}", gk=S("g")), SPARSE).gives({}) for i in range(5)),
            query("gk = :g", SPARSE, index="g_keys", values=G, Select="COUNT", capacity="INDEXES").gives(
                {"Count": 5, "ScannedCount": 5} | arms(SPARSE, 0, g_keys=0.5)
            ),
        ),
        case(
            *(put(of_size(3000, f"{i}", gk=S("g"), gr=S("r")), WHOLE).gives({}) for i in range(3)),
            query("gk = :g", WHOLE, index="g_all", values=G, Select="COUNT", capacity="INDEXES").gives(
                {"Count": 3, "ScannedCount": 3} | arms(WHOLE, 0, g_all=1.5)
            ),
            scan(WHOLE, index="g_all", Select="COUNT", capacity="TOTAL").gives(
                {"Count": 3, "ScannedCount": 3} | units(1.5, WHOLE)
            ),
        ),
    ),
    fact(
        "14.20",
        "A",
        "ReturnItemCollectionMetrics SIZE gives ItemCollectionMetrics only for tables with an LSI.",
        put(key("a"), ReturnItemCollectionMetrics="SIZE").gives({}),
        put(item("a", gk=S("g")), SPARSE, ReturnItemCollectionMetrics="SIZE").gives({}),
        put(key("a", "b"), LOCAL, ReturnItemCollectionMetrics="NONE").gives({}),
        put(key("a", "b"), LOCAL, ReturnItemCollectionMetrics="SIZE").gives(
            {"ItemCollectionMetrics": {"ItemCollectionKey": {"pk": S("a")}, "SizeEstimateRangeGB": [0, 1]}}
        ),
    ),
    fact(
        "14.21",
        "A",
        "It holds ItemCollectionKey (hash key only) and SizeEstimateRangeGB, a list of two numbers, `[0, 1]` for small ones.",
        *(
            request.gives(
                {
                    "ItemCollectionMetrics": {
                        "ItemCollectionKey": {"pk": S("a")},
                        "SizeEstimateRangeGB": [0, 1],
                    }
                }
            )
            for request in (
                put(key("a", "b"), LOCAL, ReturnItemCollectionMetrics="SIZE"),
                update(key("a", "b"), "REMOVE c", LOCAL, ReturnItemCollectionMetrics="SIZE"),
                delete(key("a", "b"), LOCAL, ReturnItemCollectionMetrics="SIZE"),
            )
        ),
        batch_write([put_request(key("a", "b"))], LOCAL, ReturnItemCollectionMetrics="SIZE").gives(
            {
                "UnprocessedItems": {},
                "ItemCollectionMetrics": {
                    LOCAL: [{"ItemCollectionKey": {"pk": S("a")}, "SizeEstimateRangeGB": [0, 1]}]
                },
            }
        ),
        transact_write(tx_put(key("a", "b"), LOCAL), ReturnItemCollectionMetrics="SIZE").gives(
            {
                "ItemCollectionMetrics": {
                    LOCAL: [{"ItemCollectionKey": {"pk": S("a")}, "SizeEstimateRangeGB": [0, 1]}]
                }
            }
        ),
    ),
    fact(
        "14.22",
        "M",
        "TableName in ConsumedCapacity is the table's ARN if the request gave that (so are the tables of ItemCollectionMetrics, I).",
        *(
            request.gives({**body, "ConsumedCapacity": total(count, arn(PLAIN))})
            for request, body, count in (
                (get(key("a"), arn(PLAIN), capacity="TOTAL"), {}, 0.5),
                (put(key("a"), arn(PLAIN), capacity="TOTAL"), {}, 1),
                (update(key("a"), table=arn(PLAIN), capacity="TOTAL"), {}, 1),
                (delete(key("a"), arn(PLAIN), capacity="TOTAL"), {}, 1),
                (query("pk = :p", arn(PLAIN), values=P, capacity="TOTAL"), items(), 0.5),
                (scan(arn(PLAIN), capacity="TOTAL"), items(), 0.5),
            )
        ),
        *(
            request.gives({**body, "ConsumedCapacity": [total(count, arn(PLAIN)) | more]})
            for request, body, count, more in (
                (
                    batch_get([key("a")], arn(PLAIN), capacity="TOTAL"),
                    {"Responses": {arn(PLAIN): []}, "UnprocessedKeys": {}},
                    0.5,
                    {},
                ),
                (
                    batch_write([put_request(key("a"))], arn(PLAIN), capacity="TOTAL"),
                    {"UnprocessedItems": {}},
                    1,
                    {},
                ),
                (
                    transact_get(tx_get(key("a"), arn(PLAIN)), capacity="TOTAL"),
                    {"Responses": [{}]},
                    2,
                    {"ReadCapacityUnits": 2},
                ),
                (
                    transact_write(tx_put(key("a"), arn(PLAIN)), capacity="TOTAL"),
                    {},
                    2,
                    {"WriteCapacityUnits": 2},
                ),
            )
        ),
        *(
            request.gives(
                body
                | {
                    "ItemCollectionMetrics": {
                        arn(LOCAL): [{"ItemCollectionKey": {"pk": S("a")}, "SizeEstimateRangeGB": [0, 1]}]
                    }
                }
            )
            for request, body in (
                (
                    batch_write([put_request(key("a", "b"))], arn(LOCAL), ReturnItemCollectionMetrics="SIZE"),
                    {"UnprocessedItems": {}},
                ),
                (
                    transact_write(tx_put(key("a", "b"), arn(LOCAL)), ReturnItemCollectionMetrics="SIZE"),
                    {},
                ),
            )
        ),
    ),
    fact(
        "14.23",
        "A, Aug 2026",
        "A TransactWriteItems sent again with its token (13.16) costs reads of its items as large as they were for the first call, the larger of before and after: a deleted item of 9 KB costs 6 read units, for which the first call took 18 write units.",
        case(
            put(of_size(9 * 1024)).gives({}),
            *(
                transact_write(tx_delete(key("a")), ClientRequestToken="token", capacity="TOTAL").gives(
                    {"ConsumedCapacity": [total(count) | {kind: count}]}
                )
                for count, kind in ((18, "WriteCapacityUnits"), (6, "ReadCapacityUnits"))
            ),
            put(of_size(9 * 1024)).gives({}),
            transact_write(tx_delete(key("a")), ClientRequestToken="token", capacity="INDEXES").gives(
                {
                    "ConsumedCapacity": [
                        total(6)
                        | {"ReadCapacityUnits": 6, "Table": {"CapacityUnits": 6, "ReadCapacityUnits": 6}}
                    ]
                }
            ),
        ),
    ),
)
