"""Section 7: the semantics of conditions and filters."""

# ruff: noqa: E501 - the service's texts stand whole on their lines

from tests.facts.answers import Matcher, items, joined
from tests.facts.requests import (
    BOOL,
    NS,
    NULL,
    SS,
    Item,
    L,
    N,
    S,
    binaries,
    binary,
    delete,
    get,
    item,
    key,
    mapping,
    put,
    scan,
    update,
)
from tests.facts.shapes import PAIRS
from tests.facts.table import Case, case, fact, section

FAILED = "The conditional request failed"
CHECK_FAILED = "ConditionalCheckFailedException"
X = {":x": S("x")}


def holds(attributes: Item, *conditions: str, values: Item | None = None) -> Case:
    """The filters find the item with these attributes, and the conditions let it be written."""
    return _judged(attributes, conditions, values, True)


def fails(attributes: Item, *conditions: str, values: Item | None = None) -> Case:
    return _judged(attributes, conditions, values, False)


def _judged(attributes: Item, conditions: tuple[str, ...], values: Item | None, outcome: bool) -> Case:
    given = {"values": values} if values else {}
    stored = item("a") | attributes
    steps = [put(stored).gives({})]
    for condition in conditions:
        found = items(key("a")) if outcome else items(scanned=1)
        steps.append(scan(filter=condition, projection="pk", **given).gives(found))
        write = update(key("a"), condition=condition, **given)
        steps.append(write.gives({}) if outcome else write.fails(FAILED, CHECK_FAILED))
    return case(*steps)


def type_name(kind: str, given: str) -> Matcher:
    return joined(
        f"Invalid {kind}: Invalid attribute type name found; type: {given}, valid types: {{",
        "B", "NULL", "SS", "BOOL", "L", "BS", "N", "NS", "S", "M",
        separator=",",
        after="}",
    )  # fmt: skip


