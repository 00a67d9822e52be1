"""Plans and frozen transactions, carried out as flows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from partita.model.declaring.entity import kind_of
from partita.model.errors import ForeignMarker, OutcomeUnknown, TransactionFailed, WriteRefused
from partita.model.flows.actions import Action
from partita.model.flows.context import Context
from partita.model.flows.flow import Flow
from partita.model.flows.written import Note
from partita.model.schema import Item
from partita.model.uniqueness.marking import left_alone
from partita.model.writing.commit import Committed, commit
from partita.model.writing.frozen import FrozenTransaction
from partita.model.writing.plans import WritePlan
from partita.model.writing.single import write_single


def perform(context: Context, plan: WritePlan, return_values: str | None = None) -> Flow[Item | None]:
    """Carries out a plan: one action by a single write, several in a transaction with a token of its own.

    Returns the attributes that `return_values` asked for; a transaction gives none.
    """
    actions = plan.actions
    try:
        if len(actions) == 1 and actions[0].kind != "ConditionCheck":
            answer = yield from write_single(context.retries, plan, return_values)
            attributes: Item | None = answer.get("Attributes")
        else:
            yield from _commit_with_markers(context, actions)
            attributes = None
    except OutcomeUnknown:
        note_uncertain(context, actions)
        raise
    except TransactionFailed as failed:
        # Where the entity's own condition fails, what was asked of its markers was asked by mistake.
        if failed.reasons[0].position == 0 and failed.reasons[0].error is not None:
            raise failed.reasons[0].error from None
        raise
    plan.settle(attributes)
    note_written(context, actions, attributes if return_values == "ALL_NEW" else plan.item)
    return attributes


def _commit_with_markers(context: Context, actions: Sequence[Action]) -> Flow[None]:
    """Commits an entity's action and those of its markers.

    A value that it gives up may be marked as another's: values were shared before there was a rule. That
    marker stays.
    """
    while True:
        try:
            yield from commit(context, actions, context.token())
            return
        except (ForeignMarker, TransactionFailed) as failed:
            errors = [failed] if isinstance(failed, ForeignMarker) else [r.error for r in failed.reasons]
            foreign = [error.marker for error in errors if isinstance(error, ForeignMarker)]
            if len(foreign) < len(errors) or not any(_releases(action, foreign) for action in actions):
                raise
        owner = actions[0].key
        actions = [left_alone(one, owner) if _releases(one, foreign) else one for one in actions]


def _releases(action: Action, markers: Sequence[Mapping[str, Any]]) -> bool:
    return action.kind == "Delete" and action.key in markers


def perform_frozen(context: Context, frozen: FrozenTransaction) -> Flow[Committed]:
    """Commits a frozen transaction."""
    if not isinstance(frozen, FrozenTransaction):
        raise WriteRefused(f"commit takes what tx.freeze() gives, not {kind_of(frozen)}")
    try:
        committed = yield from commit(context, frozen.actions, frozen.token, frozen.record)
    except OutcomeUnknown:
        note_uncertain(context, frozen.actions)
        raise
    if committed.already_applied:
        note_uncertain(context, frozen.actions)
    else:
        note_written(context, frozen.actions)
        if frozen.settle is not None:
            frozen.settle()
    return committed


def note_written(context: Context, actions: Sequence[Action], updated: Item | None = None) -> None:
    """Notes what was written; `updated` is the item that an update made."""
    for action in actions:
        if action.kind == "Put":
            context.written.note(action.table, Note(action.key, action.parameters["Item"]))
        elif action.kind == "Delete":
            context.written.note(action.table, Note(action.key, None))
        elif action.kind == "Update":
            context.written.note(action.table, Note(action.key, updated, known=updated is not None))


def note_uncertain(context: Context, actions: Sequence[Action]) -> None:
    """Notes that these items may have been written."""
    for action in actions:
        if action.kind != "ConditionCheck":
            context.written.note(action.table, Note(action.key, None, known=False))
