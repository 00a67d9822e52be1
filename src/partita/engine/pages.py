"""One page of a Query or Scan: what is evaluated, what is kept of it, and where the next page begins."""

from __future__ import annotations

from collections.abc import Callable
from itertools import accumulate
from typing import TYPE_CHECKING, Any

import orjson

from partita.attributes import Item
from partita.engine.capacity import Consumed, add_capacity, read_units, rounded_up
from partita.engine.key_range import normal_start
from partita.engine.keys import keys_of, place_of
from partita.engine.reads import Entries, Rows, size_of, value_of
from partita.engine.table import Index, Table
from partita.errors import ValidationException
from partita.errors import items as errors
from partita.expressions import Prepared, Projection, Takes, check_before_start, prepare
from partita.storage import Gathered

if TYPE_CHECKING:
    from partita.engine.engine import Engine

FIRST_ROWS = 32
MOST_ROWS = 256
"""Rows read at a time: few at first, since they may be large; between two reads others have their turn."""


def prepare_read(
    request: dict[str, Any], takes: Takes, check_segment: Callable[[dict[str, Any]], object] | None = None
) -> tuple[Prepared, Item | None]:
    """The expressions of a Query or Scan, and its ExclusiveStartKey in normal form.

    Of several faults it raises what the service finds first (fact 2.47); `check_segment` comes between.
    """
    start = request.get("ExclusiveStartKey")
    try:
        prepared = prepare(request, takes)
        check_select(request, prepared)
    except ValidationException:
        check_before_start(request, takes)
        if start is not None:
            normal_start(start)
        if check_segment is not None:
            check_segment(request)
        raise
    return prepared, normal_start(start) if start is not None else None


def check_select(request: dict[str, Any], prepared: Prepared) -> None:
    """Facts 11.28–11.31, 11.42: Select against the request's other parameters."""
    select = request.get("Select")
    if select is None:
        return
    if select == "ALL_PROJECTED_ATTRIBUTES" and "IndexName" not in request:
        raise errors.projected_without_index()
    if prepared.projection is None:
        if select == "SPECIFIC_ATTRIBUTES":
            raise errors.specific_without_projection()
    elif select != "SPECIFIC_ATTRIBUTES":
        parameter = "ProjectionExpression" if "ProjectionExpression" in request else "AttributesToGet"
        raise errors.projection_with_select(parameter, select)


def index_of(table: Table, request: dict[str, Any]) -> Index | None:
    """The index that the request reads; None for the table itself (facts 11.25, 11.26)."""
    name = request.get("IndexName")
    if name is None:
        return None
    index = table.indexes.get(name)
    if index is None or index.status == "DELETING":
        raise errors.unknown_index(name)
    if index.is_global and request.get("ConsistentRead") is True:
        raise errors.consistent_read_on_global_index()
    if index.is_global and index.status == "CREATING":
        raise errors.index_backfilling(name)
    return index


