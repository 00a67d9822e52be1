"""How fast the machine is at this moment, by work that is always the same.

Other programs on the same cores make the same work take one or two times as long, and change within
seconds. So the reference is measured between the rounds of each workload, and as they are: the least of many.
"""

from __future__ import annotations

import math
import time
import zlib
from timeit import Timer

import orjson

from bench.workloads import item, put_request

TARGET_US = {"orjson.loads of a put request": 1.4, "orjson.dumps of an item": 0.3, "crc32 of 600 bytes": 0.16}
"""What the same work took on the machine on which the targets were set."""
_BATCHES = 4
_BATCH_CALLS = {
    "orjson.loads of a put request": 400,
    "orjson.dumps of an item": 1500,
    "crc32 of 600 bytes": 3000,
}


class Reference:
    """The least µs that each reference work took in the samples so far."""

    def __init__(self) -> None:
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
