"""Section 11: Query and Scan."""

# ruff: noqa: E501 - the service's texts stand whole on their lines

from functools import partial
from typing import Any

from tests.facts.answers import constraint, items
from tests.facts.client import Client
from tests.facts.requests import (
    NS,
    SS,
    Item,
    N,
    S,
    binary,
    item,
    key,
    put,
    query,
    scan,
)
from tests.facts.runner import make_table, run_steps
from tests.facts.shapes import BYTES, INDEXED, LOCAL, NUMBERED, PAIRS, PARTLY, SPARSE
from tests.facts.table import Program, Request, Step, case, fact, section

P = {":p": S("a")}
PS = {":p": S("a"), ":s": S("1")}
G = {":g": S("g")}
INVALID = "One or more parameter values were invalid: "
OUTSIDE = "The provided starting key is outside query boundaries based on provided conditions"
BAD_START = "The provided starting key is invalid"


def key_condition(expression: str, text: str, values: Item | None = None) -> Step:
    """A Query of the table of pairs that is refused with exactly this text."""
    given = {"values": values} if values else {}
    return query(expression, PAIRS, **given).fails(text)


def collection(*sort_keys: str) -> tuple[Step, ...]:
    """Items of the one collection `a`."""
    return tuple(put(key("a", sk), PAIRS).gives({}) for sk in sort_keys)


def found(*sort_keys: str) -> dict[str, object]:
    return items(*(key("a", sk) for sk in sort_keys))


def pages_of(client: Client, **parameters: object) -> list[Item]:
    """All items of a Scan or Query, page by page."""
    operation = "Query" if "KeyConditionExpression" in parameters else "Scan"
    found: list[Item] = []
    start = None
    while True:
        request = dict(parameters)
        if start is not None:
            request["ExclusiveStartKey"] = start
        answer = client.send(operation, request)
        assert answer.status == 200, answer
        found += answer.body["Items"]
        start = answer.body.get("LastEvaluatedKey")
        if start is None:
            return found


def segments_share_out_the_table(client: Client) -> None:
    make_table(client, PAIRS)
    run_steps(client, *(put(key(f"p{p}", f"s{s}"), PAIRS).gives({}) for p in range(60) for s in range(3)))
    for total in (1, 2, 7, 1_000_000):
        segments = range(total) if total < 100 else (0,)
        owners: dict[str, set[int]] = {}
        seen: list[tuple[str, str]] = []
        for segment in segments:
            for found in pages_of(client, TableName=PAIRS, Segment=segment, TotalSegments=total, Limit=7):
                seen.append((found["pk"]["S"], found["sk"]["S"]))
                owners.setdefault(found["pk"]["S"], set()).add(segment)
        assert len(seen) == len(set(seen)), "an item in two segments"
        if total < 100:
            assert len(seen) == 180, f"{180 - len(seen)} items in no segment"
        assert all(len(segment) == 1 for segment in owners.values()), "a partition split among segments"


def partitions_stay_together(client: Client) -> None:
    make_table(client, NUMBERED)
    numbers = ["3", "-1", "20", "1", "100"]
    run_steps(
        client,
        *(put({"pk": S(f"p{p}"), "sk": N(n)}, NUMBERED).gives({}) for n in numbers for p in range(10)),
    )
    answer = client.send("Scan", {"TableName": NUMBERED})
    order = [(found["pk"]["S"], found["sk"]["N"]) for found in answer.body["Items"]]
    partitions = list(dict.fromkeys(partition for partition, _ in order))
    assert sorted(partitions) == [f"p{p}" for p in range(10)]
    assert order == [(partition, n) for partition in partitions for n in ("-1", "1", "3", "20", "100")]


def of_local_keys(**parameters: Any) -> Request:
    values = parameters.pop("values", P | {":b": S("2")})
    return query("pk = :p", LOCAL, index="l_keys", values=values, capacity="TOTAL", **parameters)


def local_items(units: float, *found: Item) -> dict[str, Any]:
    """Of the two items in the index, with what it costs to read them."""
    return {
        "Items": list(found),
        "Count": len(found),
        "ScannedCount": 2,
        "ConsumedCapacity": {"TableName": LOCAL, "CapacityUnits": units},
    }


