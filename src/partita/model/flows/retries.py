"""Sending again: how often, after which pauses, and after which failures it is safe whatever the request."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from partita.model.flows.flow import Call, Flow, NoAnswer, NotSent, Pause, Refused, Together

Answer = Mapping[str, Any]

TRANSIENT = frozenset(
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
        if self.attempts < 1:
            raise ValueError(f"at least one attempt is needed, not {self.attempts}")

    def pause(self, attempt: int) -> Pause:
        """The pause after attempt number `attempt`, counted from 1."""
        # The exponent is bounded: 2.0 ** 1024 overflows.
        return Pause(min(self.most_seconds, self.first_seconds * 2.0 ** min(attempt - 1, 60)))


def is_transient(failure: Exception) -> bool:
    """Whether a request that may be applied twice is worth sending again.

    A cancelled transaction is where all its reasons are transient.
    """
    if not isinstance(failure, Refused):
        return isinstance(failure, (NoAnswer, NotSent))
    if failure.code != "TransactionCanceledException":
        return failure.code in TRANSIENT
    codes = {reason.get("Code", "None") for reason in failure.reasons} - {"None"}
    return bool(codes) and codes <= TRANSIENT


def ask(retries: Retries, call: Call) -> Flow[Answer]:
    """The answer to a request that may be sent more than once: a read, or what changes no item.

    Raises the last Refused, NoAnswer or NotSent once the attempts are used up.
    """
    attempt = 1
    while True:
        try:
            answer: Answer = yield call
            return answer
        except (Refused, NoAnswer, NotSent) as failure:
            if attempt >= retries.attempts or not is_transient(failure):
                raise
        yield retries.pause(attempt)
        attempt += 1


def ask_together(retries: Retries, calls: Sequence[Call]) -> Flow[list[Answer]]:
    """The answers to several such requests, in order; only those that failed are sent again."""
    answers: dict[int, Answer] = {}
    waiting = list(range(len(calls)))
    attempt = 1
    while waiting:
        outcomes = yield Together([calls[position] for position in waiting], each=True)
        failed = []
        for position, outcome in zip(waiting, outcomes, strict=True):
            if not isinstance(outcome, Exception):
                answers[position] = outcome
            elif attempt >= retries.attempts or not is_transient(outcome):
                raise outcome
            else:
                failed.append(position)
        waiting = failed
        if waiting:
            yield retries.pause(attempt)
            attempt += 1
    return [answers[position] for position in range(len(calls))]
