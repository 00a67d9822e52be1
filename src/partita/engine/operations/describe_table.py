"""DescribeTable."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from partita.engine import shown_counts
from partita.engine.description import describe
from partita.engine.table import Scope

if TYPE_CHECKING:
    from partita.engine.engine import Engine


async def describe_table(engine: Engine, request: dict[str, Any], scope: Scope) -> dict[str, Any]:
    """Describes a table, whatever its status (section 15)."""
    table = engine.catalogue.describe(scope, request["TableName"])
    await shown_counts.refresh(engine, table)
    return {"Table": describe(table, engine.clock.now_us())}
