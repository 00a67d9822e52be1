"""How tables and indexes are described: the TableDescription of CreateTable, DescribeTable and the rest."""

from __future__ import annotations

from typing import Any, Final

from partita.engine.definitions import ON_DEMAND_WARM
from partita.engine.shown_counts import shown
from partita.engine.table import Index, KeyAttribute, Table

Description = dict[str, Any]
DAY_US: Final = 86_400_000_000


def describe(table: Table, now_us: int) -> Description:
    """The TableDescription of a table in its present state (sections 15 and 16)."""
    item_count, size_bytes = shown(table, table)
    description: Description = {
        "TableName": table.name,
        "TableStatus": table.status,
        "ProvisionedThroughput": _throughput(table, now_us),
        "TableSizeBytes": size_bytes,
        "ItemCount": item_count,
        "TableArn": table.arn,
        "TableId": table.id,
        "DeletionProtectionEnabled": table.deletion_protection,
    }
    if table.billing_shown:
        description["BillingModeSummary"] = _billing(table)
    if table.status == "DELETING":
        return description
    description |= {
        "AttributeDefinitions": [
            {"AttributeName": name, "AttributeType": type_}
            for name, type_ in sorted(table.attribute_definitions)
        ],
        "KeySchema": _key_schema((table.hash,), (table.range,) if table.range else ()),
        "CreationDateTime": _seconds(table.created_us),
        "WarmThroughput": _warm(table, table.status if table.status == "CREATING" else "ACTIVE"),
    }
    # In the order in which they were defined (fact 15.43).
    indexes = table.indexes.values()
    if table.local_indexes:
        description["LocalSecondaryIndexes"] = [
            _index(table, index) for index in indexes if not index.is_global
        ]
    if table.global_indexes:
        description["GlobalSecondaryIndexes"] = [
            _global_index(table, index, now_us) for index in indexes if index.is_global
        ]
    return description | {name: value for name, value in table.settings.items() if name != "WarmThroughput"}


def _global_index(table: Table, index: Index, now_us: int) -> Description:
    description = _index(table, index) | {
        "IndexStatus": index.status,
        "ProvisionedThroughput": _throughput(index, now_us),
        "WarmThroughput": _warm(index, index.status),
    }
    if index.backfilling is not None:
        description["Backfilling"] = index.backfilling
    if "OnDemandThroughput" in index.settings:
        description["OnDemandThroughput"] = index.settings["OnDemandThroughput"]
    return description


def _index(table: Table, index: Index) -> Description:
    item_count, size_bytes = shown(table, index)
    projection: Description = {"ProjectionType": index.projection}
    if index.non_key_attributes:
        projection["NonKeyAttributes"] = sorted(index.non_key_attributes)
    return {
        "IndexName": index.name,
        "KeySchema": _key_schema(index.hash, index.range),
        "Projection": projection,
        "IndexSizeBytes": size_bytes,
        "ItemCount": item_count,
        "IndexArn": f"{table.arn}/index/{index.name}",
    }


def _key_schema(hash_: tuple[KeyAttribute, ...], range_: tuple[KeyAttribute, ...]) -> list[Description]:
    return [
        {"AttributeName": key.name, "KeyType": kind}
        for kind, keys in (("HASH", hash_), ("RANGE", range_))
        for key in keys
    ]


def _throughput(holder: Table | Index, now_us: int) -> Description:
    changes = holder.throughput_changes
    description: Description = {
        "NumberOfDecreasesToday": decreases_today(holder, now_us),
        "ReadCapacityUnits": holder.read_units,
        "WriteCapacityUnits": holder.write_units,
    }
    for member, name in (("LastIncreaseDateTime", "increased_us"), ("LastDecreaseDateTime", "decreased_us")):
        if name in changes:
            description[member] = _seconds(changes[name])
    return description


def decreases_today(holder: Table | Index, now_us: int) -> int:
    """How often throughput was decreased on this day (UTC)."""
    changes = holder.throughput_changes
    return changes.get("decreases", 0) if changes.get("decreases_day") == now_us // DAY_US else 0


def _billing(table: Table) -> Description:
    summary: Description = {"BillingMode": table.billing_mode}
    if table.on_demand_since_us is not None and table.status != "CREATING":
        summary["LastUpdateToPayPerRequestDateTime"] = _seconds(table.on_demand_since_us)
    return summary


def warm_units(holder: Table | Index) -> dict[str, int]:
    """What the table or index is warm for: as asked for, and at least what it serves by itself."""
    own = ON_DEMAND_WARM
    if holder.read_units:
        own = {"ReadUnitsPerSecond": holder.read_units, "WriteUnitsPerSecond": holder.write_units}
    asked: dict[str, int] = holder.settings.get("WarmThroughput", {})
    return {member: max(units, asked.get(member, 0)) for member, units in own.items()}


def _warm(holder: Table | Index, status: str) -> Description:
    return {**warm_units(holder), "Status": status}


def _seconds(time_us: int) -> float:
    return time_us / 1_000_000
