"""Pauses of clients: botocore's, between attempts and between polls of a waiter, and those of the toolkit.

A database on a manual clock would never see such a pause: whoever sleeps is the one who would advance the
clock. So a pause that follows a request of such a database advances its clock, and takes no time.
"""

from __future__ import annotations

import asyncio
import sys
import time
from contextvars import ContextVar
from typing import Any

from partita.engine.clock import Clock, ManualClock

_last: ContextVar[ManualClock | None] = ContextVar("last", default=None)
"""The manual clock of the database that answered the last request of this thread or task."""

_SLEEPERS = (
    ("botocore.endpoint", "time"),
    ("botocore.waiter", "time"),
    ("aiobotocore.endpoint", "asyncio"),
    ("aiobotocore.waiter", "asyncio"),
    ("partita.model.sessions.pausing", "time"),
    ("partita.model.sessions.pausing", "asyncio"),
)
"""Where they sleep, and by which module."""


def answered(clock: Clock) -> None:
    """Notes that a database on `clock` has answered a request of this thread or task."""
    if not isinstance(clock, ManualClock):
        _last.set(None)
        return
    # What sleeps may have been imported after the client was made.
    _take_places()
    _last.set(clock)


def install() -> None:
    """Takes the place of the modules by which botocore, and what else is in use, sleep."""
    import botocore.endpoint
    import botocore.waiter  # noqa: F401

    _take_places()


def _take_places() -> None:
    for name, slept_by in _SLEEPERS:
        module: Any = sys.modules.get(name)
        original = getattr(module, slept_by, None)
        if original in (time, asyncio):
            setattr(module, slept_by, _Time(original) if original is time else _Asyncio(original))


class _Module:
    """Stands for a module; all but `sleep` is the module's."""

    def __init__(self, module: Any) -> None:
        self._module = module

    def __getattr__(self, name: str) -> Any:
        return getattr(self._module, name)


class _Time(_Module):
    def sleep(self, seconds: float) -> None:
        if not _advanced(seconds):
            self._module.sleep(seconds)


class _Asyncio(_Module):
    async def sleep(self, seconds: float) -> None:
        await self._module.sleep(0 if _advanced(seconds) else seconds)


def _advanced(seconds: float) -> bool:
    """Whether a manual clock went forward in place of a pause."""
    clock = _last.get()
    if clock is None:
        return False
    # Only once: the next pause may follow a request of something else.
    _last.set(None)
    clock.advance(seconds)
    return True
