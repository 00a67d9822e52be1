"""The method of `Session` that brings old items up to date."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

from partita.model.backfilling.backfill import ITEMS_OF_A_PAGE, Backfillable, backfill
from partita.model.backfilling.outcome import Backfill
from partita.model.flows.context import Context
from partita.model.flows.flow import Flow
from partita.model.flows.progress import Progress
from partita.model.writing.mending import Change


class Backfilling:
    """Needs `_context` and `_run` of the session."""

    _context: Context
    _run: Callable[[Flow[Any]], Any]

    def backfill(
        self,
        of: Backfillable,
        *,
        change: Change | None = None,
        remove: Collection[str] = (),
        dry_run: bool = False,
        segments: int = 1,
        page: int = ITEMS_OF_A_PAGE,
        units_per_second: float | None = None,
        resume: str | None = None,
        keep: Callable[[str], object] | None = None,
        progress: Progress | bool = False,
    ) -> Backfill:
        """Brings the items of a table, or of some of its entities, to what the declarations derive now.

            session.backfill(Order, keep=Path("backfill.json").write_text, units_per_second=50)

        Each item is read strongly and made what its class would write of it: keys of indexes, type, new
        attributes that have a default or come from an upcaster, the expiry of markers. Only what differs is
        written, on condition that the item still has the version that was read, or, without a version, all
        that was read; an item that others wrote meanwhile is judged again. The version is not raised, times
        are not set, and `before_write` is not called.

        - change: called with each entity; what it changes is written too (`change=Order.before_write`). It
          may be called again for an entity
        - remove: stored attributes to be removed that the entities do not write any more
        - dry_run: says what would be written, and writes nothing
        - segments: parts of the table that are read, and written, side by side
        - page: items read by one request
        - units_per_second: bounds the consumed capacity, by the session's clock
        - keep: called with a checkpoint after each page; `resume=` goes on from it, in any process, with the
          same arguments and declarations
        - progress: called with the number of items done and about how many there are; True for a bar

        Raises CheckpointRefused, WriteRefused, ServiceError and Unreachable; whatever ends it, it can be
        resumed. Before it runs, every program that writes such entities must know the new declarations.
        """
        done: Backfill = self._run(
            backfill(
                self._context,
                of,
                change=change,
                remove=remove,
                dry_run=dry_run,
                segments=segments,
                page=page,
                units_per_second=units_per_second,
                resume=resume,
                keep=keep,
                progress=progress,
            )
        )
        return done
