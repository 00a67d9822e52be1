"""How requests that sleep wait for the clock, in threads and in event loops."""

from __future__ import annotations

import asyncio
import threading
import time
from bisect import insort

from partita.engine.clock import Clock, ManualClock

_SLICE_SECONDS = 0.02
"""A wait looks at the clock at least this often, since somebody may advance it meanwhile."""
_PATIENCE = 1000
"""How many times a wait lets others go first before it stops believing that they will."""


class Waiting:
    """The requests of one database that sleep.

    On the system's clock they wait. A manual clock stands still unless somebody advances it; when all
    who could have are waiting themselves, the one that waits for the earliest time advances it. So
    requests that overlap on a manual clock go on in the order of their times, and nobody really waits.
    """

    def __init__(self, clock: Clock, lock: threading.Lock) -> None:
        self._clock = clock
        self._lock = lock
        self._in_threads: list[int] = []
        self._in_loops: list[int] = []

    def wait(self, until_us: int) -> None:
        """Blocks this thread until the clock has come to `until_us`."""
        clock = self._clock
        if not isinstance(clock, ManualClock):
            while True:
                time.sleep(min(max(until_us - clock.now_us(), 0) / 1_000_000, _SLICE_SECONDS))
                if clock.now_us() >= until_us:
                    return
        with self._lock:
            insort(self._in_threads, until_us)
        try:
            for _ in range(_PATIENCE):
                time.sleep(0)
                # Tasks of an event loop are not waited for: this thread may be the one that runs it.
                if clock.now_us() >= until_us or self._in_threads[0] == until_us:
                    break
        finally:
            with self._lock:
                self._in_threads.remove(until_us)
                advance(clock, until_us)

    async def wait_async(self, until_us: int) -> None:
        """As `wait`, in an event loop that goes on meanwhile."""
        clock = self._clock
        if not isinstance(clock, ManualClock):
            while True:
                await asyncio.sleep(min(max(until_us - clock.now_us(), 0) / 1_000_000, _SLICE_SECONDS))
                if clock.now_us() >= until_us:
                    return
        with self._lock:
            insort(self._in_loops, until_us)
        try:
            for _ in range(_PATIENCE):
                await asyncio.sleep(0)
                if clock.now_us() >= until_us or until_us == min(
                    [*self._in_loops[:1], *self._in_threads[:1]]
                ):
                    break
            with self._lock:
                advance(clock, until_us)
        finally:
            with self._lock:
                self._in_loops.remove(until_us)


def advance(clock: ManualClock, until_us: int) -> None:
    """Moves the clock forward to `until_us`, unless it is there already."""
    if (missing_us := until_us - clock.now_us()) > 0:
        clock.advance(missing_us / 1_000_000)
