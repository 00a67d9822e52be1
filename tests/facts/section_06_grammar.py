"""Section 6: expressions, their grammar and errors."""

# ruff: noqa: E501 - the service's texts stand whole on their lines

from hashlib import sha256

from tests.facts.answers import items
from tests.facts.client import Client
from tests.facts.requests import (
    NS,
    NULL,
    SS,
    L,
    N,
    S,
    batch_get,
    get,
    item,
    key,
    mapping,
    put,
    query,
    scan,
    transact_get,
    transact_write,
    tx_check,
    tx_get,
    update,
)
from tests.facts.runner import make_table, run_steps
from tests.facts.shapes import PAIRS, PLAIN
from tests.facts.table import Case, Program, Step, case, fact, section

from partita.expressions.reserved import RESERVED_WORDS

RESERVED_DIGEST = "ec03430512527777ecf5b5c01c6449bafc48146cd4f6e512f478217e87675975"
KEY = {":p": S("a")}
PARENTHESES = "The expression has redundant parentheses;"
EXAMPLES = [
    "name",
    "status",
    "data",
    "date",
    "count",
    "size",
    "type",
    "value",
    "values",
    "year",
    "month",
    "key",
    "hash",
    "range",
    "user",
    "role",
    "region",
    "state",
    "time",
    "timestamp",
    "ttl",
    "url",
    "uuid",
    "index",
    "items",
    "language",
    "level",
    "location",
    "order",
    "owner",
    "percent",
    "position",
    "source",
    "token",
    "total",
    "view",
    "zone",
]


def in_condition(expression: str, text: str, **more: object) -> Step:
    """PutItem with the ConditionExpression; the whole text after `Invalid ConditionExpression: `."""
    return put(key("a"), condition=expression, **more).detects("Invalid ConditionExpression: " + text)


def in_filter(expression: str, text: str, **more: object) -> Step:
    return scan(filter=expression, **more).fails("Invalid FilterExpression: " + text)


def in_key_condition(expression: str, text: str, **more: object) -> Step:
    return query(expression, **more).fails("Invalid KeyConditionExpression: " + text)


def in_update(expression: str, text: str, **more: object) -> Step:
    return update(key("a"), expression, **more).detects("Invalid UpdateExpression: " + text)


def in_projection(expression: str, text: str, **more: object) -> Step:
    return get(key("a"), projection=expression, **more).fails("Invalid ProjectionExpression: " + text)


def syntax(token: str, near: str) -> str:
    return f'Syntax error; token: "{token}", near: "{near}"'


def reserved(word: str) -> str:
    return f"Attribute name is a reserved keyword; reserved keyword: {word}"


def distinct(operator: str, operand: str) -> str:
    return (
        "The first operand must be distinct from the remaining operands for this operator or function; "
        f"operator: {operator}, first operand: {operand}"
    )


def operand_type(operator: str, kind: str) -> str:
    return f"Incorrect operand type for operator or function; operator or function: {operator}, operand type: {kind}"


def operand_count(function: str, count: int) -> str:
    return (
        "Incorrect number of operands for operator or function; "
        f"operator or function: {function}, number of operands: {count}"
    )


def misused(function: str) -> str:
    return f"The function is not allowed to be used this way in an expression; function: {function}"


def overlap(one: str, two: str) -> str:
    return f"Two document paths overlap with each other; must remove or rewrite one of these paths; path one: {one}, path two: {two}"


def conflict(one: str, two: str) -> str:
    return f"Two document paths conflict with each other; must remove or rewrite one of these paths; path one: {one}, path two: {two}"


def found(expression: str, **more: object) -> Case:
    """The filter finds the one item `a` (a: S x, n: N 1, l: [x], m.b: x)."""
    stored = item("a", a=S("x"), n=N("1"), l=L(S("x")), m=mapping(b=S("x")))
    return case(put(stored).gives({}), scan(filter=expression, **more).gives(items(stored)))


def not_found(expression: str, **more: object) -> Case:
    stored = item("a", a=S("x"), n=N("1"), l=L(S("x")), m=mapping(b=S("x")))
    return case(put(stored).gives({}), scan(filter=expression, **more).gives(items(scanned=1)))


def all_reserved_words(client: Client) -> None:
    """The list is the documentation's, by its digest, and each of its words is refused in any case."""
    assert len(RESERVED_WORDS) == 573
    assert sha256(" ".join(sorted(RESERVED_WORDS)).encode()).hexdigest() == RESERVED_DIGEST
    make_table(client, PLAIN)
    for word in sorted(RESERVED_WORDS):
        for written in (word, word.lower()):
            run_steps(client, in_projection(f"a, {written}", reserved(written)))


