"""The table that a ResourceArn names, for the operations on tags."""

from __future__ import annotations

from typing import TYPE_CHECKING

from partita.engine.table import Scope, Table
from partita.errors import tables as errors

if TYPE_CHECKING:
    from partita.engine.engine import Engine


def tagged_table(engine: Engine, arn: str, scope: Scope) -> Table:
    """Raises as facts 20.6 and 20.7 say; streams have no tags of their own here, so none is found."""
    if not arn.startswith("arn:"):
        raise errors.not_an_arn(arn)
    parts = arn.split(":", 5)
    if len(parts) != 6 or parts[2] != "dynamodb":
        raise errors.arn_of_other_service(arn)
    kind, *names = parts[5].split("/")
    is_stream = len(names) == 3 and names[1] == "stream"
    if kind != "table" or not (len(names) == 1 or is_stream):
        raise errors.arn_of_no_table(arn)
    table = engine.catalogue.find(scope, arn)
    if table is None:
        raise errors.resource_arn_not_found(arn)
    return table
