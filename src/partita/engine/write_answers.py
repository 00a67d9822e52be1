"""What PutItem, UpdateItem and DeleteItem answer: attributes, capacity, item collection metrics."""

from __future__ import annotations

from typing import Any

import orjson

from partita.attributes import Item
from partita.engine.capacity import Consumed, add_capacity, write_units
from partita.engine.table import Table
from partita.engine.writes import Effect


def add_write_capacity(consumed: Consumed, effect: Effect, *, doubled: bool = False) -> None:
    """Charges an effect: the larger of before and after on the table, each changed index entry by itself.

    A transaction pays the table's part twice, the indexes' once.
    """
    units = write_units(max(effect.old_size, effect.new_size))
    consumed.units += units * 2 if doubled else units
    for index, change in effect.index_changes:
        consumed.add_index(index.name, sum(write_units(size) for size in change.written_bytes))


def collection_metrics(table: Table, key_of: Item, effect: Effect) -> dict[str, Any] | None:
    """ItemCollectionMetrics of one write; None for a table without local indexes (facts 14.20, 14.21)."""
    if not table.collections_space:
        return None
    low = effect.collection_bytes // 1024**3
    return {
        "ItemCollectionKey": {table.hash.name: key_of[table.hash.name]},
        "SizeEstimateRangeGB": [float(low), float(low + 1)],
    }


def note_collection(
    metrics: dict[str, list[dict[str, Any]]], name: str, table: Table, key_of: Item, effect: Effect
) -> None:
    """Adds the ItemCollectionMetrics of a write to those of its request; of a collection the last counts."""
    metric = collection_metrics(table, key_of, effect)
    if metric is not None:
        of_table = metrics.setdefault(name, [])
        of_table[:] = [m for m in of_table if m["ItemCollectionKey"] != metric["ItemCollectionKey"]]
        of_table.append(metric)


def write_answer(
    request: dict[str, Any], effect: Effect, key_of: Item, attributes: Item | orjson.Fragment | None
) -> dict[str, Any]:
    """The answer of a single write; `attributes` are left out if there are none (fact 9.1)."""
    answer: dict[str, Any] = {}
    if attributes:
        answer["Attributes"] = attributes
    if len(request) > 2:
        if "ReturnConsumedCapacity" in request:
            consumed = Consumed(effect.write.table)
            add_write_capacity(consumed, effect)
            add_capacity(answer, request, consumed)
        if request.get("ReturnItemCollectionMetrics") == "SIZE":
            metrics = collection_metrics(effect.write.table, key_of, effect)
            if metrics is not None:
                answer["ItemCollectionMetrics"] = metrics
    return answer


def old_attributes(request: dict[str, Any], effect: Effect) -> orjson.Fragment | None:
    """What ReturnValues ALL_OLD shows."""
    if request.get("ReturnValues") == "ALL_OLD" and effect.row is not None:
        return orjson.Fragment(effect.row.value)
    return None


def wants_item_on_failure(parameters: dict[str, Any]) -> bool:
    """ReturnValuesOnConditionCheckFailure, of a request or of an action."""
    return parameters.get("ReturnValuesOnConditionCheckFailure") == "ALL_OLD"