SECTION = section(
    7,
    "Condition and filter semantics",
    fact(
        "7.1",
        "A",
        "`=` with a missing attribute is false; `<>` with one side missing is true.",
        fails({}, "a = :x", ":x = a", values=X),
        fails({}, "a = b"),
        holds({}, "a <> :x", ":x <> a", values=X),
        holds({"b": S("x")}, "a <> b", "b <> a"),
    ),
    fact(
        "7.2",
        "A",
        "Ordering comparisons with a missing attribute or different types are false.",
        fails(
            {}, *(f"a {operator} :x" for operator in ("<", "<=", ">", ">=")), "a BETWEEN :x AND :x", values=X
        ),
        fails({"a": N("1")}, *(f"a {operator} :x" for operator in ("<", "<=", ">", ">=")), values=X),
        fails({"a": binary(b"x")}, "a BETWEEN :x AND :x", "a <= :x", "a >= :x", values=X),
        fails({"a": S("x"), "b": N("1")}, "a < b", "a >= b", "b < a", "b >= a"),
    ),
    fact(
        "7.3",
        "A",
        "`=` between different types is false, `<>` true.",
        fails({"a": N("1")}, "a = :one", values={":one": S("1")}),
        holds({"a": N("1")}, "a <> :one", ":one <> a", values={":one": S("1")}),
        fails({"a": SS("1"), "b": NS("1")}, "a = b"),
        holds({"a": L(S("1")), "b": SS("1")}, "a <> b"),
    ),
    fact(
        "7.4",
        "A",
        "Equality is deep for lists and maps; sets are equal regardless of order; numbers by value.",
        holds(
            {"a": L(N("1.0"), mapping(x=SS("p", "q"), y=NULL))},
            "a = :v",
            values={":v": L(N("1"), mapping(y=NULL, x=SS("q", "p")))},
        ),
        fails({"a": L(S("x"), S("y"))}, "a = :v", values={":v": L(S("y"), S("x"))}),
        fails({"a": mapping(x=S("p"))}, "a = :v", values={":v": mapping(x=S("p"), y=S("q"))}),
        holds({"a": SS("p", "q", "r")}, "a = :v", values={":v": SS("r", "p", "q")}),
        holds({"a": NS("1", "2")}, "a = :v", values={":v": NS("2.0", "1e0")}),
        holds({"a": binaries(b"p", b"q")}, "a = :v", values={":v": binaries(b"q", b"p")}),
        holds({"a": N("100")}, "a = :v", values={":v": N("1e2")}),
        fails({"a": SS("p", "q")}, "a = :v", values={":v": SS("p")}),
    ),
    fact(
        "7.5",
        "A",
        "Two attributes may be compared with each other.",
        holds({"a": N("1"), "b": N("2")}, "a < b", "b > a", "a <> b"),
        fails({"a": N("1"), "b": N("2")}, "a = b", "a >= b"),
        holds({"a": mapping(x=S("p")), "b": L(S("p"))}, "a.x = b[0]"),
    ),
    fact(
        "7.6",
        "A",
        "AND binds tighter than OR; NOT tighter than AND.",
        holds(
            {"a": S("x")},
            "a = :x OR a = :y AND a = :y",
            "a = :y AND a = :y OR a = :x",
            values=X | {":y": S("y")},
        ),
        fails({"a": S("x")}, "NOT a = :x AND a = :x", values=X),
        holds({"a": S("x")}, "NOT a = :y AND a = :x", values=X | {":y": S("y")}),
    ),
    fact(
        "7.7",
        "A",
        "attribute_exists is true for an attribute holding NULL.",
        holds({"a": NULL}, "attribute_exists(a)"),
        fails({"a": NULL}, "attribute_not_exists(a)"),
    ),
    fact(
        "7.8",
        "A",
        "attribute_exists(a.b[1]) tests the nested element.",
        holds(
            {"a": mapping(b=L(S("x"), S("y")))}, "attribute_exists(a.b[1])", "attribute_not_exists(a.b[2])"
        ),
        fails(
            {"a": mapping(b=L(S("x"), S("y")))},
            "attribute_exists(a.b[2])",
            "attribute_exists(a.c)",
            "attribute_exists(a[0])",
        ),
    ),
    fact(
        "7.9",
        "D",
        'attribute_not_exists(pk) is the "create only" idiom; it sees only the item with the same full key.',
        case(
            put(item("a", "1", v=S("first")), PAIRS, condition="attribute_not_exists(pk)").gives({}),
            put(item("a", "1", v=S("second")), PAIRS, condition="attribute_not_exists(pk)").fails(
                FAILED, CHECK_FAILED
            ),
            put(item("a", "2", v=S("other")), PAIRS, condition="attribute_not_exists(pk)").gives({}),
            get(key("a", "1"), PAIRS).gives({"Item": item("a", "1", v=S("first"))}),
        ),
    ),
    fact(
        "7.10",
        "A",
        "attribute_type needs a literal S with one of S, SS, N, NS, B, BS, BOOL, NULL, L, M; any other string: `Invalid FilterExpression: Invalid attribute type name found; type: 1, valid types: {B,NULL,SS,BOOL,L,BS,N,NS,S,M}`, and the order within the braces varies between answers, so tests compare it as a set.",
        *(
            holds({"a": value}, "attribute_type(a, :t)", values={":t": S(kind)})
            for kind, value in (
                ("S", S("x")),
                ("SS", SS("x")),
                ("N", N("1")),
                ("NS", NS("1")),
                ("B", binary(b"x")),
                ("BS", binaries(b"x")),
                ("BOOL", BOOL(False)),
                ("NULL", NULL),
                ("L", L()),
                ("M", mapping()),
            )
        ),
        fails({"a": S("x")}, "attribute_type(a, :t)", "attribute_type(b, :t)", values={":t": S("N")}),
        scan(filter="attribute_type(a, :t)", values={":t": S("1")}).fails(type_name("FilterExpression", "1")),
        scan(filter="attribute_type(a, :t)", values={":t": N("1")}).fails(
            "Invalid FilterExpression: Incorrect operand type for operator or function; operator or function: attribute_type, operand type: N"
        ),
    ),
    fact(
        "7.11",
        "A",
        "contains on S: substring; on B: a contiguous run of bytes; on sets and lists: membership of an equal value (any type for lists); on maps: never.",
        holds({"a": S("abcd")}, "contains(a, :v)", values={":v": S("bc")}),
        holds({"a": S("abcd")}, "contains(a, :v)", values={":v": S("")}),
        fails({"a": S("abcd")}, "contains(a, :v)", values={":v": S("bd")}),
        holds({"a": binary(b"\x01\x02\x03")}, "contains(a, :v)", values={":v": binary(b"\x02\x03")}),
        fails({"a": binary(b"\x01\x02\x03")}, "contains(a, :v)", values={":v": binary(b"\x01\x03")}),
        holds({"a": SS("p", "q")}, "contains(a, :v)", values={":v": S("q")}),
        fails({"a": SS("pq")}, "contains(a, :v)", values={":v": S("p")}),
        holds({"a": NS("1", "2")}, "contains(a, :v)", values={":v": N("2.0")}),
        holds({"a": binaries(b"p", b"q")}, "contains(a, :v)", values={":v": binary(b"q")}),
        *(
            holds({"a": L(S("x"), value)}, "contains(a, :v)", values={":v": value})
            for value in (S("p"), N("1"), NULL, BOOL(True), SS("q", "p"), L(S("p")), mapping(x=N("1")))
        ),
        fails({"a": L(L(S("p")))}, "contains(a, :v)", values={":v": S("p")}),
        fails({"a": mapping(p=S("q"))}, "contains(a, :v)", values={":v": S("p")}),
        fails({"a": mapping(p=S("q"))}, "contains(a, :v)", values={":v": S("q")}),
        holds({"a": S("abcd"), "b": S("cd")}, "contains(a, b)"),
    ),
    fact(
        "7.12",
        "A",
        "contains with a literal of another type is just false, with no error.",
        fails({"a": S("1")}, "contains(a, :v)", values={":v": N("1")}),
        fails({"a": SS("1")}, "contains(a, :v)", values={":v": N("1")}),
        fails({"a": binary(b"1")}, "contains(a, :v)", values={":v": S("1")}),
        fails({"a": N("12")}, "contains(a, :v)", values={":v": N("1")}),
        fails({"a": S("1")}, "contains(a, :v)", values={":v": L()}),
    ),
    fact(
        "7.13",
        "A",
        "begins_with works on S and B; a wrongly typed attribute in the item is false, a wrongly typed literal is an error.",
        holds({"a": S("abc")}, "begins_with(a, :v)", values={":v": S("ab")}),
        holds({"a": S("abc")}, "begins_with(a, :v)", values={":v": S("")}),
        fails({"a": S("abc")}, "begins_with(a, :v)", values={":v": S("b")}),
        holds({"a": binary(b"\x00\x01")}, "begins_with(a, :v)", values={":v": binary(b"\x00")}),
        fails({"a": N("12")}, "begins_with(a, :v)", values={":v": S("1")}),
        fails({"a": binary(b"ab")}, "begins_with(a, :v)", values={":v": S("a")}),
        fails({}, "begins_with(a, :v)", values={":v": S("a")}),
        scan(filter="begins_with(a, :v)", values={":v": N("1")}).fails(
            "Invalid FilterExpression: Incorrect operand type for operator or function; operator or function: begins_with, operand type: N"
        ),
    ),
    fact(
        "7.14",
        "A",
        "size works on S, B, sets, L, M; on N or BOOL attributes the comparison is false; size of a missing attribute makes the comparison false.",
        *(
            holds({"a": value}, "size(a) = :n", values={":n": N(size)})
            for size, value in (
                ("3", S("abc")),
                ("2", binary(b"ab")),
                ("2", SS("abc", "d")),
                ("1", NS("100")),
                ("1", binaries(b"abc")),
                ("2", L(S("a"), S("b"))),
                ("1", mapping(key=S("a"))),
            )
        ),
        *(
            fails(
                {"a": value},
                "size(a) = :n",
                "size(a) > :n",
                "size(a) < :n",
                "size(a) <> :n",
                values={":n": N("1")},
            )
            for value in (N("1"), BOOL(True))
        ),
        fails({}, "size(a) = :n", "size(a) < :n", "size(a) <> :n", values={":n": N("1")}),
        holds(
            {"a": S("abc"), "b": N("3")},
            "size(a) = b",
            "b = size(a)",
            "size(a) BETWEEN b AND b",
            "size(a) IN (b)",
        ),
    ),
    fact(
        "7.15",
        "A",
        "size(:literal) with an N literal is an operand type error.",
        scan(filter="size(:n) = a", values={":n": N("1")}).fails(
            "Invalid FilterExpression: Incorrect operand type for operator or function; operator or function: size, operand type: N"
        ),
        holds({"a": N("3")}, "size(:v) = a", values={":v": S("abc")}),
    ),
    fact(
        "7.16",
        "A",
        "`a IN (:x, :y)`: equality with any; operands may be paths or literals.",
        holds({"a": S("x"), "b": S("y")}, "a IN (:x, :y)", "b IN (:x, :y)", values=X | {":y": S("y")}),
        fails({"a": S("z")}, "a IN (:x, :y)", "c IN (:x, :y)", values=X | {":y": S("y")}),
        holds({"a": S("x"), "b": S("x")}, "a IN (c, b)", "a IN (b)"),
        holds({"a": N("1.0")}, "a IN (:n)", ":n IN (b, a)", values={":n": N("1")}),
        holds({"a": L(S("x"))}, "a IN (:v)", values={":v": L(S("x"))}),
    ),
    fact(
        "7.17",
        "A",
        "Filters may refer to attributes left out by the projection.",
        case(
            put(item("a", a=S("x"), b=S("y"))).gives({}),
            scan(filter="a = :x", projection="b", values=X).gives(items({"b": S("y")})),
            scan(filter="attribute_not_exists(a)", projection="b").gives(items(scanned=1)),
        ),
    ),
    fact(
        "7.18",
        "D",
        "Conditions see the item before the write.",
        case(
            put(item("a", n=N("1"))).gives({}),
            update(
                key("a"), "SET n = :two", condition="n = :one", values={":one": N("1"), ":two": N("2")}
            ).gives({}),
            update(
                key("a"), "SET n = :two", condition="n = :one", values={":one": N("1"), ":two": N("2")}
            ).fails(FAILED, CHECK_FAILED),
            put(item("a", n=N("3")), condition="n = :three", values={":three": N("3")}).fails(
                FAILED, CHECK_FAILED
            ),
            get(key("a")).gives({"Item": item("a", n=N("2"))}),
        ),
    ),
    fact(
        "7.19",
        "A",
        "A condition on a missing item is evaluated against an item without attributes.",
        put(key("a"), condition="attribute_exists(pk)").fails(FAILED, CHECK_FAILED),
        delete(key("a"), condition="pk = :p", values={":p": S("a")}).fails(FAILED, CHECK_FAILED),
        delete(key("a"), condition="pk <> :p", values={":p": S("a")}).gives({}),
        case(
            update(
                key("a"), "SET n = :n", condition="attribute_not_exists(n) AND n <> :n", values={":n": N("1")}
            ).gives({}),
            get(key("a")).gives({"Item": item("a", n=N("1"))}),
        ),
    ),
)
