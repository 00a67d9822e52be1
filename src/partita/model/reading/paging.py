"""Queries page by page, one after the other, and whole item collections."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from partita.model.flows.context import Context
from partita.model.flows.flow import Flow
from partita.model.reading import cursors
from partita.model.reading.cursors import Places
from partita.model.reading.pages import Collection, MoreItems, Page, require_count
from partita.model.reading.partitions import RangeReading
from partita.model.reading.queries import QueryPlan
from partita.words import counted

MAX_REQUESTS = 25
"""How many requests a page costs at most by default, while a filter leaves it short."""


class Pages:
    """The pages of a query, from a cursor or from the beginning.

    What was fetched for one page and not given out serves the next one, unless recent writes are included:
    then `plan` is asked for them anew each time.
    """

    def __init__(
        self,
        context: Context,
        plan: Callable[[], QueryPlan],
        *,
        limit: int | None = None,
        max_requests: int = MAX_REQUESTS,
        cursor: str | None = None,
    ) -> None:
        for name, value in (("limit", limit), ("max_requests", max_requests)):
            if value is not None:
                require_count(name, value)
        self._context = context
        self._make_plan = plan
        self._limit = limit
        self._max_requests = max_requests
        self._plan = plan()
        self._reading = self._started(self._places(cursor))
        self.ended = False

    def next(self) -> Flow[Page[Any]]:
        """The next page."""
        stretch = yield from self._reading.page(self._limit, self._max_requests)
        plan, places = self._plan, stretch.places
        if places is None:
            self.ended = True
        elif plan.question.recent is not None:
            self._plan = self._make_plan()
            self._reading = self._started(places)
        key = self._context.cursor_key
        return Page(
            items=list(map(plan.decode, stretch.items)),
            cursor=None if places is None else cursors.encode(places, plan.digest, key),
            consumed=stretch.consumed,
            extra=stretch.extra,
            evaluated=stretch.evaluated,
            stopped=stretch.stopped,
        )

    def _started(self, places: Places | None) -> RangeReading:
        return RangeReading(self._plan.question, self._context.retries, places)

    def _places(self, cursor: str | None) -> Places | None:
        if cursor is None:
            return None
        range_ = self._plan.question.range_
        return cursors.decode(
            cursor,
            self._plan.digest,
            self._context.cursor_key,
            len(range_.partitions),
            range_.position,
            range_.table_key,
        )


def collection(context: Context, plan: QueryPlan, max_items: int) -> Flow[Collection]:
    """All items of a query. Raises MoreItems beyond `max_items`, having read no further."""
    require_count("max_items", max_items)
    reading = RangeReading(plan.question, context.retries)
    stretch = yield from reading.page(max_items + 1, sys.maxsize)
    if len(stretch.items) > max_items:
        raise MoreItems(
            f"the collection holds more than {counted(max_items, 'item')}: allow more, or read it in pages"
        )
    return Collection(list(map(plan.decode, stretch.items)), stretch.consumed)
