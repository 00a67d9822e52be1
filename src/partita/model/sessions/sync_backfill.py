"""The method of `Session` that brings old items up to date."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Unpack

from partita.model.backfilling.backfill import Backfillable, backfill
from partita.model.backfilling.options import BackfillOptions
from partita.model.backfilling.outcome import Backfill
from partita.model.flows.context import Context
from partita.model.flows.flow import Flow


class Backfilling:
    """Needs `_context` and `_run` of the session."""

    _context: Context
    _run: Callable[[Flow[Any]], Any]

    def backfill(self, of: Backfillable, **options: Unpack[BackfillOptions]) -> Backfill:
        """Brings the items of a table, or of some of its entities, to what the declarations derive now.

            session.backfill(Order, keep=Path("backfill.json").write_text, units_per_second=50)

        Each item is read strongly and made what its class would write of it: keys of indexes, type, new
        attributes that have a default or come from an upcaster, the expiry of markers. Only what differs is
        written, on condition that the item still has the version that was read, or, without a version, all
        that was read; an item that others wrote meanwhile is judged again. The version is not raised, times
        are not set, and `before_write` is not called.

        The options: see BackfillOptions.

        Raises CheckpointRefused, WriteRefused, ServiceError and Unreachable; whatever ends it, it can be
        resumed. Before it runs, every program that writes such entities must know the new declarations.
        """
        done: Backfill = self._run(backfill(self._context, of, **options))
        return done
