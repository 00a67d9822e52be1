"""The tables of the durability tests, and what their indexes must hold, worked out in the plainest way."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

Item = dict[str, Any]
Key = tuple[str, str, str]
"""(table, partition key, sort key); a table without a sort key has an empty one."""

ORDERS: Final = "orders"
PLAIN: Final = "plain"
PASSING: Final = "passing"
"""The table that is made and deleted while the database is in use."""


@dataclass(frozen=True)
class IndexRule:
    """`keys` are index keys with their types; `projected`: names beside keys, None: everything."""

    keys: tuple[tuple[str, str], ...]
    projected: frozenset[str] | None

    def entry(self, item: Item) -> Item | None:
        if not all(name in item and kind in item[name] for name, kind in self.keys):
            return None
        if self.projected is None:
            return item
        names = {"pk", "sk", *self.projected, *(name for name, _ in self.keys)}
        return {name: value for name, value in item.items() if name in names}


BY_COLOR: Final = "by_color"
BY_TAG: Final = "by_tag"
BY_WEIGHT: Final = "by_weight"
LATER: Final = "later"
"""The index that is made and deleted while the database is in use."""

RULES: Final = {
    BY_COLOR: IndexRule((("color", "S"), ("weight", "N")), None),
    BY_TAG: IndexRule((("tag", "S"),), frozenset({"count"})),
    BY_WEIGHT: IndexRule((("pk", "S"), ("weight", "N")), frozenset()),
    LATER: IndexRule((("owner", "S"), ("version", "N")), None),
}


def _key_schema(hash_name: str, range_name: str | None = None) -> list[dict[str, str]]:
    schema = [{"AttributeName": hash_name, "KeyType": "HASH"}]
    if range_name is not None:
        schema.append({"AttributeName": range_name, "KeyType": "RANGE"})
    return schema


def _definitions(**types: str) -> list[dict[str, str]]:
    return [{"AttributeName": name, "AttributeType": kind} for name, kind in types.items()]


def _index(name: str, *keys: str, projection: str = "ALL", names: tuple[str, ...] = ()) -> dict[str, Any]:
    index: dict[str, Any] = {
        "IndexName": name,
        "KeySchema": _key_schema(*keys),
        "Projection": {"ProjectionType": projection},
    }
    if names:
        index["Projection"]["NonKeyAttributes"] = list(names)
    return index


CREATE_ORDERS: Final[dict[str, Any]] = {
    "TableName": ORDERS,
    "BillingMode": "PAY_PER_REQUEST",
    "KeySchema": _key_schema("pk", "sk"),
    "AttributeDefinitions": _definitions(pk="S", sk="S", color="S", weight="N", tag="S"),
    "GlobalSecondaryIndexes": [
        _index(BY_COLOR, "color", "weight"),
        _index(BY_TAG, "tag", projection="INCLUDE", names=("count",)),
    ],
    "LocalSecondaryIndexes": [_index(BY_WEIGHT, "pk", "weight", projection="KEYS_ONLY")],
}

CREATE_PLAIN: Final[dict[str, Any]] = {
    "TableName": PLAIN,
    "BillingMode": "PAY_PER_REQUEST",
    "KeySchema": _key_schema("pk"),
    "AttributeDefinitions": _definitions(pk="S"),
}

CREATE_LATER: Final[dict[str, Any]] = {
    "TableName": ORDERS,
    "AttributeDefinitions": _definitions(owner="S", version="N"),
    "GlobalSecondaryIndexUpdates": [{"Create": _index(LATER, "owner", "version")}],
}

DELETE_LATER: Final[dict[str, Any]] = {
    "TableName": ORDERS,
    "GlobalSecondaryIndexUpdates": [{"Delete": {"IndexName": LATER}}],
}


SPARSE_INDEXES: Final = 16

CREATE_PASSING: Final[dict[str, Any]] = {
    "TableName": PASSING,
    "BillingMode": "PAY_PER_REQUEST",
    "KeySchema": _key_schema("pk", "sk"),
    "AttributeDefinitions": _definitions(
        pk="S", sk="S", weight="N", **{f"rare{number}": "S" for number in range(SPARSE_INDEXES)}
    ),
    "GlobalSecondaryIndexes": [
        _index(f"by_rare{number}", f"rare{number}", projection="KEYS_ONLY")
        for number in range(SPARSE_INDEXES)
    ],
    "LocalSecondaryIndexes": [_index(BY_WEIGHT, "pk", "weight")],
}
"""A table of so many spaces that they are not cleared in one turn."""


def key_of(table: str, item: Item) -> Key:
    return (table, item["pk"]["S"], item["sk"]["S"] if "sk" in item else "")


def wire_key(key: Key) -> Item:
    _, pk, sk = key
    return {"pk": {"S": pk}} | ({"sk": {"S": sk}} if sk else {})
