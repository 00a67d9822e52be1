"""How a backfill is to go about it."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TypedDict

from partita.model.flows.progress import Progress
from partita.model.writing.mending import Change


class BackfillOptions(TypedDict, total=False):
    """How a backfill goes about it.

    - change: called with each entity; what it changes is written too (`change=Order.before_write`). It may be
      called again for an entity
    - remove: stored attributes to be removed that the entities do not write any more
    - dry_run: says what would be written, and writes nothing
    - segments: parts of the table that are read, and written, side by side (1 unless given)
    - page: items read by one request (100 unless given)
    - units_per_second: bounds the consumed capacity, by the session's clock
    - keep: called with a checkpoint after each page; `resume=` goes on from it, in any process, with the same
      arguments and declarations
    - progress: called with the number of items done and about how many there are; True for a bar
    """

    change: Change | None
    remove: Collection[str]
    dry_run: bool
    segments: int
    page: int
    units_per_second: float | None
    resume: str | None
    keep: Callable[[str], object] | None
    progress: Progress | bool
