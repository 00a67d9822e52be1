"""Section 22: the legacy parameters."""

# ruff: noqa: E501 - the service's texts stand whole on their lines

from typing import Any

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
    batch_get,
    binary,
    delete,
    get,
    item,
    key,
    mapping,
    put,
    query,
    scan,
    update,
)
from tests.facts.shapes import INDEXED, PAIRS
from tests.facts.table import Case, Step, case, fact, section

INVALID = "One or more parameter values were invalid: "
FAILED = "The conditional request failed"
CHECK_FAILED = "ConditionalCheckFailedException"


def compare(operator: str, *values: Any) -> dict[str, Any]:
    """A condition; without values there is no AttributeValueList."""
    condition: dict[str, Any] = {"ComparisonOperator": operator}
    return condition | {"AttributeValueList": list(values)} if values else condition


def expected(condition: dict[str, Any], text: str) -> Step:
    return put(key("a"), Expected={"a": condition}).fails(text)


def key_conditions(**conditions: Any) -> Any:
    return query(table=PAIRS, KeyConditions=conditions)


def holds(attributes: Item, outcome: bool, **conditions: dict[str, Any]) -> Case:
    """The conditions, as a ScanFilter and as Expected."""
    stored = item("a") | attributes
    found = items(stored) if outcome else items(scanned=1)
    write = update(key("a"), Expected=conditions, AttributeUpdates={})
    return case(
        put(stored).gives({}),
        scan(ScanFilter=conditions).gives(found),
        write.gives({}) if outcome else write.fails(FAILED, CHECK_FAILED),
    )


def changes(before: Item, updates: dict[str, Any], after: Item) -> Case:
    return case(
        put(item("a") | before).gives({}),
        update(key("a"), AttributeUpdates=updates, ReturnValues="ALL_NEW").gives(
            {"Attributes": item("a") | after}
        ),
        get(key("a")).gives({"Item": item("a") | after}),
    )


