"""How tables and indexes are described: the TableDescription of CreateTable, DescribeTable and the rest."""

from __future__ import annotations

from typing import Any, Final

from partita.engine.definitions import ON_DEMAND_WARM
from partita.engine.shown_counts import shown
from partita.engine.table import Index, KeyAttribute, Table

Description = dict[str, Any]
DAY_US: Final = 86_400_000_000


def describe_new(table: Table, now_us: int) -> Description:
    """The TableDescription in the answer to CreateTable: WarmThroughput is there only if it was asked for."""
    description = describe(table, now_us)
    if "WarmThroughput" not in table.settings:
        del description["WarmThroughput"]
    for index in description.get("GlobalSecondaryIndexes", ()):
        del index["WarmThroughput"]
    return description


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
        "WarmThroughput": _warm(table),
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


def updated(request: Description, before: Description, after: Description, now_us: int) -> Description:
    """The TableDescription in the answer to UpdateTable `request`, between those before and after it.

    Warm throughput and encryption are UPDATING with their old values, limits that were taken away are -1,
    and throughput that a new billing mode takes away has been decreased, which no later description says
    (fact 16.32).
    """
    answer = dict(after)
    limits = {name: units for name, units in (request.get("OnDemandThroughput") or {}).items() if units}
    if limits:
        answer["OnDemandThroughput"] = {**after.get("OnDemandThroughput", {}), **limits}
    if request.get("WarmThroughput"):
        answer["WarmThroughput"] = {**before["WarmThroughput"], "Status": "UPDATING"}
    if request.get("SSESpecification") is not None:
        answer["SSEDescription"] = {**before.get("SSEDescription", {}), "Status": "UPDATING"}
    units, old_units = after["ProvisionedThroughput"], before["ProvisionedThroughput"]
    if units["ReadCapacityUnits"] < old_units["ReadCapacityUnits"]:
        answer["ProvisionedThroughput"] = {**units, "LastDecreaseDateTime": _seconds(now_us)}
    warm = {index["IndexName"]: index["WarmThroughput"] for index in before.get("GlobalSecondaryIndexes", ())}
    for update in request.get("GlobalSecondaryIndexUpdates") or ():
        if (update.get("Update") or {}).get("WarmThroughput"):
            (index,) = (
                each
                for each in after["GlobalSecondaryIndexes"]
                if each["IndexName"] == update["Update"]["IndexName"]
            )
            index["WarmThroughput"] = {**warm[index["IndexName"]], "Status": "UPDATING"}
    return answer


def _global_index(table: Table, index: Index, now_us: int) -> Description:
    description = _index(table, index) | {
        "IndexStatus": index.status,
        "ProvisionedThroughput": _throughput(index, now_us),
        "WarmThroughput": _warm(index),
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


def _warm(holder: Table | Index) -> Description:
    return {**warm_units(holder), "Status": "UPDATING" if holder.status == "CREATING" else "ACTIVE"}


def _seconds(time_us: int) -> float:
    return time_us / 1_000_000
