"""Section 8: update expressions."""

# ruff: noqa: E501 - the service's texts stand whole on their lines

from tests.facts.answers import any_order, items
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
    get,
    item,
    key,
    mapping,
    put,
    scan,
    update,
)
from tests.facts.table import Case, Step, case, fact, section

MISSING_ATTRIBUTE = "The provided expression refers to an attribute that does not exist in the item"
INVALID_PATH = "The document path provided in the update expression is invalid for update"
WRONG_TYPE = "An operand in the update expression has an incorrect data type"


def changes(before: Item, expression: str, after: Item, **more: object) -> Case:
    """An item with the attributes `before` has those of `after` once it is updated."""
    return case(
        put(item("a") | before).gives({}),
        update(key("a"), expression, ReturnValues="ALL_NEW", **more).gives({"Attributes": item("a") | after}),
        get(key("a")).gives({"Item": item("a") | after}),
    )


def refused(before: Item, expression: str, text: str, **more: object) -> Case:
    """The update fails and leaves the item as it was."""
    return case(
        put(item("a") | before).gives({}),
        update(key("a"), expression, **more).fails(text),
        get(key("a")).gives({"Item": item("a") | before}),
    )


def invalid(expression: str, text: str, **more: object) -> Step:
    return update(key("a"), expression, **more).detects("Invalid UpdateExpression: " + text)


def literal_type(operator: str, kind: str) -> str:
    return f"Incorrect operand type for operator or function; operator or function: {operator}, operand type: {kind}"


def action_type(action: str, kind: str) -> str:
    return f"Incorrect operand type for operator or function; operator: {action}, operand type: {kind}"


def overlap(one: str, two: str) -> str:
    return f"Two document paths overlap with each other; must remove or rewrite one of these paths; path one: {one}, path two: {two}"


V = {":v": S("new")}
ONE = {":n": N("1")}
SPELLED = {
    "STRING": S("x"),
    "NUMBER": N("1"),
    "BINARY": binary(b"x"),
    "BOOLEAN": BOOL(True),
    "NULL": NULL,
    "LIST": L(),
    "MAP": mapping(),
}

