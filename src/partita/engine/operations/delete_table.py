"""DeleteTable."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from partita.engine import lifecycle
from partita.engine.description import describe
from partita.engine.table import Scope
from partita.errors import tables as errors

if TYPE_CHECKING:
    from partita.engine.engine import Engine


async def delete_table(engine: Engine, request: dict[str, Any], scope: Scope) -> dict[str, Any]:
    """Makes a table DELETING; at the end of the transition it is gone, and its rows follow in slices.

    Raises ResourceInUseException while the table or one of its indexes changes (facts 15.4, 15.41, 15.47),
    ValidationException if it is protected (fact 15.14).
    """
    table = engine.catalogue.describe(scope, request["TableName"])
    if table.status in ("CREATING", "DELETING"):
        raise errors.table_in_use(table.name, table.status)
    if any(index.status != "ACTIVE" for index in table.global_indexes):
        raise errors.indexes_in_use()
    if table.status == "UPDATING":
        raise errors.table_being_updated(table.name)
    if table.deletion_protection:
        raise errors.protected()
    table.status = "DELETING"
    table.due_us = engine.clock.now_us() + engine.settings.table_transition_ms * 1000
    await engine.catalogue.save(table)
    lifecycle.schedule(engine, table)
    return {"TableDescription": describe(table, engine.clock.now_us())}
