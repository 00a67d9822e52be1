"""Section 17: multi-attribute keys of global secondary indexes."""

# ruff: noqa: E501 - the service's texts stand whole on their lines

from typing import Any

from tests.facts.answers import any_text, items, matching
from tests.facts.requests import Item, N, S, binary, call, item, put, query, scan
from tests.facts.shapes import WIDE, key_schema, secondary_index, table
from tests.facts.table import Await, Request, Step, case, fact, section

INVALID = "One or more parameter values were invalid: "
EIGHT = {f"{kind}{i}": "S" for kind in "hr" for i in range(1, 6)}
NEEDS_HASH = matching(r"(?is)(?=.*HASH)(?=.*equal).*")
NEEDS_RANGE = matching(r"(?is)(?=.*RANGE)(?=.*equal).*")
HASH = "h1 = :h1 AND h2 = :h2"
VALUES = {":h1": S("x"), ":h2": N("1")}


def create(hash_names: list[str], range_names: list[str], schema: Any = None) -> Request:
    used = {name: EIGHT.get(name, "S") for name in (*hash_names, *range_names)}
    request = table("made", "pk", None, {"pk": "S"} | used)
    index = secondary_index("wide", hash_names, range_names)
    if schema is not None:
        index["KeySchema"] = schema
    return call("CreateTable", **request, GlobalSecondaryIndexes=[index])


def entry(sk: str, r1: str, r2: str, r3: bytes, h1: str = "x", h2: str = "1") -> Item:
    return item("a", sk, h1=S(h1), h2=N(h2), r1=S(r1), r2=N(r2), r3=binary(r3))


ENTRIES = [
    entry("5", "b", "-1", b"\x00"),
    entry("3", "a", "10", b"\x01"),
    entry("1", "a", "9", b"\xff"),
    entry("4", "ab", "0", b"\x00"),
    entry("2", "a", "10", b"\x00\xff"),
    entry("other", "a", "1", b"\x00", h2="2"),
]
FILLED = tuple(put(each, WIDE).gives({}) for each in ENTRIES)


def wide(condition: str, more: Item | None = None, **parameters: Any) -> Request:
    return query(condition, WIDE, index="g_wide", values=VALUES | (more or {}), **parameters)


def finds(condition: str, *sort_keys: str, more: Item | None = None) -> Step:
    return wide(condition, more, projection="sk").gives(items(*({"sk": S(sk)} for sk in sort_keys)))


def in_index(sk: str) -> Item:
    """The index's and the table's keys of an entry."""
    return next(each for each in ENTRIES if each["sk"] == S(sk))


