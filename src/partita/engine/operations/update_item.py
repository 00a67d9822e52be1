"""UpdateItem: changes attributes of an item, or makes it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import orjson

from partita.attributes import Item
from partita.engine.keys import check_paths, locate
from partita.engine.table import Scope
from partita.engine.write_answers import old_attributes, wants_item_on_failure, write_answer
from partita.engine.writes import Effect, update_of
from partita.errors import ValidationException
from partita.expressions import UPDATE, Update, check_earlier, prepare

if TYPE_CHECKING:
    from partita.engine.engine import Engine


async def update_item(engine: Engine, request: dict[str, Any], scope: Scope) -> dict[str, Any]:
    try:
        prepared = prepare(request, UPDATE)
    except ValidationException:
        check_earlier(request, UPDATE, request["Key"])
        raise
    table, key, place = locate(engine.catalogue, scope, request)
    write = update_of(table, key, place, prepared, wants_item_on_failure(request))
    check_paths(table, prepared)
    effect = await engine.write(write)
    attributes = _attributes(request, prepared.update, effect) if "ReturnValues" in request else None
    return write_answer(request, effect, key, attributes)


def _attributes(
    request: dict[str, Any], update: Update | None, effect: Effect
) -> Item | orjson.Fragment | None:
    match request.get("ReturnValues"):
        case "ALL_OLD":
            return old_attributes(request, effect)
        case "ALL_NEW" if effect.new_value is not None:
            return orjson.Fragment(effect.new_value)
        case "UPDATED_OLD" if update is not None and effect.old is not None:
            return update.touched(effect.old)
        case "UPDATED_NEW" if update is not None and effect.new is not None:
            return update.touched_after(effect.new)
    return None
