"""Whether a running database is whole: read through the API, and worked out anew."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from partita.attributes import item_size

from .ledger import Items
from .tables import RULES, Item, key_of

Call = Callable[[str, dict[str, Any]], Awaitable[dict[str, Any]]]


async def scan(call: Call, table: str, index: str | None = None) -> list[Item]:
    """All that a table or an index holds, page by page."""
    items: list[Item] = []
    request: dict[str, Any] = {"TableName": table}
    request |= {"IndexName": index} if index is not None else {"ConsistentRead": True}
    while True:
        page = await call("Scan", request)
        items += page["Items"]
        if "LastEvaluatedKey" not in page:
            return items
        request["ExclusiveStartKey"] = page["LastEvaluatedKey"]


async def items_of(call: Call, *tables: str) -> Items:
    return {key_of(table, item): item for table in tables for item in await scan(call, table)}


async def index_problems(call: Call, table: str, items: Items, *, with_counts: bool) -> list[str]:
    """What the table's indexes hold against its items; what is counted, where counts are not of hours ago."""
    description = (await call("DescribeTable", {"TableName": table}))["Table"]
    of_table = {key: item for key, item in items.items() if key[0] == table}
    problems: list[str] = []
    if with_counts:
        problems += _count_problems(f"table {table}", description, "Table", list(of_table.values()))
    indexes = description.get("GlobalSecondaryIndexes", []) + description.get("LocalSecondaryIndexes", [])
    for index in indexes:
        if index.get("IndexStatus", "ACTIVE") != "ACTIVE":
            continue
        name = index["IndexName"]
        entries = await scan(call, table, name)
        found = {key_of(table, entry): entry for entry in entries}
        expected = {
            key: entry for key, item in of_table.items() if (entry := RULES[name].entry(item)) is not None
        }
        if found != expected or len(entries) != len(expected):
            problems.append(f"index {name} of {table}: {_difference(expected, found)}")
        if with_counts:
            problems += _count_problems(f"index {name} of {table}", index, "Index", list(expected.values()))
    return problems


def _count_problems(what: str, description: dict[str, Any], prefix: str, items: list[Item]) -> list[str]:
    counted = description["ItemCount"], description[f"{prefix}SizeBytes"]
    expected = len(items), sum(map(item_size, items))
    return [] if counted == expected else [f"{what} counts {counted} and holds {expected}"]


def _difference(expected: Items, found: Items) -> str:
    missing = sorted(expected.keys() - found.keys())
    surplus = sorted(found.keys() - expected.keys())
    other = sorted(key for key in expected.keys() & found.keys() if expected[key] != found[key])
    return f"missing {missing[:5]}, surplus {surplus[:5]}, different {other[:5]}"