SECTION = section(
    8,
    "Update expressions",
    fact(
        "8.1",
        "A",
        "All right-hand sides are evaluated on the item as it was before: `SET a = :v, b = a` gives b the old a.",
        changes({"a": S("old")}, "SET a = :v, b = a", {"a": S("new"), "b": S("old")}, values=V),
        changes({"a": S("1"), "b": S("2")}, "SET a = b, b = a", {"a": S("2"), "b": S("1")}),
        changes({"a": S("old"), "c": S("x")}, "REMOVE a SET b = a", {"b": S("old"), "c": S("x")}),
        changes({"n": N("1")}, "ADD n :n SET m = n", {"n": N("2"), "m": N("1")}, values=ONE),
    ),
    fact(
        "8.2",
        "A",
        "Referring to a missing attribute in SET: `The provided expression refers to an attribute that does not exist in the item`.",
        refused(
            {}, "SET a = b", "The provided expression refers to an attribute that does not exist in the item"
        ),
        refused({}, "SET n = n + :n", MISSING_ATTRIBUTE, values=ONE),
        refused({}, "SET l = list_append(l, :l)", MISSING_ATTRIBUTE, values={":l": L()}),
        refused({"m": mapping(x=S("y"))}, "SET a = m.z", MISSING_ATTRIBUTE),
        update(key("a"), "SET a = b").fails(MISSING_ATTRIBUTE),
    ),
    fact(
        "8.3",
        "A",
        "A missing intermediate or a parent of the wrong type: `The document path provided in the update expression is invalid for update`.",
        refused(
            {},
            "SET a.b = :v",
            "The document path provided in the update expression is invalid for update",
            values=V,
        ),
        refused({"a": mapping()}, "SET a.b.c = :v", INVALID_PATH, values=V),
        refused({"a": S("x")}, "SET a.b = :v", INVALID_PATH, values=V),
        refused({"a": S("x")}, "SET a[0] = :v", INVALID_PATH, values=V),
        refused({"a": L()}, "SET a.b = :v", INVALID_PATH, values=V),
        refused({"a": mapping()}, "SET a[0] = :v", INVALID_PATH, values=V),
        refused({}, "SET a[0] = :v", INVALID_PATH, values=V),
    ),
    fact(
        "8.4",
        "A",
        'Each of SET, REMOVE, ADD, DELETE may occur once: `Invalid UpdateExpression: The "SET" section can only be used once in an update expression;`. Order is free.',
        update(key("a"), "SET a = :v SET b = :v", values=V).detects(
            'Invalid UpdateExpression: The "SET" section can only be used once in an update expression;'
        ),
        invalid("REMOVE a REMOVE b", 'The "REMOVE" section can only be used once in an update expression;'),
        invalid(
            "ADD a :n ADD b :n",
            'The "ADD" section can only be used once in an update expression;',
            values=ONE,
        ),
        invalid(
            "DELETE a :s SET c = :s DELETE b :s",
            'The "DELETE" section can only be used once in an update expression;',
            values={":s": SS("x")},
        ),
        changes(
            {"r": S("x"), "s": SS("p", "q")},
            "DELETE s :s ADD n :n REMOVE r SET a = :v",
            {"s": SS("q"), "n": N("1"), "a": S("new")},
            values={":s": SS("p"), **ONE, **V},
        ),
    ),
    fact(
        "8.5",
        "A",
        "Overlap within one expression: `Invalid UpdateExpression: Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [a], path two: [a]`.",
        update(key("a"), "SET a = :v, a = :v", values=V).detects(
            "Invalid UpdateExpression: Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [a], path two: [a]"
        ),
        invalid("SET a = :v REMOVE a", overlap("[a]", "[a]"), values=V),
        invalid("SET a.b = :v, a.b.c = :v", overlap("[a, b]", "[a, b, c]"), values=V),
        invalid("SET #a = :v, a[0] = :v", overlap("[a]", "[a, [0]]"), names={"#a": "a"}, values=V),
        invalid(
            "SET a.b = :v, a[0] = :v",
            "Two document paths conflict with each other; must remove or rewrite one of these paths; path one: [a, b], path two: [a, [0]]",
            values=V,
        ),
    ),
    fact(
        "8.6",
        "A",
        "Only one `+` or `-` per SET right side.",
        changes({"n": N("5")}, "SET n = n + :n", {"n": N("6")}, values=ONE),
        changes({"n": N("5")}, "SET n = :n - n", {"n": N("-4")}, values=ONE),
        invalid("SET n = n + :n + :n", 'Syntax error; token: "+", near: ":n + :n"', values=ONE),
        invalid("SET n = n - :n + :n", 'Syntax error; token: "+", near: ":n + :n"', values=ONE),
    ),
    fact(
        "8.7",
        "A",
        "`if_not_exists(a, :z) + :v` is the idiomatic counter.",
        case(
            update(
                key("a"),
                "SET n = if_not_exists(n, :z) + :n",
                values={":z": N("0"), **ONE},
                ReturnValues="UPDATED_NEW",
            ).gives({"Attributes": {"n": N("1")}}),
            update(
                key("a"),
                "SET n = if_not_exists(n, :z) + :n",
                values={":z": N("0"), **ONE},
                ReturnValues="UPDATED_NEW",
            ).gives({"Attributes": {"n": N("2")}}),
        ),
    ),
    fact(
        "8.8",
        "A",
        "if_not_exists' first argument must be a path; the second may be a path or literal or nested function.",
        changes({}, "SET a = if_not_exists(a, :v)", {"a": S("new")}, values=V),
        changes({"a": S("old")}, "SET a = if_not_exists(a, :v)", {"a": S("old")}, values=V),
        changes({"b": S("other")}, "SET a = if_not_exists(a, b)", {"a": S("other"), "b": S("other")}),
        changes({}, "SET a = if_not_exists(a, if_not_exists(b, :v))", {"a": S("new")}, values=V),
        changes(
            {},
            "SET l = list_append(if_not_exists(l, :e), :l)",
            {"l": L(S("x"))},
            values={":e": L(), ":l": L(S("x"))},
        ),
        invalid(
            "SET a = if_not_exists(:v, :v)",
            "Operator or function requires a document path; operator or function: if_not_exists",
            values=V,
        ),
    ),
    fact(
        "8.9",
        "A",
        "list_append needs two lists; the order of arguments decides prepend or append.",
        changes(
            {"l": L(S("1"))}, "SET l = list_append(l, :l)", {"l": L(S("1"), S("2"))}, values={":l": L(S("2"))}
        ),
        changes(
            {"l": L(S("1"))}, "SET l = list_append(:l, l)", {"l": L(S("2"), S("1"))}, values={":l": L(S("2"))}
        ),
        changes({"l": L(S("1"))}, "SET k = list_append(l, l)", {"l": L(S("1")), "k": L(S("1"), S("1"))}),
        invalid("SET l = list_append(l, :v)", literal_type("list_append", "S"), values=V),
    ),
    fact(
        "8.10",
        "A",
        "`+`/`-` on non-numbers: a literal gives `Invalid UpdateExpression: Incorrect operand type for operator or function; operator or function: +, operand type: S`; an attribute of another type gives `An operand in the update expression has an incorrect data type` (no `Invalid UpdateExpression: ` before it).",
        update(key("a"), "SET n = n + :v", values=V).detects(
            "Invalid UpdateExpression: Incorrect operand type for operator or function; operator or function: +, operand type: S"
        ),
        invalid("SET n = :v - n", literal_type("-", "L"), values={":v": L()}),
        refused(
            {"n": S("1")},
            "SET n = n + :n",
            "An operand in the update expression has an incorrect data type",
            values=ONE,
        ),
        refused({"n": L(N("1"))}, "SET n = :n - n", WRONG_TYPE, values=ONE),
    ),
    fact(
        "8.11",
        "A",
        "list_append on an attribute that is not a list: `An operand in the update expression has an incorrect data type`.",
        refused(
            {"l": S("x")},
            "SET l = list_append(l, :l)",
            "An operand in the update expression has an incorrect data type",
            values={":l": L()},
        ),
        refused({"l": SS("x")}, "SET k = list_append(:l, l)", WRONG_TYPE, values={":l": L()}),
    ),
    fact(
        "8.12",
        "A",
        "Arithmetic that needs more than 38 digits fails rather than rounding.",
        refused(
            {"n": N("1" * 38)},
            "SET n = n + :n",
            "Attempting to store more than 38 significant digits in a Number",
            values={":n": N("0.1")},
        ),
        refused(
            {"n": N("1" + "0" * 38)},
            "ADD n :n",
            "Attempting to store more than 38 significant digits in a Number",
            values=ONE,
        ),
        changes({"n": N("1e37")}, "SET n = n + :n", {"n": N("1" + "0" * 36 + "1")}, values=ONE),
        changes({"n": N("9" * 38)}, "SET n = n + :n", {"n": N("1" + "0" * 38)}, values=ONE),
        changes({"n": N("0.1")}, "SET n = n + :n", {"n": N("0.3")}, values={":n": N("0.2")}),
        refused(
            {"n": N("9" + "0" * 125)},
            "SET n = n + :n",
            "Number overflow. Attempting to store a number with magnitude larger than supported range",
            values={":n": N("9e125")},
        ),
    ),
    fact(
        "8.13",
        "A",
        "ADD on a missing numeric attribute starts from 0; on a missing item creates it.",
        changes({}, "ADD n :n", {"n": N("1")}, values=ONE),
        changes({"n": N("5")}, "ADD n :n", {"n": N("3.5")}, values={":n": N("-1.5")}),
        case(
            update(key("a"), "ADD n :n", values=ONE, ReturnValues="ALL_NEW").gives(
                {"Attributes": item("a", n=N("1"))}
            ),
            get(key("a")).gives({"Item": item("a", n=N("1"))}),
        ),
    ),
    fact(
        "8.14",
        "A",
        "ADD with a set on a missing attribute creates the set; on a set makes the union.",
        changes({}, "ADD s :s", {"s": any_order(SS("p", "q"))}, values={":s": SS("p", "q")}),
        changes(
            {"s": SS("p", "q")}, "ADD s :s", {"s": any_order(SS("p", "q", "r"))}, values={":s": SS("q", "r")}
        ),
        changes(
            {"s": NS("1", "2")},
            "ADD s :s",
            {"s": any_order(NS("1", "2", "3"))},
            values={":s": NS("2.0", "3")},
        ),
        changes(
            {"s": binaries(b"p")},
            "ADD s :s",
            {"s": any_order(binaries(b"p", b"q"))},
            values={":s": binaries(b"q")},
        ),
    ),
    fact(
        "8.15",
        "A",
        "ADD to an attribute of another type: `An operand in the update expression has an incorrect data type`.",
        refused(
            {"n": S("1")},
            "ADD n :n",
            "An operand in the update expression has an incorrect data type",
            values=ONE,
        ),
        refused({"n": NS("1")}, "ADD n :n", WRONG_TYPE, values=ONE),
        refused({"n": SS("1")}, "ADD n :s", WRONG_TYPE, values={":s": NS("1")}),
        refused({"n": N("1")}, "ADD n :s", WRONG_TYPE, values={":s": SS("1")}),
    ),
    fact(
        "8.16",
        "A",
        "ADD and DELETE take only a value placeholder, no operators.",
        invalid("ADD n m", 'Syntax error; token: "m", near: "n m"'),
        invalid("ADD n :n + :n", 'Syntax error; token: "+", near: ":n + :n"', values=ONE),
        invalid("DELETE s t", 'Syntax error; token: "t", near: "s t"'),
        invalid(
            "ADD n if_not_exists(n, :n)",
            'Syntax error; token: "if_not_exists", near: "n if_not_exists("',
            values=ONE,
        ),
    ),
    fact(
        "8.17",
        "A",
        "ADD accepts numbers and sets only; DELETE sets only. A wrong literal: `Invalid UpdateExpression: Incorrect operand type for operator or function; operator: ADD, operand type: STRING` (`operator:`, and the type spelled out: STRING, NUMBER, BINARY, BOOLEAN, NULL, LIST, MAP).",
        update(key("a"), "ADD a :v", values={":v": S("x")}).detects(
            "Invalid UpdateExpression: Incorrect operand type for operator or function; operator: ADD, operand type: STRING"
        ),
        *(
            invalid("ADD a :v", action_type("ADD", kind), values={":v": value})
            for kind, value in SPELLED.items()
            if kind != "NUMBER"
        ),
        *(
            invalid("DELETE a :v", action_type("DELETE", kind), values={":v": value})
            for kind, value in SPELLED.items()
        ),
    ),
    fact(
        "8.18",
        "A",
        "DELETE of the last members removes the attribute (no empty sets).",
        changes({"s": SS("p", "q")}, "DELETE s :s", {}, values={":s": SS("q", "p")}),
        changes({"s": NS("1")}, "DELETE s :s", {}, values={":s": NS("1.0", "2")}),
        changes(
            {"s": binaries(b"p", b"q")}, "DELETE s :s", {"s": binaries(b"q")}, values={":s": binaries(b"p")}
        ),
    ),
    fact(
        "8.19",
        "A",
        "DELETE of absent members or on an absent attribute does nothing.",
        changes({"s": SS("p")}, "DELETE s :s", {"s": SS("p")}, values={":s": SS("q")}),
        changes({}, "DELETE s :s", {}, values={":s": SS("q")}),
    ),
    fact(
        "8.20",
        "A",
        "SET to a list index beyond the end appends at the end, without gaps.",
        changes({"l": L(S("1"))}, "SET l[7] = :v", {"l": L(S("1"), S("new"))}, values=V),
        changes(
            {"l": L()}, "SET l[3] = :v, l[1] = :w", {"l": L(S("w"), S("new"))}, values=V | {":w": S("w")}
        ),
        changes({"l": L(S("1"), S("2"))}, "SET l[1] = :v", {"l": L(S("1"), S("new"))}, values=V),
    ),
    fact(
        "8.21",
        "A",
        "REMOVE of several list elements: indexes refer to the original list.",
        changes(
            {"l": L(*(S(str(i)) for i in range(5)))}, "REMOVE l[1], l[3]", {"l": L(S("0"), S("2"), S("4"))}
        ),
        changes(
            {"l": L(*(S(str(i)) for i in range(5)))}, "REMOVE l[3], l[0]", {"l": L(S("1"), S("2"), S("4"))}
        ),
    ),
    fact(
        "8.22",
        "A",
        "REMOVE beyond the list end does nothing; REMOVE of an absent top-level attribute does nothing.",
        changes({"l": L(S("1"))}, "REMOVE l[5]", {"l": L(S("1"))}),
        changes({}, "REMOVE a", {}),
        changes({"m": mapping(x=S("1"))}, "REMOVE m.y", {"m": mapping(x=S("1"))}),
    ),
    fact(
        "8.23",
        "A",
        "REMOVE with a missing parent in an existing item: `The document path provided in the update expression is invalid for update`.",
        refused(
            {}, "REMOVE a.b", "The document path provided in the update expression is invalid for update"
        ),
        refused({"a": mapping()}, "REMOVE a.b.c", INVALID_PATH),
        refused({}, "REMOVE a[0]", INVALID_PATH),
    ),
    fact(
        "8.24",
        "A",
        "UpdateItem with only the Key creates an item of just the key.",
        case(update(key("a")).gives({}), get(key("a")).gives({"Item": key("a")})),
        case(update(key("a"), ReturnValues="ALL_NEW").gives({"Attributes": key("a")})),
        case(
            put(item("a", v=S("x"))).gives({}),
            update(key("a")).gives({}),
            get(key("a")).gives({"Item": item("a", v=S("x"))}),
        ),
    ),
    fact(
        "8.25",
        "",
        "UpdateItem on a missing item: an expression of only top-level REMOVE creates nothing, nor do AttributeUpdates that only DELETE whole attributes (A). Only DELETE of set members creates nothing (I). A nested REMOVE (`REMOVE a.b`) fails like 8.23, as nested SET does on a missing item (I; the SET case A). Only the Key, or empty AttributeUpdates, creates the item (8.24).",
        case(update(key("a"), "REMOVE b, c").gives({}), get(key("a")).gives({})),
        case(
            update(key("a"), AttributeUpdates={"b": {"Action": "DELETE"}}).gives({}), get(key("a")).gives({})
        ),
        case(update(key("a"), "DELETE s :s", values={":s": SS("x")}).gives({}), get(key("a")).gives({})),
        case(update(key("a"), "REMOVE b.c").fails(INVALID_PATH), get(key("a")).gives({})),
        case(update(key("a"), "SET b.c = :v", values=V).fails(INVALID_PATH), get(key("a")).gives({})),
        case(update(key("a"), AttributeUpdates={}).gives({}), get(key("a")).gives({"Item": key("a")})),
        case(
            update(key("a"), "REMOVE b SET c = :v", values=V).gives({}),
            get(key("a")).gives({"Item": item("a", c=S("new"))}),
        ),
    ),
    fact(
        "8.26",
        "D",
        "UpdateItem with an update that fails leaves no partial change.",
        refused({"a": S("old")}, "SET a = :v, b.c = :v", INVALID_PATH, values=V),
        refused({"a": S("old"), "n": S("x")}, "SET a = :v ADD n :n", WRONG_TYPE, values=V | ONE),
        case(
            update(key("a"), "SET a = :v, b = c", values=V).fails(MISSING_ATTRIBUTE),
            scan().gives(items()),
        ),
    ),
    fact(
        "8.27",
        "A",
        "An empty UpdateExpression is an error, not a no-op.",
        update(key("a"), "").detects("Invalid UpdateExpression: The expression can not be empty;"),
    ),
)
