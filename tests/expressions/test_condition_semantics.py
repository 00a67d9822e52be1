"""What conditions and filters mean (section 7, facts 4.12, 6.27, 6.30, 6.37)."""

from __future__ import annotations

from typing import Any

import pytest

from .asking import ask, holds, n, s

B = {"B": "AAEC"}  # 00 01 02
ITEM: dict[str, Any] = {
    "word": s("apple"),
    "num": n(10),
    "same": n(10),
    "bin": B,
    "flag": {"BOOL": True},
    "nothing": {"NULL": True},
    "ss": {"SS": ["x", "y"]},
    "ns": {"NS": ["1", "2"]},
    "bs": {"BS": ["AA==", "AQ=="]},
    "l": {"L": [n(1), s("a"), {"L": [n(2)]}]},
    "m": {"M": {"k": s("v"), "deep": {"L": [n(0), {"M": {"z": n(5)}}]}}},
    "dot.ted": s("dotted"),
    "astral": s("e\u0301\U0001f600"),
}

CASES: list[tuple[str, str, dict[str, Any], bool]] = [
    ("7.1", "gone = :v", {":v": n(1)}, False),
    ("7.1", "gone <> :v", {":v": n(1)}, True),
    ("7.1", "gone <> absent", {}, True),
    ("7.1", "gone = absent", {}, False),
    ("7.1", "word = :v OR gone = :w", {":v": s("apple"), ":w": n(1)}, True),
    ("7.2", "gone < :v", {":v": n(1)}, False),
    ("7.2", "num < :v", {":v": s("z")}, False),
    ("7.2", "NOT num < :v", {":v": s("z")}, True),
    ("7.2", "gone BETWEEN :v AND :v", {":v": n(1)}, False),
    ("7.3", "num = :v", {":v": s("10")}, False),
    ("7.3", "num <> :v", {":v": s("10")}, True),
    ("7.4", "num = :v", {":v": n("1e1")}, True),
    ("7.4", "ss = :v", {":v": {"SS": ["y", "x"]}}, True),
    ("7.4", "ns = :v", {":v": {"NS": ["2.0", "1.0"]}}, True),
    ("7.4", "bs <> :v", {":v": {"BS": ["AQ==", "AA=="]}}, False),
    ("7.4", "l = :v", {":v": {"L": [n(1), s("a"), {"L": [n(2)]}]}}, True),
    ("7.4", "l = :v", {":v": {"L": [s("a"), n(1), {"L": [n(2)]}]}}, False),
    ("7.4", "m.deep[1] = :v", {":v": {"M": {"z": n("5.0")}}}, True),
    ("7.5", "num = same", {}, True),
    ("7.5", "num <= same", {}, True),
    ("7.6", "num = :v OR word = :t AND gone = :v", {":v": n(10), ":t": s("no")}, True),
    ("7.6", "(num = :v OR word = :t) AND gone = :v", {":v": n(10), ":t": s("no")}, False),
    ("7.6", "NOT num = :v AND word = :t", {":v": n(1), ":t": s("apple")}, True),
    ("7.6", "NOT (num = :v AND word = :t)", {":v": n(10), ":t": s("apple")}, False),
    ("6.31", "NOT NOT num = :v", {":v": n(10)}, True),
    ("7.7", "attribute_exists(nothing)", {}, True),
    ("7.8", "attribute_exists(m.deep[1])", {}, True),
    ("7.8", "attribute_exists(m.deep[2])", {}, False),
    ("7.8", "attribute_exists(word.deep)", {}, False),
    ("7.8", "attribute_exists(m[0])", {}, False),
    ("7.8", "attribute_not_exists(m.deep[1].z)", {}, False),
    ("7.9", "attribute_not_exists(gone)", {}, True),
    ("7.10", "attribute_type(num, :v)", {":v": s("N")}, True),
    ("7.10", "attribute_type(num, :v)", {":v": s("S")}, False),
    ("7.10", "attribute_type(gone, :v)", {":v": s("NULL")}, False),
    ("7.10", "attribute_type(m.deep, :v)", {":v": s("L")}, True),
    ("7.11", "contains(word, :v)", {":v": s("ppl")}, True),
    ("7.11", "contains(word, :v)", {":v": s("")}, True),
    ("7.11", "contains(bin, :v)", {":v": {"B": "AQI="}}, True),
    ("7.11", "contains(bin, :v)", {":v": {"B": "AAI="}}, False),
    ("7.11", "contains(ss, :v)", {":v": s("x")}, True),
    ("7.11", "contains(ns, :v)", {":v": n("2.0")}, True),
    ("7.11", "contains(bs, :v)", {":v": {"B": "AQ=="}}, True),
    ("7.11", "contains(l, :v)", {":v": {"L": [n(2)]}}, True),
    ("7.11", "contains(m, :v)", {":v": s("k")}, False),
    ("7.11", "contains(:v, word)", {":v": s("an apple")}, True),
    ("7.12", "contains(word, :v)", {":v": n(1)}, False),
    ("7.12", "contains(ns, :v)", {":v": s("1")}, False),
    ("7.12", "contains(num, :v)", {":v": n(1)}, False),
    ("7.13", "begins_with(word, :v)", {":v": s("app")}, True),
    ("7.13", "begins_with(bin, :v)", {":v": {"B": "AAE="}}, True),
    ("7.13", "begins_with(num, :v)", {":v": s("1")}, False),
    ("7.13", "begins_with(gone, :v)", {":v": s("")}, False),
    ("7.14", "size(word) = :v", {":v": n(5)}, True),
    ("7.14", "size(bin) = :v", {":v": n(3)}, True),
    ("7.14", "size(ss) = :v AND size(ns) = :v AND size(bs) = :v AND size(m) = :v", {":v": n(2)}, True),
    ("7.14", "size(l) >= :v", {":v": n("3.0")}, True),
    ("7.14", "size(num) = :v", {":v": n(1)}, False),
    ("7.14", "size(flag) <= :v", {":v": n(1)}, False),
    ("7.14", "size(gone) < :v", {":v": n(1)}, False),
    ("7.14", "size(gone) <> :v", {":v": n(1)}, False),
    ("7.14", "NOT size(gone) = :v", {":v": n(1)}, True),
    ("7.14", "word <> size(num)", {}, False),
    ("7.14", "word <> size(l)", {}, True),
    ("7.14", "size(word) = size(l)", {}, False),
    ("4.12", "size(astral) = :v", {":v": n(4)}, True),
    ("7.16", "word IN (:v, same, :w)", {":v": n(10), ":w": s("apple")}, True),
    ("7.16", "num IN (:v, same)", {":v": n(1)}, True),
    ("7.16", "gone IN (:v, absent)", {":v": n(1)}, False),
    ("6.27", "num BETWEEN same AND :v", {":v": n(1)}, False),
    ("7.2", "num BETWEEN :v AND :w", {":v": n(10), ":w": n(10)}, True),
    ("3.14", "num > :v", {":v": n("-100")}, True),
    ("3.31", "word < :v", {":v": s("\uffff")}, True),
    ("3.32", "bin < :v", {":v": {"B": "/w=="}}, True),
    ("6.30", "num BETWEEN :v AND :w AND word = :t", {":v": n(1), ":w": n(20), ":t": s("apple")}, True),
]  # fmt: skip


