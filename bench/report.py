"""What a run of the benchmark found, as it goes into `performance.json` and the page."""

from __future__ import annotations

import datetime
import os
import platform
import shlex
import sys
from dataclasses import asdict, dataclass, field
from typing import Any

from bench.cost import Cost


@dataclass(frozen=True)
class Run:
    """One workload on one server. `where` is e.g. `HTTP, full`; `items` is how many the table had."""

    where: str
    items: int
    workload: str
    cost: Cost


@dataclass(frozen=True)
class Start:
    """How a server started: the least of several times. `factor` is the machine's at that time."""

    where: str
    items: int
    ready_ms: float
    ready_cpu_ms: float
    idle_memory_mb: float
    factor: float


@dataclass
class Report:
    date: str
    command: str
    machine: str
    runs: list[Run] = field(default_factory=list)
    starts: list[Start] = field(default_factory=list)
    large_items: dict[str, Cost] = field(default_factory=dict)
    """The cost of a Get by what the table is: `usual`, `half of it large`."""
    left_out: list[str] = field(default_factory=list)

    @classmethod
    def begun(cls) -> Report:
        memory_gb = round(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / 2**30)
        return cls(
            datetime.datetime.now(datetime.UTC).date().isoformat(),
            shlex.join(["python", "-m", "bench", *sys.argv[1:]]),
            f"{os.cpu_count()} cores, {memory_gb} GB of memory, {platform.system()}, Python"
            f" {platform.python_version()}; load average at the start {os.getloadavg()[0]:.1f}",
        )

    def add(self, run: Run) -> None:
        self.runs.append(run)
        progress(
            f"{run.where}, {run.items:,} items, {run.workload}: {run.cost.least_us:.1f} µs,"
            f" {run.cost.target_machine_us:.1f} µs on the machine of the targets"
        )

    def leave_out(self, what: str) -> None:
        self.left_out.append(what)
        progress(f"left out: {what}")

    def cost(self, where: str, items: int, workload: str) -> Cost | None:
        found = (r.cost for r in self.runs if (r.where, r.items, r.workload) == (where, items, workload))
        return next(found, None)

    def as_json(self) -> dict[str, Any]:
        """The raw figures."""

        def plain(cost: Cost) -> dict[str, Any]:
            return cost._asdict() | {"target_machine_us": cost.target_machine_us}

        return asdict(self) | {
            "runs": [
                {"where": run.where, "items": run.items, "workload": run.workload} | plain(run.cost)
                for run in self.runs
            ],
            "large_items": {name: plain(cost) for name, cost in self.large_items.items()},
        }


def progress(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
