"""Transactions: retried to a known outcome, and reasons by position."""

from __future__ import annotations

from typing import Any

import pytest
from tests.model.writing.by_hand import Clock, Hand, cancelled, context, lost, throttled

from partita.model.errors import (
    AlreadyExists,
    Clash,
    ConditionFailed,
    OperationReused,
    OutcomeUnknown,
    TransactionFailed,
    UniqueViolation,
)
from partita.model.flows.actions import Action
from partita.model.flows.flow import NotSent, Refused
from partita.model.flows.retries import Retries
from partita.model.schema import Item
from partita.model.writing.commit import Committed, commit


def exists(subject: str, item: Item | None, asked: Any) -> AlreadyExists:
    return AlreadyExists(f"{subject} exists: {item}")


def taken(subject: str, item: Item | None, asked: Any) -> UniqueViolation:
    return UniqueViolation(f"{subject} is taken", [Clash(subject, "x", item)])


def action(name: str, refused: Any = exists) -> Action:
    key = {"PK": {"S": name}}
    return Action("Put", {"TableName": "app", "Item": key}, key, name, refused)


ACTIONS = [action("order"), action("email", taken), action("username", taken)]


def hand(outcomes: list[Any], attempts: int = 4, clock: Clock | None = None) -> Hand:
    clock = clock or Clock()
    flow = commit(context(Retries(attempts=attempts), clock), ACTIONS, "token-1")
    return Hand(flow, outcomes, lambda seconds: clock.advance(seconds=seconds))


def test_the_request() -> None:
    driven = hand([{"ConsumedCapacity": []}])
    assert driven.run() == Committed("token-1")
    assert driven.calls[0].operation == "TransactWriteItems"
    assert driven.calls[0].parameters == {
        "TransactItems": [
            {"Put": {"TableName": "app", "Item": {"PK": {"S": name}}}}
            for name in ("order", "email", "username")
        ],
        "ClientRequestToken": "token-1",
        "ReturnConsumedCapacity": "TOTAL",
    }


@pytest.mark.parametrize(
    "passing",
    [
        cancelled("None", "TransactionConflict", "None"),
        cancelled("ThrottlingError", "ProvisionedThroughputExceeded", "TransactionConflict"),
        Refused("TransactionInProgressException", "still"),
        throttled(),
        NotSent("no"),
        lost(),
    ],
)
def test_what_may_pass_is_sent_again_the_same(passing: Exception) -> None:
    driven = hand([passing, passing, {}])
    driven.run()
    assert len(driven.calls) == 3
    assert driven.calls[0] == driven.calls[1] == driven.calls[2]
    assert driven.pauses == [0.05, 0.1]


@pytest.mark.parametrize(
    "outcome",
    [
        cancelled({}, "None", "None"),
        cancelled({}, "TransactionConflict", "None"),
        Refused("ValidationException", "no"),
    ],
)
def test_what_will_not_pass_is_not_sent_again(outcome: Exception) -> None:
    driven = hand([outcome, {}])
    with pytest.raises(Exception):  # noqa: B017, PT011 (which one is the next tests' matter)
        driven.run()
    assert len(driven.calls) == 1


def test_a_single_failed_condition_is_that_actions_error() -> None:
    item = {"PK": {"S": "order"}}
    with pytest.raises(AlreadyExists, match=r"order exists: .*PK"):
        hand([cancelled(item, "None", "None")]).run()
    with pytest.raises(UniqueViolation, match="username is taken"):
        hand([cancelled("None", "None", item)]).run()


def test_several_clashes_are_one_violation() -> None:
    owner = {"PK": {"S": "other"}}
    with pytest.raises(UniqueViolation, match="email is taken; username is taken") as violation:
        hand([cancelled("None", owner, owner)]).run()
    assert violation.value.clashes == (Clash("email", "x", owner), Clash("username", "x", owner))


