"""BatchGetItem: reads up to 100 items by their keys; what does not fit into 16 MB comes back unprocessed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import orjson

from partita.attributes import Item, normalise_item
from partita.engine.capacity import Consumed, add_capacities, read_units
from partita.engine.keys import Place, check_paths, request_place
from partita.engine.reads import as_of, read_row
from partita.engine.table import Scope, Table
from partita.errors import ResourceNotFoundException, ValidationException
from partita.errors import items as errors
from partita.expressions import BATCH_GET, Prepared, check_earlier, prepare

if TYPE_CHECKING:
    from partita.engine.engine import Engine

MOST_BYTES = 16 * 1024**2


async def batch_get_item(engine: Engine, request: dict[str, Any], scope: Scope) -> dict[str, Any]:
    parts: dict[str, tuple[dict[str, Any], Prepared, list[Item]]] = {}
    for name, part in request["RequestItems"].items():
        try:
            prepared = prepare(part, BATCH_GET)
        except ValidationException:
            check_earlier(part, BATCH_GET, *part["Keys"])
            _check_unrepeated(part["Keys"])
            raise
        parts[name] = (part, prepared, [normalise_item(key)[0] for key in part["Keys"]])
    try:
        tables = {name: engine.catalogue.table(scope, name) for name in parts}
        places = {
            name: [request_place(tables[name], key) for key in keys] for name, (_, _, keys) in parts.items()
        }
    except (ResourceNotFoundException, ValidationException):
        for _, _, keys in parts.values():
            _check_unrepeated(keys)
        raise
    for name, (_, prepared, _) in parts.items():
        check_paths(tables[name], prepared)
    _check_distinct(tables, places)
    responses: dict[str, list[Any]] = {name: [] for name in parts}
    unprocessed: dict[str, Any] = {}
    by_table: dict[int, Consumed] = {}
    size = processed = 0
    chance = engine.chance() if engine.settings.unprocessed_chance else None
    for name, (part, prepared, _) in parts.items():
        projection = prepared.projection
        consistent = part.get("ConsistentRead") is True
        as_of_us = as_of(engine, consistent=consistent)
        table = tables[name]
        consumed = by_table.setdefault(table.space, Consumed(table, name=name))
        for key, place in zip(part["Keys"], places[name], strict=True):
            is_left = processed and chance is not None and chance.happens(engine.settings.unprocessed_chance)
            row = None if is_left else await read_row(engine, table, place, as_of_us)
            if is_left or size + (row.size if row is not None else 0) > MOST_BYTES:
                unprocessed.setdefault(name, {**part, "Keys": []})["Keys"].append(key)
                continue
            processed += 1
            consumed.units += read_units(row.size if row is not None else 0, consistent=consistent)
            if row is not None:
                size += row.size
                responses[name].append(
                    orjson.Fragment(row.value)
                    if projection is None
                    else projection.apply(orjson.loads(row.value))
                )
    answer: dict[str, Any] = {"Responses": responses, "UnprocessedKeys": unprocessed}
    add_capacities(answer, request, [consumed for consumed in by_table.values() if consumed.units])
    return answer


def _check_unrepeated(keys: list[Item]) -> None:
    """Fact 2.46: one key given twice is found before its table is looked up; values may not be normal yet."""
    normal = [normalise_item(key)[0] for key in keys]
    if any(key in normal[:position] for position, key in enumerate(normal)):
        raise errors.duplicate_keys()


def _check_distinct(tables: dict[str, Table], places: dict[str, list[Place]]) -> None:
    """Facts 12.5, 12.14: one table may go by two names, its own and its ARN."""
    wanted = [(tables[name].space, place) for name, of_table in places.items() for place in of_table]
    if len(set(wanted)) < len(wanted):
        raise errors.duplicate_keys()
