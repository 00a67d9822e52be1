"""ListTables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from partita.engine.table import Scope

if TYPE_CHECKING:
    from partita.engine.engine import Engine

PAGE: Final = 100


async def list_tables(engine: Engine, request: dict[str, Any], scope: Scope) -> dict[str, Any]:
    """The names of the scope's tables in order, a page of at most 100 (facts 15.37, 15.38)."""
    start = request.get("ExclusiveStartTableName") or ""
    limit = request.get("Limit") or PAGE
    names = sorted(table.name for table in engine.catalogue.tables(scope) if table.name > start)
    answer: dict[str, Any] = {"TableNames": names[:limit]}
    if len(names) > limit:
        answer["LastEvaluatedTableName"] = names[limit - 1]
    return answer
