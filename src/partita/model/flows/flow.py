"""The pure core talks to a server through these: a flow yields what it needs and is sent the answers.

A flow never touches a client, a clock or chance: a session drives it (or a test, step by step: several
can then interleave).
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from partita.model.schema import Item

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Call:
    """One request: `operation` in the API's words, `parameters` as boto3's low-level client takes them."""

    operation: str
    parameters: Mapping[str, Any]
    pattern: str | None = None
    """The access pattern on whose behalf it is sent; None: the one that the session is in."""


@dataclass(frozen=True, slots=True)
class Together:
    """Requests without order among them; the answer is the list of their answers, in the order of `calls`.

    All have ended before the flow goes on. Of the failed ones the first is thrown; with `each`, a failure
    (Refused, NoAnswer or NotSent) stands in the list in place of its answer.
    """

    calls: Sequence[Call]
    each: bool = False


@dataclass(frozen=True, slots=True)
class Pause:
    """Waits at most this long: the driver draws the time evenly from [0, most_seconds) (full jitter)."""

    most_seconds: float


@dataclass(frozen=True, slots=True)
class Wait:
    """Waits this long: what keeps to a rate must not be early."""

    seconds: float


Step = Call | Together | Pause | Wait
Flow = Generator[Step, Any, T]


class Refused(Exception):
    """The service answered with an error; thrown into the flow that sent the request."""

    def __init__(
        self,
        code: str,
        message: str,
        *,
        reasons: Sequence[Mapping[str, Any]] = (),
        item: Item | None = None,
    ) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code
        self.message = message
        self.reasons = reasons
        """CancellationReasons, by position."""
        self.item = item
        """The stored item that a failed condition returned (ReturnValuesOnConditionCheckFailure)."""


class NoAnswer(Exception):
    """The request may have been applied, its answer never came (time-out, broken connection, 5xx)."""


class NotSent(Exception):
    """The request did not leave: no connection could be made. Nothing was applied."""
