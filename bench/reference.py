"""How fast the machine is at this moment, by work that is always the same.

Other programs on the same cores make the same work take one or two times as long, and change within
seconds. So the reference is measured between the rounds of each workload, and as they are: the least of many.
"""

from __future__ import annotations

import math
import os
import subprocess
import sys
import time
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from timeit import Timer

import orjson

from bench import cpu
from bench.workloads import item, put_request

TARGET_US = {"orjson.loads of a put request": 1.4, "orjson.dumps of an item": 0.3, "crc32 of 600 bytes": 0.16}
"""What the same work took on the machine on which the targets were set."""
_BATCHES = 4
_BATCH_CALLS = {
    "orjson.loads of a put request": 400,
    "orjson.dumps of an item": 1500,
    "crc32 of 600 bytes": 3000,
}
_BUSY_NS = 5_000_000
"""What a process has used that surely runs by now."""


class Reference:
    """The least µs that each reference work took in the samples so far.

    With `is_loaded`, while all other cores work too, as they do for the load of a server: that changes how
    fast a core is, in a virtual machine either way.
    """

    def __init__(self, *, is_loaded: bool = False) -> None:
        self._others = (os.cpu_count() or 1) - 1 if is_loaded else 0
        names = {
            "loads": orjson.loads,
            "dumps": orjson.dumps,
            "crc32": zlib.crc32,
            "body": orjson.dumps(put_request(1)),
            "item": item(1),
            "data": b"x" * 600,
        }
        statements = ("loads(body)", "dumps(item)", "crc32(data)")
        self._timers = {
            name: Timer(statement, globals=names, timer=time.process_time_ns)
            for name, statement in zip(TARGET_US, statements, strict=True)
        }
        self.least_us = dict.fromkeys(TARGET_US, math.inf)

    def sample(self) -> None:
        """Measures for about 10 ms."""
        with _busy(self._others):
            for name, timer in self._timers.items():
                calls = _BATCH_CALLS[name]
                # The unit of this timer is the nanosecond.
                least_ns = min(timer.repeat(_BATCHES, calls)) / calls
                self.least_us[name] = min(self.least_us[name], least_ns / 1000)

    @property
    def factor(self) -> float:
        """How many times as long as on the machine of the targets work takes here: the geometric mean."""
        ratios = [self.least_us[name] / target_us for name, target_us in TARGET_US.items()]
        return math.prod(ratios) ** (1 / len(ratios))


@contextmanager
def _busy(cores: int) -> Iterator[None]:
    """So many processes that do nothing but run."""
    command = [sys.executable, "-S", "-c", "while True: pass"]
    processes = [subprocess.Popen(command) for _ in range(cores)]
    try:
        while any(cpu.used_ns(one.pid) < _BUSY_NS for one in processes):
            time.sleep(0.001)
        yield
    finally:
        for one in processes:
            one.kill()
            one.wait()