@pytest.mark.parametrize(("fact", "text", "values", "expected"), CASES)
def test_condition(fact: str, text: str, values: dict[str, Any], expected: bool) -> None:
    assert holds(text, ITEM, values) is expected


def test_a_dot_in_a_name_is_no_path() -> None:
    assert holds("#n = :v", ITEM, {":v": s("dotted")}, {"#n": "dot.ted"})  # fact 6.37
    assert not holds("attribute_exists(#n)", {"dot": {"M": {"ted": n(1)}}}, None, {"#n": "dot.ted"})


def test_a_missing_item_has_no_attributes() -> None:
    assert holds("attribute_not_exists(pk)", {})  # fact 7.19
    assert not holds("pk = :v", {}, {":v": n(1)})


def test_astral_characters_sort_after_the_rest() -> None:
    assert holds("a > :v", {"a": s("\U0001f600")}, {":v": s("\uffff")})  # fact 3.31


def test_the_names_of_a_condition_are_the_attributes_it_mentions() -> None:
    text = "a.b = :v AND (NOT size(c) > d[0] OR attribute_exists(#e) OR f IN (g, :v))"
    names = {"a", "c", "d", "e e", "f", "g"}
    filtering = ask("FilterExpression", text, {":v": n(1)}, {"#e": "e e"})
    assert (filtering.filter_names, filtering.condition_names) == (names, frozenset())  # fact 11.14
    conditional = ask("ConditionExpression", text, {":v": n(1)}, {"#e": "e e"})
    assert (conditional.condition_names, conditional.filter_names) == (names, frozenset())


def test_a_filter_runs_as_a_condition_does() -> None:
    prepared = ask("FilterExpression", "a > :v", {":v": n(1)})
    assert prepared.filter is not None
    assert prepared.filter({"a": n(2)})
    assert prepared.condition is None