X = {":x": S("x")}
ONE = {":n": N("1")}

SECTION = section(
    6,
    "Expressions: grammar and errors",
    fact(
        "6.1",
        "A",
        "Error texts start with `Invalid <Kind>: ` where Kind is ConditionExpression, FilterExpression, KeyConditionExpression, ProjectionExpression or UpdateExpression.",
        in_condition("a-b", syntax("-", "a-b")),
        in_filter("a-b", syntax("-", "a-b")),
        in_key_condition("a-b", syntax("-", "a-b")),
        in_projection("a-b", syntax("-", "a-b")),
        in_update("SET a-b", syntax("-", "a-b")),
        query("pk = :p", filter="a-b", values=KEY).fails("Invalid FilterExpression: " + syntax("-", "a-b")),
    ),
    fact(
        "6.2",
        "A",
        "Empty: `Invalid UpdateExpression: The expression can not be empty;` (ends in a semicolon; same for all kinds).",
        in_update("", "The expression can not be empty;"),
        in_condition("", "The expression can not be empty;"),
        in_filter("", "The expression can not be empty;"),
        in_key_condition("", "The expression can not be empty;"),
        in_projection("", "The expression can not be empty;"),
    ),
    fact(
        "6.3",
        "A",
        'Syntax: `Invalid ProjectionExpression: Syntax error; token: "!", near: "!!"` (for `!!! INVALID !!!`).',
        in_projection("!!! INVALID !!!", 'Syntax error; token: "!", near: "!!"'),
    ),
    fact(
        "6.4",
        "A",
        '`near` is the slice of the expression from the start of the token before the offending one to the end of the token after it, verbatim with the whitespace between: `INVALID SYNTAX HERE` gives `Invalid UpdateExpression: Syntax error; token: "INVALID", near: "INVALID SYNTAX"`. It is the offending token alone if it has no neighbours. See 6.40–6.55.',
        update(key("a"), "INVALID SYNTAX HERE").detects(
            'Invalid UpdateExpression: Syntax error; token: "INVALID", near: "INVALID SYNTAX"'
        ),
        in_condition("a = :v b", syntax("b", ":v b"), values={":v": S("x")}),
        in_condition("a  =\t:v   b \n = :v", syntax("b", ":v   b \n ="), values={":v": S("x")}),
        in_condition("!", syntax("!", "!")),
    ),
    fact(
        "6.5",
        "A",
        'A truncated expression reports `token: "<EOF>"`, and `near` is the last token of the expression.',
        in_condition("a = ", syntax("<EOF>", "= ")),
        in_condition("a =", syntax("<EOF>", "=")),
        in_condition("a = :v AND", syntax("<EOF>", "AND"), values={":v": S("x")}),
        in_update("SET a = ", syntax("<EOF>", "= ")),
        in_update("SET", syntax("<EOF>", "SET")),
        in_projection("a,", syntax("<EOF>", ",")),
        in_filter("a BETWEEN :v", syntax("<EOF>", ":v"), values={":v": S("x")}),
    ),
    fact(
        "6.6",
        "A",
        "Bare attribute names begin with a letter, then letters, digits, underscore; `_123` or `1a` is a syntax error (token `_`).",
        in_projection("_123", syntax("_", "_123")),
        in_update("SET _123 = :v", syntax("_", "SET _123"), values={":v": S("x")}),
        in_projection("1a", syntax("1", "1a")),
        case(
            put(item("a", a1_b=S("x"), Z_9=S("y"))).gives({}),
            get(key("a"), projection="a1_b, Z_9").gives({"Item": {"a1_b": S("x"), "Z_9": S("y")}}),
        ),
    ),
    fact(
        "6.7",
        "A",
        "After `#` or `:` letters, digits and underscore may appear in any place, a leading digit included.",
        found("#1a = :2_b", names={"#1a": "a"}, values={":2_b": S("x")}),
        found("#_ = :_", names={"#_": "a"}, values={":_": S("x")}),
    ),
    fact(
        "6.8",
        "A",
        "Keywords (AND, OR, NOT, IN, BETWEEN, SET, REMOVE, ADD, DELETE) ignore case; function names are case-sensitive.",
        found("a = :x and not n in (:o) or n between :o And :o", values={":x": S("x"), ":o": N("1")}),
        case(
            update(key("a"), "set a = :a, r = :a add n :n", values={":a": S("x"), ":n": N("1")}).gives({}),
            update(key("a"), "ReMoVe r delete s :s", values={":s": SS("x")}, ReturnValues="ALL_NEW").gives(
                {"Attributes": item("a", a=S("x"), n=N("1"))}
            ),
        ),
        in_filter("ATTRIBUTE_EXISTS(a)", "Invalid function name; function: ATTRIBUTE_EXISTS"),
        in_filter("Size(a) = :n", "Invalid function name; function: Size", values=ONE),
        in_update(
            "SET a = IF_NOT_EXISTS(a, :n)", "Invalid function name; function: IF_NOT_EXISTS", values=ONE
        ),
    ),
    fact(
        "6.9",
        "A",
        "Reserved word as attribute name, in any case: `Invalid ProjectionExpression: Attribute name is a reserved keyword; reserved keyword: status` (echoed as written).",
        get(key("a"), projection="status").fails(
            "Invalid ProjectionExpression: Attribute name is a reserved keyword; reserved keyword: status"
        ),
        in_projection("StAtUs", reserved("StAtUs")),
        in_condition("name = :v", reserved("name"), values={":v": S("x")}),
        in_filter("attribute_exists(Comment)", reserved("Comment")),
        in_update("SET COUNT = :v", reserved("COUNT"), values={":v": S("x")}),
        in_key_condition("Key = :p", reserved("Key"), values=KEY),
    ),
    fact(
        "6.10",
        "D",
        "There are 573 reserved words; examples people trip on: name, status, data, date, count, size, type, value, values, year, month, key, hash, range, user, role, region, state, time, timestamp, ttl, url, uuid, index, items, language, level, location, order, owner, percent, position, source, token, total, view, zone.",
        *(in_projection(word, reserved(word)) for word in EXAMPLES),
        get(key("a"), projection="pk, sk, id, email, price, statuses").gives({}),
        Program(all_reserved_words),
    ),
    fact(
        "6.11",
        "A",
        "Reserved words are refused inside document paths too (`a.status`).",
        in_projection("a.status", reserved("status")),
        in_projection("a[1].b.Name", reserved("Name")),
        in_condition("attribute_exists(a.status)", reserved("status")),
        in_update("REMOVE a.status", reserved("status")),
    ),
    fact(
        "6.12",
        "A",
        "Undefined name: `Invalid FilterExpression: An expression attribute name used in the document path is not defined; attribute name: #missing`.",
        scan(filter="#missing = :v", values={":v": S("x")}).fails(
            "Invalid FilterExpression: An expression attribute name used in the document path is not defined; attribute name: #missing"
        ),
        in_filter(
            "a.#b = :v",
            "An expression attribute name used in the document path is not defined; attribute name: #b",
            values={":v": S("x")},
        ),
        in_projection(
            "#p", "An expression attribute name used in the document path is not defined; attribute name: #p"
        ),
    ),
    fact(
        "6.13",
        "A",
        "Undefined value: `Invalid UpdateExpression: An expression attribute value used in expression is not defined; attribute value: :v`.",
        update(key("a"), "SET a = :v").detects(
            "Invalid UpdateExpression: An expression attribute value used in expression is not defined; attribute value: :v"
        ),
        in_condition(
            "a = :b", "An expression attribute value used in expression is not defined; attribute value: :b"
        ),
        in_key_condition(
            "pk = :b", "An expression attribute value used in expression is not defined; attribute value: :b"
        ),
    ),
    fact(
        "6.14",
        "A",
        "Unknown function: `Invalid FilterExpression: Invalid function name; function: f`.",
        in_filter("f(a)", "Invalid function name; function: f"),
        in_filter("a = f(:v)", "Invalid function name; function: f", values={":v": S("x")}),
        in_update("SET a = f(b)", "Invalid function name; function: f"),
    ),
    fact(
        "6.15",
        "A",
        "Function in the wrong place: `Invalid ConditionExpression: The function is not allowed to be used this way in an expression; function: size` (bare `size(a)` as a condition; `attribute_exists(a) = :v`; if_not_exists or list_append in a condition).",
        put(key("a"), condition="size(a)").detects(
            "Invalid ConditionExpression: The function is not allowed to be used this way in an expression; function: size"
        ),
        in_condition("attribute_exists(a) = :v", misused("attribute_exists"), values={":v": S("x")}),
        in_condition("if_not_exists(a, :v) = :v", misused("if_not_exists"), values={":v": S("x")}),
        in_condition("list_append(a, :v) = :v", misused("list_append"), values={":v": L()}),
    ),
    fact(
        "6.16",
        "A",
        "Argument count: `Invalid UpdateExpression: Incorrect number of operands for operator or function; operator or function: list_append, number of operands: 1`.",
        update(key("a"), "SET a = list_append(a)").detects(
            "Invalid UpdateExpression: Incorrect number of operands for operator or function; operator or function: list_append, number of operands: 1"
        ),
        in_update("SET a = if_not_exists(a)", operand_count("if_not_exists", 1)),
        in_condition("attribute_exists(a, b)", operand_count("attribute_exists", 2)),
        in_condition("begins_with(a)", operand_count("begins_with", 1)),
        in_condition("contains(a, b, c)", operand_count("contains", 3)),
        in_condition("size(a, b) = :n", operand_count("size", 2), values=ONE),
    ),
    fact(
        "6.17",
        "A",
        "Argument type by literal: `Invalid ConditionExpression: Incorrect operand type for operator or function; operator or function: begins_with, operand type: N`.",
        put(key("a"), condition="begins_with(a, :n)", values=ONE).detects(
            "Invalid ConditionExpression: Incorrect operand type for operator or function; operator or function: begins_with, operand type: N"
        ),
        in_condition("begins_with(a, :v)", operand_type("begins_with", "L"), values={":v": L()}),
        in_condition("begins_with(:v, a)", operand_type("begins_with", "SS"), values={":v": SS("x")}),
    ),
    fact(
        "6.18",
        "A",
        "Operand types of literals are checked up front, even when the table is empty.",
        in_filter("begins_with(a, :n)", operand_type("begins_with", "N"), values=ONE),
        in_filter("size(:n) = a", operand_type("size", "N"), values=ONE),
        in_filter("a < :v", operand_type("<", "L"), values={":v": L()}),
    ),
    fact(
        "6.19",
        "A",
        "`<`, `<=`, `>`, `>=`, BETWEEN accept only S, N, B literals: `Incorrect operand type for operator or function; operator or function: <, operand type: L`.",
        *(
            in_condition(f"a {operator} :v", operand_type(operator, kind), values={":v": value})
            for operator in ("<", "<=", ">", ">=")
            for kind, value in (
                ("L", L()),
                ("M", mapping()),
                ("SS", SS("x")),
                ("NULL", NULL),
                ("BOOL", {"BOOL": True}),
            )
        ),
        in_condition("a BETWEEN :v AND :w", operand_type("BETWEEN", "L"), values={":v": L(), ":w": L()}),
        in_condition(
            "a BETWEEN :v AND :w", operand_type("BETWEEN", "NS"), values={":v": NS("1"), ":w": NS("2")}
        ),
        in_condition(":v > a", operand_type(">", "M"), values={":v": mapping()}),
    ),
    fact(
        "6.20",
        "A",
        "Literal where a path is required: `Operator or function requires a document path; operator or function: attribute_exists`.",
        in_condition(
            "attribute_exists(:v)",
            "Operator or function requires a document path; operator or function: attribute_exists",
            values={":v": S("x")},
        ),
        in_condition(
            "attribute_not_exists(:v)",
            "Operator or function requires a document path; operator or function: attribute_not_exists",
            values={":v": S("x")},
        ),
        in_update(
            "SET a = if_not_exists(:v, :v)",
            "Operator or function requires a document path; operator or function: if_not_exists",
            values={":v": S("x")},
        ),
    ),
    fact(
        "6.21",
        "A",
        "Redundant parentheses: `Invalid FilterExpression: The expression has redundant parentheses;` for `((a = :b))`; one pair is fine.",
        in_filter("((a = :b))", PARENTHESES, values={":b": S("x")}),
        in_condition("((a = :b))", PARENTHESES, values={":b": S("x")}),
        in_condition("NOT ((attribute_exists(a)))", PARENTHESES),
        in_condition("a = :b AND ((a = :b OR b = :b))", PARENTHESES, values={":b": S("x")}),
        found("(a = :x)", values=X),
        found("((a = :x) AND (n = :n))", values=X | ONE),
    ),
    fact(
        "6.22",
        "A",
        "Same operand twice: `The first operand must be distinct from the remaining operands for this operator or function; operator: =, first operand: [a]` for `a = a`, also for <>, <, >=, BETWEEN and IN.",
        in_filter("a = a", distinct("=", "[a]")),
        *(
            in_condition(f"a {operator} a", distinct(operator, "[a]"))
            for operator in ("=", "<>", "<", ">=", "<=", ">")
        ),
        in_condition("a.b[1] = #a.b[1]", distinct("=", "[a, b, [1]]"), names={"#a": "a"}),
        in_condition("a BETWEEN a AND :v", distinct("BETWEEN", "[a]"), values={":v": S("x")}),
        in_condition("a IN (:v, a)", distinct("IN", "[a]"), values={":v": S("x")}),
    ),
    fact(
        "6.23",
        "the limit and both texts A or F; which layer has which is F: a capture of July 2026 still had the size on PutItem and UpdateItem",
        "Size limit 4096 bytes of the string as sent, before substitution, checked before parsing. Current layer: `Invalid UpdateExpression: Expression size has exceeded the maximum allowed size;` (semicolon, no size). Older layer: `Invalid FilterExpression: Expression size has exceeded the maximum allowed size; expression size: 4097`.",
        in_update(
            "SET a = :v" + " " * 4087,
            "Expression size has exceeded the maximum allowed size;",
            values={":v": S("x")},
        ),
        update(key("a"), "SET a = :v" + " " * 4086, values={":v": S("x")}).gives({}),
        in_condition("!" * 4097, "Expression size has exceeded the maximum allowed size;"),
        in_projection("é" * 2049, "Expression size has exceeded the maximum allowed size;"),
        in_filter("!" * 4097, "Expression size has exceeded the maximum allowed size; expression size: 4097"),
        transact_write(tx_check(key("a"), "!" * 4100)).fails(
            "Invalid ConditionExpression: Expression size has exceeded the maximum allowed size; expression size: 4100"
        ),
        transact_get(tx_get(key("a"), projection="!" * 4097)).fails(
            "Invalid ProjectionExpression: Expression size has exceeded the maximum allowed size; expression size: 4097"
        ),
        put(key("a"), condition="#n = :v", names={"#n": "n" * 5000}, values={":v": S("x")}).fails(
            "The conditional request failed", "ConditionalCheckFailedException"
        ),
    ),
    fact(
        "6.24",
        "A",
        "Over 300 operators: `Invalid ConditionExpression: The expression contains too many operators; operator count: 301`. Parentheses and functions are not operators.",
        in_condition(
            " OR ".join(["a=:v"] * 151),
            "The expression contains too many operators; operator count: 301",
            values={":v": S("x")},
        ),
        found("a=:x AND (" + " OR ".join(["a=:x"] * 149) + ") AND attribute_exists(a)", values=X),
    ),
    fact(
        "6.25",
        "the limit A, the text F",
        "IN takes up to 100 operands on the right; over that: `Invalid FilterExpression: The IN operator is provided with too many operands; number of operands: 101`. An empty list is a syntax error.",
        in_filter(
            "a IN (" + ",".join([":v"] * 101) + ")",
            "The IN operator is provided with too many operands; number of operands: 101",
            values={":v": S("x")},
        ),
        found("a IN (" + ",".join([":x"] * 100) + ")", values=X),
        in_filter("a IN ()", syntax(")", "()")),
    ),
    fact(
        "6.26",
        "A",
        "BETWEEN with literal bounds in the wrong order: `Invalid ConditionExpression: The BETWEEN operator requires upper bound to be greater than or equal to lower bound; lower bound operand: AttributeValue: {N:2}, upper bound operand: AttributeValue: {N:1}`.",
        put(key("a"), condition="a BETWEEN :two AND :one", values={":one": N("1"), ":two": N("2")}).detects(
            "Invalid ConditionExpression: The BETWEEN operator requires upper bound to be greater than or equal to lower bound; lower bound operand: AttributeValue: {N:2}, upper bound operand: AttributeValue: {N:1}"
        ),
        in_filter(
            "a BETWEEN :b AND :a",
            "The BETWEEN operator requires upper bound to be greater than or equal to lower bound; lower bound operand: AttributeValue: {S:b}, upper bound operand: AttributeValue: {S:a}",
            values={":a": S("a"), ":b": S("b")},
        ),
        found("n BETWEEN :n AND :n", values=ONE),
    ),
    fact(
        "6.27",
        "A",
        "With bounds taken from attributes, a reversed BETWEEN is merely false.",
        case(
            put(item("a", low=N("1"), mid=N("2"), high=N("3"))).gives({}),
            scan(filter="mid BETWEEN low AND high", projection="pk").gives(items(key("a"))),
            scan(filter="mid BETWEEN high AND low", projection="pk").gives(items(scanned=1)),
            scan(filter=":m BETWEEN high AND low", values={":m": N("2")}, projection="pk").gives(
                items(scanned=1)
            ),
        ),
    ),
    fact(
        "6.28",
        "A",
        "`!=` and `==` do not exist (syntax error); inequality is `<>`.",
        in_condition("a != :v", syntax("!", "a !="), values={":v": S("x")}),
        in_condition("a == :v", syntax("=", "== :v"), values={":v": S("x")}),
        not_found("a <> :x", values=X),
    ),
    fact(
        "6.29",
        "A",
        "A bare path, bare placeholder or bare comparison operand is not a condition (syntax error).",
        in_condition("foo", syntax("<EOF>", "foo")),
        in_condition(":v", syntax("<EOF>", ":v"), values={":v": S("x")}),
        in_condition("a = :v AND b", syntax("<EOF>", "b"), values={":v": S("x")}),
        in_condition("NOT a", syntax("<EOF>", "a")),
        in_condition("a.b[1]", syntax("<EOF>", "]")),
    ),
    fact(
        "6.30",
        "D",
        "Precedence high to low: comparison, IN, BETWEEN, functions, parentheses, NOT, AND, OR.",
        found("a = :x OR a = :y AND a = :y", values=X | {":y": S("y")}),
        not_found("(a = :x OR a = :y) AND a = :y", values=X | {":y": S("y")}),
        not_found("NOT a = :x AND n = :n", values=X | ONE),
        found("NOT a = :x OR n = :n", values=X | ONE),
        found("n BETWEEN :n AND :n AND a IN (:x) AND NOT attribute_exists(b)", values=X | ONE),
        not_found("NOT n IN (:n) AND attribute_exists(a)", values=ONE),
    ),
    fact(
        "6.31",
        "A",
        "NOT NOT is allowed.",
        found("NOT NOT a = :x", values=X),
        not_found("NOT NOT NOT a = :x", values=X),
    ),
    fact(
        "6.32",
        "A",
        "A ProjectionExpression is fully validated before the read, also when the item is missing.",
        in_projection("a.status", reserved("status")),
        in_projection(
            "a, #b",
            "An expression attribute name used in the document path is not defined; attribute name: #b",
        ),
        batch_get([key("missing")], projection="a, a").fails(
            "Invalid ProjectionExpression: " + overlap("[a]", "[a]")
        ),
    ),
    fact(
        "6.33",
        "A",
        "Overlapping projection paths: `Invalid ProjectionExpression: Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [a], path two: [a, b]`.",
        get(key("a"), projection="a, a.b").fails(
            "Invalid ProjectionExpression: Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [a], path two: [a, b]"
        ),
        in_projection("a.b, a", overlap("[a, b]", "[a]")),
        in_projection("a, #a", overlap("[a]", "[a]"), names={"#a": "a"}),
        in_projection("a.b.c, b, a.b.c", overlap("[a, b, c]", "[a, b, c]")),
    ),
    fact(
        "6.34",
        "A",
        "A list index in those brackets is shown as `[0]`: `path two: [a, [0]]`.",
        in_projection(
            "a, a[0]",
            "Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [a], path two: [a, [0]]",
        ),
        in_projection("a[1].b, a[1].b.c", overlap("[a, [1], b]", "[a, [1], b, c]")),
    ),
    fact(
        "6.35",
        "A",
        "Conflicting paths (one uses a as a map, the other as a list): `Two document paths conflict with each other; must remove or rewrite one of these paths; path one: [a, b], path two: [a, [1]]`.",
        get(key("a"), projection="a.b, a[1]").fails(
            "Invalid ProjectionExpression: Two document paths conflict with each other; must remove or rewrite one of these paths; path one: [a, b], path two: [a, [1]]"
        ),
        in_projection("a[1], a.b", conflict("[a, [1]]", "[a, b]")),
    ),
    fact(
        "6.36",
        "",
        "Whitespace is free between tokens (A); `a . b` and `a [1]` are accepted (I).",
        found("a=:x", values=X),
        found("  a  =\n\t:x  AND  attribute_exists (  n  )  ", values=X),
        found("m . b = :x AND l [ 0 ] = :x", values=X),
        found("NOT(a<>:x)AND n IN(:n)", values=X | ONE),
    ),
    fact(
        "6.37",
        "A",
        "`#n` replaced by a name holding a dot denotes one attribute whose name contains the dot.",
        case(
            put(item("a") | {"x.y": S("dotted"), "x": mapping(y=S("nested"))}).gives({}),
            get(key("a"), projection="#n", names={"#n": "x.y"}).gives({"Item": {"x.y": S("dotted")}}),
            get(key("a"), projection="x.y").gives({"Item": {"x": mapping(y=S("nested"))}}),
            update(
                key("a"), "SET #n = :v", names={"#n": "x.y"}, values={":v": S("new")}, ReturnValues="ALL_NEW"
            ).gives({"Attributes": item("a") | {"x.y": S("new"), "x": mapping(y=S("nested"))}}),
        ),
    ),
    fact(
        "6.38",
        "A",
        "Negative or non-integer list indexes are syntax errors.",
        in_projection("a[-1]", syntax("-", "[-1")),
        in_projection("a[1.5]", syntax(".", "1.5")),
        in_projection("a[b]", syntax("b", "[b]")),
        in_projection("a[:v]", syntax(":v", "[:v]")),
    ),
    fact(
        "6.39",
        "A",
        "A list index over 4294967294: `Invalid ProjectionExpression: List index is not within the allowable range; index: [99999999999999]`; a merely large one is accepted. (the limit captured on UpdateItem, Sep 2026)",
        get(key("a"), projection="a[99999999999999]").fails(
            "Invalid ProjectionExpression: List index is not within the allowable range; index: [99999999999999]"
        ),
        in_projection("a[4294967295]", "List index is not within the allowable range; index: [4294967295]"),
        update(key("a"), "SET l[4294967295] = :v", values={":v": S("x")}).detects(
            "Invalid UpdateExpression: List index is not within the allowable range; index: [4294967295]"
        ),
        case(
            put(item("a", l=L(S("x")))).gives({}),
            get(key("a"), projection="l[1000000]").gives({"Item": {}}),
            get(key("a"), projection="l[4294967294]").gives({"Item": {}}),
            update(key("a"), "SET l[4294967294] = :v", values={":v": S("y")}).gives({}),
            get(key("a")).gives({"Item": item("a", l=L(S("x"), S("y")))}),
        ),
    ),
    fact(
        "6.40",
        "A",
        "A path deeper than 32 levels: `Invalid ProjectionExpression: The document path has too many nesting levels; nesting levels: 33`.",
        get(key("a"), projection=".".join(["a"] * 33)).fails(
            "Invalid ProjectionExpression: The document path has too many nesting levels; nesting levels: 33"
        ),
        in_projection("a" + "[0]" * 33, "The document path has too many nesting levels; nesting levels: 34"),
        get(key("a"), projection=".".join(["a"] * 32)).gives({}),
    ),
    fact(
        "6.41",
        "I, fits 6.42–6.55",
        "Tokens for 6.4: names (letter, then letters, digits, underscore), `#…` and `:…` placeholders, digit runs, the operators and punctuation, and each character that starts no token as a token by itself. `#` or `:` without a letter, digit or underscore after it is such a character.",
        in_condition("# = :v", syntax("#", "# ="), values={":v": S("x")}),
        in_condition("a = : AND", syntax(":", "= : AND")),
        in_condition("a $ b", syntax("$", "a $ b")),
        in_condition("a1_b 22 c", syntax("22", "a1_b 22 c")),
        in_condition("a <= <> b", syntax("<>", "<= <> b")),
        in_condition("#a1_ :b2_ c", syntax(":b2_", "#a1_ :b2_ c")),
        in_condition("a = é", syntax("é", "= é")),
        in_update("SET a = 12ab", syntax("12", "= 12ab")),
    ),
    fact(
        "6.42",
        "I; captured only for single blanks",
        "Whitespace in `near` is not normalised, so line breaks and runs of blanks come through as sent, as many as there are.",
        in_condition("a  \n\t b   c", syntax("b", "a  \n\t b   c")),
        in_update("SET  a\r\n\r\n=   1", syntax("1", "=   1")),
    ),
    fact(
        "6.43",
        "I, from another emulator's tests: `  RESET NonExistent value` gives near `  RESET NonExistent`; `SET MyStr[ 3 ` gives `<EOF>`, near `3 `; `REMOVE NoExist + ` gives `+`, near `NoExist + `",
        "Before the first token and after the last one: leading whitespace of the expression is part of `near` when the offending token is the first; trailing whitespace is when the offending token, or for `<EOF>` the last token, ends the expression.",
        in_update("  RESET NonExistent value", syntax("RESET", "  RESET NonExistent")),
        in_update("SET MyStr[ 3 ", syntax("<EOF>", "3 ")),
        in_update("REMOVE NoExist + ", syntax("+", "NoExist + ")),
        in_condition("a = :v b  ", syntax("b", ":v b  "), values={":v": S("x")}),
        in_condition("  foo  ", syntax("<EOF>", "foo  ")),
    ),
    fact(
        "6.44",
        "A",
        "ConditionExpression `attribute_not_exists(`: token `<EOF>`, near `(`.",
        in_condition("attribute_not_exists(", syntax("<EOF>", "(")),
    ),
    fact(
        "6.45",
        "A",
        "ConditionExpression `foo`: token `<EOF>`, near `foo`.",
        in_condition("foo", syntax("<EOF>", "foo")),
    ),
    fact(
        "6.46",
        "A",
        "UpdateExpression `ADD hits : incr`: token `:`, near `hits : incr`.",
        in_update("ADD hits : incr", syntax(":", "hits : incr")),
    ),
    fact(
        "6.47",
        "A",
        "`a-b` as ConditionExpression, FilterExpression, KeyConditionExpression or UpdateExpression: token `-`, near `a-b`.",
        in_condition("a-b", syntax("-", "a-b")),
        in_filter("a-b", syntax("-", "a-b")),
        in_key_condition("a-b", syntax("-", "a-b")),
        in_update("SET a-b", syntax("-", "a-b")),
    ),
    fact(
        "6.48",
        "A",
        "UpdateExpression `SET _123 = :v`: token `_`, near `SET _123`.",
        in_update("SET _123 = :v", syntax("_", "SET _123"), values={":v": S("x")}),
    ),
    fact(
        "6.49",
        "F",
        "KeyConditionExpression `PK = :pk and begins_with(SK, G_M#)`: token `#`, near `G_M#)`.",
        in_key_condition(
            "PK = :pk and begins_with(SK, G_M#)", syntax("#", "G_M#)"), table=PAIRS, values={":pk": S("a")}
        ),
    ),
    fact(
        "6.50",
        "F",
        "FilterExpression `contains (themes, :theme`: token `<EOF>`, near `:theme`.",
        in_filter("contains (themes, :theme", syntax("<EOF>", ":theme"), values={":theme": S("x")}),
    ),
    fact(
        "6.51",
        "F",
        "KeyConditionExpression beginning with `[object Object]`: token `[`, near `[object`.",
        in_key_condition("[object Object]", syntax("[", "[object")),
    ),
    fact(
        "6.52",
        "F",
        "FilterExpression holding `#articleId attribute_not_exists :ckpst`: token `attribute_not_exists`, near `#articleId attribute_not_exists :ckpst`.",
        in_filter(
            "a = :v AND #articleId attribute_not_exists :ckpst",
            syntax("attribute_not_exists", "#articleId attribute_not_exists :ckpst"),
            names={"#articleId": "articleId"},
            values={":v": S("x"), ":ckpst": S("x")},
        ),
    ),
    fact(
        "6.53",
        "F",
        "FilterExpression holding `tenantAgent:abc123-`: token `:abc123`, near `tenantAgent:abc123-`.",
        in_filter(
            "tenantAgent:abc123-def = :v", syntax(":abc123", "tenantAgent:abc123-"), values={":v": S("x")}
        ),
    ),
    fact(
        "6.54",
        "F, probably DynamoDB Local",
        "An expression with an empty argument list `()`: token `)`, near `()`.",
        in_condition("attribute_exists()", syntax(")", "()")),
        in_filter("a = size()", syntax(")", "()")),
    ),
    fact(
        "6.55",
        "F",
        "FilterExpression `NOT (#attr0)`: token `<EOF>`, near `)`. UpdateExpression `SET path = VALUE 1`: token `1`, near `VALUE 1`.",
        in_filter("NOT (#attr0)", syntax("<EOF>", ")"), names={"#attr0": "a"}),
        in_update("SET path = VALUE 1", syntax("1", "VALUE 1")),
    ),
)