def test_other_reasons_are_listed_by_position() -> None:
    with pytest.raises(TransactionFailed) as failed:
        hand([cancelled({}, "TransactionConflict", {})]).run()
    assert [(reason.position, reason.subject, reason.code) for reason in failed.value.reasons] == [
        (0, "order", "ConditionalCheckFailed"),
        (1, "email", "TransactionConflict"),
        (2, "username", "ConditionalCheckFailed"),
    ]
    assert isinstance(failed.value.reasons[0].error, AlreadyExists)
    assert failed.value.reasons[1].error is None
    assert isinstance(failed.value.reasons[2].error, ConditionFailed)


def test_a_single_reason_without_an_error_of_its_own() -> None:
    with pytest.raises(TransactionFailed, match="email: ValidationError"):
        hand([cancelled("None", "ValidationError", "None")]).run()


def test_the_attempts_are_limited() -> None:
    conflict = cancelled("None", "TransactionConflict", "None")
    with pytest.raises(TransactionFailed, match="TransactionConflict"):
        hand([conflict] * 4).run()
    with pytest.raises(Refused):
        hand([throttled()] * 4).run()
    with pytest.raises(NotSent):
        hand([NotSent("no")] * 4).run()


def test_an_outcome_that_stays_unknown_is_said_with_the_token() -> None:
    running = Refused("TransactionInProgressException", "still")
    for last in (lost(), NotSent("no"), throttled(), Refused("ValidationException", "no"), running):
        with pytest.raises(OutcomeUnknown) as unknown:
            hand([lost(), lost(), lost(), last]).run()
        assert unknown.value.token == "token-1"
    with pytest.raises(OutcomeUnknown):
        hand([running] * 4).run()


def test_a_condition_that_fails_after_a_lost_answer_failed_for_the_first_try_too() -> None:
    with pytest.raises(AlreadyExists):
        hand([lost(), cancelled({}, "None", "None")]).run()


def test_nothing_is_sent_again_once_the_token_may_be_forgotten() -> None:
    clock = Clock()

    def slow(_: Any) -> Exception:
        clock.advance(minutes=4)
        return lost()

    driven = hand([slow] * 10, attempts=10, clock=clock)
    with pytest.raises(OutcomeUnknown):
        driven.run()
    assert len(driven.calls) == 3


class TestRecords:
    """The last action records the operation; the service knows its token, of other contents."""

    RECORD: Item = {"PK": {"S": "record"}, "identity": {"S": "ours"}}  # noqa: RUF012
    OTHER = Refused("IdempotentParameterMismatchException", "other contents")

    def driven(self, outcomes: list[Any]) -> Hand:
        key = {"PK": {"S": "record"}}
        record = Action("Put", {"TableName": "app", "Item": self.RECORD}, key, "operation", exists)
        return Hand(commit(context(Retries(attempts=3)), [*ACTIONS, record], "token-1", 3), outcomes)

    def test_the_first_may_still_be_under_way(self) -> None:
        driven = self.driven([self.OTHER, {}, self.OTHER, {"Item": self.RECORD}])
        assert driven.run() == Committed("token-1", already_applied=True)
        assert len(driven.pauses) == 1

    def test_it_may_have_failed(self) -> None:
        driven = self.driven([self.OTHER, {}, {"ConsumedCapacity": []}])
        assert driven.run() == Committed("token-1")

    def test_a_record_that_never_comes_is_of_another_operation(self) -> None:
        driven = self.driven([self.OTHER, {}] * 3)
        with pytest.raises(OperationReused):
            driven.run()
        assert (driven.left, len(driven.pauses)) == (0, 2)

    def test_a_record_of_another_operation_is_one_at_once(self) -> None:
        driven = self.driven([self.OTHER, {"Item": {**self.RECORD, "identity": {"S": "theirs"}}}])
        with pytest.raises(OperationReused):
            driven.run()
        assert driven.pauses == []

    def test_a_cancellation_without_reasons(self) -> None:
        driven = self.driven([Refused("TransactionCanceledException", "cancelled", reasons=())])
        with pytest.raises(Refused):
            driven.run()
