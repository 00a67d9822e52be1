"""DescribeLimits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from partita.engine.definitions import MAX_TABLE_UNITS
from partita.engine.table import Scope

if TYPE_CHECKING:
    from partita.engine.engine import Engine


async def describe_limits(engine: Engine, request: dict[str, Any], scope: Scope) -> dict[str, Any]:
    """The default quotas of an account in a region."""
    return {
        "AccountMaxReadCapacityUnits": 80_000,
        "AccountMaxWriteCapacityUnits": 80_000,
        "TableMaxReadCapacityUnits": MAX_TABLE_UNITS,
        "TableMaxWriteCapacityUnits": MAX_TABLE_UNITS,
    }