SECTION = section(
    22,
    "Legacy API",
    fact(
        "22.1",
        "A",
        "Expected with Exists true or absent but no Value: `One or more parameter values were invalid: Value must be provided when Exists is true for Attribute: a` (`null` in place of `true` when absent).",
        expected(
            {"Exists": True},
            "One or more parameter values were invalid: Value must be provided when Exists is true for Attribute: a",
        ),
        expected(
            {},
            "One or more parameter values were invalid: Value must be provided when Exists is null for Attribute: a",
        ),
    ),
    fact(
        "22.2",
        "A",
        "Exists false with Value: `One or more parameter values were invalid: Value cannot be used when Exists is false for Attribute: a`.",
        expected(
            {"Exists": False, "Value": S("x")},
            "One or more parameter values were invalid: Value cannot be used when Exists is false for Attribute: a",
        ),
    ),
    fact(
        "22.3",
        "A",
        "Exists with ComparisonOperator: `One or more parameter values were invalid: Exists and ComparisonOperator cannot be used together for Attribute: a`.",
        expected(
            {"Exists": True, "Value": S("x"), "ComparisonOperator": "EQ"},
            "One or more parameter values were invalid: Exists and ComparisonOperator cannot be used together for Attribute: a",
        ),
        expected(
            {"Exists": False, "ComparisonOperator": "NULL"},
            INVALID + "Exists and ComparisonOperator cannot be used together for Attribute: a",
        ),
    ),
    fact(
        "22.4",
        "A",
        "Value with AttributeValueList: `One or more parameter values were invalid: Value and AttributeValueList cannot be used together for Attribute: a`.",
        expected(
            {"Value": S("x"), "ComparisonOperator": "EQ", "AttributeValueList": [S("x")]},
            "One or more parameter values were invalid: Value and AttributeValueList cannot be used together for Attribute: a",
        ),
    ),
    fact(
        "22.5",
        "A",
        "Argument count: `One or more parameter values were invalid: Invalid number of argument(s) for the EQ ComparisonOperator`.",
        scan(ScanFilter={"a": compare("EQ")}).fails(
            "One or more parameter values were invalid: Invalid number of argument(s) for the EQ ComparisonOperator"
        ),
        *(
            scan(ScanFilter={"a": compare(operator, *values)}).fails(
                INVALID + f"Invalid number of argument(s) for the {operator} ComparisonOperator"
            )
            for operator, values in (
                ("EQ", (S("x"), S("y"))),
                ("NULL", (S("x"),)),
                ("NOT_NULL", (S("x"),)),
                ("BETWEEN", (S("x"),)),
                ("IN", ()),
                ("BEGINS_WITH", (S("x"), S("y"))),
                ("CONTAINS", ()),
            )
        ),
        expected(
            compare("LT", S("x"), S("y")),
            INVALID + "Invalid number of argument(s) for the LT ComparisonOperator",
        ),
    ),
    fact(
        "22.6",
        "A",
        "Type: `One or more parameter values were invalid: ComparisonOperator BEGINS_WITH is not valid for N AttributeValue type`.",
        scan(ScanFilter={"a": compare("BEGINS_WITH", N("1"))}).fails(
            "One or more parameter values were invalid: ComparisonOperator BEGINS_WITH is not valid for N AttributeValue type"
        ),
        scan(ScanFilter={"a": compare("LT", L())}).fails(
            INVALID + "ComparisonOperator LT is not valid for L AttributeValue type"
        ),
        expected(
            compare("GE", SS("x")), INVALID + "ComparisonOperator GE is not valid for SS AttributeValue type"
        ),
    ),
    fact(
        "22.7",
        "A",
        "Mixed list: `One or more parameter values were invalid: AttributeValues inside AttributeValueList must be of same type`.",
        scan(ScanFilter={"a": compare("BETWEEN", N("1"), S("x"))}).fails(
            "One or more parameter values were invalid: AttributeValues inside AttributeValueList must be of same type"
        ),
        scan(ScanFilter={"a": compare("IN", N("1"), S("x"))}).fails(
            "One or more parameter values were invalid: AttributeValues inside AttributeValueList must be of same type"
        ),
    ),
    fact(
        "22.8",
        "A",
        "NE is true on a missing attribute; NOT_CONTAINS is false on a missing one.",
        holds({}, True, a=compare("NE", S("x"))),
        holds({"a": N("1")}, True, a=compare("NE", S("1"))),
        holds({"a": S("x")}, False, a=compare("NE", S("x"))),
        holds({}, False, a=compare("NOT_CONTAINS", S("x"))),
        holds({"a": S("abc")}, True, a=compare("NOT_CONTAINS", S("x"))),
        holds({"a": S("axc")}, False, a=compare("NOT_CONTAINS", S("x"))),
    ),
    fact(
        "22.9",
        "A",
        "NULL and NOT_NULL operators test absence and presence, not the NULL type.",
        holds({}, True, a=compare("NULL")),
        holds({"a": NULL}, False, a=compare("NULL")),
        holds({"a": NULL}, True, a=compare("NOT_NULL")),
        holds({}, False, a=compare("NOT_NULL")),
    ),
    fact(
        "22.10",
        "A",
        "ConditionalOperator defaults to AND.",
        holds({"a": S("x"), "b": S("y")}, False, a=compare("EQ", S("x")), b=compare("EQ", S("z"))),
        holds({"a": S("x"), "b": S("y")}, True, a=compare("EQ", S("x")), b=compare("EQ", S("y"))),
        case(
            put(item("a", a=S("x"), b=S("y"))).gives({}),
            *(
                scan(
                    ScanFilter={"a": compare("EQ", S("x")), "b": compare("EQ", S("z"))},
                    ConditionalOperator=operator,
                ).gives(found)
                for operator, found in (
                    ("AND", items(scanned=1)),
                    ("OR", items(item("a", a=S("x"), b=S("y")))),
                )
            ),
            put(
                key("a"),
                Expected={"a": compare("EQ", S("x")), "b": compare("EQ", S("z"))},
                ConditionalOperator="AND",
            ).fails(FAILED, CHECK_FAILED),
            delete(
                key("a"),
                Expected={"a": compare("EQ", S("x")), "b": compare("EQ", S("z"))},
                ConditionalOperator="OR",
            ).gives({}),
        ),
        *(
            holds({"a": value}, outcome, a=compare(operator, *values))
            for value, outcome, operator, values in (
                (S("b"), True, "LT", (S("c"),)),
                (S("b"), False, "GT", (S("c"),)),
                (N("2"), True, "LE", (N("2.0"),)),
                (N("2"), True, "GE", (N("2"),)),
                (N("2"), True, "BETWEEN", (N("1"), N("3"))),
                (S("abc"), True, "BEGINS_WITH", (S("ab"),)),
                (S("abc"), True, "CONTAINS", (S("b"),)),
                (SS("p", "q"), True, "CONTAINS", (S("q"),)),
                (S("b"), True, "IN", (S("a"), S("b"))),
                (S("z"), False, "IN", (S("a"), S("b"))),
                (mapping(x=L(S("y"))), True, "EQ", (mapping(x=L(S("y"))),)),
            )
        ),
        case(
            put(key("a"), Expected={"a": {"Exists": False}}).gives({}),
            put(item("a", a=S("x")), Expected={"pk": {"Value": S("a")}}).gives({}),
            put(key("a"), Expected={"a": {"Exists": False}}).fails(FAILED, CHECK_FAILED),
            put(key("a"), Expected={"a": {"Exists": True, "Value": S("x")}}).gives({}),
        ),
    ),
    fact(
        "22.11",
        "A",
        "KeyConditions with a non-indexable operator: `Attempted conditional constraint is not an indexable operation`.",
        *(
            key_conditions(pk=compare("EQ", S("a")), sk=compare(operator, *values)).fails(
                "Attempted conditional constraint is not an indexable operation"
            )
            for operator, values in (
                ("NE", (S("x"),)),
                ("NULL", ()),
                ("NOT_NULL", ()),
                ("CONTAINS", (S("x"),)),
                ("NOT_CONTAINS", (S("x"),)),
                ("IN", (S("x"), S("y"))),
            )
        ),
        case(
            *(put(key("a", sk), PAIRS).gives({}) for sk in ("1", "2", "21", "3")),
            *(
                key_conditions(
                    pk=compare("EQ", S("a")), sk=compare(operator, *(S(text) for text in texts))
                ).gives(items(*(key("a", sk) for sk in found)))
                for operator, texts, found in (
                    ("EQ", ("2",), ("2",)),
                    ("LT", ("2",), ("1",)),
                    ("LE", ("2",), ("1", "2")),
                    ("GT", ("2",), ("21", "3")),
                    ("GE", ("2",), ("2", "21", "3")),
                    ("BEGINS_WITH", ("2",), ("2", "21")),
                    ("BETWEEN", ("2", "21"), ("2", "21")),
                )
            ),
            key_conditions(pk=compare("EQ", S("a"))).gives(
                items(*(key("a", sk) for sk in ("1", "2", "21", "3")))
            ),
        ),
        case(
            put(item("a", "1", gk=S("g"), gr=N("1")), INDEXED).gives({}),
            query(
                table=INDEXED,
                index="g_r",
                KeyConditions={"gk": compare("EQ", S("g")), "gr": compare("GT", N("0"))},
            ).gives(items(item("a", "1", gk=S("g"), gr=N("1")))),
        ),
    ),
    fact(
        "22.12",
        "D",
        "AttributeUpdates actions: PUT (default), ADD, DELETE.",
        changes({"a": S("x")}, {"a": {"Value": S("y")}}, {"a": S("y")}),
        changes(
            {"a": S("x")}, {"a": {"Value": L(), "Action": "PUT"}, "b": {"Value": NULL}}, {"a": L(), "b": NULL}
        ),
        changes({"n": N("1")}, {"n": {"Value": N("2"), "Action": "ADD"}}, {"n": N("3")}),
        changes({}, {"n": {"Value": N("2"), "Action": "ADD"}}, {"n": N("2")}),
        changes({"s": SS("p")}, {"s": {"Value": SS("q"), "Action": "ADD"}}, {"s": any_order(SS("p", "q"))}),
        changes({"s": SS("p", "q")}, {"s": {"Value": SS("q"), "Action": "DELETE"}}, {"s": SS("p")}),
        changes({"a": S("x")}, {"a": {"Action": "DELETE"}}, {}),
    ),
    fact(
        "22.13",
        "A",
        "AttributeUpdates without a value but not DELETE: `One or more parameter values were invalid: Only DELETE action is allowed when no attribute value is specified`.",
        *(
            update(key("a"), AttributeUpdates={"a": change}).fails(
                "One or more parameter values were invalid: Only DELETE action is allowed when no attribute value is specified"
            )
            for change in ({}, {"Action": "PUT"}, {"Action": "ADD"})
        ),
    ),
    fact(
        "22.14",
        "A",
        "AttributeUpdates of a wrong type against the stored attribute: `Type mismatch for attribute to update`.",
        *(
            case(
                put(item("a", a=stored)).gives({}),
                update(key("a"), AttributeUpdates={"a": {"Value": value, "Action": action}}).fails(
                    "Type mismatch for attribute to update"
                ),
                get(key("a")).gives({"Item": item("a", a=stored)}),
            )
            for stored, value, action in (
                (S("x"), N("1"), "ADD"),
                (NS("1"), SS("x"), "ADD"),
                (N("1"), NS("1"), "ADD"),
                (NS("1"), SS("x"), "DELETE"),
            )
        ),
    ),
    fact(
        "22.15",
        "A",
        "AttributeUpdates DELETE with a scalar value: `One or more parameter values were invalid: DELETE action with value is not supported for the type S`.",
        update(key("a"), AttributeUpdates={"a": {"Value": S("x"), "Action": "DELETE"}}).fails(
            "One or more parameter values were invalid: DELETE action with value is not supported for the type S"
        ),
        *(
            update(key("a"), AttributeUpdates={"a": {"Value": value, "Action": "DELETE"}}).fails(
                INVALID + f"DELETE action with value is not supported for the type {kind}"
            )
            for kind, value in (
                ("N", N("1")),
                ("B", binary(b"x")),
                ("BOOL", BOOL(True)),
                ("L", L()),
                ("M", mapping()),
            )
        ),
    ),
    fact(
        "22.16",
        "A",
        "AttributeUpdates DELETE without value removes the attribute.",
        changes(
            {"a": S("x"), "b": S("y")}, {"a": {"Action": "DELETE"}, "c": {"Action": "DELETE"}}, {"b": S("y")}
        ),
    ),
    fact(
        "22.17",
        "A",
        "AttributesToGet names top-level attributes only and does not add keys.",
        case(
            put(item("a", a=S("x"), m=mapping(b=S("y"))) | {"m.b": S("dotted")}).gives({}),
            get(key("a"), AttributesToGet=["a"]).gives({"Item": {"a": S("x")}}),
            get(key("a"), AttributesToGet=["m.b", "pk"]).gives({"Item": {"pk": S("a"), "m.b": S("dotted")}}),
            get(key("a"), AttributesToGet=["m"]).gives({"Item": {"m": mapping(b=S("y"))}}),
            scan(AttributesToGet=["a", "nothing"]).gives(items({"a": S("x")})),
            batch_get([key("a")], AttributesToGet=["a"]).gives(
                {"Responses": {"plain": [{"a": S("x")}]}, "UnprocessedKeys": {}}
            ),
        ),
    ),
    fact(
        "22.18",
        "A",
        "An empty QueryFilter or ScanFilter is accepted.",
        case(
            put(key("a", "1"), PAIRS).gives({}),
            scan(PAIRS, ScanFilter={}).gives(items(key("a", "1"))),
            query(table=PAIRS, KeyConditions={"pk": compare("EQ", S("a"))}, QueryFilter={}).gives(
                items(key("a", "1"))
            ),
        ),
    ),
)
