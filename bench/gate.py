"""The gate of speed: our CPU a request against that of moto's server, in the same run on the same machine.

`python -m bench.gate` measures the ratios anew, for `RATIOS`.
"""

from __future__ import annotations

import random
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from bench import cpu, servers
from bench.connections import Connections, encoded
from bench.servers import Caller, Server
from bench.workloads import WORKLOADS, Request, Workload

RATIOS = {
    "Get": 0.0081,
    "Put": 0.0250,
    "Update with condition": 0.0190,
    "Query of 20": 0.0032,
}
"""Our CPU a request divided by moto's, as `python -m bench.gate` prints it: the greatest of several days."""
SLACK = 1.15
ITEMS = 60
CONNECTIONS = 32
_OUR_REQUESTS = CONNECTIONS * 4
_MOTO_REQUESTS = {"Query of 20": 1}
_MOTO_REQUESTS_ELSE = 4
_LEAST_PAIRS = 11
_MOST_S = 7.0
_MEASURE_S = 8.0


@dataclass
class Measured:
    """CPU µs a request in pairs of bursts, one on each server."""

    ours_us: list[float] = field(default_factory=list)
    moto_us: list[float] = field(default_factory=list)

    @property
    def ratio(self) -> float:
        """The median of the pairs' ratios.

        The two bursts of a pair follow each other, so what disturbs, for seconds at a time, disturbs both.
        The ratio of the least of each scatters two to three times as much: each finds a quiet moment alone.
        """
        ratios = [ours / moto for ours, moto in zip(self.ours_us, self.moto_us, strict=True)]
        return statistics.median(ratios)


@dataclass(frozen=True)
class Rivals:
    """`partita serve` on a file at full durability, and moto's server, both with the same items."""

    ours: Server
    moto: Server

    def measure(self, name: str, *, limit: float, seconds: float = _MOST_S) -> Measured:
        """Pairs of bursts until the ratio is within the limit, or until the time is over.

        A minimum of pairs keeps a lucky moment from deciding.
        """
        workload = next(one for one in WORKLOADS if one.name == name)
        measured = Measured()
        deadline = time.monotonic() + seconds
        with Connections(self.ours.port, CONNECTIONS) as connections:
            call = Caller(self.moto.port)
            requests = _requests(workload, _OUR_REQUESTS)
            sent = [encoded(workload.operation, request) for request in requests]
            of_moto = requests[: _MOTO_REQUESTS.get(name, _MOTO_REQUESTS_ELSE)]

            def to_moto() -> None:
                # One connection: moto's threads would hold up each other, and cost more.
                for request in of_moto:
                    call(workload.operation, request)

            while len(measured.ours_us) < _LEAST_PAIRS or (
                measured.ratio > limit and time.monotonic() < deadline
            ):
                ours_us = _burst(self.ours, lambda: connections.send(sent)) / len(sent)
                moto_us = _burst(self.moto, to_moto) / len(of_moto)
                measured.ours_us.append(ours_us)
                measured.moto_us.append(moto_us)
        return measured


@contextmanager
def rivals() -> Iterator[Rivals]:
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        ours = stack.enter_context(servers.partita(Path(folder) / "gate.db"))
        moto = stack.enter_context(servers.moto())
        for server in (ours, moto):
            servers.load(Caller(server.port), ITEMS)
        yield Rivals(ours, moto)


def _burst(server: Server, send: Callable[[], None]) -> float:
    """CPU µs of all requests of a burst."""
    before_ns = cpu.used_ns(server.pid)
    send()
    return (cpu.used_ns(server.pid) - before_ns) / 1000


def _requests(workload: Workload, count: int) -> list[Request]:
    chosen = random.Random(1)
    return [workload.request(chosen.randrange(ITEMS)) for _ in range(count)]


def main() -> None:
    with rivals() as pair:
        for name in RATIOS:
            # No ratio is within this limit, so all of the time is used.
            measured = pair.measure(name, limit=0, seconds=_MEASURE_S)
            print(
                f'    "{name}": {measured.ratio:.4f},  # at the least {min(measured.ours_us):.1f} µs against'
                f" {min(measured.moto_us):.1f} µs, {len(measured.ours_us)} pairs",
                flush=True,
            )


if __name__ == "__main__":
    main()
