"""The method of `AsyncSession` that brings old items up to date."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection
from typing import Any

from partita.model.backfilling.backfill import ITEMS_OF_A_PAGE, Backfillable, backfill
from partita.model.backfilling.outcome import Backfill
from partita.model.flows.context import Context
from partita.model.flows.flow import Flow
from partita.model.flows.progress import Progress
from partita.model.writing.mending import Change


class AsyncBackfilling:
    """Needs `_context` and `_run` of the session."""

    _context: Context
    _run: Callable[[Flow[Any]], Awaitable[Any]]

    async def backfill(
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
        """As `Session.backfill`."""
        done: Backfill = await self._run(
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
