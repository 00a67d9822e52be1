"""Every example of the README is run as it stands there, against a server of its own."""

from __future__ import annotations

import importlib.metadata
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```", (ROOT / "README.md").read_text(), re.M | re.S)
SECONDS = 60


def block(language: str, containing: str) -> str:
    """The one block of that language that contains a text."""
    found = [text for name, text in BLOCKS if name == language and containing in text]
    assert len(found) == 1, f"{len(found)} blocks of {language} contain {containing!r}"
    return found[0]


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """Where a server in memory answers, e.g. `127.0.0.1:41183`."""
    command = [sys.executable, "-m", "partita", "serve", "--memory", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment()) as server:
        assert server.stdout is not None
        found = re.search(r"http://(\S+)", server.stdout.readline())
        assert found is not None
        yield found[1]
        server.terminate()


def environment(**more: str) -> dict[str, str]:
    clean = {name: value for name, value in os.environ.items() if not name.startswith("AWS_")}
    path = os.pathsep.join(
        [str(ROOT / ".venv-cli" / "bin"), str(Path(sys.executable).parent), os.environ["PATH"]]
    )
    return {**clean, "PYTHONPATH": str(ROOT / "src"), "PATH": path, **more}


def run(command: list[str], folder: Path) -> str:
    done = subprocess.run(
        command, cwd=folder, env=environment(), capture_output=True, text=True, timeout=SECONDS
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_clients_in_turn(address: str, tmp_path: Path) -> None:
    """boto3 writes an order that JavaScript and the command line then read."""
    boto3_example = block("python", "endpoint_url").replace("127.0.0.1:8000", address)
    assert "'total': Decimal('42')" in run([sys.executable, "-c", boto3_example], tmp_path)

    (tmp_path / "node_modules").symlink_to(ROOT / "tests" / "js" / "node_modules")
    script = tmp_path / "example.mjs"
    script.write_text(block("js", "QueryCommand").replace("127.0.0.1:8000", address))
    node = shutil.which("node", path=environment()["PATH"])
    assert node is not None
    assert "total: 42" in run([node, str(script)], tmp_path)

    commands = block("sh", "aws dynamodb").replace("127.0.0.1:8000", address)
    output = run(["sh", "-ec", commands], tmp_path)
    assert '"orders"' in output
    assert '"N": "42"' in output


def test_pytest_example(tmp_path: Path) -> None:
    (tmp_path / "test_orders.py").write_text(block("python", "def test_orders"))
    command = [sys.executable, "-m", "pytest", "-q"]
    if not importlib.metadata.entry_points(group="pytest11", name="partita"):
        command += ["-p", "partita.pytest_plugin"]
    assert "1 passed" in run(command, tmp_path)


def test_race_example(tmp_path: Path) -> None:
    output = run([sys.executable, "-c", block("python", "def register")], tmp_path)
    assert "for the seeds [" in output


def test_toolkit_example(tmp_path: Path) -> None:
    output = run([sys.executable, "-c", block("python", "class Account(Entity")], tmp_path)
    assert output == block("text", "belongs to")
