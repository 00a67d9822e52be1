"""How a session pauses unless it is told otherwise; a database on a manual clock advances it here instead."""

from __future__ import annotations

import asyncio
import time


def pause(seconds: float) -> None:
    """Blocks the thread."""
    time.sleep(seconds)


async def pause_async(seconds: float) -> None:
    """Lets other tasks go on meanwhile."""
    await asyncio.sleep(seconds)
