"""Time, injected: whole microseconds since the epoch. No other module of the engine asks the system."""

from __future__ import annotations

import time
from collections.abc import Generator
from typing import Protocol


class Sleep:
    """What an engine coroutine yields to whoever drives it: go on at `until_us`, or soon if it is past."""

    __slots__ = ("until_us",)

    def __init__(self, until_us: int) -> None:
        self.until_us = until_us

    def __await__(self) -> Generator[Sleep, None, None]:
        yield self


class Clock(Protocol):
    """What the engine takes for the time."""

    def now_us(self) -> int: ...


class SystemClock:
    """The system's time plus an offset, which `advance` moves forward."""

    def __init__(self) -> None:
        self.offset_us = 0

    def now_us(self) -> int:
        return time.time_ns() // 1000 + self.offset_us

    def advance(self, seconds: float) -> None:
        """Moves this clock forward; what became due runs before the next request."""
        if seconds < 0:
            raise ValueError("a clock only goes forward")
        self.offset_us += round(seconds * 1_000_000)


class ManualClock:
    """A clock that stands still until it is told to advance. For tests and replays."""

    def __init__(self, start: float = 1_700_000_000.0) -> None:
        self._now_us = int(start * 1_000_000)

    def now_us(self) -> int:
        return self._now_us

    def advance(self, seconds: float) -> None:
        if seconds < 0:
            raise ValueError("a clock only goes forward")
        self._now_us += round(seconds * 1_000_000)
