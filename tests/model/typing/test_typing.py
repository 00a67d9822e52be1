"""mypy --strict and pyright accept the call sites, and find wrong arguments and attributes."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
ACCEPTED, REFUSED = HERE / "accepted.py", HERE / "refused.py"
WRONG = {n for n, line in enumerate(REFUSED.read_text().splitlines(), 1) if line.endswith("# wrong")}


def test_mypy() -> None:
    options = ["--strict", "--no-pretty", "--explicit-package-bases"]
    run = check("mypy", *options, str(ACCEPTED), str(REFUSED))
    found = re.findall(r"^(.*?):(\d+): error: (.*)$", run, re.MULTILINE)
    assert "checked 2 source files" in run, run
    assert [error for error in found if Path(error[0]).name != REFUSED.name] == []
    assert lines_of(found) == WRONG


def test_pyright() -> None:
    files, found = pyright(ACCEPTED, REFUSED)
    assert files == 2
    assert [error for error in found if Path(error[0]).name != REFUSED.name] == []
    assert lines_of(found) == WRONG


def test_pyright_accepts_the_patterns_themselves() -> None:
    """mypy looks over attributes in place of properties; with pyright a class that inherits from a pattern
    would be complained of."""
    files, found = pyright(ROOT / "src/partita/design")
    assert files > 20
    assert found == []


def pyright(*paths: Path) -> tuple[int, list[tuple[str, str, str]]]:
    """How many files it looked at, and its errors: file, line, message."""
    pytest.importorskip("pyright")
    run = check("pyright", "--outputjson", "--pythonpath", sys.executable, *map(str, paths))
    answer = json.loads(run[run.index("{") :])
    found = [
        (one["file"], str(one["range"]["start"]["line"] + 1), one["message"])
        for one in answer["generalDiagnostics"]
        if one["severity"] == "error"
    ]
    return answer["summary"]["filesAnalyzed"], found


def check(checker: str, *arguments: str) -> str:
    """What a type checker says; it finds the package and the tests from the repository's root."""
    path = f"{ROOT}:{ROOT / 'src'}"
    run = subprocess.run(
        [sys.executable, "-m", checker, *arguments],
        cwd=ROOT,
        env=os.environ | {"MYPYPATH": path, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.stdout, run.stderr
    return run.stdout


def lines_of(errors: list[tuple[str, str, str]]) -> set[int]:
    return {int(line) for _, line, _ in errors}
