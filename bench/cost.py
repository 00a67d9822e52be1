"""What a workload cost: the least of several rounds, since noise only ever adds."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from typing import NamedTuple


class Round(NamedTuple):
    """One round of a workload: CPU µs a request, latencies in ms (0 where nothing waits)."""

    requests: int
    cpu_us: float
    p50_ms: float = 0
    p99_ms: float = 0
    errors: int = 0


class Cost(NamedTuple):
    """Of all rounds. `least_us` and the latencies are the best round's."""

    rounds: int
    requests: int
    least_us: float
    median_us: float
    factor: float
    """How many times as long as on the machine of the targets work took between these rounds."""
    p50_ms: float
    p99_ms: float
    memory_mb: float
    threads: int
    errors: int

    @property
    def target_machine_us(self) -> float:
        """The least, as it would be on the machine of the targets."""
        return self.least_us / self.factor


def cost(rounds: Sequence[Round], factor: float, memory_mb: float, threads: int) -> Cost:
    best = min(rounds, key=lambda one: one.cpu_us)
    return Cost(
        len(rounds),
        sum(one.requests for one in rounds),
        best.cpu_us,
        statistics.median(one.cpu_us for one in rounds),
        factor,
        best.p50_ms,
        best.p99_ms,
        memory_mb,
        threads,
        sum(one.errors for one in rounds),
    )
