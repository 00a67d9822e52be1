"""Where a syntax error is seen, and what is shown around it (facts 6.3–6.8, 6.28, 6.29, 6.38, 6.40–6.55)."""

from __future__ import annotations

import pytest

from .asking import ask, refused

CONDITION = "ConditionExpression"
FILTER = "FilterExpression"
KEYS = "KeyConditionExpression"
PROJECTION = "ProjectionExpression"
UPDATE = "UpdateExpression"

CASES = [
    # fact, kind, text, token, near
    ("6.3", PROJECTION, "!!! INVALID !!!", "!", "!!"),
    ("6.4", UPDATE, "INVALID SYNTAX HERE", "INVALID", "INVALID SYNTAX"),
    ("6.4", PROJECTION, "!", "!", "!"),
    ("6.5", CONDITION, "a = ", "<EOF>", "= "),
    ("6.5", UPDATE, "SET", "<EOF>", "SET"),
    ("6.5", PROJECTION, "a,", "<EOF>", ","),
    ("6.6", PROJECTION, "_123", "_", "_123"),
    ("6.6", PROJECTION, "1a", "1", "1a"),
    ("6.6", CONDITION, "a._b = :v", "_", "._b"),
    ("6.16", CONDITION, "attribute_exists()", ")", "()"),
    ("6.25", CONDITION, "a IN ()", ")", "()"),
    ("6.28", CONDITION, "a != :v", "!", "a !="),
    ("6.28", CONDITION, "a == :v", "=", "== :v"),
    ("6.29", CONDITION, ":v", "<EOF>", ":v"),
    ("6.29", CONDITION, "a AND b = :v", "AND", "a AND b"),
    ("6.29", CONDITION, "(a) OR b = :v", "OR", ") OR b"),
    ("6.29", CONDITION, "NOT a", "<EOF>", "a"),
    ("6.29", CONDITION, "(NOT a)", ")", "a)"),
    ("6.38", PROJECTION, "l[-1]", "-", "[-1"),
    ("6.38", PROJECTION, "l[1.5]", ".", "1.5"),
    ("6.38", PROJECTION, "l[a]", "a", "[a]"),
    ("6.38", PROJECTION, "l[:v]", ":v", "[:v]"),
    ("6.38", PROJECTION, "l[]", "]", "[]"),
    ("6.42", CONDITION, "a \n\t b = :v", "b", "a \n\t b ="),
    ("6.42", CONDITION, "a   b", "b", "a   b"),
    ("6.43", UPDATE, "  RESET NonExistent value", "RESET", "  RESET NonExistent"),
    ("6.43", UPDATE, "SET MyStr[ 3 ", "<EOF>", "3 "),
    ("6.43", UPDATE, "REMOVE NoExist + ", "+", "NoExist + "),
    ("6.43", CONDITION, "   ", "<EOF>", "   "),
    ("6.44", CONDITION, "attribute_not_exists(", "<EOF>", "("),
    ("6.45", CONDITION, "foo", "<EOF>", "foo"),
    ("6.46", UPDATE, "ADD hits : incr", ":", "hits : incr"),
    ("6.47", CONDITION, "a-b", "-", "a-b"),
    ("6.47", FILTER, "a-b", "-", "a-b"),
    ("6.47", KEYS, "a-b", "-", "a-b"),
    ("6.47", UPDATE, "a-b", "-", "a-b"),
    ("6.47", UPDATE, "SET a-b = :v", "-", "a-b"),
    ("6.48", UPDATE, "SET _123 = :v", "_", "SET _123"),
    ("6.49", KEYS, "PK = :pk and begins_with(SK, G_M#)", "#", "G_M#)"),
    ("6.50", FILTER, "contains (themes, :theme", "<EOF>", ":theme"),
    ("6.51", KEYS, "[object Object]", "[", "[object"),
    (
        "6.52",
        FILTER,
        "#articleId attribute_not_exists :ckpst",
        "attribute_not_exists",
        "#articleId attribute_not_exists :ckpst",
    ),
    ("6.53", FILTER, "tenantAgent:abc123-", ":abc123", "tenantAgent:abc123-"),
    ("6.55", FILTER, "NOT (#attr0)", "<EOF>", ")"),
    ("6.55", UPDATE, "SET path = VALUE 1", "1", "VALUE 1"),
    # Each place where the grammar is at an end of what it can take.
    ("6.8", CONDITION, "a NOTX :v", "NOTX", "a NOTX :v"),
    ("6.29", CONDITION, "(a = :v", "<EOF>", ":v"),
    ("6.29", CONDITION, "a = :v)", ")", ":v)"),
    ("6.29", CONDITION, "(a = :v) = :v", "=", ") = :v"),
    ("6.29", CONDITION, "a BETWEEN :v", "<EOF>", ":v"),
    ("6.29", CONDITION, "a BETWEEN :v OR :w", "OR", ":v OR :w"),
    ("6.29", CONDITION, "a IN :v", ":v", "IN :v"),
    ("6.29", CONDITION, "a IN (:v", "<EOF>", ":v"),
    ("6.29", CONDITION, "a IN (:v :w)", ":w", ":v :w)"),
    ("6.29", CONDITION, "and = :v", "and", "and ="),
    ("6.29", CONDITION, "a = :v AND", "<EOF>", "AND"),
    ("6.29", CONDITION, "a = (:v", "<EOF>", ":v"),
    ("6.29", CONDITION, "a = b + :v", "+", "b + :v"),
    ("6.5", CONDITION, "a.", "<EOF>", "."),
    ("6.5", CONDITION, "a[1", "<EOF>", "1"),
    ("6.5", CONDITION, "begins_with(a,", "<EOF>", ","),
    ("8.6", UPDATE, "SET a = a + :v + :w", "+", ":v + :w"),
    ("8.6", UPDATE, "SET a = (a + :v) + :w", "+", ") + :w"),
    ("8.6", UPDATE, "SET a = a + (a + :w)", "+", "a + :w"),
    ("8.16", UPDATE, "ADD a b", "b", "a b"),
    ("8.16", UPDATE, "ADD a :v + :w", "+", ":v + :w"),
    ("8.16", UPDATE, "DELETE a if_not_exists(a, :v)", "if_not_exists", "a if_not_exists("),
    ("6.5", UPDATE, "REMOVE", "<EOF>", "REMOVE"),
    ("6.5", UPDATE, "SET a = (:v", "<EOF>", ":v"),
    ("6.4", UPDATE, "SET a :v", ":v", "a :v"),
    ("6.4", UPDATE, "SET a = :v b = :v", "b", ":v b ="),
    ("6.4", UPDATE, "SET :v = a", ":v", "SET :v ="),
    ("6.4", UPDATE, "REMOVE a SET = :v", "=", "SET = :v"),
    ("6.4", PROJECTION, "a b", "b", "a b"),
    ("6.4", PROJECTION, "size(a)", "(", "size(a"),
    ("6.4", PROJECTION, "a = :v", "=", "a = :v"),
    ("6.4", PROJECTION, "#", "#", "#"),
    ("6.4", PROJECTION, "a é", "é", "a é"),
]


