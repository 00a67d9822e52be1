"""UpdateTimeToLive."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from partita.engine.table import Scope, Table
from partita.errors import tables as errors

if TYPE_CHECKING:
    from partita.engine.engine import Engine

QUIET_US: Final = 30 * 60 * 1_000_000
"""So long after a change no further one is taken (fact 19.5)."""


async def update_time_to_live(engine: Engine, request: dict[str, Any], scope: Scope) -> dict[str, Any]:
    """Turns expiry by an attribute on or off. Stored and described only (section 19)."""
    specification = request["TimeToLiveSpecification"]
    table = engine.catalogue.describe(scope, request["TableName"])
    if table.status == "CREATING":
        raise errors.table_not_found(table.name)
    if table.status == "DELETING":
        raise errors.table_in_use(table.name, table.status)
    now_us = engine.clock.now_us()
    _check_change(table, specification, now_us)
    table.time_to_live = {
        "Enabled": specification["Enabled"],
        "AttributeName": specification["AttributeName"],
        "changed_us": now_us,
    }
    await engine.catalogue.save(table)
    return {"TimeToLiveSpecification": {name: specification[name] for name in ("Enabled", "AttributeName")}}


def _check_change(table: Table, specification: dict[str, Any], now_us: int) -> None:
    present = table.time_to_live
    is_enabled = present.get("Enabled", False)
    if is_enabled and present["AttributeName"] != specification["AttributeName"]:
        raise errors.expiry_on_other_attribute(present["AttributeName"])
    if is_enabled == specification["Enabled"]:
        raise errors.expiry_already(is_enabled)
    if present and now_us < present["changed_us"] + QUIET_US:
        raise errors.expiry_changed_too_soon()
