"""TagResource."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from partita.engine.definitions import MAX_TAGS, check_tags
from partita.engine.resource_arn import check_settled, tagged_table
from partita.engine.table import Scope
from partita.errors import tables as errors

if TYPE_CHECKING:
    from partita.engine.engine import Engine


async def tag_resource(engine: Engine, request: dict[str, Any], scope: Scope) -> dict[str, Any]:
    """Sets tags of a table; a key that is there already gets the new value (section 20)."""
    tags = request["Tags"]
    if not tags:
        raise errors.no_tags()
    check_tags(tags)
    table = tagged_table(engine, request["ResourceArn"], scope)
    check_settled(table)
    merged = {**table.tags, **{tag["Key"]: tag["Value"] for tag in tags}}
    if len(merged) > MAX_TAGS:
        raise errors.too_many_tags()
    table.tags = merged
    await engine.catalogue.save(table)
    return {}
