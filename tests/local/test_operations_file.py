"""The generated methods follow from the model of the API."""

from __future__ import annotations

import runpy
import subprocess
import sys
from pathlib import Path


def test_the_generated_files_are_up_to_date(tmp_path: Path) -> None:
    tool = Path(__file__).parents[2] / "tools" / "make_operations.py"
    for path, text in runpy.run_path(str(tool))["files"]().items():
        fresh = tmp_path / path.name
        fresh.write_text(text, encoding="utf-8")
        config = str(tool.parents[1] / "pyproject.toml")
        subprocess.run(
            [sys.executable, "-m", "ruff", "format", "-q", "--config", config, str(fresh)], check=True
        )
        assert fresh.read_text(encoding="utf-8") == path.read_text(encoding="utf-8"), path
