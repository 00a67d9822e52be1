"""Reading rows: as they are, or as an eventually consistent read may still see them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from partita.engine.keys import Place
from partita.engine.table import Table
from partita.storage import Gathered, Row, Store

if TYPE_CHECKING:
    from partita.engine.engine import Engine


def as_of(engine: Engine, *, consistent: bool) -> int | None:
    """The time as of which a read sees the items of a table; None: now."""
    if consistent or not engine.settings.has_stale_reads:
        return None
    chance = engine.chance()
    if not chance.happens(engine.settings.stale_read_chance):
        return None
    return engine.clock.now_us() - chance.between_us((0, engine.settings.read_lag_ms))


async def read_row(engine: Engine, table: Table, place: Place, as_of_us: int | None) -> Row | None:
    """The row of one item as of a time (None: now)."""
    if as_of_us is not None:
        kept = engine.recent.before(table.space, place, as_of_us)
        if kept is not None:
            return kept[0]
    return await engine.store.get(table.space, place[0], place[1])


AT_ONCE_BYTES = 1 << 20
"""Rows read at once are as many as have this size together, or the number asked for."""


Entries = Sequence[tuple[Any, ...]]
"""Rows whose last columns are value and size, whatever stands before."""
Rows = tuple[Entries, int]
"""Rows in order, and the sum of their sizes."""

value_of = itemgetter(-2)
size_of = itemgetter(-1)


class View:
    """Rows of one space in order, with some items as they were: `changed` maps their places to old rows."""

    def __init__(self, store: Store, space: int, changed: Mapping[Place, Row | None] | None = None) -> None:
        self._store = store
        self._space = space
        self._changed = changed

    async def gather(
        self, partition: bytes, low: bytes, high: bytes | None, *, reverse: bool, limit: int
    ) -> tuple[Gathered | None, bytes | None]:
        """As `range`, for who looks at no row by itself; None, None where rows must be read one by one."""
        if self._changed:
            return None, None
        rows = await self._store.gather(self._space, partition, low, high, reverse=reverse, limit=limit)
        if rows is None or rows.last is None:
            return rows, None
        return rows, rows.last if reverse else rows.last + b"\0"

    async def range(
        self, partition: bytes, low: bytes, high: bytes | None, *, reverse: bool, limit: int
    ) -> tuple[Rows, bytes | None]:
        """Up to about `limit` rows of a partition with low <= sort < high; where to go on, None at the end.

        Forwards one goes on from it as `low`, in reverse as `high`.
        """
        entries = await self._store.range(
            self._space, partition, low, high, reverse=reverse, limit=limit, size_limit=AT_ONCE_BYTES
        )
        size = sum(map(size_of, entries))
        rest: bytes | None = None
        if len(entries) >= limit or size >= AT_ONCE_BYTES:
            last = entries[-1][0]
            rest = last if reverse else last + b"\0"
        if not self._changed:
            return (entries, size), rest
        covered_low = rest if reverse and rest is not None else low
        covered_high = rest if not reverse and rest is not None else high
        rows = _with_old(
            [((partition, sort), value, size) for sort, value, size in entries],
            lambda place: (
                place[0] == partition
                and covered_low <= place[1]
                and (covered_high is None or place[1] < covered_high)
            ),
            self._changed,
            reverse=reverse,
        )
        return rows, rest

    async def walk(
        self, after: Place | None, low: bytes, high: bytes | None, *, limit: int
    ) -> tuple[Rows, Place | None]:
        """Up to about `limit` rows after a place, low <= partition < high; where to go on, or None."""
        entries = await self._store.walk(self._space, after, low, high, limit=limit, size_limit=AT_ONCE_BYTES)
        size = sum(map(size_of, entries))
        rest: Place | None = None
        if len(entries) >= limit or size >= AT_ONCE_BYTES:
            rest = entries[-1][:2]
        if not self._changed:
            return (entries, size), rest
        rows = _with_old(
            [((partition, sort), value, size) for partition, sort, value, size in entries],
            lambda place: (
                (after is None or place > after)
                and low <= place[0]
                and (high is None or place[0] < high)
                and (rest is None or place <= rest)
            ),
            self._changed,
            reverse=False,
        )
        return rows, rest


def _with_old(
    rows: Sequence[tuple[Place, bytes, int]],
    is_covered: Callable[[Place], bool],
    changed: Mapping[Place, Row | None],
    *,
    reverse: bool,
) -> Rows:
    merged = [row for row in rows if row[0] not in changed]
    for place, row in changed.items():
        if row is not None and is_covered(place):
            merged.append((place, row.value, row.size))
    merged.sort(key=itemgetter(0), reverse=reverse)
    return merged, sum(map(size_of, merged))
