"""The methods of `AsyncSession` for unique attributes in a whole table."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from partita.model.auditing.audit import MOST_FAULTS, Audit, audit
from partita.model.auditing.repair import Backfilled, Repair, backfill, repair
from partita.model.declaring.entity import Entity
from partita.model.declaring.table import Table
from partita.model.flows.context import Context
from partita.model.flows.flow import Flow
from partita.model.flows.progress import Progress


class AsyncUniqueness:
    """Needs `_context` and `_run` of the session."""

    _context: Context
    _run: Callable[[Flow[Any]], Awaitable[Any]]

    async def audit(
        self,
        table: type[Table],
        *,
        rules: Sequence[tuple[type[Entity], str]] | None = None,
        progress: Progress | bool = False,
        most_faults: int = MOST_FAULTS,
    ) -> Audit:
        """As `Session.audit`."""
        found: Audit = await self._run(audit(self._context, table, rules, progress, most_faults))
        return found

    async def repair(
        self, audit: Audit, *, dry_run: bool = True, progress: Progress | bool = False
    ) -> list[Repair]:
        """As `Session.repair`."""
        done: list[Repair] = await self._run(repair(self._context, audit, dry_run, progress))
        return done

    async def backfill_unique(
        self, entity: type[Entity], rule: str, *, progress: Progress | bool = False
    ) -> Backfilled:
        """As `Session.backfill_unique`."""
        done: Backfilled = await self._run(backfill(self._context, entity, rule, progress))
        return done
