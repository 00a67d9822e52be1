"""Flows driven step by step, without a session."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

from partita.model.flows.context import Context
from partita.model.flows.flow import Call, Flow, NoAnswer, Pause, Refused
from partita.model.flows.retries import Retries
from partita.model.flows.written import Written

START = datetime(2026, 9, 28, 12, tzinfo=UTC)


class Clock:
    """A clock that pauses advance."""

    def __init__(self) -> None:
        self.time = START

    def __call__(self) -> datetime:
        return self.time

    def advance(self, **duration: float) -> None:
        self.time += timedelta(**duration)


def context(retries: Retries | None = None, clock: Clock | None = None, **tables: str) -> Context:
    chance, now = Random(1), clock or Clock()
    return Context(
        tables={},
        retries=retries or Retries(),
        now=now,
        token=lambda: f"{chance.getrandbits(128):032x}",
        written=Written(1000, 60, now),
    )


class Hand:
    """Drives one flow: `outcomes` are the answers to its calls, or failures that are thrown into it.

    A callable outcome is called with the call and gives the answer.
    """

    def __init__(
        self, flow: Flow[Any], outcomes: Iterable[Any], pausing: Callable[[float], Any] = abs
    ) -> None:
        self.calls: list[Call] = []
        self.pauses: list[float] = []
        self._flow = flow
        self._outcomes = list(outcomes)
        self._pausing = pausing

    @property
    def left(self) -> int:
        """How many outcomes nobody asked for."""
        return len(self._outcomes)

    def run(self) -> Any:
        """What the flow returns or raises."""
        try:
            step = next(self._flow)
            while True:
                if isinstance(step, Pause):
                    self.pauses.append(step.most_seconds)
                    self._pausing(step.most_seconds)
                    step = self._flow.send(None)
                    continue
                assert isinstance(step, Call)
                self.calls.append(step)
                outcome = self._outcomes.pop(0)
                if callable(outcome):
                    outcome = outcome(step)
                if isinstance(outcome, Exception):
                    step = self._flow.throw(outcome)
                else:
                    step = self._flow.send(outcome)
        except StopIteration as end:
            return end.value


def cancelled(*reasons: str | dict[str, Any]) -> Refused:
    """A cancelled transaction: reasons are codes, or items on which a condition failed."""
    spelled: list[dict[str, Any]] = []
    for reason in reasons:
        if isinstance(reason, str):
            spelled.append({"Code": reason})
        else:
            spelled.append({"Code": "ConditionalCheckFailed"} | ({"Item": reason} if reason else {}))
    return Refused("TransactionCanceledException", "cancelled", reasons=spelled)


def condition_failed(item: dict[str, Any] | None = None) -> Refused:
    return Refused("ConditionalCheckFailedException", "The conditional request failed", item=item)


def lost() -> NoAnswer:
    return NoAnswer("timed out")


def throttled() -> Refused:
    return Refused("ThrottlingException", "slow down")
