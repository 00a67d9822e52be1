"""TransactGetItems: reads up to 100 items as they are at one moment."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import orjson

from partita.attributes import normalise_item
from partita.engine.capacity import Consumed, add_capacities, read_units
from partita.engine.keys import Place, check_keys_not_empty, check_paths, request_place
from partita.engine.reasons import cancelled, conflicts, reason_of
from partita.engine.table import Scope, Table
from partita.errors import ValidationException
from partita.errors import items as errors
from partita.expressions import TX_GET, check_earlier, prepare
from partita.storage import READ, Decision, Row

if TYPE_CHECKING:
    from partita.engine.engine import Engine


MOST_BYTES = 4 * 1024**2
"""Of all items together."""


async def transact_get_items(engine: Engine, request: dict[str, Any], scope: Scope) -> dict[str, Any]:
    gets = [item["Get"] for item in request["TransactItems"]]
    prepared, keys = [], []
    for get in gets:
        try:
            prepared.append(prepare(get, TX_GET))
        except ValidationException:
            check_earlier(get, TX_GET, get["Key"])
            raise
        keys.append(normalise_item(get["Key"])[0])
    tables = [engine.catalogue.table(scope, get["TableName"]) for get in gets]
    for table, key in zip(tables, keys, strict=True):
        check_keys_not_empty(table, key)
    places: list[tuple[Table, Place]] = []
    for at, (table, key) in enumerate(zip(tables, keys, strict=True)):
        try:
            places.append((table, request_place(table, key)))
            check_paths(table, prepared[at])
        except ValidationException as failure:
            raise cancelled(len(gets), {at: reason_of(failure, "TransactGetItems")}) from None
    items = [(table.space, place) for table, place in places]
    if len(set(items)) < len(items):
        raise errors.several_on_one_item()
    held = engine.holds.held_among(items)
    if held:
        raise conflicts(len(gets), held)

    def decide(rows: Sequence[Row | None], stamp: int) -> Decision:
        return Decision((), (), (), rows)

    touches = [(table.space, place[0], place[1], READ) for table, place in places]
    rows: Sequence[Row | None] = await engine.store.transact(touches, decide)
    if sum(row.size for row in rows if row is not None) > MOST_BYTES:
        raise errors.transaction_items_too_large()
    responses: list[dict[str, Any]] = []
    by_table: dict[int, Consumed] = {}
    for get, (table, _), each, row in zip(gets, places, prepared, rows, strict=True):
        consumed = by_table.setdefault(
            table.space, Consumed(table, kind="ReadCapacityUnits", name=get["TableName"])
        )
        consumed.units += 2 * read_units(row.size if row is not None else 0, consistent=True)
        if row is None:
            responses.append({})
        elif each.projection is None:
            responses.append({"Item": orjson.Fragment(row.value)})
        else:
            responses.append({"Item": each.projection.apply(orjson.loads(row.value))})
    answer: dict[str, Any] = {"Responses": responses}
    add_capacities(answer, request, by_table.values())
    return answer
