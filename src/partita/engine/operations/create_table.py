"""CreateTable."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from partita.engine import lifecycle, shown_counts, table_settings
from partita.engine.catalogue import table_name
from partita.engine.definitions import attribute_types, check_quotas, check_table, new_index, new_table
from partita.engine.description import describe_new
from partita.engine.table import Scope, Table
from partita.errors import tables as errors

if TYPE_CHECKING:
    from partita.engine.engine import Engine

MAX_TABLES: Final = 2_500
"""Per account and region (fact 23.5)."""
MAX_CHANGING: Final = 500
_NAME = re.compile(r"[a-zA-Z0-9_.-]{3,255}")


async def create_table(engine: Engine, request: dict[str, Any], scope: Scope) -> dict[str, Any]:
    """Makes a table that is CREATING, with its indexes; it serves when its transition is over.

    Raises ResourceInUseException if there is one of that name, LimitExceededException at 2,500 tables.
    """
    check_table(request)
    name = _plain_name(request["TableName"], scope)
    _check_room(engine, name, scope)
    check_quotas(request, scope.region)
    for index in request.get("GlobalSecondaryIndexes") or ():
        check_quotas(index, scope.region, index["IndexName"])
    now_us = engine.clock.now_us()
    table = new_table(request, name, scope, now_us, await engine.catalogue.new_space())
    table_settings.set_all(table, request, now_us)
    await _add_indexes(engine, table, request)
    shown_counts.begin(engine, table)
    table.due_us = now_us + engine.settings.table_transition_ms * 1000
    await engine.catalogue.save(table)
    lifecycle.schedule(engine, table)
    return {"TableDescription": describe_new(table, now_us)}


def _plain_name(given: str, scope: Scope) -> str:
    """The name of the new table, which the request may also give as the ARN that it is to have."""
    name = table_name(scope, given)
    if not _NAME.fullmatch(name):
        raise errors.bad_table_name(given)
    return name


def _check_room(engine: Engine, name: str, scope: Scope) -> None:
    existing = engine.catalogue.find(scope, name)
    if existing is not None:
        if existing.status == "CREATING":
            raise errors.table_in_use(name, existing.status)
        raise errors.table_exists(name)
    tables = list(engine.catalogue.tables(scope))
    if len(tables) >= MAX_TABLES:
        raise errors.too_many_tables(MAX_TABLES)
    if sum(table.status != "ACTIVE" for table in tables) >= MAX_CHANGING:
        raise errors.too_many_changing(MAX_CHANGING)


async def _add_indexes(engine: Engine, table: Table, request: dict[str, Any]) -> None:
    definitions = attribute_types(request["AttributeDefinitions"])
    for parameter, is_global in (("LocalSecondaryIndexes", False), ("GlobalSecondaryIndexes", True)):
        for definition in request.get(parameter) or ():
            space = await engine.catalogue.new_space()
            index = new_index(definition, definitions, space, is_global=is_global)
            table.indexes[index.name] = index
    if request.get("LocalSecondaryIndexes"):
        table.collections_space = await engine.catalogue.new_space()
