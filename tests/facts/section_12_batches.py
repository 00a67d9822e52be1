"""Section 12: batch operations."""

# ruff: noqa: E501 - the service's texts stand whole on their lines

from typing import Any

from tests.facts.answers import Answer, constraint, matching, unordered
from tests.facts.client import Client
from tests.facts.descriptions import arn
from tests.facts.requests import (
    N,
    S,
    batch_get,
    batch_write,
    call,
    delete_request,
    get,
    item,
    key,
    put,
    put_request,
)
from tests.facts.runner import make_table, run_steps
from tests.facts.shapes import ABSENT, LOCAL, PAIRS, PLAIN
from tests.facts.table import Program, Request, case, fact, section

NOT_FOUND = "Requested resource not found"
DUPLICATES = "Provided list of item keys contains duplicates"
TWO_TYPES = "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes"
MAP_KEYS = (
    "Map keys must satisfy constraint: [Member must have length less than or equal to 255, "
    "Member must have length greater than or equal to 3, "
    "Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+]"
)


def keys(count: int, prefix: str = "") -> list[object]:
    return [key(f"{prefix}{i}") for i in range(count)]


def by_both_names(operation: str, by_name: Any, by_arn: Any, **parameters: Any) -> Request:
    return call(operation, RequestItems={PLAIN: by_name, arn(PLAIN): by_arn}, **parameters)


def at_most_16_mb(client: Client) -> None:
    make_table(client, PLAIN)
    size = 409_600
    filler = "x" * (size - len("pk" + "00" + "f"))
    run_steps(client, *(put(item(f"{i:02}", f=S(filler))).gives({}) for i in range(44)))
    wanted = [key(f"{i:02}") for i in range(44)]
    answer = client.send(
        "BatchGetItem",
        {"RequestItems": {PLAIN: {"Keys": wanted, "ProjectionExpression": "pk", "ConsistentRead": True}}},
    )
    assert answer.status == 200, answer
    found = answer.body["Responses"][PLAIN]
    rest = answer.body["UnprocessedKeys"]
    assert set(rest) == {PLAIN}, rest
    assert rest[PLAIN] == {"Keys": rest[PLAIN]["Keys"], "ProjectionExpression": "pk", "ConsistentRead": True}
    assert (16 << 20) - size < len(found) * size <= (16 << 20) + size, f"{len(found)} items"
    assert sorted(each["pk"]["S"] for each in found + rest[PLAIN]["Keys"]) == [
        each["pk"]["S"] for each in wanted
    ]
    again = client.send("BatchGetItem", {"RequestItems": rest})
    assert again == Answer(200, {"Responses": {PLAIN: again.body["Responses"][PLAIN]}, "UnprocessedKeys": {}})
    assert len(again.body["Responses"][PLAIN]) == len(rest[PLAIN]["Keys"])


