"""DescribeTimeToLive."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from partita.engine.table import Scope
from partita.errors import tables as errors

if TYPE_CHECKING:
    from partita.engine.engine import Engine


async def describe_time_to_live(engine: Engine, request: dict[str, Any], scope: Scope) -> dict[str, Any]:
    """Whether items expire, and by which attribute (facts 19.1, 19.4)."""
    table = engine.catalogue.describe(scope, request["TableName"])
    if table.status in ("CREATING", "DELETING"):
        raise errors.expiry_not_described(table.status)
    present = table.time_to_live
    is_enabled = present.get("Enabled", False)
    changing_until_us = present.get("changed_us", 0) + engine.settings.table_transition_ms * 1000
    if engine.clock.now_us() < changing_until_us:
        status = "ENABLING" if is_enabled else "DISABLING"
    else:
        status = "ENABLED" if is_enabled else "DISABLED"
    description = {"TimeToLiveStatus": status}
    if status != "DISABLED":
        description["AttributeName"] = present["AttributeName"]
    return {"TimeToLiveDescription": description}
