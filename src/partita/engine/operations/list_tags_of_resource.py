"""ListTagsOfResource."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from partita.engine.resource_arn import tagged_table
from partita.engine.table import Scope

if TYPE_CHECKING:
    from partita.engine.engine import Engine


async def list_tags_of_resource(engine: Engine, request: dict[str, Any], scope: Scope) -> dict[str, Any]:
    """All tags of a table: there are so few that no answer has a NextToken, and none is looked at (20.13)."""
    table = tagged_table(engine, request["ResourceArn"], scope)
    return {"Tags": [{"Key": key, "Value": value} for key, value in table.tags.items()]}
