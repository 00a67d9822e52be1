"""The methods of `Session` for unique attributes in a whole table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from partita.model.auditing.audit import MOST_FAULTS, Audit, audit
from partita.model.auditing.repair import Backfilled, Repair, backfill, repair
from partita.model.declaring.entity import Entity
from partita.model.declaring.table import Table
from partita.model.flows.context import Context
from partita.model.flows.flow import Flow
from partita.model.flows.progress import Progress


class Uniqueness:
    """Needs `_context` and `_run` of the session."""

    _context: Context
    _run: Callable[[Flow[Any]], Any]

    def audit(
        self,
        table: type[Table],
        *,
        rules: Sequence[tuple[type[Entity], str]] | None = None,
        progress: Progress | bool = False,
        most_faults: int = MOST_FAULTS,
    ) -> Audit:
        """Compares the entities of a table with the markers of their unique attributes, in one strong scan.

        `rules`: only these, as (entity, rule name). The table may be in use: each fault is confirmed by
        reads in one transaction. At most `most_faults` are kept; `audit.complete` tells. `progress`: a
        callback, or True for a bar in a terminal.
        """
        found: Audit = self._run(audit(self._context, table, rules, progress, most_faults))
        return found

    def repair(
        self, audit: Audit, *, dry_run: bool = True, progress: Progress | bool = False
    ) -> list[Repair]:
        """Mends the faults of an audit, each in a transaction that holds only while the fault is there.

        A dry run, which is what happens unless asked otherwise, only says what would be done. Values that
        several entities share are left to be decided; one of them gets the marker, so that no other entity
        takes the value too.
        """
        done: list[Repair] = self._run(repair(self._context, audit, dry_run, progress))
        return done

    def backfill_unique(
        self, entity: type[Entity], rule: str, *, progress: Progress | bool = False
    ) -> Backfilled:
        """Puts the markers of a rule that was added to entities that exist.

        If values are shared it puts none and names them (`duplicates`). Stopped, it is simply run again.
        Every program that writes such entities must know the rule before.
        """
        done: Backfilled = self._run(backfill(self._context, entity, rule, progress))
        return done