def fetches_fill_a_page(client: Client) -> None:
    make_table(client, LOCAL)
    whole = [item("a", f"{i:03}", lk=S(f"{i:03}"), b=S("y")) for i in range(300)]
    run_steps(client, *(put(each, LOCAL).gives({}) for each in whole))
    read = {
        "TableName": LOCAL,
        "IndexName": "l_keys",
        "KeyConditionExpression": "pk = :p",
        "ExpressionAttributeValues": P,
    }
    entries = client.send("Query", read).body
    assert entries["Count"] == 300
    assert "LastEvaluatedKey" not in entries
    read |= {"Select": "ALL_ATTRIBUTES"}
    first = client.send("Query", read).body
    assert first["Items"] == whole[: (1_048_576 - 4096) // 4096]
    rest = client.send("Query", read | {"ExclusiveStartKey": first["LastEvaluatedKey"]}).body
    assert first["Items"] + rest["Items"] == whole


SECTION = section(
    11,
    "Query and Scan",
    fact(
        "11.1",
        "A",
        "Exactly one equality on the hash key is required: `Query condition missed key schema element: pk`.",
        key_condition("sk = :s", "Query condition missed key schema element: pk", {":s": S("1")}),
        key_condition("a = :s", "Query condition missed key schema element: pk", {":s": S("1")}),
        key_condition("sk > :s AND a = :s", "Query condition missed key schema element: pk", {":s": S("1")}),
        query("pk = :p", INDEXED, index="g_s", values=P).fails(
            "Query condition missed key schema element: gk"
        ),
    ),
    fact(
        "11.2",
        "A",
        "A condition on an attribute outside the key, with the right number of conditions: also `Query condition missed key schema element: sk`.",
        key_condition("pk = :p AND a = :s", "Query condition missed key schema element: sk", PS),
        query("gk = :p AND sk = :s", INDEXED, index="g_r", values=PS).fails(
            "Query condition missed key schema element: gr"
        ),
    ),
    fact(
        "11.3",
        "A",
        "Hash key with an operator other than `=`: `Query key condition not supported`.",
        *(
            key_condition(f"pk {operator} :p", "Query key condition not supported", P)
            for operator in ("<", "<=", ">", ">=")
        ),
        key_condition("pk BETWEEN :p AND :p", "Query key condition not supported", P),
        key_condition("begins_with(pk, :p) AND sk = :s", "Query key condition not supported", PS),
    ),
    fact(
        "11.4",
        "A, older capture; see 11.43",
        "Two conditions on one key: `KeyConditionExpressions must only contain one condition per key`.",
        key_condition(
            "pk = :p AND pk = :s",
            "Invalid KeyConditionExpression: KeyConditionExpressions must only contain one condition per key",
            PS,
        ),
        key_condition(
            "pk = :p AND sk > :s AND sk < :p",
            "Invalid KeyConditionExpression: KeyConditionExpressions must only contain one condition per key",
            PS,
        ),
    ),
    fact(
        "11.5",
        "A",
        "Forbidden operators: `Invalid operator used in KeyConditionExpression: OR` (also NOT, IN, <>, attribute_exists, size, contains …).",
        key_condition(
            "pk = :p OR sk = :s",
            "Invalid KeyConditionExpression: Invalid operator used in KeyConditionExpression: OR",
            PS,
        ),
        *(
            key_condition(
                expression,
                f"Invalid KeyConditionExpression: Invalid operator used in KeyConditionExpression: {operator}",
                P if ":p" in expression else None,
            )
            for operator, expression in (
                ("NOT", "NOT pk = :p"),
                ("IN", "pk IN (:p)"),
                ("<>", "pk <> :p"),
                ("attribute_exists", "attribute_exists(pk)"),
                ("attribute_not_exists", "attribute_not_exists(pk)"),
                ("contains", "contains(pk, :p)"),
                ("size", "size(pk) = :p"),
            )
        ),
    ),
    fact(
        "11.6",
        "A",
        "Nested path: `KeyConditionExpressions cannot have conditions on nested attributes`.",
        key_condition(
            "pk = :p AND sk.a = :s",
            "Invalid KeyConditionExpression: KeyConditionExpressions cannot have conditions on nested attributes",
            PS,
        ),
        key_condition(
            "pk[0] = :p",
            "Invalid KeyConditionExpression: KeyConditionExpressions cannot have conditions on nested attributes",
            P,
        ),
    ),
    fact(
        "11.7",
        "A",
        "Two paths in one comparison: `Invalid condition in KeyConditionExpression: Multiple attribute names used in one condition`.",
        key_condition(
            "pk = sk",
            "Invalid KeyConditionExpression: Invalid condition in KeyConditionExpression: Multiple attribute names used in one condition",
        ),
        key_condition(
            "pk = :p AND begins_with(sk, pk)",
            "Invalid KeyConditionExpression: Invalid condition in KeyConditionExpression: Multiple attribute names used in one condition",
            P,
        ),
    ),
    fact(
        "11.8",
        "A",
        "No path in a comparison: `Invalid condition in KeyConditionExpression: No key attribute specified`.",
        key_condition(
            ":p = :s",
            "Invalid KeyConditionExpression: Invalid condition in KeyConditionExpression: No key attribute specified",
            PS,
        ),
    ),
    fact(
        "11.9",
        "A",
        "Wrong literal type: `One or more parameter values were invalid: Condition parameter type does not match schema type`.",
        key_condition(
            "pk = :p", INVALID + "Condition parameter type does not match schema type", {":p": N("1")}
        ),
        key_condition(
            "pk = :p AND sk > :s",
            "One or more parameter values were invalid: Condition parameter type does not match schema type",
            P | {":s": N("1")},
        ),
        query("hn = :p", INDEXED, index="h_n", values=P).fails(
            INVALID + "Condition parameter type does not match schema type"
        ),
    ),
    fact(
        "11.10",
        "",
        "More conditions than the table or index has key attributes; on a table, an LSI or a GSI with at most one HASH and one RANGE attribute: more than two, or none in KeyConditions: `Conditions can be of length 1 or 2 only` (A; also for a missing table, older capture). A GSI with multi-attribute keys takes up to 8 (17.1, 17.5, 17.6), so the check needs the index (I).",
        key_condition("pk = :p AND sk = :s AND a = :s", "Conditions can be of length 1 or 2 only", PS),
        query(table=PAIRS, KeyConditions={}).fails("Conditions can be of length 1 or 2 only"),
        query(
            table=PAIRS,
            KeyConditions={
                name: {"ComparisonOperator": "EQ", "AttributeValueList": [S("a")]}
                for name in ("pk", "sk", "a")
            },
        ).fails("Conditions can be of length 1 or 2 only"),
        query("pk = :p AND lk = :s AND a = :s", LOCAL, index="l_all", values=PS).fails(
            "Conditions can be of length 1 or 2 only"
        ),
        query("gk = :p AND gr = :s AND a = :s", INDEXED, index="g_r", values=PS).fails(
            "Conditions can be of length 1 or 2 only"
        ),
    ),
    fact(
        "11.11",
        "A",
        "The value may stand on the left: `:v = pk`, and `:v < sk` means sk > :v.",
        case(
            *collection("0", "1", "2"),
            query(":p = pk", PAIRS, values=P).gives(found("0", "1", "2")),
            query(":p = pk AND :s < sk", PAIRS, values=PS).gives(found("2")),
            query(":p = pk AND :s <= sk", PAIRS, values=PS).gives(found("1", "2")),
            query(":p = pk AND :s > sk", PAIRS, values=PS).gives(found("0")),
            query(":p = pk AND :s >= sk", PAIRS, values=PS).gives(found("0", "1")),
        ),
    ),
    fact(
        "11.12",
        "A",
        "Parentheses around single conditions are allowed.",
        case(
            *collection("0", "1", "2"),
            query("(pk = :p) AND (sk > :s)", PAIRS, values=PS).gives(found("2")),
            query("(pk = :p)", PAIRS, values=P).gives(found("0", "1", "2")),
        ),
    ),
    fact(
        "11.13",
        "A",
        "Neither style of key condition: `Either the KeyConditions or KeyConditionExpression parameter must be specified in the request.` (with the full stop).",
        query(table=PAIRS).fails(
            "Either the KeyConditions or KeyConditionExpression parameter must be specified in the request."
        ),
    ),
    fact(
        "11.14",
        "A",
        "Filter on a key attribute in Query: `Filter Expression can only contain non-primary key attributes: Primary key attribute: sk`. Scan allows it.",
        query("pk = :p", PAIRS, filter="sk = :s", values=PS).fails(
            "Filter Expression can only contain non-primary key attributes: Primary key attribute: sk"
        ),
        query("pk = :p", PAIRS, filter="a = :s OR attribute_exists(pk)", values=PS).fails(
            "Filter Expression can only contain non-primary key attributes: Primary key attribute: pk"
        ),
        case(
            *collection("0", "1"),
            scan(PAIRS, filter="sk = :s AND pk = :p", values=PS).gives(items(key("a", "1"), scanned=2)),
        ),
    ),
    fact(
        "11.15",
        "A",
        "On an index Query the rule is about the index's keys; the table's keys may then be filtered unless they are also index keys.",
        case(
            put(item("a", "1", lk=S("x")), LOCAL).gives({}),
            put(item("a", "2", lk=S("y")), LOCAL).gives({}),
            query("pk = :p", LOCAL, index="l_all", filter="sk = :s", values=PS).gives(
                items(item("a", "1", lk=S("x")), scanned=2)
            ),
            query("pk = :p", LOCAL, index="l_all", filter="lk = :s", values=PS).fails(
                "Filter Expression can only contain non-primary key attributes: Primary key attribute: lk"
            ),
            query("pk = :p", LOCAL, index="l_all", filter="pk = :s", values=PS).fails(
                "Filter Expression can only contain non-primary key attributes: Primary key attribute: pk"
            ),
        ),
        case(
            put(item("a", "1", gk=S("g"), gr=N("1")), INDEXED).gives({}),
            query("gk = :g", INDEXED, index="g_r", filter="pk = :p AND sk = :s", values=G | PS).gives(
                items(item("a", "1", gk=S("g"), gr=N("1")))
            ),
            query("gk = :g", INDEXED, index="g_r", filter="gr = :p", values=G | P).fails(
                "Filter Expression can only contain non-primary key attributes: Primary key attribute: gr"
            ),
        ),
    ),
    fact(
        "11.16",
        "A",
        "Range conditions on S compare UTF-8 bytes, N by value, B unsigned bytes.",
        case(
            *collection("a", "b", "ba", "é", "\uffff", "\U00010000"),
            query("pk = :p AND sk > :s", PAIRS, values=P | {":s": S("b")}).gives(
                found("ba", "é", "\uffff", "\U00010000")
            ),
            query("pk = :p AND sk BETWEEN :a AND :b", PAIRS, values=P | {":a": S("b"), ":b": S("é")}).gives(
                found("b", "ba", "é")
            ),
            query("pk = :p AND begins_with(sk, :s)", PAIRS, values=P | {":s": S("b")}).gives(
                found("b", "ba")
            ),
            query("pk = :p AND sk >= :s", PAIRS, values=P | {":s": S("\uffff")}).gives(
                found("\uffff", "\U00010000")
            ),
            query("pk = :p AND sk < :s", PAIRS, values=P | {":s": S("ba")}).gives(found("a", "b")),
            query("pk = :p AND sk <= :s", PAIRS, values=P | {":s": S("ba")}).gives(found("a", "b", "ba")),
            query("pk = :p AND sk = :s", PAIRS, values=P | {":s": S("ba")}).gives(found("ba")),
        ),
        case(
            *(
                put({"pk": S("a"), "sk": N(n)}, NUMBERED).gives({})
                for n in ("-10", "-2", "0", "9", "10", "1e30")
            ),
            query("pk = :p AND sk > :n", NUMBERED, values=P | {":n": N("-2")}, projection="sk").gives(
                items(*({"sk": N(n)} for n in ("0", "9", "10", "1" + "0" * 30)))
            ),
            query(
                "pk = :p AND sk BETWEEN :a AND :b",
                NUMBERED,
                values=P | {":a": N("-3"), ":b": N("9.0")},
                projection="sk",
            ).gives(items(*({"sk": N(n)} for n in ("-2", "0", "9")))),
        ),
        case(
            *(
                put({"pk": S("a"), "sk": binary(b)}, BYTES).gives({})
                for b in (b"\x00", b"\x7f", b"\x80\x01", b"\xff")
            ),
            query("pk = :p AND sk >= :b", BYTES, values=P | {":b": binary(b"\x80")}, projection="sk").gives(
                items({"sk": binary(b"\x80\x01")}, {"sk": binary(b"\xff")})
            ),
            query(
                "pk = :p AND begins_with(sk, :b)", BYTES, values=P | {":b": binary(b"\xff")}, projection="sk"
            ).gives(items({"sk": binary(b"\xff")})),
        ),
    ),
    fact(
        "11.17",
        "A",
        "ScanIndexForward false reverses within the partition.",
        case(
            *collection("2", "1", "3"),
            query("pk = :p", PAIRS, values=P, ScanIndexForward=False).gives(found("3", "2", "1")),
            query("pk = :p", PAIRS, values=P, ScanIndexForward=True).gives(found("1", "2", "3")),
            query("pk = :p AND sk > :s", PAIRS, values=PS, ScanIndexForward=False).gives(found("3", "2")),
            query("pk = :p", PAIRS, values=P, ScanIndexForward=False, Limit=2).gives(
                found("3", "2") | {"LastEvaluatedKey": key("a", "2")}
            ),
            query("pk = :p", PAIRS, values=P, ScanIndexForward=False, start=key("a", "2")).gives(found("1")),
        ),
    ),
    fact(
        "11.18",
        "A",
        "Limit counts evaluated items, before the filter; Count after, ScannedCount before.",
        case(
            *(put(item("a", str(n), n=N(str(n))), PAIRS).gives({}) for n in range(5)),
            query(
                "pk = :p", PAIRS, values=P | {":n": N("2")}, filter="n >= :n", projection="sk", Limit=3
            ).gives(items({"sk": S("2")}, scanned=3, LastEvaluatedKey=key("a", "2"))),
            query("pk = :p", PAIRS, values=P | {":n": N("9")}, filter="n >= :n", Limit=3).gives(
                items(scanned=3, LastEvaluatedKey=key("a", "2"))
            ),
            scan(PAIRS, filter="n >= :n", values={":n": N("2")}, projection="sk").gives(
                items(*({"sk": S(str(n))} for n in (2, 3, 4)), scanned=5)
            ),
            scan(PAIRS, filter="n >= :n", values={":n": N("2")}, projection="sk", Limit=4).gives(
                items({"sk": S("2")}, {"sk": S("3")}, scanned=4, LastEvaluatedKey=key("a", "3"))
            ),
        ),
    ),
    fact(
        "11.19",
        "A",
        "When Limit stops the read exactly at the last item, LastEvaluatedKey is still given and the next page is empty.",
        case(
            *collection("1", "2"),
            query("pk = :p", PAIRS, values=P, Limit=2).gives(
                found("1", "2") | {"LastEvaluatedKey": key("a", "2")}
            ),
            query("pk = :p", PAIRS, values=P, Limit=2, start=key("a", "2")).gives(items()),
            scan(PAIRS, Limit=2).gives(found("1", "2") | {"LastEvaluatedKey": key("a", "2")}),
            scan(PAIRS, Limit=2, start=key("a", "2")).gives(items()),
            query("pk = :p", PAIRS, values=P, Limit=3).gives(found("1", "2")),
        ),
    ),
    fact(
        "11.20",
        "A",
        "LastEvaluatedKey on a table is the key; on an index it is index keys plus table keys.",
        case(
            put(item("a", "1", gk=S("g"), gr=N("1"), x=S("x")), INDEXED).gives({}),
            put(item("a", "2", gk=S("g"), gr=N("2"), x=S("x")), INDEXED).gives({}),
            query("pk = :p", INDEXED, values=P, projection="sk", Limit=1).gives(
                items({"sk": S("1")}, LastEvaluatedKey=key("a", "1"))
            ),
            query("gk = :g", INDEXED, index="g_r", values=G, projection="sk", Limit=1).gives(
                items({"sk": S("1")}, LastEvaluatedKey=item("a", "1", gk=S("g"), gr=N("1")))
            ),
            query(
                "gk = :g",
                INDEXED,
                index="g_r",
                values=G,
                projection="sk",
                start=item("a", "1", gk=S("g"), gr=N("1")),
            ).gives(items({"sk": S("2")})),
            scan(INDEXED, index="g_r", projection="sk", Limit=1).gives(
                items({"sk": S("1")}, LastEvaluatedKey=item("a", "1", gk=S("g"), gr=N("1")))
            ),
        ),
        case(
            put(item("a", "1", lk=S("x")), LOCAL).gives({}),
            query("pk = :p", LOCAL, index="l_all", values=P, Limit=1).gives(
                items(item("a", "1", lk=S("x")), LastEvaluatedKey=item("a", "1", lk=S("x")))
            ),
        ),
    ),
    fact(
        "11.21",
        "A",
        "ExclusiveStartKey need not exist.",
        case(
            *collection("1", "3"),
            query("pk = :p", PAIRS, values=P, start=key("a", "2")).gives(found("3")),
            query("pk = :p", PAIRS, values=P, start=key("a", "2"), ScanIndexForward=False).gives(found("1")),
            scan(PAIRS, start=key("a", "2")).gives(found("3")),
            query("pk = :p", PAIRS, values=P, start=key("a", "9")).gives(items()),
        ),
    ),
    fact(
        "11.22",
        "A",
        "Query with a start key in another partition: `The provided starting key is outside query boundaries based on provided conditions`.",
        query("pk = :p", PAIRS, values=P, start=key("b", "1")).fails(
            "The provided starting key is outside query boundaries based on provided conditions"
        ),
        query("gk = :g", INDEXED, index="g_s", values=G, start=item("a", "1", gk=S("h"))).fails(OUTSIDE),
    ),
    fact(
        "11.23",
        "A",
        "Scan with a start key not matching the schema: `The provided starting key is invalid: The provided key element does not match the schema`.",
        *(
            scan(PAIRS, start=start).fails(
                "The provided starting key is invalid: The provided key element does not match the schema"
            )
            for start in (
                key("a"),
                {"pk": S("a"), "sk": N("1")},
                key("a", "1") | {"x": S("x")},
                {"x": S("a"), "sk": S("1")},
            )
        ),
    ),
    fact(
        "11.24",
        "A",
        "Query or index scan with a start key of wrong shape: `The provided starting key is invalid`.",
        *(
            query("pk = :p", PAIRS, values=P, start=start).fails("The provided starting key is invalid")
            for start in (key("a"), {"pk": S("a"), "sk": N("1")}, key("a", "1") | {"x": S("x")})
        ),
        query("gk = :g", INDEXED, index="g_s", values=G, start={"gk": S("g")}).fails(BAD_START),
        query("gk = :g", INDEXED, index="g_s", values=G, start=key("a", "1")).fails(BAD_START),
        scan(INDEXED, index="g_s", start=key("a", "1")).fails(BAD_START),
        scan(INDEXED, index="g_s", start=item("a", "1", gk=N("1"))).fails(BAD_START),
    ),
    fact(
        "11.25",
        "A",
        "Unknown index: `The table does not have the specified index: X`.",
        query("pk = :p", PAIRS, index="other", values=P).fails(
            "The table does not have the specified index: other"
        ),
        scan(INDEXED, index="other").fails("The table does not have the specified index: other"),
    ),
    fact(
        "11.26",
        "A",
        "ConsistentRead on a GSI: `Consistent reads are not supported on global secondary indexes`. LSIs allow it.",
        query("gk = :g", INDEXED, index="g_s", values=G, ConsistentRead=True).fails(
            "Consistent reads are not supported on global secondary indexes"
        ),
        scan(INDEXED, index="g_s", ConsistentRead=True).fails(
            "Consistent reads are not supported on global secondary indexes"
        ),
        case(
            put(item("a", "1", lk=S("x")), LOCAL).gives({}),
            query("pk = :p", LOCAL, index="l_all", values=P, ConsistentRead=True).gives(
                items(item("a", "1", lk=S("x")))
            ),
            scan(LOCAL, index="l_all", ConsistentRead=True).gives(items(item("a", "1", lk=S("x")))),
        ),
        query("gk = :g", INDEXED, index="g_s", values=G, ConsistentRead=False).gives(items()),
    ),
    fact(
        "11.27",
        "A",
        "Select COUNT leaves out Items altogether (no `Items: []`).",
        case(
            *collection("1", "2"),
            query("pk = :p", PAIRS, values=P, Select="COUNT").gives({"Count": 2, "ScannedCount": 2}),
            scan(PAIRS, Select="COUNT").gives({"Count": 2, "ScannedCount": 2}),
            scan(PAIRS, Select="COUNT", filter="sk = :s", values={":s": S("1")}).gives(
                {"Count": 1, "ScannedCount": 2}
            ),
            scan(PAIRS, Select="COUNT", Limit=1).gives(
                {"Count": 1, "ScannedCount": 1, "LastEvaluatedKey": key("a", "1")}
            ),
        ),
        query("pk = :p", PAIRS, values=P, Select="COUNT").gives({"Count": 0, "ScannedCount": 0}),
    ),
    fact(
        "11.28",
        "A",
        "ALL_PROJECTED_ATTRIBUTES without IndexName: `ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an IndexName` (Scan uses the same words).",
        query("pk = :p", PAIRS, values=P, Select="ALL_PROJECTED_ATTRIBUTES").detects(
            "ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an IndexName"
        ),
        scan(PAIRS, Select="ALL_PROJECTED_ATTRIBUTES").fails(
            "ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an IndexName"
        ),
    ),
    fact(
        "11.29",
        "A",
        "SPECIFIC_ATTRIBUTES without a projection: `Must specify the AttributesToGet or ProjectionExpression when choosing to get SPECIFIC_ATTRIBUTES`.",
        query("pk = :p", PAIRS, values=P, Select="SPECIFIC_ATTRIBUTES").detects(
            "Must specify the AttributesToGet or ProjectionExpression when choosing to get SPECIFIC_ATTRIBUTES"
        ),
        scan(PAIRS, Select="SPECIFIC_ATTRIBUTES").fails(
            "Must specify the AttributesToGet or ProjectionExpression when choosing to get SPECIFIC_ATTRIBUTES"
        ),
    ),
    fact(
        "11.30",
        "A",
        "Projection with COUNT: `Cannot specify the ProjectionExpression when choosing to get only the Count`.",
        query("pk = :p", PAIRS, values=P, Select="COUNT", projection="a").detects(
            "Cannot specify the ProjectionExpression when choosing to get only the Count"
        ),
        scan(PAIRS, Select="COUNT", projection="a").fails(
            "Cannot specify the ProjectionExpression when choosing to get only the Count"
        ),
    ),
    fact(
        "11.31",
        "A",
        "Projection with ALL_ATTRIBUTES: `Cannot specify the ProjectionExpression when choosing to get ALL_ATTRIBUTES`.",
        query("pk = :p", PAIRS, values=P, Select="ALL_ATTRIBUTES", projection="a").detects(
            "Cannot specify the ProjectionExpression when choosing to get ALL_ATTRIBUTES"
        ),
        scan(PAIRS, Select="ALL_ATTRIBUTES", projection="a").fails(
            "Cannot specify the ProjectionExpression when choosing to get ALL_ATTRIBUTES"
        ),
    ),
    fact(
        "11.32",
        "A",
        "ALL_ATTRIBUTES on a GSI not projecting all: `One or more parameter values were invalid: Select type ALL_ATTRIBUTES is not supported for global secondary index X because its projection type is not ALL`.",
        query("gk = :g", SPARSE, index="g_keys", values=G, Select="ALL_ATTRIBUTES").fails(
            "One or more parameter values were invalid: Select type ALL_ATTRIBUTES is not supported for global secondary index g_keys because its projection type is not ALL"
        ),
        scan(PARTLY, index="g_some", Select="ALL_ATTRIBUTES").fails(
            INVALID
            + "Select type ALL_ATTRIBUTES is not supported for global secondary index g_some because its projection type is not ALL"
        ),
        query("gk = :g", INDEXED, index="g_s", values=G, Select="ALL_ATTRIBUTES").gives(items()),
    ),
    fact(
        "11.33",
        "A",
        "LSI query for non-projected attributes is served by fetching from the table, at additional read cost.",
        case(
            put(item("a", "1", lk=S("x"), b=S("1")), LOCAL).gives({}),
            put(item("a", "2", lk=S("y"), b=S("2")), LOCAL).gives({}),
            query(
                "pk = :p", LOCAL, index="l_keys", values=P, Select="ALL_ATTRIBUTES", capacity="INDEXES"
            ).gives(
                items(
                    item("a", "1", lk=S("x"), b=S("1")),
                    item("a", "2", lk=S("y"), b=S("2")),
                    ConsumedCapacity={
                        "TableName": LOCAL,
                        "CapacityUnits": 1.5,
                        "Table": {"CapacityUnits": 1},
                        "LocalSecondaryIndexes": {"l_keys": {"CapacityUnits": 0.5}},
                    },
                )
            ),
            query("pk = :p", LOCAL, index="l_keys", values=P, projection="b", capacity="TOTAL").gives(
                items(
                    {"b": S("1")}, {"b": S("2")}, ConsumedCapacity={"TableName": LOCAL, "CapacityUnits": 1.5}
                )
            ),
            query("pk = :p", LOCAL, index="l_keys", values=P, projection="lk", capacity="INDEXES").gives(
                items(
                    {"lk": S("x")},
                    {"lk": S("y")},
                    ConsumedCapacity={
                        "TableName": LOCAL,
                        "CapacityUnits": 0.5,
                        "Table": {"CapacityUnits": 0},
                        "LocalSecondaryIndexes": {"l_keys": {"CapacityUnits": 0.5}},
                    },
                )
            ),
        ),
    ),
    fact(
        "11.34",
        "D",
        "Default Select is ALL_ATTRIBUTES on tables, ALL_PROJECTED_ATTRIBUTES on indexes.",
        case(
            put(item("a", gk=S("g"), a=S("x"), b=S("y")), PARTLY).gives({}),
            scan(PARTLY).gives(items(item("a", gk=S("g"), a=S("x"), b=S("y")))),
            query("pk = :p", PARTLY, values=P).gives(items(item("a", gk=S("g"), a=S("x"), b=S("y")))),
            scan(PARTLY, index="g_some").gives(items(item("a", gk=S("g"), a=S("x")))),
            query("gk = :g", PARTLY, index="g_some", values=G).gives(items(item("a", gk=S("g"), a=S("x")))),
            query("gk = :g", PARTLY, index="g_some", values=G, Select="ALL_PROJECTED_ATTRIBUTES").gives(
                items(item("a", gk=S("g"), a=S("x")))
            ),
        ),
    ),
    fact(
        "11.35",
        "A",
        "INCLUDE/KEYS_ONLY indexes always contain index keys and table keys.",
        case(
            put(item("a", gk=S("g"), a=S("x"), b=S("y")), PARTLY).gives({}),
            scan(PARTLY, index="g_some").gives(items(item("a", gk=S("g"), a=S("x")))),
        ),
        case(
            put(item("a", gk=S("g"), a=S("x"), b=S("y")), SPARSE).gives({}),
            scan(SPARSE, index="g_keys").gives(items(item("a", gk=S("g")))),
        ),
        case(
            put(item("a", "1", lk=S("x"), a=S("x"), b=S("y")), LOCAL).gives({}),
            query("pk = :p", LOCAL, index="l_keys", values=P).gives(items(item("a", "1", lk=S("x")))),
            query("pk = :p", LOCAL, index="l_some", values=P).gives(
                items(item("a", "1", lk=S("x"), a=S("x")))
            ),
        ),
    ),
    fact(
        "11.36",
        "A",
        "Scan segments: `The TotalSegments parameter is required but was not present in the request when Segment parameter is present`.",
        scan(Segment=0).fails(
            "The TotalSegments parameter is required but was not present in the request when Segment parameter is present"
        ),
    ),
    fact(
        "11.37",
        "A",
        "And: `The Segment parameter is required but was not present in the request when parameter TotalSegments is present`.",
        scan(TotalSegments=2).fails(
            "The Segment parameter is required but was not present in the request when parameter TotalSegments is present"
        ),
    ),
    fact(
        "11.38",
        "D",
        "TotalSegments is 1 to 1,000,000; Segment from 0.",
        scan(Segment=0, TotalSegments=0).detects(
            constraint("0", "totalSegments", "Member must have value greater than or equal to 1")
        ),
        scan(Segment=0, TotalSegments=1_000_001).detects(
            constraint("1000001", "totalSegments", "Member must have value less than or equal to 1000000")
        ),
        scan(Segment=-1, TotalSegments=2).detects(
            constraint("-1", "segment", "Member must have value greater than or equal to 0")
        ),
        scan(Segment=999_999, TotalSegments=1_000_000).gives(items()),
        scan(Segment=0, TotalSegments=1).gives(items()),
    ),
    fact(
        "11.39",
        "I",
        "Every item belongs to exactly one segment; hash key decides, so a partition is not split among segments.",
        Program(segments_share_out_the_table),
    ),
    fact(
        "11.40",
        "A",
        "Within Scan results items of one partition are sorted by range key.",
        Program(partitions_stay_together),
    ),
    fact(
        "11.41",
        "A",
        "An empty Query still gives Count 0, ScannedCount 0, Items [].",
        query("pk = :p", PAIRS, values=P).gives({"Items": [], "Count": 0, "ScannedCount": 0}),
        scan(PAIRS).gives({"Items": [], "Count": 0, "ScannedCount": 0}),
    ),
    fact(
        "11.42",
        "A",
        "The other Select clashes: `Cannot specify the ProjectionExpression when choosing to get ALL_PROJECTED_ATTRIBUTES`, and each of 11.30, 11.31 and this one with `AttributesToGet` in place of `ProjectionExpression`.",
        query(
            "gk = :g", INDEXED, index="g_s", values=G, Select="ALL_PROJECTED_ATTRIBUTES", projection="a"
        ).detects("Cannot specify the ProjectionExpression when choosing to get ALL_PROJECTED_ATTRIBUTES"),
        scan(INDEXED, index="g_s", Select="ALL_PROJECTED_ATTRIBUTES", projection="a").fails(
            "Cannot specify the ProjectionExpression when choosing to get ALL_PROJECTED_ATTRIBUTES"
        ),
        scan(Select="COUNT", AttributesToGet=["a"]).fails(
            "Cannot specify the AttributesToGet when choosing to get only the Count"
        ),
        scan(Select="ALL_ATTRIBUTES", AttributesToGet=["a"]).fails(
            "Cannot specify the AttributesToGet when choosing to get ALL_ATTRIBUTES"
        ),
        scan(INDEXED, index="g_s", Select="ALL_PROJECTED_ATTRIBUTES", AttributesToGet=["a"]).fails(
            "Cannot specify the AttributesToGet when choosing to get ALL_PROJECTED_ATTRIBUTES"
        ),
        query(
            table=PAIRS,
            KeyConditions={"pk": {"ComparisonOperator": "EQ", "AttributeValueList": [S("a")]}},
            Select="COUNT",
            AttributesToGet=["a"],
        ).detects("Cannot specify the AttributesToGet when choosing to get only the Count"),
    ),
    fact(
        "11.43",
        "",
        "Captures of 2026 put `Invalid KeyConditionExpression: ` before the texts of 11.6 and 11.7 (`Invalid KeyConditionExpression: KeyConditionExpressions cannot have conditions on nested attributes`); take that form there (A), and for 11.4, 11.5 and 11.8 too (I). Older captures lack it.",
        key_condition(
            "pk = :p AND a.b = :s",
            "Invalid KeyConditionExpression: KeyConditionExpressions cannot have conditions on nested attributes",
            PS,
        ),
        key_condition(
            "pk = a",
            "Invalid KeyConditionExpression: Invalid condition in KeyConditionExpression: Multiple attribute names used in one condition",
        ),
        key_condition(
            "pk = :p AND pk = :p",
            "Invalid KeyConditionExpression: KeyConditionExpressions must only contain one condition per key",
            P,
        ),
        key_condition(
            "NOT pk = :p",
            "Invalid KeyConditionExpression: Invalid operator used in KeyConditionExpression: NOT",
            P,
        ),
        key_condition(
            "pk = :p AND :s = :p",
            "Invalid KeyConditionExpression: Invalid condition in KeyConditionExpression: No key attribute specified",
            PS,
        ),
    ),
    fact(
        "11.44",
        "A",
        "Segment not below TotalSegments: `The Segment parameter is zero-based and must be less than parameter TotalSegments: Segment: 3 is not less than TotalSegments: 3`.",
        scan(Segment=3, TotalSegments=3).fails(
            "The Segment parameter is zero-based and must be less than parameter TotalSegments: Segment: 3 is not less than TotalSegments: 3"
        ),
    ),
    fact(
        "11.45",
        "",
        "Fetching (11.33) is brought about by Select and by the projection alone (D). A filter brings none about: on an attribute that the index does not project it finds nothing, of a local index as of a global one, and costs nothing more (I). Where an item is fetched anyway, the filter sees the whole of it (I).",
        case(
            put(item("a", "1", lk=S("x"), b=S("1")), LOCAL).gives({}),
            put(item("a", "2", lk=S("y"), b=S("2")), LOCAL).gives({}),
            of_local_keys(filter="b = :b").gives(local_items(0.5)),
            of_local_keys(filter="attribute_not_exists(b)", values=P).gives(
                local_items(0.5, item("a", "1", lk=S("x")), item("a", "2", lk=S("y")))
            ),
            of_local_keys(filter="b = :b", projection="lk").gives(local_items(0.5)),
            of_local_keys(filter="b = :b", projection="b").gives(local_items(1.5, {"b": S("2")})),
            of_local_keys(filter="b = :b", Select="ALL_ATTRIBUTES").gives(
                local_items(1.5, item("a", "2", lk=S("y"), b=S("2")))
            ),
            scan(LOCAL, index="l_keys", filter="b = :b", values={":b": S("2")}, capacity="TOTAL").gives(
                local_items(0.5)
            ),
        ),
        case(
            put(item("a", gk=S("g"), b=S("1")), SPARSE).gives({}),
            query(
                "gk = :p", SPARSE, index="g_keys", filter="b = :b", values={":p": S("g"), ":b": S("1")}
            ).gives({"Items": [], "Count": 0, "ScannedCount": 1}),
        ),
    ),
    fact(
        "11.46",
        "D",
        "A page that fetches ends when the size of its index entries, rounded up to 4 KB, and the size of each fetched item, rounded up to 4 KB by itself, reach 1 MB together.",
        Program(fetches_fill_a_page),
    ),
    fact(
        "11.47",
        "F",
        "A value of ExclusiveStartKey that fails a value check: `The provided starting key is invalid: <text>`, e.g. `The provided starting key is invalid: Supplied AttributeValue is empty, must contain exactly one of the supported datatypes`. Likewise, in a Scan of a table, a key that is empty or too long (I).",
        *(
            read(start={"pk": value}).fails(f"{BAD_START}: {text}")
            for read in (partial(query, "pk = :p", values=P), scan)
            for value, text in (
                (
                    {},
                    "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes",
                ),
                (SS(), INVALID + "An string set  may not be empty"),
                (
                    N("1e200"),
                    "Number overflow. Attempting to store a number with magnitude larger than supported range",
                ),
            )
        ),
        query("pk = :p", values=P, start={"pk": NS("1", "1")}).fails(
            BAD_START + ": " + INVALID + "Input collection contains duplicates."
        ),
        scan(start={"pk": NS("1", "1")}).fails(BAD_START + ": Input collection contains duplicates"),
        scan(start=key("")).fails(
            BAD_START
            + ": One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: pk"
        ),
        scan(start=key("x" * 2049)).fails(
            f"{BAD_START}: {INVALID}Size of hashkey has exceeded the maximum size limit of2048 bytes"
        ),
    ),
    fact(
        "11.48",
        "F",
        "A start key that the condition on the range key excludes: `The provided starting key does not match the range key predicate`.",
        *(
            query(f"pk = :p AND {condition}", PAIRS, values=PS | {":s": S("2")}, start=start, **more).fails(
                "The provided starting key does not match the range key predicate"
            )
            for condition, start, more in (
                ("sk > :s", key("a", "2"), {}),
                ("sk > :s", key("a", "1"), {"ScanIndexForward": False}),
                ("sk < :s", key("a", "3"), {}),
                ("sk = :s", key("a", "21"), {}),
                ("begins_with(sk, :s)", key("a", "3"), {}),
                ("sk > :s", key("b", "1"), {}),
            )
        ),
        query("pk = :p AND lk > :s", LOCAL, index="l_all", values=PS, start=item("a", "1", lk=S("0"))).fails(
            "The provided starting key does not match the range key predicate"
        ),
    ),
)
