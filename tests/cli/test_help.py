"""What `partita --help` shows: every command, with one whole line for each."""

from __future__ import annotations

import pytest
from tests.cli.conftest import run_here


@pytest.mark.parametrize("group", [[], ["design"]])
def test_each_command_has_a_line_that_is_not_cut(group: list[str]) -> None:
    shown = run_here(*group, "--help").stdout
    lines = [line.split(maxsplit=1) for line in shown.partition("Commands:\n")[2].splitlines()]
    assert len(lines) >= 6
    assert [what for _, what in lines if not what.endswith(".") or what.endswith("...")] == []
    for name, _ in lines:
        assert run_here(*group, name, "--help").stdout.startswith("Usage: ")
