"""Plain tables for tests of what lies below entities."""

from __future__ import annotations

from typing import Any

import partita
from partita.model.reading.ranges import Range
from partita.model.schema import Item, KeyAttribute

TABLE_KEY = (KeyAttribute("PK"), KeyAttribute("SK"))


def database(kind: str = "S", **settings: Any) -> partita.Database:
    """A database with the table `app`, whose index `by-place` has the keys G (S) and GS (of `kind`)."""
    made = partita.Database(clock=partita.ManualClock(), **settings)
    kinds = {"PK": "S", "SK": "S", "G": "S", "GS": kind}
    made.create_table(
        TableName="app",
        BillingMode="PAY_PER_REQUEST",
        KeySchema=_keys("PK", "SK"),
        AttributeDefinitions=[{"AttributeName": n, "AttributeType": k} for n, k in kinds.items()],  # type: ignore[typeddict-item]
        GlobalSecondaryIndexes=[
            {
                "IndexName": "by-place",
                "KeySchema": _keys("G", "GS"),
                "Projection": {"ProjectionType": "ALL"},
            }
        ],
    )
    made.clock.advance(1)
    return made


def shards(count: int, kind: Any = "S") -> Range:
    """All items of the partitions shard-0, shard-1, … of the index."""
    partitions: tuple[tuple[Item, ...], ...] = tuple(({"S": f"shard-{n}"},) for n in range(count))  # type: ignore[dict-item]
    return Range(
        "app",
        "by-place",
        TABLE_KEY,
        (KeyAttribute("G"),),
        (KeyAttribute("GS", kind),),
        partitions,  # type: ignore[arg-type]
    )


def item(key: str, shard: int, place: Any, kind: str = "S", **attributes: str) -> Item:
    """An item of the partition `shard` that stands at `place`; attributes are numbers as texts."""
    numbers = {name: {"N": text} for name, text in attributes.items()}
    return {**key_item(key), "G": {"S": f"shard-{shard}"}, "GS": {kind: place}, **numbers}


def key_item(key: str) -> Item:
    return {"PK": {"S": key}, "SK": {"S": "x"}}


def _keys(partition: str, sort: str) -> Any:
    return [{"AttributeName": partition, "KeyType": "HASH"}, {"AttributeName": sort, "KeyType": "RANGE"}]