class Page:
    """Takes rows until Limit or the page's bytes are reached."""

    __slots__ = (
        "_bytes",
        "_engine",
        "_fetched_bytes",
        "_fetched_units",
        "_filter",
        "_index",
        "_is_count",
        "_is_fetching",
        "_items",
        "_last",
        "_limit",
        "_most_bytes",
        "_projection",
        "_request",
        "_table",
        "count",
        "is_full",
        "scanned",
    )

    def __init__(
        self, engine: Engine, request: dict[str, Any], prepared: Prepared, table: Table, index: Index | None
    ) -> None:
        self._engine = engine
        self._request = request
        self._table = table
        self._index = index
        self._filter: Callable[[Item], bool] | None = prepared.filter
        self._projection: Projection | None = prepared.projection
        select = request.get("Select")
        self._is_count = select == "COUNT"
        self._limit: int | None = request.get("Limit")
        self._most_bytes = engine.settings.page_bytes
        self._is_fetching = index is not None and self._needs_base_items(index, select)
        self._items: list[Any] = []
        """As the bytes that are stored, one or several with commas; as dicts if there is a projection."""
        self._fetched_units = 0.0
        self._fetched_bytes = 0
        """Of items of the table, each rounded up to 4 KB, which is how they fill a page (fact 11.46)."""
        self._bytes = 0
        self._last = b""
        self.count = 0
        self.scanned = 0
        self.is_full = False

    def _needs_base_items(self, index: Index, select: str | None) -> bool:
        """Whether a local index must fetch attributes from the table (fact 11.33); a global one cannot."""
        if index.projected is None:
            return False
        if select == "ALL_ATTRIBUTES":
            if index.is_global:
                raise errors.all_attributes_on_index(index.name)
            return True
        if self._projection is None or self._projection.names <= index.projected:
            return False
        if index.is_global:
            missing = ", ".join(sorted(self._projection.names - index.projected))
            raise errors.attributes_not_projected(index.name, f"[{missing}]")
        return True

    @property
    def rows_wanted(self) -> int:
        """How many rows to read next."""
        wanted = MOST_ROWS if self.scanned else FIRST_ROWS
        if self.scanned:
            average = self._bytes // self.scanned + 1
            wanted = min(wanted, (self._most_bytes - self._bytes) // average + 1)
        if self._limit is not None:
            wanted = min(wanted, self._limit - self.scanned)
        return max(wanted, 1)

    @property
    def looks_at_rows(self) -> bool:
        """Whether it needs each row by itself."""
        return (
            self._is_count
            or self._is_fetching
            or self._limit is not None
            or self._filter is not None
            or self._projection is not None
        )

    def take_all(self, rows: Gathered) -> bool:
        """Takes rows as one; False if they fill the page, where the last one has to be known by itself."""
        if self._bytes + rows.size >= self._most_bytes:
            return False
        if rows.number:
            self.scanned += rows.number
            self.count += rows.number
            self._bytes += rows.size
            self._items.append(rows.values)
        return True

    async def take(self, rows: Rows) -> None:
        """Evaluates rows in order until the page is full."""
        if not self._is_fetching:
            self._take(*self._within(*rows))
            return
        for row in rows[0]:
            # What is fetched fills the page too, so no row is counted before its turn.
            self._count((row,), size_of(row))
            value = value_of(row)
            self._keep(*await self._fetched(orjson.loads(value), value))
            if self.is_full:
                return

    def _take(self, entries: Entries, size: int) -> None:
        if not entries:
            return
        self._count(entries, size)
        if self._filter is None and self._projection is None:
            self.count += len(entries)
            if not self._is_count:
                self._items += map(value_of, entries)
            return
        # Decoded together, items cost a tenth less than one by one.
        values = [*map(value_of, entries)]
        items: list[Item] = orjson.loads(b"[%b]" % b",".join(values))
        for item, value in zip(items, values, strict=True):
            self._keep(item, value)

    def _within(self, entries: Entries, size: int) -> Rows:
        """The rows up to the one that fills the page."""
        left = len(entries) if self._limit is None else self._limit - self.scanned
        room = self._most_bytes - self._bytes
        if len(entries) <= left and size <= room:
            return entries, size
        entries = entries[:left]
        totals = [*accumulate(map(size_of, entries))]
        count = next((count for count, total in enumerate(totals, 1) if total >= room), len(totals))
        return entries[:count], totals[count - 1]

    def _count(self, entries: Entries, size: int) -> None:
        self.scanned += len(entries)
        self._bytes += size
        self._last = value_of(entries[-1])
        self.is_full = self.scanned == self._limit or self._bytes >= self._most_bytes

    def _keep(self, item: Item, value: bytes) -> None:
        """Takes an item into the answer, if the filter does; `value` is the item as it is stored."""
        if self._filter is None or self._filter(item):
            self.count += 1
            if not self._is_count:
                self._items.append(value if self._projection is None else self._projection.apply(item))

    async def _fetched(self, entry_item: Item, entry_value: bytes) -> tuple[Item, bytes]:
        """The table's item of an index entry."""
        place = place_of(self._table, entry_item)
        row = await self._engine.store.get(self._table.space, place[0], place[1])
        if row is None:
            return entry_item, entry_value
        consistent = self._request.get("ConsistentRead") is True
        self._fetched_units += read_units(row.size, consistent=consistent)
        self._fetched_bytes += rounded_up(row.size)
        if rounded_up(self._bytes) + self._fetched_bytes >= self._most_bytes:
            self.is_full = True
        return orjson.loads(row.value), row.value

    def answer(self) -> dict[str, Any]:
        """The answer of the operation, with LastEvaluatedKey if the page is full."""
        answer: dict[str, Any] = {"Count": self.count}
        if not self._is_count:
            is_whole = self._projection is None
            # One fragment holds all items, since the list around it writes the brackets.
            answer["Items"] = [orjson.Fragment(b",".join(self._items))] if is_whole else self._items
        answer["ScannedCount"] = self.scanned
        if self.is_full:
            names = (
                self._table.key_names
                if self._index is None
                else self._table.key_names | self._index.key_names
            )
            answer["LastEvaluatedKey"] = keys_of(names, orjson.loads(self._last))
        if "ReturnConsumedCapacity" in self._request:
            consistent = self._request.get("ConsistentRead") is True
            units = read_units(self._bytes, consistent=consistent)
            consumed = Consumed(self._table, self._fetched_units)
            if self._index is None:
                consumed.units += units
            else:
                consumed.add_index(self._index.name, units)
            add_capacity(answer, self._request, consumed)
        return answer
