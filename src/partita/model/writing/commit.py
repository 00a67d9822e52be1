"""Several actions, sent as one TransactWriteItems until the outcome is known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from partita.model.errors import OperationReused, OutcomeUnknown
from partita.model.flows.actions import Action
from partita.model.flows.context import Context
from partita.model.flows.flow import Call, Flow, NoAnswer, NotSent, Refused
from partita.model.flows.retries import Answer, Attempts, Retries, ask, is_transient
from partita.model.schema import Item
from partita.model.writing.cancellations import cancelled_write, is_condition, is_named
from partita.model.writing.recording import IDENTITY
from partita.words import counted

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
    last_start = context.now() + TOKEN_LIFE - _SAFETY
    unanswered = False
    attempts = Attempts(context.retries)
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
                if record is None:
                    raise _reused(token) from None
                if (yield from _is_recorded_anew(context.retries, actions[record], token)):
                    return Committed(token, already_applied=True)
                # Where there is no record yet, the other one may still be under way.
                failure, again = _reused(token), True
            elif refusal.code == "TransactionCanceledException":
                if record is not None and _is_recorded(actions[record], record, refusal):
                    return Committed(token, already_applied=True)
                if any(map(is_named, refusal.reasons)) and not again:
                    raise cancelled_write(actions, refusal) from None
        except NotSent as not_sent:
            failure, again = not_sent, True
        except NoAnswer as lost:
            failure, again, unanswered = lost, True, True
        if not again or attempts.used_up or context.now() > last_start:
            raise _given_up(actions, token, failure, unanswered)
        yield attempts.pause()


def _is_replay(answer: Answer) -> bool:
    """Whether the service knew the token: it then says what it read, instead of what it wrote."""
    entries = answer.get("ConsumedCapacity") or ()
    return any(entry.get("ReadCapacityUnits") and not entry.get("WriteCapacityUnits") for entry in entries)


def _is_recorded(record: Action, position: int, refusal: Refused) -> bool:
    """Whether a transaction was cancelled since its operation is recorded; OperationReused: another one."""
    if not refusal.reasons or not is_condition(refusal.reasons[position]):
        return False
    if not _is_ours(record, refusal.reasons[position].get("Item")):
        raise record.error(None) from None
    return True


def _is_recorded_anew(retries: Retries, record: Action, token: str) -> Flow[bool]:
    """Whether an operation that was built again, of other contents, while its token is known is recorded.

    Raises OperationReused where another one is.
    """
    key = {"TableName": record.table, "Key": record.key, "ConsistentRead": True}
    stored: Item | None = (yield from ask(retries, Call("GetItem", key))).get("Item")
    if stored is not None and not _is_ours(record, stored):
        raise _reused(token) from None
    return stored is not None


def _is_ours(record: Action, stored: Item | None) -> bool:
    """Whether the stored record is one of the same transaction, as far as kinds and keys tell."""
    return stored is not None and stored.get(IDENTITY) == record.parameters["Item"][IDENTITY]


def _reused(token: str) -> OperationReused:
    return OperationReused(
        f"the token {token} was used within the last 10 minutes for another transaction: either two "
        "operations have one id, or this one was built again with other contents. Give transaction(…) the "
        "operation's time (at=) and take new ids from it, or keep the frozen transaction, or let it be "
        "remembered (remember=)"
    )


def _given_up(actions: Sequence[Action], token: str, failure: Exception, unanswered: bool) -> Exception:
    """What is raised of a transaction that is not sent again; `failure` was the last one's."""
    if isinstance(failure, OperationReused):
        return failure
    if unanswered:
        unknown = OutcomeUnknown(
            f"the answer to a transaction of {counted(len(actions), 'action')} never came "
            f"({actions[0].subject}, …): it may have been applied",
            token,
        )
        unknown.__cause__ = failure.__cause__
        return unknown
    if isinstance(failure, Refused) and failure.reasons:
        return cancelled_write(actions, failure)
    return failure
