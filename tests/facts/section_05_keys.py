"""Section 5: keys and index keys."""

# ruff: noqa: E501 - the service's texts stand whole on their lines

from tests.facts.answers import items, reasons, unordered
from tests.facts.requests import (
    BOOL,
    NS,
    NULL,
    SS,
    L,
    N,
    S,
    batch_get,
    batch_write,
    binaries,
    binary,
    call,
    delete,
    get,
    item,
    key,
    mapping,
    put,
    put_request,
    query,
    scan,
    transact_get,
    transact_write,
    tx_check,
    tx_get,
    tx_put,
    tx_update,
    update,
)
from tests.facts.shapes import (
    BLOBS,
    BYTES,
    INDEXED,
    LOCAL,
    NUMBERED,
    NUMERIC,
    PAIRS,
    PLAIN,
    definitions,
    secondary_index,
)
from tests.facts.table import AnyStep, Await, Step, case, fact, section

SCHEMA = "The provided key element does not match the schema"
INVALID = "One or more parameter values were invalid: "
EMPTY_STRING = "One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: "
EMPTY_BINARY = "One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty binary value. Key: "
LONG_HASH = INVALID + "Size of hashkey has exceeded the maximum size limit of2048 bytes"
LONG_RANGE = INVALID + "Aggregated size of all range keys has exceeded the size limit of 1024 bytes"
NONE_FOUND = {"Items": [], "Count": 0, "ScannedCount": 0}
PART_OF_KEY = ". This attribute is part of the key"
KEY_SCALARS = (
    "Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: Key: "
)
SCALARS = (
    "Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: IndexKey: "
)


def mismatch(actual: str) -> str:
    return INVALID + f"Type mismatch for Index Key gk Expected: S Actual: {actual} IndexName: g_r"


def late_index(table: str, attribute: str) -> tuple[AnyStep, ...]:
    """Adds the global index `late` on `attribute` (S) to a table that may hold items, and waits for it."""
    return (
        call(
            "UpdateTable",
            table=table,
            AttributeDefinitions=definitions(**{attribute: "S"}),
            GlobalSecondaryIndexUpdates=[{"Create": secondary_index("late", [attribute])}],
        ).succeeds(),
        Await(table),
    )


UNSUPPORTED_TYPE = "The update expression attempted to update the secondary index key to unsupported type"
LATE_MISMATCH = INVALID + "Type mismatch for Index Key gk Expected: S Actual: N IndexName: late"


def looks_inside(attribute: str, table: str, text: str) -> tuple[Step, ...]:
    """Requests with a path into `attribute`, which all fail alike; only keys of indexes may be filtered."""
    path, paths = f"{attribute}.x", f"v, {attribute}[0]"
    reads = batch_get([key("a", "b")], table, ProjectionExpression=paths)
    return (
        put(key("a", "b"), table, condition=f"attribute_exists({path})").fails(text),
        delete(key("a", "b"), table, condition=f"size({path}) = v").fails(text),
        update(key("a", "b"), "REMOVE v", table, condition=f"v = {attribute}[1]").fails(text),
        get(key("a", "b"), table, projection=paths).fails(text),
        reads.fails(text),
        scan(table, filter=f"attribute_exists({path})").fails(text),
        scan(table, projection=paths).fails(text),
        query("pk = :a", table, values={":a": S("a")}, projection=paths).fails(text),
        transact_write(tx_check(key("a", "b"), f"attribute_exists({path})", table)).answers(
            reasons(("ValidationError", text))
        ),
        transact_get(tx_get(key("a", "b"), table, projection=path)).answers(
            reasons(("ValidationError", text))
        ),
    )


EMPTY = {":v": S("")}
EMPTY_INDEX_STRING = "One or more parameter values are not valid. A value specified for a secondary index key is not supported. The AttributeValue for a key attribute cannot contain an empty string value. "


