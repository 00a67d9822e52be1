"""Scan: reads all items of a table or index, or of one segment of it, in the order of hashes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from partita.engine.key_range import scan_start
from partita.engine.keys import check_paths
from partita.engine.pages import Page, index_of, prepare_read
from partita.engine.reads import View, as_of
from partita.engine.table import Scope
from partita.errors import ValidationException
from partita.errors import items as errors
from partita.expressions import SCAN

if TYPE_CHECKING:
    from partita.engine.engine import Engine

_PARTITIONS = 1 << 128
"""Partitions are 16-byte digests; a segment is a range of them."""


async def scan(engine: Engine, request: dict[str, Any], scope: Scope) -> dict[str, Any]:
    prepared, start = prepare_read(request, SCAN, _segment)
    low, high = _segment(request)
    table = engine.catalogue.table(scope, request["TableName"])
    try:
        index = index_of(table, request)
    except ValidationException:
        if start is not None and request["IndexName"] not in table.indexes:
            raise errors.start_key_invalid() from None
        raise
    after = scan_start(table, index, start) if start is not None else None
    page = Page(engine, request, prepared, table, index)
    if after is not None and (after[0] < low or (high is not None and after[0] >= high)):
        raise errors.start_key_of_other_segment(request["TotalSegments"], request["Segment"])
    check_paths(table, prepared)
    changed = None
    if index is None:
        as_of_us = as_of(engine, consistent=request.get("ConsistentRead") is True)
        if as_of_us is not None:
            changed = engine.recent.changed_since(table.space, as_of_us)
    view = View(engine.store, table.space if index is None else index.space, changed)
    while True:
        found, after = await view.walk(after, low, high, limit=page.rows_wanted)
        await page.take(found)
        if page.is_full or after is None:
            return page.answer()
        await engine.pause()
        engine.catalogue.require(table, index)


def _segment(request: dict[str, Any]) -> tuple[bytes, bytes | None]:
    """The range of partitions that the request scans (facts 11.36–11.39, 11.44)."""
    segment, total = request.get("Segment"), request.get("TotalSegments")
    if total is None:
        if segment is not None:
            raise errors.total_segments_missing()
        return b"", None
    if segment is None:
        raise errors.segment_missing()
    if segment >= total:
        raise errors.segment_out_of_range(segment, total)
    low = (segment * _PARTITIONS + total - 1) // total
    high = ((segment + 1) * _PARTITIONS + total - 1) // total
    return low.to_bytes(16, "big"), high.to_bytes(16, "big") if high < _PARTITIONS else None