SECTION = section(
    12,
    "Batch operations",
    fact(
        "12.1",
        "",
        "BatchGetItem empty: `The requestItems parameter is required for BatchGetItem`; BatchWriteItem empty: `The requestItems parameter is required for BatchWriteItem` (A). Regions are moving to the generic form (2.20); in Aug 2026 11 of 33 had on BatchGetItem, one on BatchWriteItem. Accept the first.",
        call("BatchGetItem", RequestItems={}).fails(
            "The requestItems parameter is required for BatchGetItem"
        ),
        call("BatchWriteItem", RequestItems={}).fails(
            "The requestItems parameter is required for BatchWriteItem"
        ),
    ),
    fact(
        "12.2",
        "A",
        "BatchGetItem over 100 keys of one table (generic form of 2.20, hence the capitals): `1 validation error detected: Value at 'RequestItems.<table>.member.Keys' failed to satisfy constraint: Member must have length less than or equal to 100`; the older capture echoes: `Value '[<dump>]' at 'requestItems.<table>.member.keys' …`.",
        batch_get(keys(101)).detects(
            "Value at 'RequestItems.plain.member.Keys' failed to satisfy constraint: Member must have length less than or equal to 100"
        ),
        batch_get(keys(100)).gives({"Responses": {PLAIN: []}, "UnprocessedKeys": {}}),
    ),
    fact(
        "12.3",
        "A",
        "BatchWriteItem over 25 of one table: `1 validation error detected: Value '{<table>=[<dump>]}' at 'requestItems' failed to satisfy constraint: Map value must satisfy constraint: [Member must have length less than or equal to 25, Member must have length greater than or equal to 1]`. The dump cannot be reproduced (fields or Java object identities, by the host that answers): tests match everything but it.",
        batch_write([put_request(each) for each in keys(26)]).fails(
            matching(
                r"1 validation error detected: Value '\{plain=\[.*\]\}' at 'requestItems' failed to satisfy constraint: "
                r"Map value must satisfy constraint: \[Member must have length less than or equal to 25, "
                r"Member must have length greater than or equal to 1\]"
            )
        ),
        batch_write([put_request(each) for each in keys(25)]).gives({"UnprocessedItems": {}}),
        batch_write([]).fails(
            matching(
                r"1 validation error detected: Value '\{plain=\[\]\}' at 'requestItems' failed to satisfy constraint: "
                r"Map value must satisfy constraint: \[Member must have length less than or equal to 25, "
                r"Member must have length greater than or equal to 1\]"
            )
        ),
    ),
    fact(
        "12.4",
        "",
        "25 and 100 count over all tables of the call (D). 101 keys over two tables: `Too many items requested for the BatchGetItem call` (A); 26 requests over two tables: `Too many items requested for the BatchWriteItem call` (I).",
        call(
            "BatchGetItem",
            RequestItems={PLAIN: {"Keys": keys(60)}, PAIRS: {"Keys": [key("a", str(i)) for i in range(41)]}},
        ).fails("Too many items requested for the BatchGetItem call"),
        call(
            "BatchGetItem",
            RequestItems={PLAIN: {"Keys": keys(60)}, PAIRS: {"Keys": [key("a", str(i)) for i in range(40)]}},
        ).gives({"Responses": {PLAIN: [], PAIRS: []}, "UnprocessedKeys": {}}),
        call(
            "BatchWriteItem",
            RequestItems={
                PLAIN: [put_request(each) for each in keys(13)],
                PAIRS: [put_request(key("a", str(i))) for i in range(13)],
            },
        ).fails("Too many items requested for the BatchWriteItem call"),
        call(
            "BatchWriteItem",
            RequestItems={
                PLAIN: [put_request(each) for each in keys(13)],
                PAIRS: [put_request(key("a", str(i))) for i in range(12)],
            },
        ).gives({"UnprocessedItems": {}}),
    ),
    fact(
        "12.5",
        "A",
        "Duplicate keys: `Provided list of item keys contains duplicates`, for put+delete of the same key too.",
        batch_get([key("a"), key("b"), key("a")]).fails("Provided list of item keys contains duplicates"),
        batch_write([put_request(key("a")), put_request(item("a", v=S("x")))]).fails(DUPLICATES),
        batch_write([put_request(key("a")), delete_request(key("a"))]).fails(DUPLICATES),
        batch_get([{"pk": S("a"), "sk": N("1")}, {"pk": S("a"), "sk": N("1.0")}], "numbered").fails(
            DUPLICATES
        ),
    ),
    fact(
        "12.6",
        "A",
        "One bad entry rejects the entire batch with no writes.",
        case(
            batch_write([put_request(key("a")), put_request({"wrong": S("b")})]).fails(
                "The provided key element does not match the schema"
            ),
            call(
                "BatchWriteItem",
                RequestItems={PLAIN: [put_request(key("a"))], PAIRS: [put_request(key("a", ""))]},
            ).fails(
                "One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: sk"
            ),
            batch_write([put_request(key("a")), put_request(item("b", n=N("dog")))]).fails(
                "The parameter cannot be converted to a numeric value: dog"
            ),
            batch_write([put_request(key("a")), put_request(item("b", f=S("x" * 409_600)))]).fails(
                "Item size has exceeded the maximum allowed size"
            ),
            get(key("a")).gives({}),
        ),
    ),
    fact(
        "12.7",
        "A",
        "One missing table: ResourceNotFoundException `Requested resource not found` for all.",
        case(
            call(
                "BatchWriteItem",
                RequestItems={PLAIN: [put_request(key("a"))], ABSENT: [put_request(key("a"))]},
            ).fails("Requested resource not found", "ResourceNotFoundException"),
            get(key("a")).gives({}),
        ),
        call("BatchGetItem", RequestItems={PLAIN: {"Keys": [key("a")]}, ABSENT: {"Keys": [key("a")]}}).fails(
            NOT_FOUND, "ResourceNotFoundException"
        ),
    ),
    fact(
        "12.8",
        "A",
        "Keys not found are simply absent from Responses; the table still has a list, perhaps empty.",
        case(
            put(item("a", v=S("x"))).gives({}),
            batch_get([key("b"), key("a")]).gives(
                {"Responses": {PLAIN: [item("a", v=S("x"))]}, "UnprocessedKeys": {}}
            ),
            call(
                "BatchGetItem", RequestItems={PLAIN: {"Keys": [key("a")]}, PAIRS: {"Keys": [key("a", "b")]}}
            ).gives({"Responses": {PLAIN: [item("a", v=S("x"))], PAIRS: []}, "UnprocessedKeys": {}}),
        ),
    ),
    fact(
        "12.9",
        "D",
        "Order of Responses is not the order of Keys.",
        case(
            *(put(key(name)).gives({}) for name in "abcdef"),
            batch_get([key(name) for name in "fcbead"]).gives(
                {"Responses": {PLAIN: unordered(*(key(name) for name in "abcdef"))}, "UnprocessedKeys": {}}
            ),
        ),
    ),
    fact(
        "12.10",
        "D",
        "BatchWriteItem cannot update, nor take conditions, nor return values.",
        batch_write([{"UpdateRequest": {"Key": key("a"), "UpdateExpression": "REMOVE b"}}]).fails(TWO_TYPES),
        case(
            put(item("a", v=S("old"))).gives({}),
            batch_write(
                [
                    {
                        "PutRequest": {
                            "Item": item("a", v=S("new")),
                            "ConditionExpression": "attribute_not_exists(pk)",
                            "ReturnValues": "ALL_OLD",
                        }
                    }
                ]
            ).gives({"UnprocessedItems": {}}),
            get(key("a")).gives({"Item": item("a", v=S("new"))}),
        ),
    ),
    fact(
        "12.11",
        "D",
        "BatchGetItem returns up to 16 MB; the rest in UnprocessedKeys.",
        Program(at_most_16_mb),
    ),
    fact(
        "12.12",
        "",
        "A write request with neither PutRequest nor DeleteRequest: ValidationException `Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes` (sic; A, older capture). With both: the same text (I).",
        batch_write([{}]).fails(
            "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes"
        ),
        batch_write([put_request(key("a")) | delete_request(key("b"))]).fails(TWO_TYPES),
    ),
    fact(
        "12.13",
        "A",
        'A bad table name in BatchGetItem: `1 validation error detected: Value \'{"bad!name":{"Keys":[{"pk":{"S":"a"}}]}}\' at \'requestItems\' failed to satisfy constraint: Map keys must satisfy constraint: [Member must have length less than or equal to 255, Member must have length greater than or equal to 3, Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+]` (the map echoed as compact JSON, reproducible). (A) BatchWriteItem gives the same constraint, its echo is a Java dump in older captures: tests match everything but it.',
        batch_get([key("a")], "bad!name").detects(
            """Value '{"bad!name":{"Keys":[{"pk":{"S":"a"}}]}}' at 'requestItems' failed to satisfy constraint: Map keys must satisfy constraint: [Member must have length less than or equal to 255, Member must have length greater than or equal to 3, Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+]"""
        ),
        batch_get([key("a")], "ab").detects(
            constraint('{"ab":{"Keys":[{"pk":{"S":"a"}}]}}', "requestItems", MAP_KEYS)
        ),
        batch_write([put_request(key("a"))], "bad!name").fails(
            matching(
                r"1 validation error detected: Value '\{.*bad!name.*\}' at 'requestItems' failed to satisfy constraint: "
                r"Map keys must satisfy constraint: \[Member must have length less than or equal to 255, "
                r"Member must have length greater than or equal to 3, "
                r"Member must satisfy regular expression pattern: \[a-zA-Z0-9_\.-\]\+\]"
            )
        ),
    ),
    fact(
        "12.14",
        "I",
        "A table given by name and by ARN in one batch is one table: the keys under both are judged together (12.4, 12.5), and it has one entry in ConsumedCapacity and in ItemCollectionMetrics. Responses and what is unprocessed stand under the name that the request gave.",
        by_both_names("BatchGetItem", {"Keys": [key("a")]}, {"Keys": [key("b"), key("a")]}).fails(DUPLICATES),
        by_both_names("BatchWriteItem", [put_request(key("a"))], [delete_request(key("a"))]).fails(
            DUPLICATES
        ),
        by_both_names("BatchGetItem", {"Keys": keys(60)}, {"Keys": keys(41, "other")}).fails(
            "Too many items requested for the BatchGetItem call"
        ),
        by_both_names(
            "BatchWriteItem",
            [put_request(each) for each in keys(13)],
            [put_request(each) for each in keys(13, "other")],
        ).fails("Too many items requested for the BatchWriteItem call"),
        case(
            by_both_names(
                "BatchWriteItem", [put_request(key("a"))], [put_request(key("b"))], capacity="TOTAL"
            ).gives({"UnprocessedItems": {}, "ConsumedCapacity": [{"TableName": PLAIN, "CapacityUnits": 2}]}),
            by_both_names("BatchGetItem", {"Keys": [key("a")]}, {"Keys": [key("b")]}, capacity="TOTAL").gives(
                {
                    "Responses": {PLAIN: [key("a")], arn(PLAIN): [key("b")]},
                    "UnprocessedKeys": {},
                    "ConsumedCapacity": [{"TableName": PLAIN, "CapacityUnits": 1}],
                }
            ),
        ),
        call(
            "BatchWriteItem",
            RequestItems={
                LOCAL: [put_request(key("a", "1"))],
                arn(LOCAL): [put_request(key("a", "2")), put_request(key("b", "1"))],
            },
            ReturnItemCollectionMetrics="SIZE",
        ).gives(
            {
                "UnprocessedItems": {},
                "ItemCollectionMetrics": {
                    LOCAL: [
                        {"ItemCollectionKey": {"pk": S(pk)}, "SizeEstimateRangeGB": [0, 1]} for pk in "ab"
                    ]
                },
            }
        ),
    ),
)
