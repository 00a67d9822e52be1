"""Several actions, sent as one TransactWriteItems until the outcome is known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from partita.model.errors import (
    ModelError,
    OperationReused,
    OutcomeUnknown,
    Reason,
    TransactionFailed,
    UniqueViolation,
)
from partita.model.flows.actions import Action
from partita.model.flows.context import Context
from partita.model.flows.flow import Call, Flow, NoAnswer, NotSent, Refused
from partita.model.flows.retries import Answer, Attempts, Retries, ask, is_transient
from partita.model.schema import Item
from partita.model.writing.recording import IDENTITY

MOST_ACTIONS = 100
TOKEN_LIFE = timedelta(minutes=10)
"""How long the service knows a ClientRequestToken, at least:
https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html
"""
_SAFETY = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class Committed:
    """A transaction that was applied, now or earlier."""

    token: str
    already_applied: bool = False
    """It was applied earlier, as its record or its token told: read what became of it since."""


def parameters_of(actions: Sequence[Action], token: str) -> dict[str, Any]:
    """The parameters of TransactWriteItems; they ask for capacity always, since they must not vary."""
    return {
        "TransactItems": [{action.kind: dict(action.parameters)} for action in actions],
        "ClientRequestToken": token,
        "ReturnConsumedCapacity": "TOTAL",
    }


def commit(
    context: Context, actions: Sequence[Action], token: str, record: int | None = None
) -> Flow[Committed]:
    """Sends the transaction, again and again the same to the byte, until its outcome is known.

    It is sent again after conflicts, throttling and lost answers, but not once the service may have
    forgotten the token. `record` is the position of the action that records the operation, if it does: a
    record that is there already is a success. Raises what a single failed condition means, UniqueViolation
    with all clashes if there are only such, else TransactionFailed; OperationReused where the token or the
    record is another transaction's; OutcomeUnknown with the token where no answer came; Refused or NotSent
    where it was certainly not applied.
    """
    call = Call("TransactWriteItems", parameters_of(actions, token))
    retries = context.retries
    last_start = context.now() + TOKEN_LIFE - _SAFETY
    unanswered = False
    attempts = Attempts(retries)
    while True:
        try:
            answer = yield call
            # After a lost answer, what the service remembers may be our own first try.
            return Committed(token, already_applied=not unanswered and _is_replay(answer))
        except Refused as refusal:
            failure: Exception = refusal
            again = is_transient(refusal)
            # Another try of this very transaction is under way: it may yet be applied.
            unanswered = unanswered or refusal.code == "TransactionInProgressException"
            if refusal.code == "IdempotentParameterMismatchException":
                stored = None if record is None else (yield from _recorded(retries, actions, record))
                if record is not None and _is_ours(actions[record], stored):
                    return Committed(token, already_applied=True)
                # Where there is no record yet, the other one may still be under way.
                again = record is not None and stored is None
                if not again or attempts.used_up or context.now() > last_start:
                    raise _reused(token) from None
            if refusal.code == "TransactionCanceledException":
                if record is not None and refusal.reasons and _failed(refusal.reasons[record]):
                    if not _is_ours(actions[record], refusal.reasons[record].get("Item")):
                        raise actions[record].error(None) from None
                    return Committed(token, already_applied=True)
                named = any(reason.get("Code", "None") != "None" for reason in refusal.reasons)
                if named and not again:
                    raise error_of(actions, refusal) from None
        except NotSent as not_sent:
            failure, again = not_sent, True
        except NoAnswer as lost:
            failure, again, unanswered = lost, True, True
        if not again or attempts.used_up or context.now() > last_start:
            if unanswered:
                raise OutcomeUnknown(
                    f"the answer to a transaction of {len(actions)} actions never came "
                    f"({actions[0].subject}, …): it may have been applied",
                    token,
                ) from failure.__cause__
            if isinstance(failure, Refused) and failure.reasons:
                raise error_of(actions, failure) from None
            raise failure
        yield attempts.pause()


def _is_replay(answer: Answer) -> bool:
    """Whether the service knew the token: it then says what it read, instead of what it wrote."""
    entries = answer.get("ConsumedCapacity") or ()
    return any(entry.get("ReadCapacityUnits") and not entry.get("WriteCapacityUnits") for entry in entries)


def _failed(reason: Mapping[str, Any]) -> bool:
    return reason.get("Code") == "ConditionalCheckFailed"


def _is_ours(record: Action, stored: Item | None) -> bool:
    """Whether the stored record is one of the same transaction, as far as kinds and keys tell."""
    return stored is not None and stored.get(IDENTITY) == record.parameters["Item"][IDENTITY]


def _recorded(retries: Retries, actions: Sequence[Action], record: int) -> Flow[Item | None]:
    """Reads the record of an operation that was built again, of other contents, while its token is known."""
    action = actions[record]
    answer = yield from ask(
        retries, Call("GetItem", {"TableName": action.table, "Key": action.key, "ConsistentRead": True})
    )
    item: Item | None = answer.get("Item")
    return item


def _reused(token: str) -> OperationReused:
    return OperationReused(
        f"the token {token} was used within the last 10 minutes for another transaction: either two "
        "operations have one id, or this one was built again with other contents. Give transaction(…) the "
        "operation's time (at=) and take new ids from it, or keep the frozen transaction, or let it be "
        "remembered (remember=)"
    )


def error_of(actions: Sequence[Action], refusal: Refused) -> ModelError:
    """What the reasons of a cancelled transaction mean, each about the action at its position."""
    reasons = [
        Reason(position, action.subject, reason["Code"], reason_error(action, reason))
        for position, (action, reason) in enumerate(zip(actions, refusal.reasons, strict=True))
        if reason.get("Code", "None") != "None"
    ]
    errors = [reason.error for reason in reasons]
    clashes = [error for error in errors if isinstance(error, UniqueViolation)]
    if len(errors) == 1 and errors[0] is not None:
        return errors[0]
    if clashes and len(clashes) == len(errors):
        together = [clash for violation in clashes for clash in violation.clashes]
        return UniqueViolation("; ".join(str(violation) for violation in clashes), together)
    said = "; ".join(str(reason.error or f"{reason.subject}: {reason.code}") for reason in reasons)
    return TransactionFailed(f"nothing was written: {said}", reasons)


def reason_error(action: Action, reason: Any) -> ModelError | None:
    if reason["Code"] != "ConditionalCheckFailed":
        return None
    return action.error(reason.get("Item"))
