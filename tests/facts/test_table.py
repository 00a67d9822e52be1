"""The table and docs/behaviours.md are one list, and nothing in it goes untested without a reason."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from tests.facts.section_00_prefix import CELLS, COLUMNS, ROWS
from tests.facts.sections import FACTS
from tools.make_behaviours import PAGE, page


def test_the_page_is_what_the_table_generates() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "run `python tools/make_behaviours.py`"


def test_the_numbers_of_the_table_are_those_of_the_page() -> None:
    listed = re.findall(r"^- \*\*(\d+\.\d+)\*\*", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert listed == [fact.number for fact in FACTS]


def test_each_number_is_used_once() -> None:
    assert [number for number, count in Counter(fact.number for fact in FACTS).items() if count > 1] == []


def test_each_fact_has_a_case_or_a_reason_or_comes_later(capsys: pytest.CaptureFixture[str]) -> None:
    silent = [fact.number for fact in FACTS if not (fact.cases or fact.reason or fact.is_later)]
    assert silent == []
    wordy = [fact.number for fact in FACTS if fact.reason and fact.cases]
    assert wordy == [], "a fact has cases or a reason, not both"
    reasons = [fact for fact in FACTS if fact.reason]
    with capsys.disabled():
        print(f"\n{len(FACTS)} facts, {len(reasons)} of them with a reason instead of a case")


def test_each_cell_of_section_0_has_a_case_or_cannot_occur() -> None:
    cells = {fact.number for fact in CELLS}
    for number, row in enumerate(ROWS, start=1):
        marks = dict(zip(COLUMNS, row.marks.split(), strict=True))
        silent = {column for column in COLUMNS if f"0.{number}.{column}" not in cells}
        assert silent == {column for column, mark in marks.items() if mark == "-"} | set(
            row.unreachable.split()
        )
