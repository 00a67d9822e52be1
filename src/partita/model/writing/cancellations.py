"""What the reasons of a cancelled transaction mean, each about the action at its position."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from partita.model.errors import ModelError, Reason, TransactionFailed, UniqueViolation
from partita.model.flows.actions import Action
from partita.model.flows.flow import Refused


def cancelled_write(actions: Sequence[Action], refusal: Refused) -> ModelError:
    """What the only failed condition means, UniqueViolation for several clashes, else TransactionFailed."""
    meanings = [_meaning(action, reason) for action, reason in zip(actions, refusal.reasons, strict=True)]
    reasons = _reasons([action.subject for action in actions], refusal, meanings)
    errors = [reason.error for reason in reasons]
    clashes = [error for error in errors if isinstance(error, UniqueViolation)]
    if len(errors) == 1 and errors[0] is not None:
        return errors[0]
    if clashes and len(clashes) == len(errors):
        together = [clash for violation in clashes for clash in violation.clashes]
        return UniqueViolation("; ".join(str(violation) for violation in clashes), together)
    return TransactionFailed(f"nothing was written: {_said(reasons)}", reasons)


def cancelled_read(subjects: Sequence[str], refusal: Refused) -> TransactionFailed:
    """`subjects`: the items that were read, by position."""
    reasons = _reasons(subjects, refusal, [None] * len(subjects))
    return TransactionFailed(f"nothing was read: {_said(reasons)}", reasons)


def is_named(reason: Mapping[str, Any]) -> bool:
    """Whether an action has failed for this reason; those that others brought down say None."""
    return bool(reason.get("Code", "None") != "None")


def is_condition(reason: Mapping[str, Any]) -> bool:
    """Whether the action's condition did not hold."""
    return bool(reason.get("Code") == "ConditionalCheckFailed")


def _reasons(
    subjects: Sequence[str], refusal: Refused, meanings: Sequence[ModelError | None]
) -> list[Reason]:
    return [
        Reason(position, subject, reason["Code"], meaning)
        for position, (subject, reason, meaning) in enumerate(
            zip(subjects, refusal.reasons, meanings, strict=True)
        )
        if is_named(reason)
    ]


def _meaning(action: Action, reason: Mapping[str, Any]) -> ModelError | None:
    return action.error(reason.get("Item")) if is_condition(reason) else None


def _said(reasons: Sequence[Reason]) -> str:
    return "; ".join(str(reason.error or f"{reason.subject}: {reason.code}") for reason in reasons)
