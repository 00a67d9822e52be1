"""The table and docs/behaviours.md are one list, and nothing in it goes untested without a reason."""

from __future__ import annotations

import re
from collections import Counter

import pytest
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
