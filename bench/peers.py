"""Other servers, in the same run and with the same requests; each may take only so long."""

from __future__ import annotations

import time
from contextlib import AbstractContextManager

from bench import load, servers
from bench.report import Report, Run, progress
from bench.servers import Caller, Server
from bench.workloads import Workload

_LOAD_S = 150.0
_PROBES = 3
_SLOW_MS = 50.0
"""What takes longer is sent by one connection: 64 would wait for each other."""
_SINGLE_S = 15.0
_REQUEST_S = 30.0
_ROUNDS = 4


def measure(
    report: Report, name: str, starting: AbstractContextManager[Server], workloads: list[Workload], items: int
) -> None:
    """Adds the costs of a peer; what it cannot do, or not in time, is left out with the reason."""
    progress(f"{name}: starting and loading")
    try:
        with starting as server:
            loaded = servers.load(Caller(server.port, timeout_s=_REQUEST_S), items, seconds=_LOAD_S)
            if loaded < items:
                report.leave_out(f"{name} has {loaded:,} items: loading was stopped after {_LOAD_S:.0f} s")
            for workload in workloads:
                _measure(report, name, server, workload, items, loaded)
    except (OSError, RuntimeError) as failure:
        report.leave_out(f"{name}: {_reason(failure)}")


def _measure(report: Report, name: str, server: Server, workload: Workload, items: int, loaded: int) -> None:
    """`items` is what the run asked for, under which the figures stand."""
    call = Caller(server.port, timeout_s=_REQUEST_S)
    took_ms = []
    try:
        for number in range(_PROBES):
            began = time.monotonic()
            call(workload.operation, workload.request(number))
            took_ms.append((time.monotonic() - began) * 1000)
            if took_ms[0] > 1000:
                break
    except RuntimeError as failure:
        report.leave_out(f"{name}, {workload.name}: {_reason(failure)}")
        return
    except TimeoutError as failure:
        # The server goes on with it, so nothing that follows would measure what it says.
        raise RuntimeError(f"{workload.name} did not end within {_REQUEST_S:.0f} s") from failure
    if min(took_ms) > _SLOW_MS:
        cost = load.run_singly(server, workload, workload.items_of(loaded), _SINGLE_S)
    else:
        cost = load.run(server, workload, workload.items_of(loaded), _ROUNDS)
    report.add(Run(name, items, workload.name, cost))


def _reason(failure: Exception) -> str:
    return " ".join(str(failure).split())[:200]
