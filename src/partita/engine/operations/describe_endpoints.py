"""DescribeEndpoints."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from partita.engine.table import Scope

if TYPE_CHECKING:
    from partita.engine.engine import Engine


async def describe_endpoints(engine: Engine, request: dict[str, Any], scope: Scope) -> dict[str, Any]:
    """The region's public endpoint. SDKs do not ask when they are given an endpoint of their own."""
    return {
        "Endpoints": [{"Address": f"dynamodb.{scope.region}.amazonaws.com", "CachePeriodInMinutes": 1440}]
    }
