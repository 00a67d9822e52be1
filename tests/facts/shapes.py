"""The tables that the cases use: each is made where a case first names it."""

from __future__ import annotations

from typing import Any

PLAIN = "plain"  # pk S
PAIRS = "pairs"  # pk S, sk S
NUMBERED = "numbered"  # pk S, sk N
BYTES = "bytes"  # pk S, sk B
NUMERIC = "numeric"  # pk N
BLOBS = "blobs"  # pk B
INDEXED = "indexed"  # pk S, sk S, and the global indexes g_r (gk S, gr N), g_s (gk S), h_n (hn N)
LOCAL = "local"  # pk S, sk S, and the local indexes l_all (lk S), l_keys (lk S), l_some (lk S; a)
SPARSE = "sparse"  # pk S, and the global index g_keys (gk S, keys only)
PARTLY = "partly"  # pk S, and the global index g_some (gk S; a)
WHOLE = "whole"  # pk S, and the global index g_all (gk S, gr S)
WIDE = "wide"  # pk S, sk S, and the global index g_wide (h1 S, h2 N; r1 S, r2 N, r3 B)
PROVISIONED = "provisioned"  # pk S, five units of each kind
ABSENT = "absent"  # never made


def key_schema(hash_names: list[str], range_names: list[str] | None = None) -> list[dict[str, str]]:
    return [{"AttributeName": name, "KeyType": "HASH"} for name in hash_names] + [
        {"AttributeName": name, "KeyType": "RANGE"} for name in range_names or []
    ]


def definitions(**types: str) -> list[dict[str, str]]:
    return [{"AttributeName": name, "AttributeType": kind} for name, kind in types.items()]


def secondary_index(
    name: str,
    hash_names: list[str],
    range_names: list[str] | None = None,
    projection: str = "ALL",
    non_key: list[str] | None = None,
    **more: Any,
) -> dict[str, Any]:
    shape: dict[str, Any] = {"ProjectionType": projection}
    if non_key is not None:
        shape["NonKeyAttributes"] = non_key
    return {
        "IndexName": name,
        "KeySchema": key_schema(hash_names, range_names),
        "Projection": shape,
    } | more


def table(
    name: str,
    hash_name: str,
    range_name: str | None,
    types: dict[str, str],
    *,
    global_indexes: list[dict[str, Any]] | None = None,
    local_indexes: list[dict[str, Any]] | None = None,
    **more: Any,
) -> dict[str, Any]:
    """A CreateTable request, on demand."""
    request: dict[str, Any] = {
        "TableName": name,
        "KeySchema": key_schema([hash_name], [range_name] if range_name else []),
        "AttributeDefinitions": definitions(**types),
        "BillingMode": "PAY_PER_REQUEST",
    }
    if global_indexes is not None:
        request["GlobalSecondaryIndexes"] = global_indexes
    if local_indexes is not None:
        request["LocalSecondaryIndexes"] = local_indexes
    return request | more


def units(read: int, write: int) -> dict[str, int]:
    """A ProvisionedThroughput."""
    return {"ReadCapacityUnits": read, "WriteCapacityUnits": write}


SHAPES: dict[str, dict[str, Any]] = {
    request["TableName"]: request
    for request in (
        table(PLAIN, "pk", None, {"pk": "S"}),
        table(PAIRS, "pk", "sk", {"pk": "S", "sk": "S"}),
        table(NUMBERED, "pk", "sk", {"pk": "S", "sk": "N"}),
        table(BYTES, "pk", "sk", {"pk": "S", "sk": "B"}),
        table(
            PROVISIONED, "pk", None, {"pk": "S"}, BillingMode="PROVISIONED", ProvisionedThroughput=units(5, 5)
        ),
        table(NUMERIC, "pk", None, {"pk": "N"}),
        table(BLOBS, "pk", None, {"pk": "B"}),
        table(
            INDEXED,
            "pk",
            "sk",
            {"pk": "S", "sk": "S", "gk": "S", "gr": "N", "hn": "N"},
            global_indexes=[
                secondary_index("g_s", ["gk"]),
                secondary_index("g_r", ["gk"], ["gr"]),
                secondary_index("h_n", ["hn"]),
            ],
        ),
        table(
            LOCAL,
            "pk",
            "sk",
            {"pk": "S", "sk": "S", "lk": "S"},
            local_indexes=[
                secondary_index("l_all", ["pk"], ["lk"]),
                secondary_index("l_keys", ["pk"], ["lk"], "KEYS_ONLY"),
                secondary_index("l_some", ["pk"], ["lk"], "INCLUDE", ["a"]),
            ],
        ),
        table(
            SPARSE,
            "pk",
            None,
            {"pk": "S", "gk": "S"},
            global_indexes=[secondary_index("g_keys", ["gk"], None, "KEYS_ONLY")],
        ),
        table(
            PARTLY,
            "pk",
            None,
            {"pk": "S", "gk": "S"},
            global_indexes=[secondary_index("g_some", ["gk"], None, "INCLUDE", ["a"])],
        ),
        table(
            WHOLE,
            "pk",
            None,
            {"pk": "S", "gk": "S", "gr": "S"},
            global_indexes=[secondary_index("g_all", ["gk"], ["gr"])],
        ),
        table(
            WIDE,
            "pk",
            "sk",
            {"pk": "S", "sk": "S", "h1": "S", "h2": "N", "r1": "S", "r2": "N", "r3": "B"},
            global_indexes=[secondary_index("g_wide", ["h1", "h2"], ["r1", "r2", "r3"])],
        ),
    )
}


def named(name: str) -> dict[str, Any]:
    """The CreateTable request of a shape."""
    return SHAPES[name]


def mentioned(request: Any) -> set[str]:
    """The shapes that a request names, itself or by ARN."""
    found: set[str] = set()
    parts = [request]
    while parts:  # attribute values nest deeper than calls may
        part = parts.pop()
        if isinstance(part, str):
            name = part.split(":table/")[-1].split("/")[0]
            if name in SHAPES:
                found.add(name)
        elif isinstance(part, dict):
            parts += [*part, *part.values()]
        elif isinstance(part, list | tuple):
            parts += part
    return found
