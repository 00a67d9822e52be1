"""GetItem: reads one item by its key."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import orjson

from partita.engine.capacity import Consumed, add_capacity, read_units
from partita.engine.keys import check_paths, locate
from partita.engine.reads import as_of, read_row
from partita.engine.table import Scope
from partita.errors import ValidationException
from partita.expressions import GET, check_earlier, prepare

if TYPE_CHECKING:
    from partita.engine.engine import Engine


async def get_item(engine: Engine, request: dict[str, Any], scope: Scope) -> dict[str, Any]:
    try:
        prepared = prepare(request, GET) if len(request) > 2 else None
    except ValidationException:
        check_earlier(request, GET, request["Key"])
        raise
    table, _, place = locate(engine.catalogue, scope, request)
    projection = None
    if prepared is not None:
        projection = prepared.projection
        check_paths(table, prepared)
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
