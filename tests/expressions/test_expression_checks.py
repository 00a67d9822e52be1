"""What is refused in an expression that parses (facts 6.2, 6.9–6.26, 6.33–6.40, 7.10, 7.15, 8.4–8.17)."""

# ruff: noqa: E501

from __future__ import annotations

from typing import Any

import pytest

from partita.errors import Family
from partita.expressions import PUT, UPDATE

from .asking import KINDS, OPERATIONS, ask, n, placeholders, refusal, refused, s

CONDITION = "ConditionExpression"
FILTER = "FilterExpression"
KEYS = "KeyConditionExpression"
PROJECTION = "ProjectionExpression"
SETTING = "UpdateExpression"

MISUSED = "The function is not allowed to be used this way in an expression; function: "
COUNT = "Incorrect number of operands for operator or function; operator or function: "
TYPE = "Incorrect operand type for operator or function; operator or function: "
ACTION_TYPE = "Incorrect operand type for operator or function; operator: "
NO_PATH = "Operator or function requires a document path; operator or function: "
RESERVED = "Attribute name is a reserved keyword; reserved keyword: "
NOT_DISTINCT = (
    "The first operand must be distinct from the remaining operands for this operator or function; operator: "
)
OVERLAP = "Two document paths overlap with each other; must remove or rewrite one of these paths; path one: "
CONFLICT = (
    "Two document paths conflict with each other; must remove or rewrite one of these paths; path one: "
)
BOUNDS = "The BETWEEN operator requires "
REDUNDANT = "The expression has redundant parentheses;"

V: dict[str, Any] = {":v": s("x")}
NUMBER: dict[str, Any] = {":v": n(1)}
LIST: dict[str, Any] = {":v": {"L": []}}
TWO: dict[str, Any] = {":v": n(2), ":w": n(1)}

