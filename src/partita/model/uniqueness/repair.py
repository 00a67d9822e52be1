"""Mends the faults of an audit, each in a transaction that holds only as long as the fault is still there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from partita.model.actions import Action
from partita.model.conditions import Condition, Function
from partita.model.context import Context
from partita.model.errors import ConditionFailed, TransactionFailed
from partita.model.flow import Flow
from partita.model.items import type_of
from partita.model.progress import Progress, progress_of
from partita.model.rendering import render
from partita.model.schema import EntitySchema, Item, TableSchema
from partita.model.uniqueness.audit import Audit, audit, needed_by, read_together
from partita.model.uniqueness.faults import Fault
from partita.model.uniqueness.marking import guard, release, take
from partita.model.uniqueness.rules import Marker, markers_of
from partita.model.writing.commit import commit
from partita.model.writing.refusals import Changed

if TYPE_CHECKING:
    from partita.model.entity import Entity

Outcome = Literal["would be mended", "mended", "gone meanwhile", "to be decided"]


@dataclass(frozen=True, slots=True)
class Repair:
    """What became of one fault."""

    fault: Fault
    action: str
    outcome: Outcome


def repair(
    context: Context,
    found: Audit,
    dry_run: bool = True,
    progress: Progress | bool = False,
) -> Flow[list[Repair]]:
    """Deletes markers that reserve nothing and puts those that are missing; a dry run only says so.

    Values that several entities share are left: whose they are is not for a program to decide.
    """
    show = progress_of(progress)
    done: list[Repair] = []
    for fault in found.faults:
        done.append((yield from _repair(context, found.table, fault, dry_run)))
        show(len(done), len(found.faults))
    return done


def backfill(
    context: Context, entity: type[Entity], rule: str, progress: Progress | bool = False
) -> Flow[tuple[Audit, list[Repair]]]:
    """Puts the markers of a rule that was added to entities that exist.

    With duplicates it puts none, and the audit names them. Programs that write such entities must know the
    rule before this runs.
    """
    table = entity.__schema__.table
    found = yield from audit(context, table.cls, [(entity, rule)], progress, most_faults=10**9)
    if found.duplicates:
        return found, []
    repairs = yield from repair(context, found, dry_run=False)
    return found, repairs


def _repair(context: Context, table: TableSchema, fault: Fault, dry_run: bool) -> Flow[Repair]:
    if fault.kind == "shared value":
        return Repair(fault, "change the value of all but one of them", "to be decided")
    says = "put the marker" if fault.kind == "missing marker" else "delete the marker"
    if dry_run:
        return Repair(fault, says, "would be mended")
    _, owner = yield from read_together(context, table, (fault.marker, fault.owners[0]))
    actions = _mending(context, table, fault, owner)
    if actions is None:
        return Repair(fault, says, "gone meanwhile")
    try:
        yield from commit(context, actions, context.token())
    except (ConditionFailed, TransactionFailed):
        return Repair(fault, says, "gone meanwhile")
    return Repair(fault, says, "mended")


def _mending(
    context: Context, table: TableSchema, fault: Fault, owner: Item | None
) -> Sequence[Action] | None:
    """The actions that mend it, given its owner as it is now; None where there is nothing left to mend."""
    key = fault.owners[0]
    needs = owner is not None and fault.marker in needed_by(table, owner, fault.entity, fault.rule)
    schema = table.by_type[fault.entity].__schema__
    rule = next(rule for rule in schema.uniques if rule.name == fault.rule)
    if fault.kind == "missing marker":
        if owner is None or not needs:
            return None
        marker = markers_of(schema, schema.decode(owner))[fault.rule]
        expiry = None if schema.ttl is None else owner.get(schema.fields[schema.ttl].attribute)
        return [
            take(context, marker, key, expiry),
            _owner_still(context, schema, key, guard(schema, [rule], owner)),
        ]
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
