"""One item by its primary key."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel

from partita.model.expressions.rendering import render
from partita.model.flows.context import Context
from partita.model.flows.flow import Call, Flow
from partita.model.flows.retries import ask
from partita.model.keys.key_conditions import KeyCondition
from partita.model.reading.given import require_view
from partita.model.reading.projections import decoder, view_paths
from partita.model.reading.ranges import primary_key_attributes


def get(
    context: Context,
    ref: KeyCondition[Any],
    *,
    consistent: bool = False,
    view: type[BaseModel] | None = None,
) -> Flow[Any]:
    """The entity, or the view of it; None: there is no item. UnreadableItem: the item is of another type."""
    require_view(view)
    key = ref.item_key()
    table = ref.entity.__schema__.table
    parameters: dict[str, Any] = {"TableName": context.table_name(table), "Key": key}
    if consistent:
        parameters["ConsistentRead"] = True
    if view is not None:
        names = [attribute.name for attribute in primary_key_attributes(table)]
        parameters |= render(projection=view_paths((ref.entity,), view, names))
    answer = yield from ask(context.retries, Call("GetItem", parameters))
    item = answer.get("Item")
    return None if item is None else decoder((ref.entity,), view, strict=True)(item)
