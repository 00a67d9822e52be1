"""A smoke run of the benchmark, over HTTP where wrk is there, and in process; and what its page says."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from bench import cpu, page
from bench.cost import Cost, Round, cost
from bench.load import has_wrk
from bench.reference import TARGET_US, Reference
from bench.report import Report, Run, Start
from bench.workloads import WORKLOADS

ROOT = Path(__file__).parents[2]


def test_smoke_run(tmp_path: Path) -> None:
    target = tmp_path / "performance.md"
    command = [sys.executable, "-m", "bench", "--items", "400", "--rounds", "1"]
    command += ["--seconds", "0.1", "--storages", "full", "--large-items", "10", "--write", str(target)]
    path = os.pathsep.join([str(ROOT / "src"), str(ROOT)])
    done = subprocess.run(
        command, cwd=ROOT, env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True, timeout=100
    )
    assert done.returncode == 0, done.stdout + done.stderr

    report = json.loads(target.with_suffix(".json").read_text())
    places = {"in process, memory", "in process, full"} | ({"HTTP, full"} if has_wrk() else set())
    assert {(run["where"], run["items"], run["workload"]) for run in report["runs"]} == {
        (place, 400, workload.name) for place in places for workload in WORKLOADS
    }
    for run in report["runs"]:
        assert run["requests"] > 0
        assert run["errors"] == 0
        assert 0 < run["least_us"] <= run["median_us"]
        assert run["target_machine_us"] == pytest.approx(run["least_us"] / run["factor"])
    page = target.read_text()
    assert "| Get |" in page
    if has_wrk():
        assert all(run["threads"] == 1 for run in report["runs"] if run["where"].startswith("HTTP"))
        assert "## Small items among large ones" in page
        assert "## Start" in page
    else:
        assert "wrk is not installed" in page


def _report() -> Report:
    def cost(least_us: float, factor: float = 2.0) -> Cost:
        return Cost(8, 1000, least_us, least_us * 1.5, factor, 1.25, 9.5, 40, 1, 0)

    runs = [
        Run("HTTP, full", 100, "Get", cost(48)),
        Run("in process, memory", 100, "Get", cost(22)),
        Run("moto", 100, "Get", cost(5000)),
        Run("HTTP, full", 100, "BatchWrite of 25", cost(2500)),
        Run("HTTP, full", 5000, "Get", cost(64)),
        Run("HTTP, full", 5000, "BatchWrite of 25", cost(2000, 1.0)),
    ]
    starts = [Start("HTTP, full", 100, 500, 400, 61, 2.0), Start("HTTP, memory", 0, 640, 400, 35, 2.0)]
    large_items = {"usual": cost(50), "half of it large": cost(75, 3.0)}
    return Report(
        "2026-01-02", "python -m bench", "a machine", runs, starts, large_items, ["moto, Put: slow"]
    )


def test_the_page_compares_the_least_divided_by_the_factor() -> None:
    lines = page.text(_report()).splitlines()
    for line in (
        "- Factor: 1.00 to 2.00, by workload",
        # With 100 items: ours, the peer, the targets.
        "| Get | 24.0 | **11.0** | 2,500.0 | 25 | 10 |",
        "| BatchWrite of 25 | 1,250.0 | – | – |  |  |",
        # With 5,000, alone and against 100.
        "| Get | **32.0** | 25 |",
        "| Get | **1.33** (24.0 → 32.0) |",
        "| BatchWrite of 25 | **1.60** (1,250.0 → 2,000.0) |",
        "| Get of a small item, HTTP, full | 25.0 | 25.0 | **1.50** | 1.3 |",
        "| HTTP, full, 100 items | 250 | 500 | 400 | **61** |",
        "| HTTP, memory, empty | **320** | 640 | 400 | 35 |",
        "| Get | 48.0 / 72.0 / 2.00 | 22.0 / 33.0 / 2.00 | 5,000.0 / 7,500.0 / 2.00 |",
        "| Get | 1.2 / 9.5 / 40 | 1.2 / 9.5 / 40 |",
        "- moto, Put: slow",
    ):
        assert line in lines


def test_the_cost_is_that_of_the_best_round() -> None:
    rounds = [Round(10, 30.0, 1.0, 5.0), Round(20, 20.0, 2.0, 4.0, errors=1), Round(30, 70.0, 3.0, 3.0)]
    assert cost(rounds, 2.0, 40.0, 1) == Cost(3, 60, 20.0, 30.0, 2.0, 2.0, 4.0, 40.0, 1, 1)


def test_the_reference_is_the_geometric_mean_of_what_its_works_take() -> None:
    reference = Reference()
    for name, times in zip(TARGET_US, (1, 2, 4), strict=True):
        reference.least_us[name] = TARGET_US[name] * times
    assert reference.factor == pytest.approx(2.0)


def test_the_cpu_of_another_process_is_counted_below_a_tick() -> None:
    """Read twice around a wait for the child, which spends about 30 ms and says how much itself."""
    program = (
        "import time\n"
        "input()\n"
        "began = time.process_time_ns()\n"
        "while time.process_time_ns() < began + 30_000_000: pass\n"
        "print(time.process_time_ns() - began, flush=True)\n"
        "input()\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as child:
        assert child.stdin is not None
        assert child.stdout is not None
        before_ns = cpu.settled_ns(child.pid)
        print(file=child.stdin, flush=True)
        own_ns = int(child.stdout.readline())
        spent_ns = cpu.used_ns(child.pid) - before_ns
        child.kill()
    assert own_ns <= spent_ns
