"""`partita design`, as it is run in a shell."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
MAIN = "from partita.cli import main; main()"

MODEL = """
from partita.model import Entity, Index, Key, Table
from partita.design import P, Query, Scan

class Shop(Table):
    gsi1 = Index()

class Order(Entity, table=Shop):
    id: str
    customer: str
    key = Key("ORDER#{id}", "META")
    gsi1 = Key("CUST#{customer}", "{id}")
"""
SLOW = (
    MODEL
    + """
from partita.model import F
BY_CUSTOMER = Scan("orders of a customer", Order, filter=F(Order).customer == P("customer"))
"""
)
FAST = (
    MODEL
    + """
BY_CUSTOMER = Query("orders of a customer", Order.gsi1(customer=P("customer")), limit=20)
"""
)
BROKEN = (
    MODEL
    + """
BY_CUSTOMER = Query("orders of a customer", Order.gsi1(id=P("id")), limit=20)
"""
)


def partita(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "COLUMNS": "100"}
    return subprocess.run(
        [sys.executable, "-c", MAIN, *arguments],
        cwd=cwd,
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    for name, text in (("slow", SLOW), ("fast", FAST), ("broken", BROKEN), ("empty", "")):
        (tmp_path / f"{name}.py").write_text(text)
    return tmp_path


def test_a_proved_design_ends_with_zero(shop: Path) -> None:
    done = partita("design", "check", "fast", cwd=shop)
    assert done.returncode == 0
    assert "fast: 1 pattern, 1 proved; 1 entity" in done.stdout
    assert "[key-length]" in done.stdout


def test_a_refused_one_ends_with_one_and_the_reasons(shop: Path) -> None:
    done = partita("design", "check", "slow.py", cwd=shop)
    assert done.returncode == 1
    assert '"orders of a customer"\n  refused   a Scan reads the whole table' in done.stdout
    assert "slow.py: not proved" in done.stderr


def test_a_declaration_that_cannot_work_is_refused_with_its_line(shop: Path) -> None:
    done = partita("design", "check", "broken", cwd=shop)
    assert done.returncode == 1
    assert "broken.py:14: Order.gsi1: customer is missing" in " ".join(done.stdout.split())


@pytest.mark.parametrize(
    ("module", "says"),
    [("nowhere", "no module nowhere"), ("no.py", "no file no.py"), ("empty", "declares no")],
)
def test_what_is_no_design_ends_with_two_and_one_line(shop: Path, module: str, says: str) -> None:
    done = partita("design", "check", module, cwd=shop)
    assert done.returncode == 2
    assert done.stderr.startswith("partita: ")
    assert says in done.stderr
    assert done.stderr.count("\n") == 1


def test_other_commands_do_not_import_the_toolkit() -> None:
    code = (
        "import sys, click.testing; from partita.cli import main;"
        "click.testing.CliRunner().invoke(main, ['serve', '--help']);"
        "print([name for name in ('pydantic', 'partita.design', 'partita.model') if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert done.stdout == "[]\n"


def test_a_report_is_written_as_markdown_and_as_a_page(shop: Path) -> None:
    (shop / "traffic.json").write_text('{"per_month": {"orders of a customer": 1000000}}')
    done = partita("design", "report", "fast", "--traffic", "traffic.json", cwd=shop)
    assert done.returncode == 0
    assert "| orders of a customer | Query | GSI1 |" in done.stdout
    page = partita("design", "report", "fast", "--format", "html", "--output", "fast.html", cwd=shop)
    assert page.returncode == 0
    assert (shop / "fast.html").read_text().startswith("<!doctype html>")


def test_traffic_of_an_unknown_pattern_is_one_line(shop: Path) -> None:
    (shop / "traffic.json").write_text('{"per_month": {"nothing": 1}}')
    done = partita("design", "report", "fast", "--traffic", "traffic.json", cwd=shop)
    assert done.returncode == 2
    assert "per_month has 'nothing'" in done.stderr