SECTION = section(
    5,
    "Keys and index keys",
    fact(
        "5.1",
        "A",
        "GetItem/DeleteItem/UpdateItem with missing, extra or wrongly typed key attributes: `The provided key element does not match the schema`.",
        *(
            request(wrong, table=PAIRS).fails("The provided key element does not match the schema")
            for request in (get, delete, update)
            for wrong in (
                {},
                key("a"),
                {"sk": S("b")},
                key("a", "b") | {"x": S("c")},
                {"pk": S("a"), "other": S("b")},
                {"pk": N("1"), "sk": S("b")},
                {"pk": S("a"), "sk": N("1")},
                {"pk": S("a"), "sk": BOOL(True)},
            )
        ),
        batch_get([key("a")], PAIRS).fails(SCHEMA),
    ),
    fact(
        "5.2",
        "A",
        "PutItem lacking a key attribute: `One or more parameter values were invalid: Missing the key pk in the item`.",
        put({"a": S("x")}).fails("One or more parameter values were invalid: Missing the key pk in the item"),
        put({}).fails(INVALID + "Missing the key pk in the item"),
        put(key("a"), PAIRS).fails(INVALID + "Missing the key sk in the item"),
    ),
    fact(
        "5.3",
        "A",
        "PutItem with wrong key type: `One or more parameter values were invalid: Type mismatch for key pk expected: S actual: N`.",
        put({"pk": N("1")}).fails(
            "One or more parameter values were invalid: Type mismatch for key pk expected: S actual: N"
        ),
        *(
            put({"pk": value}).fails(INVALID + f"Type mismatch for key pk expected: S actual: {kind}")
            for kind, value in (
                ("B", binary(b"x")),
                ("BOOL", BOOL(True)),
                ("NULL", NULL),
                ("L", L()),
                ("M", mapping()),
                ("SS", SS("x")),
                ("NS", NS("1")),
                ("BS", binaries(b"x")),
            )
        ),
        put({"pk": S("1")}, NUMERIC).fails(INVALID + "Type mismatch for key pk expected: N actual: S"),
        put({"pk": S("1")}, BLOBS).fails(INVALID + "Type mismatch for key pk expected: B actual: S"),
        put({"pk": S("a"), "sk": S("1")}, NUMBERED).fails(
            INVALID + "Type mismatch for key sk expected: N actual: S"
        ),
    ),
    fact(
        "5.4",
        "A",
        "BatchWriteItem Put with wrong or missing key uses the schema message: `The provided key element does not match the schema`.",
        batch_write([put_request({"pk": N("1")})]).fails(
            "The provided key element does not match the schema"
        ),
        batch_write([put_request({"a": S("x")})]).fails("The provided key element does not match the schema"),
        batch_write([put_request(key("a"))], PAIRS).fails(
            "The provided key element does not match the schema"
        ),
    ),
    fact(
        "5.5",
        "A",
        "Empty string in a key: `One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: pk`.",
        *(
            request.fails(
                "One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: pk"
            )
            for request in (
                put(key("")),
                get(key("")),
                delete(key("")),
                update(key("")),
                batch_get([key("")]),
                batch_write([put_request(key(""))]),
            )
        ),
        put(key("a", ""), PAIRS).fails(EMPTY_STRING + "sk"),
        get(key("a", ""), PAIRS).fails(EMPTY_STRING + "sk"),
    ),
    fact(
        "5.6",
        "A",
        "Empty binary in a key: `One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty binary value. Key: pk`.",
        put({"pk": binary(b"")}, BLOBS).fails(
            "One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty binary value. Key: pk"
        ),
        get({"pk": binary(b"")}, BLOBS).fails(EMPTY_BINARY + "pk"),
        put({"pk": S("a"), "sk": binary(b"")}, BYTES).fails(EMPTY_BINARY + "sk"),
    ),
    fact(
        "5.7",
        "A",
        "Hash key over 2048 bytes: `One or more parameter values were invalid: Size of hashkey has exceeded the maximum size limit of2048 bytes` (no blank before 2048).",
        put(key("a" * 2049)).fails(
            "One or more parameter values were invalid: Size of hashkey has exceeded the maximum size limit of2048 bytes"
        ),
        put(key("é" * 1024 + "a")).fails(LONG_HASH),
        case(put(key("é" * 1024)).gives({}), get(key("é" * 1024)).gives({"Item": key("é" * 1024)})),
    ),
    fact(
        "5.8",
        "A",
        "Range key over 1024 bytes: `One or more parameter values were invalid: Aggregated size of all range keys has exceeded the size limit of 1024 bytes`.",
        put(key("a", "b" * 1025), PAIRS).fails(
            "One or more parameter values were invalid: Aggregated size of all range keys has exceeded the size limit of 1024 bytes"
        ),
        put({"pk": S("a"), "sk": binary(b"b" * 1025)}, BYTES).fails(LONG_RANGE),
        case(
            put(key("a", "b" * 1024), PAIRS).gives({}),
            get(key("a", "b" * 1024), PAIRS).gives({"Item": key("a", "b" * 1024)}),
        ),
    ),
    fact(
        "5.9",
        "A",
        "The size checks also apply to reads by key, and to the values of a Query's key conditions, on indexes too (Query: F).",
        *(request(key("a" * 2049)).fails(LONG_HASH) for request in (get, delete, update)),
        *(request(key("a", "b" * 1025), table=PAIRS).fails(LONG_RANGE) for request in (get, delete, update)),
        batch_get([key("a" * 2049)]).fails(LONG_HASH),
        query("pk = :p", values={":p": S("a" * 2049)}).fails(LONG_HASH),
        query("pk = :p", values={":p": S("a" * 2048)}).gives(NONE_FOUND),
        query("gk = :p", INDEXED, index="g_s", values={":p": S("é" * 1025)}).fails(LONG_HASH),
        *(
            query(f"pk = :p AND {condition}", PAIRS, values={":p": S("a"), **values}).fails(LONG_RANGE)
            for condition, values in (
                ("sk = :s", {":s": S("b" * 1025)}),
                ("sk < :s", {":s": S("b" * 1025)}),
                ("begins_with(sk, :s)", {":s": S("b" * 1025)}),
                ("sk BETWEEN :s AND :t", {":s": S("b"), ":t": S("b" * 1025)}),
            )
        ),
        query("pk = :p AND sk = :s", BYTES, values={":p": S("a"), ":s": binary(b"b" * 1025)}).fails(
            LONG_RANGE
        ),
        query(
            "pk = :p AND sk BETWEEN :s AND :t",
            PAIRS,
            values={":p": S("a"), ":s": S("b" * 1000), ":t": S("b" * 1024)},
        ).gives(NONE_FOUND),
    ),
    fact(
        "5.10",
        "D",
        "Only S, N and B can be key types; key attribute type is fixed by AttributeDefinitions.",
        call(
            "CreateTable",
            table="made",
            KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}],
            AttributeDefinitions=definitions(pk="BOOL"),
            BillingMode="PAY_PER_REQUEST",
        ).detects(
            "Value 'BOOL' at 'attributeDefinitions.1.member.attributeType' failed to satisfy constraint: Member must satisfy enum value set: [B, N, S]"
        ),
        case(
            put({"pk": N("1")}, NUMERIC).gives({}),
            put({"pk": S("1")}, NUMERIC).fails(INVALID + "Type mismatch for key pk expected: N actual: S"),
            put({"pk": binary(b"1")}, BLOBS).gives({}),
        ),
    ),
    fact(
        "5.11",
        "A",
        "Put with index key of wrong type: `One or more parameter values were invalid: Type mismatch for Index Key gk Expected: S Actual: N IndexName: g_s` (capitals in Expected/Actual, unlike the table-key text).",
        put(item("a", "b", hn=S("x")), INDEXED).fails(
            "One or more parameter values were invalid: Type mismatch for Index Key hn Expected: N Actual: S IndexName: h_n"
        ),
        put(item("a", "b", gk=N("1")), INDEXED).fails(mismatch("N")),
        put(item("a", "b", lk=N("1")), LOCAL).fails(
            INVALID + "Type mismatch for Index Key lk Expected: S Actual: N IndexName: l_all"
        ),
        update(key("a", "b"), table=INDEXED, AttributeUpdates={"gk": {"Value": N("1")}}).fails(mismatch("N")),
        batch_write([put_request(item("a", "b", gk=N("1")))], INDEXED).fails(mismatch("N")),
    ),
    fact(
        "5.12",
        "A",
        "NULL, BOOL, L, M, sets as index key values are refused the same way (Actual: NULL and so on).",
        *(
            put(item("a", "b", gk=value), INDEXED).fails(mismatch(kind))
            for kind, value in (
                ("NULL", NULL),
                ("BOOL", BOOL(True)),
                ("L", L(S("x"))),
                ("M", mapping(a=S("x"))),
                ("SS", SS("x")),
                ("NS", NS("1")),
                ("BS", binaries(b"x")),
                ("B", binary(b"x")),
            )
        ),
    ),
    fact(
        "5.13",
        "A",
        "If both a table key and an index key are wrong, the table key is reported.",
        put({"pk": N("1"), "sk": S("b"), "gk": N("1")}, INDEXED).fails(
            INVALID + "Type mismatch for key pk expected: S actual: N"
        ),
        put({"pk": S("a"), "gk": N("1")}, INDEXED).fails(INVALID + "Missing the key sk in the item"),
    ),
    fact(
        "5.14",
        "A",
        "Empty string as index key in Put: `One or more parameter values are not valid. A value specified for a secondary index key is not supported. The AttributeValue for a key attribute cannot contain an empty string value. IndexName: g_s, IndexKey: gk`.",
        put(item("a", "b", gk=S("")), INDEXED).fails(
            "One or more parameter values are not valid. A value specified for a secondary index key is not supported. The AttributeValue for a key attribute cannot contain an empty string value. IndexName: g_r, IndexKey: gk"
        ),
        put(item("a", "b", lk=S("")), LOCAL).fails(
            "One or more parameter values are not valid. A value specified for a secondary index key is not supported. The AttributeValue for a key attribute cannot contain an empty string value. IndexName: l_all, IndexKey: lk"
        ),
    ),
    fact(
        "5.15",
        "A",
        "If several indexes use the offending attribute, the alphabetically first is named.",
        put(item("a", "b", gk=N("1"), gr=N("1")), INDEXED).fails(mismatch("N")),
        put(item("a", "b", lk=NULL), LOCAL).fails(
            INVALID + "Type mismatch for Index Key lk Expected: S Actual: NULL IndexName: l_all"
        ),
    ),
    fact(
        "5.16",
        "A",
        "An update only re-checks index keys it touches.",
        case(
            put(item("a", gk=N("1"), n=N("1"))).gives({}),
            *late_index(PLAIN, "gk"),
            update(key("a"), "SET n = :n", values={":n": N("2")}).gives({}),
            update(key("a"), "SET gk = :n", values={":n": N("2")}).fails(UNSUPPORTED_TYPE),
            get(key("a")).gives({"Item": item("a", gk=N("1"), n=N("2"))}),
            put(item("a", gk=N("1"))).fails(LATE_MISMATCH),
        ),
    ),
    fact(
        "5.17",
        "A",
        "An item lacking any key attribute of an index is left out of that index; the write is fine (sparse index).",
        case(
            put(item("a", "1", gk=S("g"), gr=N("1")), INDEXED).gives({}),
            put(item("a", "2", gk=S("g")), INDEXED).gives({}),
            put(item("a", "3", gr=N("1")), INDEXED).gives({}),
            put(item("a", "4"), INDEXED).gives({}),
            scan(INDEXED, index="g_r", projection="sk").gives(items({"sk": S("1")})),
            scan(INDEXED, index="g_s", projection="sk").gives(
                items({}, {}) | {"Items": unordered({"sk": S("1")}, {"sk": S("2")})}
            ),
            scan(INDEXED, index="h_n").gives(items()),
            update(key("a", "1"), "REMOVE gk", INDEXED).gives({}),
            scan(INDEXED, index="g_r").gives(items()),
            scan(INDEXED, index="g_s", projection="sk").gives(items({"sk": S("2")})),
        ),
    ),
    fact(
        "5.18",
        "A",
        "UpdateItem touching a key attribute: `One or more parameter values were invalid: Cannot update attribute pk. This attribute is part of the key`, for SET, REMOVE, ADD, DELETE and legacy AttributeUpdates alike.",
        *(
            step
            for step in (
                update(key("a"), "SET pk = :v", values={":v": S("b")}).fails(
                    "One or more parameter values were invalid: Cannot update attribute pk. This attribute is part of the key"
                ),
                update(key("a"), "REMOVE pk").fails(INVALID + "Cannot update attribute pk" + PART_OF_KEY),
                update(key("a", "b"), "REMOVE sk", PAIRS).fails(
                    INVALID + "Cannot update attribute sk" + PART_OF_KEY
                ),
                update({"pk": N("1")}, "ADD pk :v", NUMERIC, values={":v": N("1")}).fails(
                    INVALID + "Cannot update attribute pk" + PART_OF_KEY
                ),
                update(key("a"), "DELETE pk :v", values={":v": SS("a")}).fails(
                    INVALID + "Cannot update attribute pk" + PART_OF_KEY
                ),
                *(
                    update(key("a"), AttributeUpdates={"pk": change}).fails(
                        INVALID + "Cannot update attribute pk" + PART_OF_KEY
                    )
                    for change in (
                        {"Value": S("b")},
                        {"Action": "DELETE"},
                        {"Action": "PUT", "Value": S("b")},
                    )
                ),
            )
        ),
    ),
    fact(
        "5.19",
        "A",
        "That check fires even when the new value equals the old.",
        update(key("a"), "SET pk = :v", values={":v": S("a")}).fails(
            INVALID + "Cannot update attribute pk" + PART_OF_KEY
        ),
        update(key("a"), "SET pk = pk").fails(INVALID + "Cannot update attribute pk" + PART_OF_KEY),
        update(key("a"), AttributeUpdates={"pk": {"Value": S("a")}}).fails(
            INVALID + "Cannot update attribute pk" + PART_OF_KEY
        ),
    ),
    fact(
        "5.20",
        "A",
        "Index key values longer than 2048 (hash) / 1024 (range) bytes are refused on write: `One or more parameter values were invalid: Size limit exceeded for Index Key gk Actual Size: 2049 bytes Max Size: 2048 bytes IndexName: g_r` (text F); during backfill of a new GSI such items are left out silently.",
        put(item("a", "b", gk=S("x" * 2049)), INDEXED).fails(
            "One or more parameter values were invalid: Size limit exceeded for Index Key gk Actual Size: 2049 bytes Max Size: 2048 bytes IndexName: g_r"
        ),
        put(item("a", "b", gk=S("x" * 2048)), INDEXED).gives({}),
        put(item("a", "b", lk=S("x" * 1025)), LOCAL).fails(
            INVALID
            + "Size limit exceeded for Index Key lk Actual Size: 1025 bytes Max Size: 1024 bytes IndexName: l_all"
        ),
        put(item("a", "b", lk=S("x" * 1024)), LOCAL).gives({}),
        update(key("a", "b"), table=INDEXED, AttributeUpdates={"gk": {"Value": S("é" * 1025)}}).fails(
            INVALID
            + "Size limit exceeded for Index Key gk Actual Size: 2050 bytes Max Size: 2048 bytes IndexName: g_r"
        ),
        case(
            *(put(item(str(size), gk=S("x" * size))).gives({}) for size in (2048, 2049)),
            *late_index(PLAIN, "gk"),
            scan(index="late", projection="pk").gives(items(key("2048"))),
        ),
    ),
    fact(
        "5.21",
        "A",
        "Items with a wrongly typed value for a new GSI's key are skipped by backfill, not an error.",
        case(
            *(
                put(item(name, gk=value)).gives({})
                for name, value in (
                    ("right", S("x")),
                    ("number", N("1")),
                    ("set", SS("x")),
                    ("null", NULL),
                    ("empty", S("")),
                )
            ),
            *late_index(PLAIN, "gk"),
            scan(index="late").gives(items(item("right", gk=S("x")))),
        ),
    ),
    fact(
        "5.22",
        "A",
        "A document path that descends into an index key: `Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: IndexKey: x`.",
        update(key("a", "b"), "SET gk.x = :v", INDEXED, values={":v": S("c")}).fails(
            "Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: IndexKey: gk"
        ),
        update(key("a", "b"), "REMOVE gk[0]", INDEXED).fails(SCALARS + "gk"),
        update(key("a", "b"), "SET lk.x = :v", LOCAL, values={":v": S("c")}).fails(SCALARS + "lk"),
        update(key("a", "b"), "SET v = gk.x", INDEXED).fails(SCALARS + "gk"),
        *looks_inside("gk", INDEXED, SCALARS + "gk"),
        *looks_inside("lk", LOCAL, SCALARS + "lk"),
    ),
    fact(
        "5.23",
        "D",
        "Two items may have the same GSI key; order among equal GSI range keys is unspecified.",
        case(
            put(item("a", "1", gk=S("g"), gr=N("1")), INDEXED).gives({}),
            put(item("a", "2", gk=S("g"), gr=N("1")), INDEXED).gives({}),
            put(item("b", "1", gk=S("g"), gr=N("1")), INDEXED).gives({}),
            query(
                "gk = :g AND gr = :n",
                INDEXED,
                index="g_r",
                values={":g": S("g"), ":n": N("1")},
                projection="pk, sk",
            ).gives(items({}, {}, {}) | {"Items": unordered(key("a", "1"), key("a", "2"), key("b", "1"))}),
        ),
    ),
    fact(
        "5.24",
        "",
        "An UpdateExpression words a bad index key in its own way: of wrong type `The update expression attempted to update the secondary index key to unsupported type`, too long `The update expression attempted to update the secondary index key beyond allowed size limits` (D), empty `One or more parameter values are not valid. The update expression attempted to update a secondary index key to a value that is not supported. The AttributeValue for a key attribute cannot contain an empty string value.` (F). AttributeUpdates have the texts of a put (I).",
        case(
            put(item("a", "b"), INDEXED).gives({}),
            *(
                update(key("a", "b"), expression, INDEXED, values={":v": value}).fails(UNSUPPORTED_TYPE)
                for expression, value in (
                    ("SET gk = :v", N("1")),
                    ("SET gk = :v", NULL),
                    ("SET gk = if_not_exists(x, :v)", L()),
                    ("ADD gk :v", SS("x")),
                )
            ),
            *(
                update(key("a", "b"), "SET gk = :v", INDEXED, values={":v": S(text * count)}).fails(
                    "The update expression attempted to update the secondary index key beyond allowed size limits"
                )
                for text, count in (("x", 2049), ("é", 1025))
            ),
            update(key("a", "b"), "SET gk = :v", INDEXED, values={":v": S("x" * 2048)}).gives({}),
            update(key("a", "b"), "SET gk = :v", INDEXED, values={":v": S("")}).fails(
                "One or more parameter values are not valid. The update expression attempted to update a secondary index key to a value that is not supported. The AttributeValue for a key attribute cannot contain an empty string value."
            ),
            update(key("a", "b"), table=INDEXED, AttributeUpdates={"gk": {"Value": S("")}}).fails(
                "One or more parameter values are not valid. A value specified for a secondary index key is not supported. The AttributeValue for a key attribute cannot contain an empty string value. IndexName: g_r, IndexKey: gk"
            ),
        ),
        transact_write(
            tx_put(key("a", "c"), INDEXED),
            tx_update(key("a", "b"), "SET gk = :v", INDEXED, values={":v": N("1")}),
        ).answers(reasons("None", ("ValidationError", UNSUPPORTED_TYPE))),
    ),
    fact(
        "5.25",
        "F",
        "A document path that descends into a key of the table, in conditions, filters and projections: `Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: Key: pk`. (For what an UpdateExpression changes 5.18 stands, for the key attributes of a Query 11.6 and 11.14.)",
        *looks_inside("pk", PAIRS, KEY_SCALARS + "pk"),
        *looks_inside("sk", PAIRS, KEY_SCALARS + "sk"),
        update(key("a"), "SET v = pk[0]").fails(KEY_SCALARS + "pk"),
        case(
            put(item("a", v=mapping(pk=S("inner")))).gives({}),
            get(key("a"), projection="v.pk, pk").gives({"Item": item("a", v=mapping(pk=S("inner")))}),
        ),
    ),
    fact(
        "5.26",
        "F",
        "Empty value of a key in a Query: of a table the text of 5.5 or 5.6, of an index that of 5.14 (`… IndexName: g_s, IndexKey: gk`; reported by a user of the service, 2024).",
        query("pk = :v", PAIRS, values=EMPTY).fails(EMPTY_STRING + "pk"),
        query("pk = :p AND begins_with(sk, :v)", PAIRS, values=EMPTY | {":p": S("a")}).fails(
            EMPTY_STRING + "sk"
        ),
        query("gk = :v", INDEXED, index="g_s", values=EMPTY).fails(
            EMPTY_INDEX_STRING + "IndexName: g_s, IndexKey: gk"
        ),
        query("pk = :p AND lk > :v", LOCAL, index="l_all", values=EMPTY | {":p": S("a")}).fails(
            EMPTY_INDEX_STRING + "IndexName: l_all, IndexKey: lk"
        ),
    ),
)
