"""A transaction built again by another process is the same to the byte."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st
from tests.model.writing.by_hand import START, context
from tests.model.writing.shop import App, Draft, Line, Note, Order, Stock, order

from partita.model.expressions.fields import F
from partita.model.writing.frozen import FrozenTransaction
from partita.model.writing.transaction import Transaction

ROOT = Path(__file__).parents[3]
PROGRAM = """
import sys
from tests.model.writing.test_rebuilt import build
sys.stdout.buffer.write(build("op-1", "ab", ["ø", "b", "c", "d"], 3).encode())
"""


def build(operation: str, text: str, tags: list[str], number: int) -> str:
    tx = Transaction(context(), operation, at=START)
    tx.create(order(tx.id("order"), tags=set(tags), note=text or None, lines=[Line(sku="a", qty=number)]))
    tx.put(Draft(id="1", text=text))
    tx.change(
        Stock.key(sku="9"),
        F(Stock).qty.add(-number),
        F(Stock).name.set(text),
        when=F(Stock).qty.is_in({number, number + 1, number + 2}),
    )
    tx.delete(Note.key(id="1"))
    tx.check(Order.key(tenant="1", id="2"), F(Order).status == "PENDING")
    return tx.freeze().to_json()


def test_by_processes_with_other_hashes() -> None:
    texts = {
        subprocess.run(
            [sys.executable, "-c", PROGRAM],
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT}", "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "2")
    }
    assert texts == {build("op-1", "ab", ["d", "c", "b", "ø"], 3).encode()}


@given(st.text(min_size=1), st.text(), st.lists(st.text(min_size=1)), st.integers(1, 10**9))
def test_whatever_is_in_it(operation: str, text: str, tags: list[str], number: int) -> None:
    once = build(operation, text, tags, number)
    assert build(operation, text, tags[::-1], number) == once
    frozen = FrozenTransaction.from_json(once, App)
    assert frozen.to_json() == once
    assert len(frozen.token) <= 36
    assert json.loads(once)["operation"] == operation
