"""How reads go about it: the arguments that sessions take by name."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, TypedDict

from partita.model.expressions.conditions import Condition
from partita.model.flows.progress import Progress
from partita.model.reading.given import Included

Duplicates = Literal["remove", "refuse"]


class PageOptions(TypedDict, total=False):
    """How a query is read.

    - newest_first: in descending order of the sort key
    - filter: a condition that items are left out by after they were read, and paid for
    - consistent: sees every write that ended before; not for global indexes
    - including: True, or entities and their keys: what this session wrote lately (or these) is read strongly
      and put in its place, whatever the index knows of it already
    - fetch: an index that projects only part of an item is completed from the table
    - max_requests: bounds the search for matches of a filter (25 unless given)
    """

    newest_first: bool
    filter: Condition | None
    consistent: bool
    including: bool | Iterable[Included] | None
    fetch: bool
    max_requests: int


class QueryOptions(PageOptions, total=False):
    """How a query is read in pages, beside PageOptions.

    - limit: the items of a page, unless it is the last one or `max_requests` ended it; without it a page is
      what one request brings (up to 1 MB were looked at)
    - cursor: of an earlier page, after which this one begins
    """

    limit: int | None
    cursor: str | None


class CollectionOptions(TypedDict, total=False):
    """How an item collection is read.

    - consistent, including: as in PageOptions
    - max_items: more raise MoreItems (1,000 unless given)
    """

    consistent: bool
    max_items: int
    including: bool | Iterable[Included] | None


class BatchOptions(TypedDict, total=False):
    """How many items are read by their keys.

    - consistent: sees every write that ended before
    - duplicates: whether a key that is asked for twice is read once ("remove", unless given), or is refused
    - progress: called with (keys done with, keys in all); True draws a bar in a terminal
    """

    consistent: bool
    duplicates: Duplicates
    progress: Progress | bool


class ScanOptions(TypedDict, total=False):
    """How a whole table is read.

    - filter: a condition that items are left out by after they were read, and paid for
    - consistent: sees every write that ended before
    - segments: parts of the table that are read side by side (1 unless given)
    - limit: ends it after so many entities
    """

    filter: Condition | None
    consistent: bool
    segments: int
    limit: int | None
