"""The methods of `Session` for whole tables: they are created, brought up to date, audited, repaired."""

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
from partita.model.sessions.state import Driven


class Upkeep(Driven):
    """What is done to whole tables."""

    def create_table(self, table: type[Table]) -> None:
        """Creates a table as declared, waits until it can be used, and switches its TTL on.

        It looks again after pauses of up to 10 seconds, by the session's `sleep`. Raises ServiceError where
        it exists, Unreachable where it is not ready after 240 looks, which are about 20 minutes. A database
        whose clock stands still never makes it ready, unless `sleep` advances that clock; a
        `partita.Database` with a ManualClock sees to that itself.
        """
        self._run(create_table(self._context, table))

    def ensure_table(self, table: type[Table]) -> None:
        """Creates a table unless it exists. Raises TableDiffers where it is not as declared."""
        self._run(ensure_table(self._context, table))

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
        return self._run(backfill(self._context, of, **options))

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
        return self._run(audit(self._context, table, rules, progress, most_faults))

    def repair(
        self, audit: Audit, *, dry_run: bool = True, progress: Progress | bool = False
    ) -> list[Repair]:
        """Mends the faults of an audit, each in a transaction that holds only while the fault is there.

        A dry run, which is what happens unless asked otherwise, only says what would be done. Values that
        several entities share are left to be decided; one of them gets the marker, so that no other entity
        takes the value too.
        """
        return self._run(repair(self._context, audit, dry_run, progress))

    def backfill_unique(
        self, entity: type[Entity], rule: str, *, progress: Progress | bool = False
    ) -> Backfilled:
        """Puts the markers of a rule that was added to entities that exist.

        If values are shared it puts none and names them (`duplicates`). Stopped, it is simply run again.
        Every program that writes such entities must know the rule before.
        """
        return self._run(backfill_unique(self._context, entity, rule, progress))
