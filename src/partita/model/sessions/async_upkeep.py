"""The methods of `AsyncSession` for whole tables: they are created, brought up to date, audited, repaired."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Unpack

from partita.model.auditing.audit import MOST_FAULTS, Audit, audit
from partita.model.auditing.repair import Backfilled, Repair, backfill_unique, repair
from partita.model.backfilling.backfill import Backfillable, backfill
from partita.model.backfilling.options import BackfillOptions
from partita.model.backfilling.outcome import Backfill
from partita.model.declaring.entity import Entity
from partita.model.declaring.table import Table
from partita.model.definition.creation import create_table, ensure_table
from partita.model.flows.progress import Progress
from partita.model.sessions.state import AsyncDriven


class AsyncUpkeep(AsyncDriven):
    """What is done to whole tables."""

    async def create_table(self, table: type[Table]) -> None:
        """As `Session.create_table`."""
        await self._run(create_table(self._context, table))

    async def ensure_table(self, table: type[Table]) -> None:
        """As `Session.ensure_table`."""
        await self._run(ensure_table(self._context, table))

    async def backfill(self, of: Backfillable, **options: Unpack[BackfillOptions]) -> Backfill:
        """As `Session.backfill`."""
        return await self._run(backfill(self._context, of, **options))

    async def audit(
        self,
        table: type[Table],
        *,
        rules: Sequence[tuple[type[Entity], str]] | None = None,
        progress: Progress | bool = False,
        most_faults: int = MOST_FAULTS,
    ) -> Audit:
        """As `Session.audit`."""
        return await self._run(audit(self._context, table, rules, progress, most_faults))

    async def repair(
        self, audit: Audit, *, dry_run: bool = True, progress: Progress | bool = False
    ) -> list[Repair]:
        """As `Session.repair`."""
        return await self._run(repair(self._context, audit, dry_run, progress))

    async def backfill_unique(
        self, entity: type[Entity], rule: str, *, progress: Progress | bool = False
    ) -> Backfilled:
        """As `Session.backfill_unique`."""
        return await self._run(backfill_unique(self._context, entity, rule, progress))
