"""One action: what each outcome means, and what is done about a lost answer."""

from __future__ import annotations

from typing import Any

import pytest
from tests.model.writing.by_hand import Hand, condition_failed, lost, throttled

from partita.model.errors import ConditionFailed, OutcomeUnknown
from partita.model.flows.actions import Action, ActionKind
from partita.model.flows.flow import NotSent, Refused
from partita.model.flows.retries import Retries
from partita.model.schema import Item
from partita.model.writing.plans import WritePlan
from partita.model.writing.single import write_single

KEY = {"PK": {"S": "a"}}
OURS = {"PK": {"S": "a"}, "by": {"S": "us"}}
THEIRS = {"PK": {"S": "a"}, "by": {"S": "them"}}
UNCLEAR = {"PK": {"S": "a"}}


class Failed(ConditionFailed):
    def __init__(self, subject: str, item: Item | None, asked: Any) -> None:
        super().__init__(f"{subject} {item}")
        self.item = item


def plan(kind: ActionKind = "Put", *, repeats: bool = True) -> WritePlan:
    action = Action(kind, {"TableName": "app", "Item": OURS}, KEY, "Thing a", Failed)
    verdicts = {"us": True, "them": False}

    def applied(item: Item | None) -> bool | None:
        return verdicts.get(item["by"]["S"]) if item and "by" in item else None

    return WritePlan((action,), repeats, applied)


@pytest.mark.parametrize(
    ("kind", "operation"), [("Put", "PutItem"), ("Update", "UpdateItem"), ("Delete", "DeleteItem")]
)
def test_the_operation_is_the_actions(kind: ActionKind, operation: str) -> None:
    hand = Hand(write_single(Retries(), plan(kind), "ALL_NEW"), [{"Attributes": OURS}])
    assert hand.run() == {"Attributes": OURS}
    assert hand.calls[0].operation == operation
    assert hand.calls[0].parameters == {"TableName": "app", "Item": OURS, "ReturnValues": "ALL_NEW"}


@pytest.mark.parametrize(
    ("repeats", "outcomes", "expected", "requests"),
    [
        # A condition that failed at first try means what the action says, whatever the item.
        (True, [condition_failed(OURS)], Failed, 1),
        (False, [condition_failed(None)], Failed, 1),
        # What was certainly not applied is sent again.
        (False, [throttled(), NotSent("no"), {}], None, 3),
        (True, [throttled(), condition_failed(OURS)], Failed, 2),
        # A lost answer: sent again if that is safe …
        (True, [lost(), {}], None, 2),
        (False, [lost()], OutcomeUnknown, 1),
        (False, [throttled(), lost()], OutcomeUnknown, 2),
        # … and then the stored item tells.
        (True, [lost(), condition_failed(OURS)], None, 2),
        (True, [lost(), condition_failed(THEIRS)], Failed, 2),
        (True, [lost(), condition_failed(UNCLEAR)], OutcomeUnknown, 2),
        (True, [lost(), condition_failed(None)], OutcomeUnknown, 2),
        (True, [lost(), throttled(), condition_failed(UNCLEAR)], OutcomeUnknown, 3),
        # Other refusals are the caller's, unless an earlier try may have been applied.
        (True, [Refused("ValidationException", "no")], Refused, 1),
        (True, [lost(), Refused("AccessDeniedException", "no")], OutcomeUnknown, 2),
        # The attempts are limited.
        (True, [throttled()] * 3, Refused, 3),
        (True, [NotSent("no")] * 3, NotSent, 3),
        (True, [lost()] * 3, OutcomeUnknown, 3),
        (True, [lost(), NotSent("no"), NotSent("no")], OutcomeUnknown, 3),
    ],
)
def test_outcomes(
    repeats: bool, outcomes: list[Any], expected: type[Exception] | None, requests: int
) -> None:
    hand = Hand(write_single(Retries(attempts=3), plan(repeats=repeats)), outcomes)
    if expected is None:
        hand.run()
    else:
        with pytest.raises(expected):
            hand.run()
    assert len(hand.calls) == requests
    assert len(hand.pauses) == requests - 1
    assert hand.left == 0


def test_a_recovered_write_answers_with_the_stored_item() -> None:
    assert Hand(write_single(Retries(), plan()), [lost(), condition_failed(OURS)]).run() == {
        "Attributes": OURS
    }


def test_the_error_is_about_the_subject_and_the_stored_item() -> None:
    with pytest.raises(Failed, match="Thing a") as failed:
        Hand(write_single(Retries(), plan()), [condition_failed(THEIRS)]).run()
    assert failed.value.item == THEIRS