@pytest.mark.parametrize(("fact", "kind", "text", "token", "near"), CASES)
def test_token_and_near(fact: str, kind: str, text: str, token: str, near: str) -> None:
    assert refused(kind, text) == f'Syntax error; token: "{token}", near: "{near}"'


ACCEPTED = [
    ("6.7", CONDITION, "#1 = :1", {":1": {"S": "x"}}, {"#1": "a"}),
    ("6.7", CONDITION, "#_a = :_", {":_": {"S": "x"}}, {"#_a": "a"}),
    ("6.8", CONDITION, "a bEtWeEn :v and :v oR nOt a In (:v)", {":v": {"S": "x"}}, None),
    (
        "6.8",
        UPDATE,
        "set a = :v remove b add c :n delete d :s",
        {":v": {"S": "x"}, ":n": {"N": "1"}, ":s": {"SS": ["x"]}},
        None,
    ),
    ("6.31", CONDITION, "NOT NOT a = :v", {":v": {"S": "x"}}, None),
    ("6.36", PROJECTION, " a . b [ 1 ] . c\t,\r\nd ", None, None),
    ("6.36", CONDITION, "a=:v AND(b=:v)OR NOT(c=:v)", {":v": {"S": "x"}}, None),
    ("6.21", CONDITION, "(a) = :v", {":v": {"S": "x"}}, None),
    ("6.21", CONDITION, "(size(a)) > (:v)", {":v": {"N": "1"}}, None),
    ("6.21", CONDITION, "(attribute_exists(a)) AND (b IN ((:v), c))", {":v": {"N": "1"}}, None),
    ("8.6", UPDATE, "SET a = (b - :v), c = (if_not_exists(c, :v)) + (:v)", {":v": {"N": "1"}}, None),
    ("8.4", UPDATE, "DELETE d :s ADD c :s REMOVE b SET a = :s", {":s": {"SS": ["x"]}}, None),
]


@pytest.mark.parametrize(("fact", "kind", "text", "values", "names"), ACCEPTED)
def test_accepted(
    fact: str, kind: str, text: str, values: dict[str, object] | None, names: dict[str, str] | None
) -> None:
    ask(kind, text, values, names)
