"""The table that a ResourceArn names, for the operations on tags."""

from __future__ import annotations

from typing import TYPE_CHECKING

from partita.engine.table import Scope, Table
from partita.errors import tables as errors

if TYPE_CHECKING:
    from partita.engine.engine import Engine


def tagged_table(engine: Engine, arn: str, scope: Scope) -> Table:
    """Raises as facts 20.6, 20.7 and 20.12 say; streams have no tags of their own, so none is found."""
    if not arn.startswith("arn:"):
        raise errors.not_an_arn(arn)
    parts = arn.split(":", 5)
    if len(parts) != 6 or parts[2] != "dynamodb":
        raise errors.arn_of_other_service(arn)
    kind, name, *below = parts[5].split("/") if "/" in parts[5] else (parts[5], "")
    if kind != "table" or below[:1] == ["backup"]:
        raise errors.arn_of_other_service(arn)
    if below and not (len(below) == 2 and below[0] == "stream"):
        raise errors.arn_of_no_table(arn)
    if parts[4] != scope.account:
        raise errors.other_account()
    if parts[3] != scope.region:
        raise errors.arn_of_other_region(arn)
    table = engine.catalogue.find(scope, name) if not below else None
    if table is None:
        raise errors.resource_arn_not_found(arn)
    return table


def check_settled(table: Table) -> None:
    """Refuses a change of the tags of a table that is being made or deleted (fact 20.13)."""
    if table.status in ("CREATING", "DELETING"):
        raise errors.table_in_use(table.name, table.status)
