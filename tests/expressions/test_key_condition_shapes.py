"""Key conditions, as far as they can be told without a table (facts 11.4–11.8, 11.11, 11.12, 11.43)."""

# ruff: noqa: E501

from __future__ import annotations

import pytest

from partita.errors import Family
from partita.expressions import QUERY, KeyCondition

from .asking import ask, n, refusal, refused, s

KEYS = "KeyConditionExpression"
VALUES = {":p": s("p"), ":s": s("s"), ":t": s("t")}
P, S, T = VALUES.values()


def _values(text: str) -> dict[str, dict[str, str]]:
    return {name: value for name, value in VALUES.items() if name in text}


ACCEPTED = [
    ("11.1", "pk = :p", [("pk", "=", (P,))]),
    ("11.11", ":p = pk", [("pk", "=", (P,))]),
    ("11.11", "pk = :p AND :s < sk", [("pk", "=", (P,)), ("sk", ">", (S,))]),
    ("11.11", ":s >= sk and pk = :p", [("sk", "<=", (S,)), ("pk", "=", (P,))]),
    ("11.12", "(pk = :p) AND (sk > :s)", [("pk", "=", (P,)), ("sk", ">", (S,))]),
    ("11.12", "(pk = :p AND sk <= :s)", [("pk", "=", (P,)), ("sk", "<=", (S,))]),
    ("11.16", "pk = :p AND sk BETWEEN :s AND :t", [("pk", "=", (P,)), ("sk", "BETWEEN", (S, T))]),
    ("11.16", "begins_with(sk, :s) AND pk = :p", [("sk", "begins_with", (S,)), ("pk", "=", (P,))]),
    ("17.6", "a = :p AND (b = :p AND c = :s) AND d < :t", [("a", "=", (P,)), ("b", "=", (P,)), ("c", "=", (S,)), ("d", "<", (T,))]),
]  # fmt: skip


@pytest.mark.parametrize(("fact", "text", "expected"), ACCEPTED)
def test_accepted(fact: str, text: str, expected: list[KeyCondition]) -> None:
    assert ask(KEYS, text, _values(text)).key_conditions == tuple(expected)


OPERATOR = "Invalid operator used in KeyConditionExpression: "
CONDITION = "Invalid condition in KeyConditionExpression: "
NESTED = "KeyConditionExpressions cannot have conditions on nested attributes"

REFUSED = [
    ("11.4", "pk = :p AND pk = :s", "KeyConditionExpressions must only contain one condition per key"),
    ("11.4", "pk = :p AND sk > :s AND sk < :t", "KeyConditionExpressions must only contain one condition per key"),
    ("11.5", "pk = :p OR sk = :s", OPERATOR + "OR"),
    ("11.5", "pk = :p AND NOT sk = :s", OPERATOR + "NOT"),
    ("11.5", "pk = :p AND sk IN (:s)", OPERATOR + "IN"),
    ("11.5", "pk = :p AND sk <> :s", OPERATOR + "<>"),
    ("11.5", "pk = :p AND attribute_exists(sk)", OPERATOR + "attribute_exists"),
    ("11.5", "pk = :p AND attribute_not_exists(sk)", OPERATOR + "attribute_not_exists"),
    ("11.5", "pk = :p AND contains(sk, :s)", OPERATOR + "contains"),
    ("11.5", "pk = :p AND size(sk) > :s", OPERATOR + "size"),
    ("11.6", "pk.a = :p", NESTED),
    ("11.6", "pk = :p AND sk[0] > :s", NESTED),
    ("11.7", "pk = sk", CONDITION + "Multiple attribute names used in one condition"),
    ("11.7", "pk = :p AND sk BETWEEN a AND :s", CONDITION + "Multiple attribute names used in one condition"),
    ("11.8", ":p = :s", CONDITION + "No key attribute specified"),
    ("11.8", "pk = :p AND :s BETWEEN sk AND :t", CONDITION + "BETWEEN operator must have the key attribute as its first operand"),
    ("11.8", "pk = :p AND begins_with(:s, sk)", CONDITION + "begins_with operator must have the key attribute as its first operand"),
]  # fmt: skip


@pytest.mark.parametrize(("fact", "text", "message"), REFUSED)
def test_refused(fact: str, text: str, message: str) -> None:
    assert refused(KEYS, text, _values(text)) == message  # with the beginning of fact 11.43


def test_key_conditions_are_never_prefixed() -> None:
    error = refusal(QUERY, {KEYS: "pk = sk"})
    assert error.family is Family.BARE  # section 0


def test_literals_that_no_key_condition_takes() -> None:
    assert refused(KEYS, "pk = :p AND sk > :s", {":p": s("p"), ":s": {"BOOL": True}}) == (
        "Incorrect operand type for operator or function; operator or function: >, operand type: BOOL"
    )
    assert refused(KEYS, "pk = 'abc'") == 'Syntax error; token: "\'", near: "= \'abc"'
    assert refused(KEYS, "pk = 5") == 'Syntax error; token: "5", near: "= 5"'
    ask(KEYS, "pk = :p", {":p": n(1)})
