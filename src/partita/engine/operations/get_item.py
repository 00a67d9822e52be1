"""GetItem: reads one item by its key."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import orjson

from partita.attributes import Item, normalise_item
from partita.engine.capacity import Consumed, add_capacity, read_units
from partita.engine.keys import quick_place, request_place
from partita.engine.reads import as_of, read_row
from partita.engine.table import Scope
from partita.expressions import GET, prepare

if TYPE_CHECKING:
    from partita.engine.engine import Engine


async def get_item(engine: Engine, request: dict[str, Any], scope: Scope) -> dict[str, Any]:
    projection = prepare(request, GET).projection if len(request) > 2 else None
    key: Item = request["Key"]
    table = engine.catalogue.serving(scope, request["TableName"])
    place = quick_place(table, key, len(table.key_names)) if table is not None else None
    if table is None or place is None:
        key, _ = normalise_item(key)
        table = engine.catalogue.table(scope, request["TableName"])
        place = request_place(table, key)
    consistent = request.get("ConsistentRead") is True
    row = await read_row(engine, table, place, as_of(engine, consistent=consistent))
    answer: dict[str, Any] = {}
    if row is not None:
        if projection is None:
            answer["Item"] = orjson.Fragment(row.value)
        else:
            answer["Item"] = projection.apply(orjson.loads(row.value))
    if "ReturnConsumedCapacity" in request:
        units = read_units(row.size if row is not None else 0, consistent=consistent)
        add_capacity(answer, request, Consumed(table, units))
    return answer
