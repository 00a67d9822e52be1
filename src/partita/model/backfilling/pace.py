"""A rate that a long piece of work keeps to, so that the application's own requests find capacity."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Any, TypeVar

from partita.model.errors import WriteRefused
from partita.model.flows.consumption import Consumed
from partita.model.flows.flow import Call, Flow, Together, Wait

T = TypeVar("T")

_SLOWEST = 0.001


class Pace:
    """At most so many capacity units a second; None: as fast as it goes.

    What was consumed is paid off before the next request. A server that tells no capacity is taken to have
    consumed one unit for each request.
    """

    def __init__(self, now: Callable[[], datetime], units_per_second: float | None) -> None:
        if units_per_second is not None and not (
            isinstance(units_per_second, int | float) and units_per_second >= _SLOWEST
        ):
            raise WriteRefused(
                f"units_per_second is a number of units, at least {_SLOWEST}, not {units_per_second!r}"
            )
        self._now = now
        self._rate = units_per_second
        self._free = now()

    def spent(self, consumed: Consumed) -> None:
        """Takes note of what requests consumed that ended just now."""
        if self._rate is not None:
            units = consumed.units or consumed.requests
            self._free = max(self._free, self._now()) + timedelta(seconds=units / self._rate)

    def wait(self) -> Flow[None]:
        """Until the next request may be sent."""
        if self._rate is not None and (seconds := (self._free - self._now()).total_seconds()) > 0:
            yield Wait(seconds)


def measured(flow: Flow[T], note: Callable[[Call, Mapping[str, Any]], object]) -> Flow[T]:
    """The flow itself; `note` is called with each of its requests that was answered."""
    try:
        step = next(flow)
        while True:
            try:
                answer = yield step
            except Exception as failure:
                step = flow.throw(failure)
                continue
            if isinstance(step, Call):
                note(step, answer)
            elif isinstance(step, Together):
                for call, one in zip(step.calls, answer, strict=True):
                    if not isinstance(one, Exception):
                        note(call, one)
            step = flow.send(answer)
    except StopIteration as end:
        value: T = end.value
        return value
    finally:
        flow.close()
