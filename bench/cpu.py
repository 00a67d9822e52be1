"""What a process has used: CPU time in nanoseconds, memory, threads."""

from __future__ import annotations

import os
import time
from pathlib import Path

_TICK_NS = 1_000_000_000 // os.sysconf("SC_CLK_TCK")
_PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")
_PROCESS_CLOCK = 2
"""Linux: the clock of everything that the threads of a process ran, those that have ended included."""
_QUIET_NS = 500_000
_STEP_S = 0.005
_SETTLE_S = 2.0


def used_ns(pid: int) -> int:
    """User and system time of a process with all its threads.

    By the process' own CPU clock, which counts nanoseconds; where there is none, by the ticks (of 10 ms) of
    its `stat`.
    """
    try:
        return time.clock_gettime_ns(~pid << 3 | _PROCESS_CLOCK)
    except OSError:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        return sum(map(int, fields[11:13])) * _TICK_NS


def settled_ns(pid: int) -> int:
    """As `used_ns`, once the process has done what it still had to do."""
    deadline = time.monotonic() + _SETTLE_S
    before = used_ns(pid)
    while True:
        time.sleep(_STEP_S)
        after = used_ns(pid)
        if after - before < _QUIET_NS or time.monotonic() > deadline:
            return after
        before = after


def memory_mb(pid: int) -> float:
    """Resident memory of a process."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * _PAGE_BYTES / 1e6


def threads(pid: int) -> int:
    return len(os.listdir(f"/proc/{pid}/task"))
