"""Runs `tests/model/writing/aio` in `.venv-aio`: aiobotocore pins its own botocore (see the Makefile)."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
PYTHON = ROOT / ".venv-aio" / "bin" / "python"


def test_sessions_on_aiobotocores_clients() -> None:
    if not PYTHON.exists():
        pytest.skip("no .venv-aio: `make test` makes it")
    folder = "tests/model/writing/aio"
    command = [str(PYTHON), "-m", "pytest", "-p", "no:cacheprovider", f"--confcutdir={folder}", folder]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert " passed" in done.stdout
    assert "skipped" not in done.stdout
