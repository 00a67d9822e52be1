"""A flow step by step, for whoever drives it."""

from __future__ import annotations

from random import Random
from typing import Any, Generic, TypeVar

from partita.model.errors import ServiceError, Unreachable
from partita.model.flows.flow import Flow, NoAnswer, NotSent, Pause, Refused, Step, Together, Wait

T = TypeVar("T")
_Failure = Refused | NoAnswer | NotSent


class Steps(Generic[T]):
    """The steps of a flow, one after the other; at their end `returned` is what the flow returned.

    The driver sets `outcome` before it asks for the next step: the answer to this one, or the exception that
    it ended with. Refused, NoAnswer and NotSent that the flow does not handle become ServiceError or
    Unreachable.
    """

    returned: T

    def __init__(self, flow: Flow[T]) -> None:
        self._flow = flow
        self.outcome: Any = None

    def __iter__(self) -> Steps[T]:
        return self

    def __next__(self) -> Step:
        try:
            if isinstance(self.outcome, Exception):
                return self._flow.throw(self._taken())
            return self._flow.send(self.outcome)
        except StopIteration as end:
            self.returned = end.value
            raise
        except (Refused, NoAnswer, NotSent) as failure:
            raise _for_callers(failure) from failure.__cause__

    def _taken(self) -> Any:
        # No frame of the failure's traceback is to hold the failure: it would live until it is collected.
        failure, self.outcome = self.outcome, None
        return failure


def seconds_of(step: Pause | Wait, chance: Random) -> float:
    """How long to sleep."""
    return step.seconds if isinstance(step, Wait) else chance.random() * step.most_seconds


def gathered(together: Together, outcomes: list[Any]) -> list[Any]:
    """The answer to requests that ended so; raises the first failure that the flow does not ask for."""
    for outcome in outcomes:
        if isinstance(outcome, BaseException) and not (together.each and isinstance(outcome, _Failure)):
            raise outcome
    return outcomes


def _for_callers(failure: _Failure) -> ServiceError | Unreachable:
    """What a caller is told of a failure that no flow handled."""
    if isinstance(failure, Refused):
        return ServiceError(failure.code, failure.message)
    return Unreachable(str(failure))
