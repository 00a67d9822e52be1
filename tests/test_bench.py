"""A smoke run of the benchmark: every workload is answered, over HTTP where wrk is there, and in process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from bench.load import has_wrk
from bench.workloads import WORKLOADS

ROOT = Path(__file__).parents[1]


def test_smoke_run(tmp_path: Path) -> None:
    target = tmp_path / "performance.md"
    command = [sys.executable, "-m", "bench", "--items", "400", "--seconds", "1", "--calls", "100"]
    command += ["--storages", "full", "--write", str(target)]
    path = os.pathsep.join([str(ROOT / "src"), str(ROOT)])
    done = subprocess.run(
        command, cwd=ROOT, env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True, timeout=100
    )
    assert done.returncode == 0, done.stdout + done.stderr

    runs = json.loads(target.with_suffix(".json").read_text())["runs"]
    places = {"in process, memory", "in process, full"} | ({"HTTP, full"} if has_wrk() else set())
    assert {(run["where"], run["workload"]) for run in runs} == {
        (place, workload.name) for place in places for workload in WORKLOADS
    }
    assert all(run["requests"] > 0 and run["cpu_us"] > 0 and run["errors"] == 0 for run in runs)
    assert "| Get |" in target.read_text()
    assert has_wrk() or "wrk is not installed" in target.read_text()
