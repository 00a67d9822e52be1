"""Query: reads items of one partition of a table or index, in order of the sort key."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from partita.engine.key_range import KeyRange, key_range, query_start, start_place
from partita.engine.keys import check_paths
from partita.engine.pages import Page, index_of, prepare_read
from partita.engine.reads import View, as_of
from partita.engine.table import Index, Scope, Table
from partita.errors import items as errors
from partita.expressions import QUERY, Prepared

if TYPE_CHECKING:
    from partita.engine.engine import Engine


async def query(engine: Engine, request: dict[str, Any], scope: Scope) -> dict[str, Any]:
    prepared, start = prepare_read(request, QUERY)
    conditions = prepared.key_conditions
    assert conditions is not None
    if not conditions or (len(conditions) > 2 and "IndexName" not in request):
        raise errors.condition_count()
    table = engine.catalogue.table(scope, request["TableName"])
    index = index_of(table, request)
    after = start_place(table, index, start) if start is not None else None
    rows = key_range(table, index, conditions)
    forward = request.get("ScanIndexForward") is not False
    if after is not None:
        rows = query_start(after, rows, forward=forward)
    _check_filter(table, index, prepared)
    check_paths(table, prepared)
    page = Page(engine, request, prepared, table, index)
    await _read(engine, request, page, table, index, rows, forward)
    return page.answer()


async def _read(
    engine: Engine,
    request: dict[str, Any],
    page: Page,
    table: Table,
    index: Index | None,
    rows: KeyRange,
    forward: bool,
) -> None:
    changed = None
    if index is None:
        as_of_us = as_of(engine, consistent=request.get("ConsistentRead") is True)
        if as_of_us is not None:
            changed = engine.recent.changed_since(table.space, as_of_us)
    view = View(engine.store, table.space if index is None else index.space, changed)
    partition, low, high = rows
    looks_at_rows = page.looks_at_rows
    while True:
        wanted = page.rows_wanted
        gathered = rest = None
        if not looks_at_rows:
            gathered, rest = await view.gather(partition, low, high, reverse=not forward, limit=wanted)
        if gathered is None or not page.take_all(gathered):
            found, rest = await view.range(partition, low, high, reverse=not forward, limit=wanted)
            await page.take(found)
        if page.is_full or rest is None:
            return
        if forward:
            low = rest
        else:
            high = rest
        await engine.pause()
        engine.catalogue.require(table, index)


def _check_filter(table: Table, index: Index | None, prepared: Prepared) -> None:
    """Facts 11.14, 11.15, 17.7: no key attribute of what is read may be filtered."""
    if not prepared.filter_names:
        return
    keys = (
        [table.hash, *([table.range] if table.range else [])]
        if index is None
        else [*index.hash, *index.range]
    )
    for key in keys:
        if key.name in prepared.filter_names:
            raise (errors.legacy_filter_on_key if prepared.is_legacy else errors.filter_on_key)(key.name)
