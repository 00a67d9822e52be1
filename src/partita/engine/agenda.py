"""Background work: a list of due jobs, run in slices by whoever drives the engine. Never a thread."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Coroutine
from itertools import count
from typing import Any

from partita.engine.clock import Clock, Sleep

Job = Callable[[], Coroutine[Sleep, None, None]]
"""One slice of work (about 1 ms at most). A job that is not done puts its next slice on the agenda."""


class Agenda:
    """Jobs by due time; jobs due together run in the order in which they were added.

    What must outlive the process is a row in the store; the agenda is refilled from rows at start.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._jobs: list[tuple[int, int, Job]] = []
        self._order = count()
        self.next_due_us: int | None = None
        """When the first job is due; None: there is none."""

    def add(self, due_us: int, job: Job) -> None:
        """Runs `job` once the clock has come to `due_us`; 0 goes before all other work."""
        heapq.heappush(self._jobs, (due_us, next(self._order), job))
        self.next_due_us = self._jobs[0][0]

    def take_due(self) -> Job | None:
        """The next job that is due now, taken off the list."""
        if self.next_due_us is None or self.next_due_us > self._clock.now_us():
            return None
        job = heapq.heappop(self._jobs)[2]
        self.next_due_us = self._jobs[0][0] if self._jobs else None
        return job

    def clear(self) -> None:
        """Forgets all jobs, which the rows are to bring back."""
        self._jobs.clear()
        self.next_due_us = None


def drive(coroutine: Coroutine[Sleep, Any, Any]) -> Any:
    """Runs a coroutine that never suspends (embedded store, no sleeping) to its end."""
    try:
        coroutine.send(None)
    except StopIteration as stop:
        return stop.value
    coroutine.close()
    raise RuntimeError("a background slice may not sleep")