CASES: list[tuple[str, str, str, dict[str, Any], str]] = [
    # fact, kind, text, values, what follows `Invalid <Kind>: `
    *[("6.2", kind, "", {}, "The expression can not be empty;") for kind in KINDS],
    ("6.9", PROJECTION, "a, status", {}, RESERVED + "status"),
    ("6.9", CONDITION, "Name = :v", V, RESERVED + "Name"),
    ("6.9", SETTING, "SET ttl = :v", V, RESERVED + "ttl"),
    ("6.9", CONDITION, "set = :v", V, RESERVED + "set"),
    ("6.9", SETTING, "SET and = :v", V, RESERVED + "and"),
    ("6.9", KEYS, "hash = :v", V, RESERVED + "hash"),
    ("6.11", PROJECTION, "a.status", {}, RESERVED + "status"),
    (
        "6.13",
        SETTING,
        "SET a = :w",
        V,
        "An expression attribute value used in expression is not defined; attribute value: :w",
    ),
    (
        "6.12",
        FILTER,
        "#missing = :v",
        V,
        "An expression attribute name used in the document path is not defined; attribute name: #missing",
    ),
    (
        "6.12",
        PROJECTION,
        "a.#b",
        {},
        "An expression attribute name used in the document path is not defined; attribute name: #b",
    ),
    ("6.14", FILTER, "f(a)", {}, "Invalid function name; function: f"),
    ("6.14", FILTER, "Size(a) > :v", V, "Invalid function name; function: Size"),
    ("6.14", SETTING, "SET a = f(:v)", V, "Invalid function name; function: f"),
    ("6.15", CONDITION, "size(a)", {}, MISUSED + "size"),
    ("6.15", CONDITION, "NOT (size(a))", {}, MISUSED + "size"),
    ("6.15", CONDITION, "attribute_exists(a) = :v", V, MISUSED + "attribute_exists"),
    ("6.15", CONDITION, "a IN (:v, begins_with(a, :v))", V, MISUSED + "begins_with"),
    ("6.15", CONDITION, "contains(a, contains(b, :v))", V, MISUSED + "contains"),
    ("6.15", CONDITION, "if_not_exists(a, :v)", V, MISUSED + "if_not_exists"),
    ("6.15", CONDITION, "a = list_append(a, :v)", V, MISUSED + "list_append"),
    ("6.15", SETTING, "SET a = size(b)", {}, MISUSED + "size"),
    ("6.16", SETTING, "SET a = list_append(b)", {}, COUNT + "list_append, number of operands: 1"),
    ("6.16", SETTING, "SET a = if_not_exists(b, c, d)", {}, COUNT + "if_not_exists, number of operands: 3"),
    ("6.16", CONDITION, "attribute_exists(a, b)", {}, COUNT + "attribute_exists, number of operands: 2"),
    ("6.16", CONDITION, "begins_with(a)", {}, COUNT + "begins_with, number of operands: 1"),
    ("6.16", CONDITION, "size(a, b) > :v", V, COUNT + "size, number of operands: 2"),
    ("6.17", CONDITION, "begins_with(a, :v)", NUMBER, TYPE + "begins_with, operand type: N"),
    ("6.17", CONDITION, "begins_with(size(a), :v)", V, TYPE + "begins_with, operand type: N"),
    ("6.19", FILTER, "a < :v", LIST, TYPE + "<, operand type: L"),
    ("6.19", FILTER, "a <= :v", {":v": {"SS": ["x"]}}, TYPE + "<=, operand type: SS"),
    ("6.19", FILTER, ":v > a", {":v": {"BOOL": True}}, TYPE + ">, operand type: BOOL"),
    ("6.19", FILTER, "a >= :v", {":v": {"NULL": True}}, TYPE + ">=, operand type: NULL"),
    ("6.19", FILTER, "a BETWEEN :v AND b", {":v": {"M": {}}}, TYPE + "BETWEEN, operand type: M"),
    ("6.20", CONDITION, "attribute_exists(:v)", V, NO_PATH + "attribute_exists"),
    ("6.20", CONDITION, "attribute_not_exists(size(a))", {}, NO_PATH + "attribute_not_exists"),
    ("6.21", FILTER, "((a = :v))", V, REDUNDANT),
    ("6.21", CONDITION, "((a)) = :v", V, REDUNDANT),
    ("6.21", CONDITION, "NOT ((a = :v AND b = :v))", V, REDUNDANT),
    ("6.21", CONDITION, "((attribute_exists(a)))", {}, REDUNDANT),
    ("6.21", CONDITION, "a = ((:v))", V, REDUNDANT),
    ("6.21", KEYS, "((a = :v))", V, REDUNDANT),
    ("6.21", SETTING, "SET a = ((b + :v))", NUMBER, REDUNDANT),
    ("6.22", CONDITION, "a = a", {}, NOT_DISTINCT + "=, first operand: [a]"),
    ("6.22", CONDITION, "a.b[0] <> a.b[0]", {}, NOT_DISTINCT + "<>, first operand: [a, b, [0]]"),
    ("6.22", CONDITION, "a < a", {}, NOT_DISTINCT + "<, first operand: [a]"),
    ("6.22", CONDITION, "a >= a", {}, NOT_DISTINCT + ">=, first operand: [a]"),
    ("6.22", CONDITION, "a BETWEEN :v AND a", V, NOT_DISTINCT + "BETWEEN, first operand: [a]"),
    ("6.22", CONDITION, "a IN (:v, a)", V, NOT_DISTINCT + "IN, first operand: [a]"),
    ("6.22", CONDITION, "contains(a, a)", {}, NOT_DISTINCT + "contains, first operand: [a]"),
    (
        "6.25",
        FILTER,
        f"a IN ({', '.join([':v'] * 101)})",
        V,
        "The IN operator is provided with too many operands; number of operands: 101",
    ),
    (
        "6.26",
        CONDITION,
        "a BETWEEN :v AND :w",
        TWO,
        BOUNDS
        + "upper bound to be greater than or equal to lower bound; lower bound operand: AttributeValue: {N:2}, upper bound operand: AttributeValue: {N:1}",
    ),
    (
        "6.26",
        CONDITION,
        "a BETWEEN :v AND :w",
        {":v": s("x"), ":w": n(1)},
        BOUNDS
        + "same data type for lower and upper bounds; lower bound operand: AttributeValue: {S:x}, upper bound operand: AttributeValue: {N:1}",
    ),
    ("6.33", PROJECTION, "a, a.b", {}, OVERLAP + "[a], path two: [a, b]"),
    ("6.33", PROJECTION, "a.b, b, a", {}, OVERLAP + "[a, b], path two: [a]"),
    ("6.33", PROJECTION, "a.b, a.b", {}, OVERLAP + "[a, b], path two: [a, b]"),
    ("6.34", PROJECTION, "a, a[0]", {}, OVERLAP + "[a], path two: [a, [0]]"),
    ("6.35", PROJECTION, "a.b, a[1]", {}, CONFLICT + "[a, b], path two: [a, [1]]"),
    ("6.35", PROJECTION, "a[0].b, a[0][1].c", {}, CONFLICT + "[a, [0], b], path two: [a, [0], [1], c]"),
    (
        "6.39",
        PROJECTION,
        "a[99999999999999]",
        {},
        "List index is not within the allowable range; index: [99999999999999]",
    ),
    (
        "6.39",
        CONDITION,
        f"a[{'9' * 4000}] = :v",
        V,
        f"List index is not within the allowable range; index: [{'9' * 4000}]",
    ),
    (
        "6.40",
        PROJECTION,
        ".".join(["a"] * 33),
        {},
        "The document path has too many nesting levels; nesting levels: 33",
    ),
    (
        "6.40",
        CONDITION,
        f"a{'[0]' * 1000} = :v",
        V,
        "The document path has too many nesting levels; nesting levels: 1001",
    ),
    ("7.10", CONDITION, "attribute_type(a, :v)", NUMBER, TYPE + "attribute_type, operand type: N"),
    ("7.15", FILTER, "size(:v) > :v", NUMBER, TYPE + "size, operand type: N"),
    ("7.15", FILTER, "size(:v) > :w", {":v": {"BOOL": True}, ":w": n(1)}, TYPE + "size, operand type: BOOL"),
    (
        "8.4",
        SETTING,
        "SET a = :v REMOVE b SET c = :v",
        V,
        'The "SET" section can only be used once in an update expression;',
    ),
    (
        "8.4",
        SETTING,
        "remove a remove b",
        {},
        'The "REMOVE" section can only be used once in an update expression;',
    ),
    ("8.5", SETTING, "SET a = :v, a = :v", V, OVERLAP + "[a], path two: [a]"),
    ("8.5", SETTING, "SET a.b = :v REMOVE a", V, OVERLAP + "[a, b], path two: [a]"),
    ("8.5", SETTING, "SET a.b = :v REMOVE a[0]", V, CONFLICT + "[a, b], path two: [a, [0]]"),
    ("8.8", SETTING, "SET a = if_not_exists(:v, :v)", V, NO_PATH + "if_not_exists"),
    ("8.9", SETTING, "SET a = list_append(a, :v)", V, TYPE + "list_append, operand type: S"),
    ("8.10", SETTING, "SET a = a + :v", V, TYPE + "+, operand type: S"),
    ("8.10", SETTING, "SET a = :v - a", LIST, TYPE + "-, operand type: L"),
    ("8.17", SETTING, "ADD a :v", V, ACTION_TYPE + "ADD, operand type: STRING"),
    ("8.17", SETTING, "ADD a :v", {":v": {"B": "AA=="}}, ACTION_TYPE + "ADD, operand type: BINARY"),
    ("8.17", SETTING, "ADD a :v", {":v": {"BOOL": False}}, ACTION_TYPE + "ADD, operand type: BOOLEAN"),
    ("8.17", SETTING, "ADD a :v", {":v": {"NULL": True}}, ACTION_TYPE + "ADD, operand type: NULL"),
    ("8.17", SETTING, "ADD a :v", LIST, ACTION_TYPE + "ADD, operand type: LIST"),
    ("8.17", SETTING, "ADD a :v", {":v": {"M": {}}}, ACTION_TYPE + "ADD, operand type: MAP"),
    ("8.17", SETTING, "DELETE a :v", NUMBER, ACTION_TYPE + "DELETE, operand type: NUMBER"),
    # Which of two faults is told.
    ("6.23", CONDITION, "a = = :v" + " " * 4100, V, "Expression size has exceeded the maximum allowed size;"),
    ("6.21", CONDITION, "((f(a)))", {}, REDUNDANT),
    ("6.14", CONDITION, "size(a) AND f(a)", {}, "Invalid function name; function: f"),
    ("6.15", CONDITION, "status = :v AND size(a)", V, MISUSED + "size"),
    ("6.9", CONDITION, "begins_with(#a, :w, status)", {}, RESERVED + "status"),
    (
        "6.17",
        CONDITION,
        "begins_with(a, :v) AND attribute_exists(:v)",
        NUMBER,
        TYPE + "begins_with, operand type: N",
    ),
    ("8.5", SETTING, "SET a = a + :v, a = :v", V, OVERLAP + "[a], path two: [a]"),
]


