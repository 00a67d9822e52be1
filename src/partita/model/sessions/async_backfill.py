"""The method of `AsyncSession` that brings old items up to date."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, Unpack

from partita.model.backfilling.backfill import Backfillable, backfill
from partita.model.backfilling.options import BackfillOptions
from partita.model.backfilling.outcome import Backfill
from partita.model.flows.context import Context
from partita.model.flows.flow import Flow


class AsyncBackfilling:
    """Needs `_context` and `_run` of the session."""

    _context: Context
    _run: Callable[[Flow[Any]], Awaitable[Any]]

    async def backfill(self, of: Backfillable, **options: Unpack[BackfillOptions]) -> Backfill:
        """As `Session.backfill`."""
        done: Backfill = await self._run(backfill(self._context, of, **options))
        return done
