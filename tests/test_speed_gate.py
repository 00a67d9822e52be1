"""No operation costs more CPU than it did, against a peer in the same run: the ratios of `bench/gate.py`."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from bench import gate
from bench.gate import RATIOS, SLACK, Rivals


@pytest.fixture(scope="module")
def rivals() -> Iterator[Rivals]:
    with gate.rivals() as pair:
        yield pair


@pytest.mark.parametrize("workload", list(RATIOS))
def test_cpu_a_request_against_motos(rivals: Rivals, workload: str) -> None:
    limit = RATIOS[workload] * SLACK
    measured = rivals.measure(workload, limit=limit)
    assert measured.ratio <= limit, (
        f"{workload}: {measured.ratio:.4f} of moto's CPU a request, more than {limit:.4f};"
        f" `python -m bench.gate` prints what to record ({measured.ours_us=}, {measured.moto_us=})"
    )