@pytest.mark.parametrize(("fact", "kind", "text", "values", "message"), CASES)
def test_refused(fact: str, kind: str, text: str, values: dict[str, Any], message: str) -> None:
    assert refused(kind, text, values) == message


def test_unknown_attribute_type_lists_the_types() -> None:
    message = refused(FILTER, "attribute_type(a, :v)", {":v": s("1")})  # fact 7.10
    head, _, types = message.rstrip("}").partition("valid types: {")
    assert head == "Invalid attribute type name found; type: 1, "
    assert set(types.split(",")) == {"B", "NULL", "SS", "BOOL", "L", "BS", "N", "NS", "S", "M"}


def test_attribute_type_of_a_path_is_refused() -> None:
    message = refused(FILTER, "attribute_type(a, b)")
    head, _, types = message.rstrip("}").partition("{")
    assert head == TYPE + "attribute_type, operand type: "
    assert set(types.split(",")) == {"B", "NULL", "SS", "BOOL", "L", "BS", "N", "NS", "S", "M"}


def test_size_is_of_the_text_as_sent_in_bytes() -> None:
    text = "#a = :v".ljust(4096)
    ask(CONDITION, text, V, {"#a": "b" * 5000})
    error = refusal(PUT, {CONDITION: text + " ", **placeholders({"#a": "b"}, V)})  # fact 6.23
    rest = "Expression size has exceeded the maximum allowed size;"
    assert error.words("PutItem") == f"1 validation error detected: Invalid ConditionExpression: {rest}"
    assert error.words("TransactWriteItems") == (f"Invalid ConditionExpression: {rest} expression size: 4097")
    assert refused(CONDITION, "é" * 2049) == rest


