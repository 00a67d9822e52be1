"""Mends the faults of an audit, each in a transaction that holds only as long as the fault is still there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from partita.model.auditing.audit import Audit, confirmed, needed_by, read, read_together
from partita.model.auditing.faults import Fault
from partita.model.auditing.spill import Spill
from partita.model.declaring.entity import required_class
from partita.model.declaring.items import type_of
from partita.model.errors import ConditionFailed, ModelError, TransactionFailed, WriteRefused
from partita.model.expressions.conditions import Condition, Function
from partita.model.expressions.rendering import render
from partita.model.flows.actions import Action
from partita.model.flows.context import Context
from partita.model.flows.flow import Flow, NoAnswer, NotSent, Refused
from partita.model.flows.progress import Progress, progress_of
from partita.model.schema import EntitySchema, Item, TableSchema
from partita.model.uniqueness.marking import guard, release, take
from partita.model.uniqueness.rules import Marker, markers_of, owner_of
from partita.model.values.attribute_values import plain_key, shortened
from partita.model.writing.commit import commit
from partita.model.writing.refusals import Changed

if TYPE_CHECKING:
    from partita.model.declaring.entity import Entity

Outcome = Literal["would be mended", "mended", "gone meanwhile", "to be decided", "failed"]
_SHOWN = 1_000


@dataclass(frozen=True, slots=True)
class Repair:
    """What became of one fault."""

    fault: Fault
    action: str
    outcome: Outcome
    reason: str = ""
    """Why it failed."""

    def __str__(self) -> str:
        return f"{self.fault}: {self.action}: {self.outcome}" + (f": {self.reason}" if self.reason else "")


def repair(
    context: Context,
    found: Audit,
    dry_run: bool = True,
    progress: Progress | bool = False,
) -> Flow[list[Repair]]:
    """Deletes markers that reserve nothing and puts those that are missing; a dry run only says so.

    Whose a value is that several entities share is not for a program to decide. But one of them gets its
    marker if none of them has it, the first by key, so that no other entity can take it too.
    """
    show = progress_of(progress)
    done: list[Repair] = []
    if not isinstance(found, Audit):
        raise WriteRefused(f"repair takes what audit() gives, not {shortened(found)}")
    for fault in found.faults:
        done.append((yield from _repair(context, found.table, fault, dry_run)))
        show(len(done), len(found.faults))
    return done


@dataclass(frozen=True, slots=True)
class Backfilled:
    """What became of a rule that was added."""

    duplicates: tuple[Fault, ...]
    """Values that several entities share, up to 1,000; with any, no marker was put."""
    put: int = 0
    """Markers put now; those that were there already are not counted."""
    deleted: int = 0
    """Markers of the rule that reserved nothing."""
    failed: tuple[Repair, ...] = ()
    """What could not be written, up to 1,000: run it again."""

    @property
    def is_complete(self) -> bool:
        return not self.duplicates and not self.failed


def backfill_unique(
    context: Context, entity: type[Entity], rule: str, progress: Progress | bool = False
) -> Flow[Backfilled]:
    """Puts the markers of a rule that was added to entities that exist, in bounded memory.

    With duplicates it puts none, and names them. Run again after it was stopped, it goes on: what has its
    marker is left alone. Programs that write such entities must know the rule before this runs.
    """
    found = Audit(required_class(entity).__schema__.table)
    spill = Spill()
    try:
        yield from read(context, found, spill, [(entity, rule)], progress)
        duplicates: list[Fault] = []
        for suspect in spill.shared():
            fault = yield from confirmed(context, found.table, suspect)
            if fault is not None and len(duplicates) < _SHOWN:
                duplicates.append(fault)
        if duplicates:
            return Backfilled(tuple(duplicates))
        counts = {"put the marker": 0, "delete the marker": 0}
        failed: list[Repair] = []
        for suspect in spill.of_one_owner():
            done = yield from _repair(context, found.table, Fault(*suspect), dry_run=False)
            counts[done.action] += done.outcome == "mended"
            if done.outcome == "failed" and len(failed) < _SHOWN:
                failed.append(done)
        return Backfilled((), counts["put the marker"], counts["delete the marker"], tuple(failed))
    finally:
        spill.close()


def _repair(context: Context, table: TableSchema, fault: Fault, dry_run: bool) -> Flow[Repair]:
    if fault.kind == "shared value":
        reason = ""
        if not dry_run:
            try:
                yield from _reserve(context, table, fault)
            except (ConditionFailed, TransactionFailed):
                # The marker is somebody else's by now, or the owner changed: it stays as it is.
                pass
            except (ModelError, Refused, NoAnswer, NotSent) as failure:
                reason = str(failure)
        return Repair(fault, "change the value of all but one of them", "to be decided", reason)
    says = "put the marker" if fault.kind == "missing marker" else "delete the marker"
    if dry_run:
        return Repair(fault, says, "would be mended")
    marker, owner = yield from read_together(context, table, (fault.marker, fault.owners[0]))
    actions = _mending(context, table, fault, marker, owner)
    if actions is None:
        return Repair(fault, says, "gone meanwhile")
    try:
        yield from commit(context, actions, context.token())
    except (ConditionFailed, TransactionFailed):
        return Repair(fault, says, "gone meanwhile")
    except (ModelError, Refused, NoAnswer, NotSent) as failure:
        return Repair(fault, says, "failed", str(failure))
    return Repair(fault, says, "mended")


def _reserve(context: Context, table: TableSchema, fault: Fault) -> Flow[None]:
    """Sees to it that one of those that share a value holds its marker."""
    marker, *owners = yield from read_together(context, table, (fault.marker, *fault.owners))
    sharing = {
        plain_key(key): (key, owner)
        for key, owner in zip(fault.owners, owners, strict=True)
        if owner is not None and fault.marker in needed_by(table, owner, fault.entity, fault.rule)
    }
    holder = None if marker is None else owner_of(table, marker)
    if not sharing or (holder is not None and plain_key(holder) in sharing):
        return
    key, owner = sharing[min(sharing)]
    yield from commit(context, _putting(context, table, fault, key, owner), context.token())


def _putting(context: Context, table: TableSchema, fault: Fault, key: Item, owner: Item) -> Sequence[Action]:
    """The actions that put the marker of an entity that needs it."""
    schema = table.by_type[fault.entity].__schema__
    marker = markers_of(schema, schema.decode(owner))[fault.rule]
    expiry = None if schema.ttl is None else owner.get(schema.fields[schema.ttl].attribute)
    condition = guard(schema, [marker.rule], owner)
    return [
        take(context, marker, key, expiry),
        _owner_still(context, schema, key, condition),
    ]


def _mending(
    context: Context, table: TableSchema, fault: Fault, marker: Item | None, owner: Item | None
) -> Sequence[Action] | None:
    """The actions that mend it, given what is stored now; None where there is nothing left to mend."""
    key = fault.owners[0]
    holder = None if marker is None else owner_of(table, marker)
    is_held = holder is not None and plain_key(holder) == plain_key(key)
    if is_held == (fault.kind == "missing marker"):
        return None
    needs = owner is not None and fault.marker in needed_by(table, owner, fault.entity, fault.rule)
    if fault.kind == "missing marker":
        if owner is None or not needs:
            return None
        return _putting(context, table, fault, key, owner)
    schema = table.by_type[fault.entity].__schema__
    rule = next(rule for rule in schema.uniques if rule.name == fault.rule)
    if needs or (fault.kind == "orphaned marker") != (owner is None):
        return None
    gone = Marker(schema, rule, fault.marker, {})
    if owner is None:
        condition: Condition | None = Function("attribute_not_exists", (table.partition.name,))
    elif type_of(owner, table) is schema.cls:
        condition = guard(schema, [rule], owner)
    else:
        return None
    return [release(context, gone, key), _owner_still(context, schema, key, condition)]


def _owner_still(context: Context, schema: EntitySchema, key: Item, condition: Condition | None) -> Action:
    assert condition is not None
    parameters = {
        "TableName": context.table_name(schema.table),
        "Key": key,
        **render(condition=condition),
        "ReturnValuesOnConditionCheckFailure": "ALL_OLD",
    }
    return Action(
        "ConditionCheck", parameters, key, f"owner {schema.cls.__name__}", Changed(schema.cls, None)
    )
