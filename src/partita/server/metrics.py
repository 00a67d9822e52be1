"""Counts what the server does, and shows it in the text form of Prometheus."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping

_FIRST_BUCKET = 6
_LAST_BUCKET = 24
"""Buckets that are shown end at powers of two of a microsecond: 64 µs to 16.8 s."""
_BUCKETS = 65
_SUM = 64
"""The last place of a list of buckets holds the sum of all latencies."""


class Metrics:
    """`gauges` gives further figures of the engine by name, e.g. `log_lag`."""

    def __init__(self, gauges: Callable[[], Mapping[str, float]] = dict) -> None:
        self._gauges = gauges
        self._latencies: dict[str, list[int]] = {}
        """By operation: how many answers took less than each power of two of a microsecond."""
        self._errors: dict[str, int] = {}
        self.turns = 0
        """Turns of the loop that ended with a commit."""
        self.connections = 0
        self.connections_refused = 0

    def count(self, operation: str, error: str, latency_s: float) -> None:
        """Counts one answer; `operation` is empty for what is no API call, `error` for success."""
        buckets = self._latencies.get(operation)
        if buckets is None:
            buckets = self._latencies[operation] = [0] * _BUCKETS
        latency_us = int(latency_s * 1_000_000)
        buckets[latency_us.bit_length()] += 1
        buckets[_SUM] += latency_us
        if error:
            self._errors[error] = self._errors.get(error, 0) + 1

    def text(self) -> bytes:
        """The page, a line for each figure."""
        return ("\n".join(self._lines()) + "\n").encode()

    def _lines(self) -> Iterator[str]:
        yield "# HELP partita_requests_total Answers sent, by operation."
        yield "# TYPE partita_requests_total counter"
        for operation, buckets in self._latencies.items():
            yield f'partita_requests_total{{operation="{operation}"}} {sum(buckets[:_SUM])}'
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
        yield f'partita_request_seconds_bucket{{operation="{operation}",le="+Inf"}} {sum(buckets[:_SUM])}'
        yield f'partita_request_seconds_sum{{operation="{operation}"}} {buckets[_SUM] / 1_000_000:.6f}'
        yield f'partita_request_seconds_count{{operation="{operation}"}} {sum(buckets[:_SUM])}'