SECTION = section(
    17,
    "Multi-attribute keys of GSIs",
    fact(
        "17.1",
        "A",
        "A GSI may have up to four HASH and four RANGE attributes; tables and LSIs may not.",
        case(create(["h1", "h2", "h3", "h4"], ["r1", "r2", "r3", "r4"]).succeeds(), Await("made")),
        call(
            "CreateTable",
            **table("made", "pk", None, {"pk": "S", "sk": "S"})
            | {"KeySchema": [{"AttributeName": name, "KeyType": "HASH"} for name in ("pk", "sk")]},
        ).fails("Invalid KeySchema: The second KeySchemaElement is not a RANGE key type"),
        call(
            "CreateTable",
            **table(
                "made",
                "pk",
                "sk",
                {"pk": "S", "sk": "S", "r1": "S", "r2": "S"},
                local_indexes=[secondary_index("l_wide", ["pk"], ["r1", "r2"])],
            ),
        ).fails(any_text()),
    ),
    fact(
        "17.2",
        "A",
        "All HASH elements precede the RANGE elements; too many: `One or more parameter values were invalid: The KeySchema exceeds the maximum allowed number of HASH key attributes` (or RANGE).",
        create(["h1", "h2", "h3", "h4", "h5"], []).fails(
            "One or more parameter values were invalid: The KeySchema exceeds the maximum allowed number of HASH key attributes"
        ),
        create(["h1"], ["r1", "r2", "r3", "r4", "r5"]).fails(
            INVALID + "The KeySchema exceeds the maximum allowed number of RANGE key attributes"
        ),
        create(["h1", "h2"], ["r1"], key_schema(["h1"], ["r1"]) + key_schema(["h2"])).fails(any_text()),
    ),
    fact(
        "17.3",
        "A",
        "An attribute may appear only once in one index's key: `The KeySchema contains multiple key attributes with the same name`.",
        create(["h1", "h1"], []).fails("The KeySchema contains multiple key attributes with the same name"),
        create(["h1", "h2"], ["r1", "r1"]).fails(
            "The KeySchema contains multiple key attributes with the same name"
        ),
    ),
    fact(
        "17.4",
        "D",
        "Each key attribute has its own type (S, N or B).",
        put(item("a", "b", h2=S("1")), WIDE).fails(
            INVALID + "Type mismatch for Index Key h2 Expected: N Actual: S IndexName: g_wide"
        ),
        put(item("a", "b", r3=N("1")), WIDE).fails(
            INVALID + "Type mismatch for Index Key r3 Expected: B Actual: N IndexName: g_wide"
        ),
        case(put(ENTRIES[0], WIDE).gives({}), scan(WIDE, index="g_wide").gives(items(ENTRIES[0]))),
    ),
    fact(
        "17.5",
        "",
        "Query needs equality on every HASH attribute. (A) The message names HASH and equality; its exact text is not captured.",
        query("h1 = :h1", WIDE, index="g_wide", values={":h1": S("x")}).fails(NEEDS_HASH),
        query("h1 = :h1 AND r1 = :r", WIDE, index="g_wide", values={":h1": S("x"), ":r": S("a")}).fails(
            NEEDS_HASH
        ),
        wide("h1 = :h1 AND h2 > :h2").fails(NEEDS_HASH),
        case(*FILLED, finds("h2 = :h2 AND h1 = :h1", "1", "2", "3", "4", "5")),
    ),
    fact(
        "17.6",
        "",
        "RANGE attributes are given left to right without gaps; all but the last one given by equality, the last with any range operator. (A) The message names RANGE and equality; its exact text is not captured.",
        wide(HASH + " AND r2 = :r", {":r": N("1")}).fails(NEEDS_RANGE),
        wide(HASH + " AND r1 > :r AND r2 = :s", {":r": S("a"), ":s": N("1")}).fails(NEEDS_RANGE),
        wide(HASH + " AND r1 = :r AND r3 = :s", {":r": S("a"), ":s": binary(b"x")}).fails(NEEDS_RANGE),
        case(
            *FILLED,
            finds(HASH + " AND r1 = :r", "1", "2", "3", more={":r": S("a")}),
            finds(HASH + " AND begins_with(r1, :r)", "1", "2", "3", "4", more={":r": S("a")}),
            finds(HASH + " AND r1 = :r AND r2 > :s", "2", "3", more={":r": S("a"), ":s": N("9")}),
            finds(HASH + " AND r1 = :r AND r2 BETWEEN :s AND :s", "1", more={":r": S("a"), ":s": N("9")}),
            finds(
                HASH + " AND r1 = :r AND r2 = :s AND r3 >= :b",
                "3",
                more={":r": S("a"), ":s": N("10"), ":b": binary(b"\x01")},
            ),
            finds(
                "r3 < :b AND r2 = :s AND r1 = :r AND " + HASH,
                "2",
                more={":r": S("a"), ":s": N("10"), ":b": binary(b"\x01")},
            ),
        ),
    ),
    fact(
        "17.7",
        "A",
        "The filter may not use any of the index's key attributes.",
        *(
            wide(HASH, {":v": S("a")}, filter=f"{name} = :v").fails(
                f"Filter Expression can only contain non-primary key attributes: Primary key attribute: {name}"
            )
            for name in ("h1", "h2", "r1", "r2", "r3")
        ),
        case(
            *FILLED,
            wide(HASH, {":v": S("3")}, filter="sk = :v", projection="sk").gives(
                items({"sk": S("3")}, scanned=5)
            ),
        ),
    ),
    fact(
        "17.8",
        "A",
        "Start keys and LastEvaluatedKey carry all index key attributes plus the table's key.",
        case(
            *FILLED,
            wide(HASH, projection="sk", Limit=2).gives(
                items({"sk": S("1")}, {"sk": S("2")}, LastEvaluatedKey=in_index("2"))
            ),
            wide(HASH, projection="sk", start=in_index("2")).gives(items(*({"sk": S(sk)} for sk in "345"))),
            wide(HASH, projection="sk", start=in_index("2"), ScanIndexForward=False).gives(
                items({"sk": S("1")})
            ),
        ),
        wide(HASH, start={"h1": S("x"), "h2": N("1"), "pk": S("a"), "sk": S("1")}).fails(
            "The provided starting key is invalid"
        ),
        wide(HASH, start=in_index("other")).fails(
            "The provided starting key is outside query boundaries based on provided conditions"
        ),
    ),
    fact(
        "17.9",
        "A",
        "An item lacking any of them is not in the index.",
        case(
            *(
                put({k: v for k, v in entry(lacking, "a", "1", b"x").items() if k != lacking}, WIDE).gives({})
                for lacking in ("h1", "h2", "r1", "r2", "r3")
            ),
            scan(WIDE, index="g_wide").gives(items()),
            put(entry("whole", "a", "1", b"x"), WIDE).gives({}),
            scan(WIDE, index="g_wide").gives(items(entry("whole", "a", "1", b"x"))),
        ),
    ),
    fact(
        "17.10",
        "D",
        "Items sort by the RANGE attributes in order, each by its own type.",
        case(
            *FILLED,
            finds(HASH, "1", "2", "3", "4", "5"),
            wide(HASH, projection="sk", ScanIndexForward=False).gives(
                items(*({"sk": S(sk)} for sk in "54321"))
            ),
        ),
    ),
)
