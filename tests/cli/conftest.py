"""Runs `partita` as a process of its own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from click.testing import CliRunner

from partita.cli.root import command

ROOT = Path(__file__).parents[2]
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT / "src")}


class Served:
    """A running `partita serve --port 0`."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        self.first_line = self.read_line()
        self.url = self.first_line.split(" at ")[-1]

    def read_line(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline().rstrip()

    def stop(self, number: int = signal.SIGTERM) -> int:
        self.process.send_signal(number)
        return self.process.wait(10)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where commands run."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@dataclass
class Done:
    """How a command ended."""

    returncode: int
    stdout: str
    stderr: str


def run_here(*arguments: str, given: str = "") -> Done:
    """Runs a command in this process, where a process of its own would show nothing more."""
    result = CliRunner().invoke(command, arguments, input=given)
    assert result.exception is None or isinstance(result.exception, SystemExit)
    return Done(result.exit_code, result.stdout, result.stderr)


@pytest.fixture
def partita(folder: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Runs a command to its end."""

    def run(*arguments: str, **options: object) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "partita", *arguments],
            cwd=folder,
            env=ENVIRONMENT,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
            **options,  # type: ignore[call-overload]
        )

    return run


@pytest.fixture
def serve(folder: Path) -> Iterator[Callable[..., Served]]:
    """Starts servers, and ends them."""
    processes: list[subprocess.Popen[str]] = []

    def start(*arguments: str) -> Served:
        command = [sys.executable, "-m", "partita", "serve", "--port", "0", *arguments]
        process = subprocess.Popen(command, cwd=folder, env=ENVIRONMENT, stdout=subprocess.PIPE, text=True)
        processes.append(process)
        return Served(process)

    yield start
    for process in processes:
        if process.poll() is None:
            process.kill()
        process.communicate()
