"""DescribeContinuousBackups."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from partita.engine.catalogue import table_name
from partita.engine.table import Scope
from partita.errors import tables as errors

if TYPE_CHECKING:
    from partita.engine.engine import Engine


async def describe_continuous_backups(
    engine: Engine, request: dict[str, Any], scope: Scope
) -> dict[str, Any]:
    """Point-in-time recovery is off. The service calls continuous backups ENABLED on every table."""
    name = table_name(scope, request["TableName"])
    table = engine.catalogue.find(scope, name)
    if table is None or table.status == "CREATING":
        raise errors.backup_table_not_found(name)
    return {
        "ContinuousBackupsDescription": {
            "ContinuousBackupsStatus": "ENABLED",
            "PointInTimeRecoveryDescription": {"PointInTimeRecoveryStatus": "DISABLED"},
        }
    }
