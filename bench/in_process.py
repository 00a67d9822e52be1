"""The same workloads in this process: dict in, dict out, no socket."""

from __future__ import annotations

import os
import random
import time
from collections.abc import Callable
from typing import Any

from bench import cpu
from bench.cost import Cost, Round, cost
from bench.reference import Reference
from bench.workloads import Workload

_REQUESTS = 2000
_BATCH_S = 0.025
_SAMPLE_EVERY = 6


def run(call: Callable[[str, Any], Any], workload: Workload, items: int, seconds: float) -> Cost:
    """CPU µs of one `partita.Database.call`, in batches of about 25 ms; `seconds` is how long in all."""
    chosen = random.Random(1)
    requests = [workload.request(chosen.randrange(items)) for _ in range(_REQUESTS)]
    deadline = time.monotonic() + seconds
    began = time.monotonic()
    for request in requests[:50]:
        call(workload.operation, request)
    calls = max(1, int(_BATCH_S / (time.monotonic() - began) * 50))
    reference = Reference()
    batches: list[Round] = []
    at = 0
    while not batches or time.monotonic() < deadline:
        if len(batches) % _SAMPLE_EVERY == 0:
            reference.sample()
        batch = [requests[n % _REQUESTS] for n in range(at, at + calls)]
        at += calls
        began_ns = time.process_time_ns()
        for request in batch:
            call(workload.operation, request)
        batches.append(Round(calls, (time.process_time_ns() - began_ns) / 1000 / calls))
    reference.sample()
    pid = os.getpid()
    return cost(batches, reference.factor, cpu.memory_mb(pid), cpu.threads(pid))