def test_operator_count() -> None:
    conditions = ["a=:v"] * 150  # fact 6.24: with 149 ORs between
    ask(CONDITION, "NOT " + " OR ".join(conditions), V)
    assert refused(CONDITION, "NOT NOT " + " OR ".join(conditions), V) == (
        "The expression contains too many operators; operator count: 301"
    )
    ask(CONDITION, " OR ".join(["a in (:v,:v)"] * 150), V)
    ask(CONDITION, " OR ".join(["a between :v and :v"] * 150), V)
    sums = ",".join(f"a{i}=a+:v" for i in range(301))
    assert refused(SETTING, f"SET {sums}", NUMBER) == (
        "The expression contains too many operators; operator count: 301"
    )


def test_indexes_that_fit_are_accepted() -> None:
    ask(PROJECTION, "a[2147483647], a[007]")  # fact 6.39
    ask(PROJECTION, ".".join(["a"] * 32))  # fact 6.40


def test_one_hundred_options_are_accepted() -> None:
    ask(FILTER, f"a IN ({', '.join([':v'] * 100)})", V)  # fact 6.25


REPEATED: list[tuple[str, str, str, list[dict[str, Any]], list[dict[str, Any]]]] = [
    # fact, kind, text, values of :v and :w that are taken, values that are not
    ("6.17", FILTER, "begins_with(a, :v)", [s("x"), {"B": "AA=="}], [n(1), {"L": []}]),
    ("6.19", FILTER, "a < :v", [s("x"), n(1)], [{"BOOL": True}, {"SS": ["x"]}]),
    ("6.19", FILTER, "a BETWEEN b AND :v", [s("x"), n(1)], [{"M": {}}]),
    ("7.10", FILTER, "attribute_type(a, :v)", [s("S"), s("NULL")], [s("x"), n(1)]),
    ("7.15", FILTER, "size(:v) > a", [s("x"), {"L": []}], [n(1), {"NULL": True}]),
    ("8.9", SETTING, "SET a = list_append(a, :v)", [{"L": []}], [s("x")]),
    ("8.10", SETTING, "SET a = a + :v", [n(1)], [s("x")]),
    ("8.17", SETTING, "ADD a :v", [n(1), {"SS": ["x"]}], [s("x"), {"L": []}]),
    ("8.17", SETTING, "DELETE a :v", [{"NS": ["1"]}], [n(1)]),
]


