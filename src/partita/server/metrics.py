"""Counts what the server does, and shows it in the text form of Prometheus."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping

_FIRST_BUCKET = 6
_LAST_BUCKET = 24
"""Buckets end at powers of two of a microsecond: 64 µs to 16.8 s."""


class Metrics:
    """`gauges` gives further figures of the engine by name, e.g. `log_lag`."""

    def __init__(self, gauges: Callable[[], Mapping[str, float]] = dict) -> None:
        self._gauges = gauges
        self._latencies: dict[str, list[int]] = {}
        self._latency_sums: dict[str, float] = {}
        self._errors: dict[str, int] = {}
        self.turns = 0
        """Turns of the loop that ended with a commit."""
        self.connections = 0
        self.connections_refused = 0

    def count(self, operation: str, error: str, latency_s: float) -> None:
        """Counts one answer; `operation` is empty for what is no API call, `error` for success."""
        buckets = self._latencies.get(operation)
        if buckets is None:
            buckets = self._latencies[operation] = [0] * 64
            self._latency_sums[operation] = 0.0
        buckets[int(latency_s * 1_000_000).bit_length()] += 1
        self._latency_sums[operation] += latency_s
        if error:
            self._errors[error] = self._errors.get(error, 0) + 1

    def text(self) -> bytes:
        return ("\n".join(self._lines()) + "\n").encode()

    def _lines(self) -> Iterator[str]:
        yield "# HELP partita_requests_total Answers sent, by operation."
        yield "# TYPE partita_requests_total counter"
        for operation, buckets in self._latencies.items():
            yield f'partita_requests_total{{operation="{operation}"}} {sum(buckets)}'
        yield "# HELP partita_errors_total Answers that were errors, by name."
        yield "# TYPE partita_errors_total counter"
        for error, number in self._errors.items():
            yield f'partita_errors_total{{error="{error}"}} {number}'
        yield "# HELP partita_request_seconds From the last byte of a request to its answer, commit included."
        yield "# TYPE partita_request_seconds histogram"
        for operation, buckets in self._latencies.items():
            yield from self._histogram(operation, buckets)
        yield "# HELP process_cpu_seconds_total Processor time of the server."
        yield "# TYPE process_cpu_seconds_total counter"
        yield f"process_cpu_seconds_total {time.process_time():.6f}"
        yield "# HELP partita_commits_total Turns of the loop that ended with a commit."
        yield "# TYPE partita_commits_total counter"
        yield f"partita_commits_total {self.turns}"
        yield "# HELP partita_connections Connections that are open."
        yield "# TYPE partita_connections gauge"
        yield f"partita_connections {self.connections}"
        yield "# HELP partita_connections_refused_total Connections over the limit."
        yield "# TYPE partita_connections_refused_total counter"
        yield f"partita_connections_refused_total {self.connections_refused}"
        for name, value in self._gauges().items():
            yield f"# TYPE partita_{name} gauge"
            yield f"partita_{name} {value}"

    def _histogram(self, operation: str, buckets: list[int]) -> Iterator[str]:
        total = sum(buckets[:_FIRST_BUCKET])
        for power in range(_FIRST_BUCKET, _LAST_BUCKET + 1):
            total += buckets[power]
            end = f"{2**power / 1_000_000:.6f}"
            yield f'partita_request_seconds_bucket{{operation="{operation}",le="{end}"}} {total}'
        yield f'partita_request_seconds_bucket{{operation="{operation}",le="+Inf"}} {sum(buckets)}'
        yield f'partita_request_seconds_sum{{operation="{operation}"}} {self._latency_sums[operation]:.6f}'
        yield f'partita_request_seconds_count{{operation="{operation}"}} {sum(buckets)}'
