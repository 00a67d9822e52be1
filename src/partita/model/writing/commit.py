"""Several actions, sent as one TransactWriteItems until the outcome is known."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from partita.model.actions import Action
from partita.model.context import Context
from partita.model.errors import ModelError, OutcomeUnknown, Reason, TransactionFailed, UniqueViolation
from partita.model.flow import Call, Flow, NoAnswer, NotSent, Refused
from partita.model.retries import TRANSIENT, Answer

MOST_ACTIONS = 100
TOKEN_LIFE = timedelta(minutes=10)
"""How long the service knows a ClientRequestToken, at least:
https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html
"""
_SAFETY = timedelta(minutes=1)


def parameters_of(actions: Sequence[Action], token: str) -> dict[str, Any]:
    """The parameters of TransactWriteItems; they ask for capacity always, since they must not vary."""
    return {
        "TransactItems": [{action.kind: dict(action.parameters)} for action in actions],
        "ClientRequestToken": token,
        "ReturnConsumedCapacity": "TOTAL",
    }


def commit(context: Context, actions: Sequence[Action], token: str) -> Flow[Answer]:
    """Sends the transaction, again and again the same to the byte, until its outcome is known.

    It is sent again after conflicts, throttling and lost answers, but not once the service may have
    forgotten the token. Raises what a single failed condition means, UniqueViolation with all clashes if
    there are only such, else TransactionFailed; OutcomeUnknown with the token where no answer came; Refused
    or NotSent where it was certainly not applied.
    """
    call = Call("TransactWriteItems", parameters_of(actions, token))
    retries = context.retries
    last_start = context.now() + TOKEN_LIFE - _SAFETY
    unanswered = False
    attempt = 1
    while True:
        try:
            answer: Answer = yield call
            return answer
        except Refused as refusal:
            failure: Exception = refusal
            again = refusal.code in TRANSIENT
            if refusal.code == "TransactionCanceledException":
                codes = {reason.get("Code", "None") for reason in refusal.reasons} - {"None"}
                again = bool(codes) and codes <= TRANSIENT
                if codes and not again:
                    raise error_of(actions, refusal) from refusal
        except NotSent as not_sent:
            failure, again = not_sent, True
        except NoAnswer as lost:
            failure, again, unanswered = lost, True, True
        if not again or attempt >= retries.attempts or context.now() > last_start:
            if unanswered:
                raise OutcomeUnknown(
                    f"the answer to a transaction of {len(actions)} actions never came "
                    f"({actions[0].subject}, …): it may have been applied",
                    token,
                ) from failure
            if isinstance(failure, Refused) and failure.reasons:
                raise error_of(actions, failure) from failure
            raise failure
        yield retries.pause(attempt)
        attempt += 1


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
    said = "; ".join(f"{reason.subject}: {reason.error or reason.code}" for reason in reasons)
    return TransactionFailed(f"nothing was written: {said}", reasons)


def reason_error(action: Action, reason: Any) -> ModelError | None:
    if reason["Code"] != "ConditionalCheckFailed":
        return None
    return action.error(reason.get("Item"))
