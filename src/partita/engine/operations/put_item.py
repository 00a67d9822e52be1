"""PutItem: writes a whole item."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from partita.attributes import normalise_item
from partita.engine.keys import check_paths, item_place
from partita.engine.table import Scope
from partita.engine.write_answers import old_attributes, wants_item_on_failure, write_answer
from partita.engine.writes import MAX_ITEM_BYTES, put_of
from partita.errors import ValidationException
from partita.errors import items as errors
from partita.expressions import PUT, check_earlier, prepare

if TYPE_CHECKING:
    from partita.engine.engine import Engine


async def put_item(engine: Engine, request: dict[str, Any], scope: Scope) -> dict[str, Any]:
    if request.get("ReturnValues") not in (None, "NONE", "ALL_OLD"):
        check_earlier(request, PUT, request["Item"])
        raise errors.return_values_not_allowed()
    try:
        prepared = prepare(request, PUT) if len(request) > 2 else None
    except ValidationException:
        if check_earlier(request, PUT, request["Item"]) > MAX_ITEM_BYTES:
            raise errors.item_too_large() from None
        raise
    item, size = normalise_item(request["Item"])
    if size > MAX_ITEM_BYTES:
        raise errors.item_too_large()
    table = engine.catalogue.table(scope, request["TableName"])
    place = item_place(table, item)
    if prepared is None:
        # The commonest of all writes asks for nothing back.
        await engine.write(put_of(table, item, size, place))
        return {}
    write = put_of(table, item, size, place, prepared, wants_item_on_failure(request))
    check_paths(table, prepared)
    effect = await engine.write(write)
    return write_answer(request, effect, item, old_attributes(request, effect))
