"""The same workloads in this process: dict in, dict out, no socket."""

from __future__ import annotations

import random
import time
from typing import Any

from bench.workloads import Workload


def run(database: Any, workload: Workload, items: int, calls: int) -> float:
    """CPU µs of one call of `partita.Database.call`."""
    chosen = random.Random(1)
    requests = [workload.request(chosen.randrange(items)) for _ in range(min(calls, 2000))]
    for request in requests[:50]:
        database.call(workload.operation, request)
    began = time.process_time()
    for at in range(calls):
        database.call(workload.operation, requests[at % len(requests)])
    return (time.process_time() - began) * 1e6 / calls
