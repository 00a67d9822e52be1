"""UntagResource."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from partita.engine.definitions import MAX_TAGS, check_tag_key
from partita.engine.resource_arn import check_settled, tagged_table
from partita.engine.table import Scope
from partita.errors import tables as errors

if TYPE_CHECKING:
    from partita.engine.engine import Engine


async def untag_resource(engine: Engine, request: dict[str, Any], scope: Scope) -> dict[str, Any]:
    """Takes tags off a table; keys that it does not have are fine (fact 20.9)."""
    keys = set(request["TagKeys"])
    if not keys:
        raise errors.no_tag_keys()
    for key in request["TagKeys"]:
        check_tag_key(key)
    if len(keys) > MAX_TAGS:
        raise errors.too_many_tags()
    table = tagged_table(engine, request["ResourceArn"], scope)
    check_settled(table)
    table.tags = {key: value for key, value in table.tags.items() if key not in keys}
    await engine.catalogue.save(table)
    return {}
