"""One action, sent as PutItem, UpdateItem or DeleteItem, again after a lost answer where that is safe."""

from __future__ import annotations

from partita.model.errors import OutcomeUnknown
from partita.model.flows.flow import Call, Flow, NoAnswer, NotSent, Refused
from partita.model.flows.retries import Answer, Attempts, Retries, is_transient
from partita.model.writing.plans import WritePlan

_OPERATIONS = {"Put": "PutItem", "Update": "UpdateItem", "Delete": "DeleteItem"}


def write_single(retries: Retries, plan: WritePlan, return_values: str | None = None) -> Flow[Answer]:
    """Sends the plan's only action; the answer (with `Attributes` if `return_values` asks for them).

    Raises what the action's failed condition means; OutcomeUnknown where an answer never came and nothing can
    tell what became of the write; Refused and NotSent where it was certainly not applied.
    """
    (action,) = plan.actions
    parameters = dict(action.parameters)
    if return_values is not None:
        parameters["ReturnValues"] = return_values
    call = Call(_OPERATIONS[action.kind], parameters)
    unanswered = False
    attempts = Attempts(retries)
    while True:
        try:
            answer: Answer = yield call
            return answer
        except Refused as refusal:
            failure: Exception = refusal
            if refusal.code == "ConditionalCheckFailedException":
                verdict = plan.applied(refusal.item) if unanswered else False
                if verdict is None:
                    raise _unknown(action.subject) from None
                if verdict:
                    return {"Attributes": refusal.item}
                raise action.error(refusal.item) from None
            again = is_transient(refusal)
        except NotSent as not_sent:
            failure, again = not_sent, True
        except NoAnswer as lost:
            failure, again, unanswered = lost, plan.repeats, True
        if not again or attempts.used_up:
            if unanswered:
                raise _unknown(action.subject) from failure.__cause__
            raise failure
        yield attempts.pause()


def _unknown(subject: str) -> OutcomeUnknown:
    return OutcomeUnknown(
        f"{subject}: the answer to the write never came, and whether it was applied cannot be told. Read "
        "the item to find out, or write in a transaction with an operation id, which can be sent again"
    )
