"""DeleteItem: removes an item, if it is there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from partita.engine.keys import check_paths, locate
from partita.engine.table import Scope
from partita.engine.write_answers import old_attributes, wants_item_on_failure, write_answer
from partita.engine.writes import delete_of
from partita.errors import ValidationException
from partita.errors import items as errors
from partita.expressions import DELETE, check_earlier, prepare

if TYPE_CHECKING:
    from partita.engine.engine import Engine


async def delete_item(engine: Engine, request: dict[str, Any], scope: Scope) -> dict[str, Any]:
    if request.get("ReturnValues") not in (None, "NONE", "ALL_OLD"):
        check_earlier(request, DELETE, request["Key"])
        raise errors.return_values_not_allowed()
    try:
        prepared = prepare(request, DELETE)
    except ValidationException:
        check_earlier(request, DELETE, request["Key"])
        raise
    table, key, place = locate(engine.catalogue, scope, request)
    check_paths(table, prepared)
    effect = await engine.write(delete_of(table, key, place, prepared, wants_item_on_failure(request)))
    return write_answer(request, effect, key, old_attributes(request, effect))
