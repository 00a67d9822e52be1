"""The README of the order service: its tour is run as it stands there, and its key table is the design's."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from examples.orders import patterns
from examples.orders.service import OrderService
from tests.clients.server_process import environment

from partita.design import design_of
from partita.design.report import report

ROOT = Path(__file__).parents[2]
README = (ROOT / "examples" / "orders" / "README.md").read_text()
MODELLING = ("pydantic", "boto3")
SERVING = ("uvicorn", "fastapi", "fastapi_offline")


def test_the_tour(tmp_path: Path) -> None:
    found = re.search(r"^## A tour\n.*?^```sh\n(.*?)^```", README, re.M | re.S)
    assert found is not None
    command = [sys.executable, "-u", "-m", "examples.orders", "--port", "0"]
    variables = environment(PYTHONPATH=os.pathsep.join([str(ROOT), str(ROOT / "src")]))
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=variables) as serving:
        try:
            assert serving.stdout is not None
            address = re.search(r"http://(\S+)/docs", serving.stdout.readline())
            assert address is not None
            script = found[1].replace("127.0.0.1:8080", address[1])
            done = subprocess.run(
                ["sh", "-ec", script], cwd=tmp_path, env=variables, capture_output=True, text=True, timeout=60
            )
        finally:
            serving.send_signal(signal.SIGINT)
    assert serving.returncode == 0
    assert done.returncode == 0, done.stderr
    before, order, again, after, page, listed, pending, worked, short, taken, changed, free = (
        done.stdout.splitlines()
    )
    number = re.search(r'"id":"([^"]+)"', order)
    assert number is not None
    stock = [int(text) for text in re.findall(r'"quantity":(\d+)', before + after)]
    assert stock[0] - stock[1] == 2
    assert again == page
    assert number[1] in page
    assert listed.startswith(f'{{"orders":[{{"tenant":"42","id":"{number[1]}"')
    assert '"status":"PENDING"' in pending
    assert worked.startswith('{"orders":[')
    assert '"products":["1"]' in short
    assert '"taken":{"email":"ADA@example.com","username":"bao"}' in taken
    assert '"email":"ada@lovelace.example"' in changed
    assert '"email":"ADA@example.com"' in free


@pytest.mark.parametrize(
    ("module", "what", "package"),
    [
        *(("__main__", "order service", package) for package in (*MODELLING, *SERVING)),
        # It serves nothing.
        *(("compare", "comparison", package) for package in MODELLING),
    ],
)
def test_a_package_that_is_missing_is_one_line(module: str, what: str, package: str) -> None:
    program = f"import sys; sys.modules[{package!r}] = None; import examples.orders.{module}"
    variables = environment(PYTHONPATH=os.pathsep.join([str(ROOT), str(ROOT / "src")]))
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=variables)
    assert done.returncode == 1
    assert done.stderr.startswith(f"the {what} needs {package}: install it with pip install -e ")
    assert done.stderr.count("\n") == 1


def test_the_key_table_is_the_designs() -> None:
    for row in report(design_of(patterns)).keys[0].rows:
        assert f"| {' | '.join(row)} |" in README


def test_every_function_of_the_service_answers_a_pattern() -> None:
    table = README.split("## The access patterns")[1].split("\n## ")[0]
    names = [name for name, value in vars(OrderService).items() if callable(value) and name[0] != "_"]
    assert [name for name in names if f"`{name}`" not in table] == []
