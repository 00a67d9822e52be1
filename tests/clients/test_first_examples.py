"""What `partita serve --examples` prints and the README shows is run exactly as printed."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path
from textwrap import dedent
from typing import IO

import pytest
from tests.clients.aws_program import AWS
from tests.clients.server_process import environment, serve

Examples = dict[str, str]


@pytest.fixture(scope="module")
def examples() -> Iterator[Examples]:
    """The two examples by their headings; the server that printed them answers."""
    with serve("--examples") as server:
        yield dict(next_example(server.output) for _ in range(2))


def next_example(output: IO[str]) -> tuple[str, str]:
    """The next heading, and the indented block below it."""
    heading = next(line for line in output if line.startswith("With "))
    assert next(output) == "\n"
    return heading.strip(), dedent("".join(takewhile(str.strip, output)))


def run(*command: str) -> str:
    """Output of a program in an environment without any AWS settings."""
    path = f"{Path(AWS).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(command, env=environment(PATH=path), capture_output=True, text=True, timeout=100)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_the_examples_run_as_printed(examples: Examples) -> None:
    printed = run(sys.executable, "-c", examples["With boto3:"])
    assert printed == "{'artist': 'J. S. Bach', 'piece': 'Partita No. 2'}\n"
    printed = run("sh", "-euc", examples["With the AWS command line:"])
    assert printed.split() == ["{", '"TableNames":', "[", '"music"', "]", "}"]