@pytest.mark.parametrize(("fact", "kind", "text", "taken", "not_taken"), REPEATED)
def test_values_are_checked_for_each_request(
    fact: str, kind: str, text: str, taken: list[dict[str, Any]], not_taken: list[dict[str, Any]]
) -> None:
    fresh = [refused(kind, f" {text}", {":v": value}) for value in not_taken]
    for _ in range(2):
        for value in taken:
            ask(kind, text, {":v": value})
        assert [refused(kind, text, {":v": value}) for value in not_taken] == fresh


def test_bounds_are_checked_for_each_request() -> None:
    for _ in range(2):
        ask(FILTER, "a BETWEEN :v AND :w", {":v": n(9), ":w": n(10)})
        assert refused(FILTER, "a BETWEEN :v AND :w", TWO).startswith(BOUNDS + "upper bound")
        assert refused(FILTER, "a BETWEEN :v AND :w", {":v": n(9), ":w": s("x")}).startswith(BOUNDS + "same")


def test_the_same_fault_is_told_however_often() -> None:
    text = "SET a = a + :v ADD b :w"
    ask(SETTING, text, {":v": n(1), ":w": n(1)})
    fresh = refused(SETTING, f" {text}", {":v": s("x"), ":w": s("x")})
    assert refused(SETTING, text, {":v": s("x"), ":w": s("x")}) == fresh


FAMILIES = [
    ("6.2", CONDITION, "", Family.EMPTY_EXPRESSION),
    ("6.3", CONDITION, "!", Family.SYNTAX),
    ("6.9", CONDITION, "status = :v", Family.RESERVED_WORD),
    ("6.12", CONDITION, "#b = :v", Family.UNDEFINED_PLACEHOLDER),
    ("6.14", CONDITION, "f(:v)", Family.FUNCTION),
    ("6.21", CONDITION, "((a = :v))", Family.PARENTHESES),
    ("6.22", CONDITION, "a = a OR a = :v", Family.OPERANDS_NOT_DISTINCT),
    ("6.23", CONDITION, "a" * 4097, Family.EXPRESSION_SIZE),
    ("6.24", CONDITION, "NOT " * 301 + "a = :v", Family.OPERATOR_COUNT),
    ("6.33", PROJECTION, "a, a", Family.PROJECTION_PATHS),
    ("6.39", CONDITION, "a[99999999999] = :v", Family.LIST_INDEX),
    ("8.4", SETTING, "SET a = :v SET a = :v", Family.UPDATE_PATHS),
    ("8.5", SETTING, "SET a = :v, a = :v", Family.UPDATE_PATHS),
]


@pytest.mark.parametrize(("fact", "kind", "text", "family"), FAMILIES)
def test_single_writes_prefix_the_text(fact: str, kind: str, text: str, family: Family) -> None:
    values = None if kind == PROJECTION else V
    error = refusal(KINDS[kind], {kind: text, **placeholders(None, values)})
    assert error.family is family  # section 0
    prefixed = OPERATIONS[KINDS[kind]] in ("PutItem", "UpdateItem")
    assert error.words(OPERATIONS[KINDS[kind]]).startswith("1 validation error detected: ") is prefixed


def test_update_checks_come_before_condition_checks() -> None:
    error = refusal(UPDATE, {SETTING: "SET a = a + :v", CONDITION: "=", **placeholders(None, {":v": s("x")})})
    assert error.message == f"Invalid UpdateExpression: {TYPE}+, operand type: S"
