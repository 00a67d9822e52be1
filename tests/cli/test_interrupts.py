"""Ctrl-C, whenever it comes."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest
from tests.cli.conftest import ENVIRONMENT


def as_in_a_terminal() -> None:
    """For a child: whoever started the tests may have had Ctrl-C ignored, and a child inherits that."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


IN_A_CALLBACK = """
import signal, weakref
from partita.cli.interrupts import end_at_once

{before}
end_at_once()

class Target: pass

target = Target()
kept = weakref.ref(target, lambda _: signal.raise_signal(signal.SIGINT))
del target
print("went on")
"""


@pytest.mark.parametrize(
    ("before", "code", "shown", "told"),
    [
        ("", 130, "", "partita: interrupted\n"),
        ("signal.signal(signal.SIGINT, signal.SIG_IGN)", 0, "went on\n", ""),
        ("signal.signal(signal.SIGINT, lambda *_: print('own'))", 0, "own\nwent on\n", ""),
    ],
    ids=["ours", "ignored", "handled"],
)
def test_it_is_not_lost_where_an_exception_would_be(before: str, code: int, shown: str, told: str) -> None:
    program = IN_A_CALLBACK.format(before=before)
    done = subprocess.run(
        [sys.executable, "-c", program],
        env=ENVIRONMENT,
        capture_output=True,
        text=True,
        preexec_fn=as_in_a_terminal,
    )
    assert (done.returncode, done.stdout, done.stderr) == (code, shown, told)


def test_it_ends_a_command_that_waits(folder: Path) -> None:
    """`load` has opened its database, and waits for more lines."""
    loading = subprocess.Popen(
        [sys.executable, "-m", "partita", "load"],
        cwd=folder,
        env=ENVIRONMENT,
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=as_in_a_terminal,
    )
    while not (folder / "partita.db").exists():
        assert loading.poll() is None
    loading.send_signal(signal.SIGINT)
    assert loading.communicate(timeout=30)[1] == "partita: interrupted\n"
    assert loading.returncode == 130


def test_it_ends_a_command_whose_modules_are_being_imported(folder: Path) -> None:
    """Also in those of C: one is replaced by a module that sends the signal as it is made."""
    (folder / "orjson.py").write_text("import signal\nsignal.raise_signal(signal.SIGINT)\n")
    variables = {**ENVIRONMENT, "PYTHONPATH": f"{folder}:{ENVIRONMENT['PYTHONPATH']}"}
    command = [sys.executable, "-m", "partita", "load"]
    done = subprocess.run(
        command,
        cwd=folder,
        env=variables,
        input="",
        capture_output=True,
        text=True,
        preexec_fn=as_in_a_terminal,
    )
    assert (done.returncode, done.stderr) == (130, "partita: interrupted\n")


def test_it_ends_a_command_whose_errors_nobody_can_read() -> None:
    program = IN_A_CALLBACK.format(before="import os; os.close(2)")
    done = subprocess.run(
        [sys.executable, "-c", program], env=ENVIRONMENT, stdout=subprocess.PIPE, preexec_fn=as_in_a_terminal
    )
    assert (done.returncode, done.stdout) == (130, b"")
