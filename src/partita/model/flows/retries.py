"""Sending again: how often, after which pauses, and after which failures it is safe whatever the request."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf
from typing import Any

from partita.model.flows.flow import Call, Flow, NoAnswer, NotSent, Pause, Refused, Together
from partita.model.values.attribute_values import shortened

Answer = Mapping[str, Any]

_TRANSIENT = frozenset(
    {
        "LimitExceededException",
        "ProvisionedThroughputExceeded",
        "ProvisionedThroughputExceededException",
        "ReplicatedWriteConflictException",
        "RequestLimitExceeded",
        "Throttling",
        "ThrottlingError",
        "ThrottlingException",
        "TransactionConflict",
        "TransactionConflictException",
        "TransactionInProgressException",
    }
)
"""Codes of errors, and of reasons of a cancelled transaction, that say "not now": nothing was applied."""


@dataclass(frozen=True, slots=True)
class Retries:
    """At most `attempts`; before attempt n + 1 a random pause below `first_seconds` * 2 ** (n - 1).

    No pause is longer than `most_seconds`. Its length is drawn evenly from zero on ("full jitter"), which
    spreads those who collided the best.
    """

    attempts: int = 8
    first_seconds: float = 0.05
    most_seconds: float = 2.0

    def __post_init__(self) -> None:
        if not isinstance(self.attempts, int) or isinstance(self.attempts, bool):
            raise TypeError(f"attempts is a number of them, not {shortened(self.attempts)}")
        if self.attempts < 1:
            raise ValueError(f"at least one attempt is needed, not {self.attempts}")
        for name in ("first_seconds", "most_seconds"):
            seconds = getattr(self, name)
            if not isinstance(seconds, int | float) or isinstance(seconds, bool):
                raise TypeError(f"{name} is a number of seconds, not {shortened(seconds)}")
            if not 0 <= seconds < inf:
                raise ValueError(f"{name} is 0 seconds or more, not {seconds}")

    def pause(self, attempt: int) -> Pause:
        """The pause after attempt number `attempt`, counted from 1."""
        # The exponent is bounded: 2.0 ** 1024 overflows.
        return Pause(min(self.most_seconds, self.first_seconds * 2.0 ** min(attempt - 1, 60)))


class Attempts:
    """The attempts at one request: whether another may follow, and the pause before it.

    All that send again count by this; what is worth it, `is_transient` says, unless the outcome of a write
    hangs on more. Rounds of a read of many keys are counted by what they brought, not by attempts.
    """

    __slots__ = ("_made", "_retries")

    def __init__(self, retries: Retries) -> None:
        self._retries = retries
        self._made = 1

    @property
    def used_up(self) -> bool:
        """Whether the one under way was the last."""
        return self._made >= self._retries.attempts

    def pause(self) -> Pause:
        """To be waited before the next one, which is counted."""
        pause = self._retries.pause(self._made)
        self._made += 1
        return pause

    def start_again(self) -> None:
        """Counts the one under way as the first: it got something done."""
        self._made = 1


def is_transient(failure: Exception) -> bool:
    """Whether a request that may be applied twice is worth sending again.

    A cancelled transaction is where all its reasons are transient.
    """
    if not isinstance(failure, Refused):
        return isinstance(failure, (NoAnswer, NotSent))
    if failure.code != "TransactionCanceledException":
        return failure.code in _TRANSIENT
    codes = {reason.get("Code", "None") for reason in failure.reasons} - {"None"}
    return bool(codes) and codes <= _TRANSIENT


def ask(retries: Retries, call: Call) -> Flow[Answer]:
    """The answer to a request that may be sent more than once: a read, or what changes no item.

    Raises the last Refused, NoAnswer or NotSent once the attempts are used up.
    """
    attempts = Attempts(retries)
    while True:
        try:
            answer: Answer = yield call
            return answer
        except (Refused, NoAnswer, NotSent) as failure:
            if attempts.used_up or not is_transient(failure):
                raise
        yield attempts.pause()


def ask_together(retries: Retries, calls: Sequence[Call]) -> Flow[list[Answer]]:
    """The answers to several such requests, in order; only those that failed are sent again."""
    answers: dict[int, Answer] = {}
    waiting = list(range(len(calls)))
    attempts = Attempts(retries)
    while waiting:
        outcomes = yield Together([calls[position] for position in waiting], each=True)
        failed = []
        for position, outcome in zip(waiting, outcomes, strict=True):
            if not isinstance(outcome, Exception):
                answers[position] = outcome
            elif attempts.used_up or not is_transient(outcome):
                raise outcome
            else:
                failed.append(position)
        waiting = failed
        if waiting:
            yield attempts.pause()
    return [answers[position] for position in range(len(calls))]
