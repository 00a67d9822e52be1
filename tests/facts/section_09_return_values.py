"""Section 9: ReturnValues and condition failures."""

# ruff: noqa: E501 - the service's texts stand whole on their lines

from tests.facts.answers import not_in, one_of, reasons
from tests.facts.requests import (
    SS,
    Item,
    L,
    N,
    S,
    delete,
    get,
    item,
    key,
    mapping,
    put,
    transact_write,
    tx_check,
    tx_delete,
    tx_put,
    tx_update,
    update,
)
from tests.facts.table import DETECTED, Case, case, fact, section

FAILED = "The conditional request failed"
CHECK_FAILED = "ConditionalCheckFailedException"
ORDERS = ("ALL_OLD, NONE", "NONE, ALL_OLD")  # no fact says in which order the two are listed
V = {":v": S("new")}


def returns(before: Item | None, kind: str, expression: str, returned: Item | None, **more: object) -> Case:
    """UpdateItem with these ReturnValues on an item with the attributes `before` (None: no item)."""
    first = [] if before is None else [put(item("a") | before).gives({})]
    body = {} if returned is None else {"Attributes": returned}
    return case(*first, update(key("a"), expression, ReturnValues=kind, **more).gives(body))


SECTION = section(
    9,
    "ReturnValues and condition failures",
    fact(
        "9.1",
        "A",
        "`Attributes` is left out altogether when there is nothing to return.",
        put(key("a")).gives({}),
        put(key("a"), ReturnValues="ALL_OLD").gives({}),
        returns(None, "UPDATED_OLD", "SET a = :v", None, values=V),
        returns({"a": S("x")}, "UPDATED_NEW", "REMOVE a", None),
        returns({}, "NONE", "SET a = :v", None, values=V),
    ),
    fact(
        "9.2",
        "A",
        "PutItem/DeleteItem ALL_OLD on an absent item: no Attributes.",
        put(key("a"), ReturnValues="ALL_OLD").gives({}),
        delete(key("a"), ReturnValues="ALL_OLD").gives({}),
        case(
            put(item("a", v=S("1"))).gives({}),
            put(item("a", v=S("2")), ReturnValues="ALL_OLD").gives({"Attributes": item("a", v=S("1"))}),
            delete(key("a"), ReturnValues="ALL_OLD").gives({"Attributes": item("a", v=S("2"))}),
            get(key("a")).gives({}),
        ),
    ),
    fact(
        "9.3",
        "A",
        "UpdateItem ALL_OLD is the whole previous item, keys included; nothing for a new item.",
        returns({"a": S("1"), "b": S("2")}, "ALL_OLD", "SET a = :v", item("a", a=S("1"), b=S("2")), values=V),
        returns(None, "ALL_OLD", "SET a = :v", None, values=V),
    ),
    fact(
        "9.4",
        "A",
        "ALL_NEW is the whole item after the update with keys.",
        returns(
            {"a": S("1"), "b": S("2")}, "ALL_NEW", "SET a = :v", item("a", a=S("new"), b=S("2")), values=V
        ),
        returns(None, "ALL_NEW", "SET a = :v", item("a", a=S("new")), values=V),
        returns({"a": S("1")}, "ALL_NEW", "REMOVE a", key("a")),
    ),
    fact(
        "9.5",
        "A",
        "UPDATED_OLD contains only touched paths that existed before, even if the value did not change; no keys.",
        returns({"a": S("1"), "b": S("2")}, "UPDATED_OLD", "SET a = :v, c = :v", {"a": S("1")}, values=V),
        returns({"a": S("new")}, "UPDATED_OLD", "SET a = :v", {"a": S("new")}, values=V),
        returns(
            {"a": S("1"), "n": N("1")},
            "UPDATED_OLD",
            "REMOVE a ADD n :n",
            {"a": S("1"), "n": N("1")},
            values={":n": N("1")},
        ),
        returns({}, "UPDATED_OLD", "SET a = :v", None, values=V),
    ),
    fact(
        "9.6",
        "A",
        "UPDATED_NEW contains only touched paths that exist afterwards; no keys; nothing for a pure REMOVE.",
        returns({"a": S("1"), "b": S("2")}, "UPDATED_NEW", "SET a = :v REMOVE b", {"a": S("new")}, values=V),
        returns({"a": S("new")}, "UPDATED_NEW", "SET a = :v", {"a": S("new")}, values=V),
        returns({"a": S("1")}, "UPDATED_NEW", "REMOVE a", None),
        returns({"l": L(S("1"), S("2"))}, "UPDATED_NEW", "REMOVE l[0]", None),
        returns({"l": L(S("1"), S("2"))}, "UPDATED_NEW", "SET a = :v REMOVE l[0]", {"a": S("new")}, values=V),
        returns({"s": SS("x")}, "UPDATED_NEW", "DELETE s :s", None, values={":s": SS("x")}),
        returns({"n": N("1")}, "UPDATED_NEW", "ADD n :n", {"n": N("3")}, values={":n": N("2")}),
    ),
    fact(
        "9.7",
        "A",
        'For nested paths only the touched fragment comes, wrapped in its parents: SET a.b = … gives `{"a":{"M":{"b":…}}}`.',
        returns(
            {"a": mapping(b=S("1"), c=S("2"))},
            "UPDATED_NEW",
            "SET a.b = :v",
            {"a": mapping(b=S("new"))},
            values=V,
        ),
        returns(
            {"a": mapping(b=S("1"), c=S("2"))},
            "UPDATED_OLD",
            "SET a.b = :v",
            {"a": mapping(b=S("1"))},
            values=V,
        ),
        returns(
            {"a": mapping(b=mapping(c=S("1"), d=S("2")), e=S("3"))},
            "UPDATED_NEW",
            "SET a.b.c = :v, a.f = :v",
            {"a": mapping(b=mapping(c=S("new")), f=S("new"))},
            values=V,
        ),
        returns({"a": mapping(b=S("1"))}, "UPDATED_OLD", "SET a.z = :v", None, values=V),
    ),
    fact(
        "9.8",
        "A",
        "A list element in such a fragment is returned as a list holding only the touched elements.",
        returns(
            {"l": L(S("0"), S("1"), S("2"), S("3"))},
            "UPDATED_NEW",
            "SET l[3] = :v, l[1] = :w",
            {"l": L(S("w"), S("new"))},
            values=V | {":w": S("w")},
        ),
        returns(
            {"l": L(S("0"), S("1"), S("2"), S("3"))},
            "UPDATED_OLD",
            "SET l[2] = :v",
            {"l": L(S("2"))},
            values=V,
        ),
        returns(
            {"m": mapping(l=L(S("0"), mapping(x=S("1"), y=S("2"))))},
            "UPDATED_NEW",
            "SET m.l[1].x = :v",
            {"m": mapping(l=L(mapping(x=S("new"))))},
            values=V,
        ),
    ),
    fact(
        "9.9",
        "A",
        "Failed condition: ConditionalCheckFailedException `The conditional request failed`.",
        put(key("a"), condition="attribute_exists(a)").fails("The conditional request failed", CHECK_FAILED),
        update(key("a"), "SET a = :v", condition="attribute_exists(a)", values=V).fails(FAILED, CHECK_FAILED),
        delete(key("a"), condition="attribute_exists(a)").fails(FAILED, CHECK_FAILED),
        case(
            put(item("a", v=S("1"))).gives({}),
            put(item("a", v=S("2")), condition="attribute_not_exists(pk)").fails(FAILED, CHECK_FAILED),
            get(key("a")).gives({"Item": item("a", v=S("1"))}),
        ),
        put(key("a"), Expected={"a": {"Value": S("x")}}).fails(FAILED, CHECK_FAILED),
    ),
    fact(
        "9.10",
        "A",
        "With ReturnValuesOnConditionCheckFailure ALL_OLD the error body has `Item` (in wire form) beside message, only if the item existed.",
        case(
            put(item("a", v=S("1"))).gives({}),
            *(
                request.fails(FAILED, CHECK_FAILED, Item=item("a", v=S("1")))
                for request in (
                    put(
                        key("a"),
                        condition="attribute_not_exists(pk)",
                        ReturnValuesOnConditionCheckFailure="ALL_OLD",
                    ),
                    delete(
                        key("a"),
                        condition="attribute_not_exists(pk)",
                        ReturnValuesOnConditionCheckFailure="ALL_OLD",
                    ),
                    update(
                        key("a"),
                        condition="attribute_not_exists(pk)",
                        ReturnValuesOnConditionCheckFailure="ALL_OLD",
                    ),
                )
            ),
            put(
                key("a"), condition="attribute_not_exists(pk)", ReturnValuesOnConditionCheckFailure="NONE"
            ).fails(FAILED, CHECK_FAILED),
        ),
        put(key("a"), condition="attribute_exists(pk)", ReturnValuesOnConditionCheckFailure="ALL_OLD").fails(
            FAILED, CHECK_FAILED
        ),
    ),
    fact(
        "9.11",
        "D",
        "Allowed values of that parameter: ALL_OLD, NONE.",
        case(
            put(item("a")).gives({}),
            put(
                key("a"), condition="attribute_not_exists(pk)", ReturnValuesOnConditionCheckFailure="NONE"
            ).fails(FAILED, CHECK_FAILED),
            put(
                key("a"), condition="attribute_not_exists(pk)", ReturnValuesOnConditionCheckFailure="ALL_OLD"
            ).fails(FAILED, CHECK_FAILED, Item=key("a")),
        ),
        *(
            put(key("a"), ReturnValuesOnConditionCheckFailure=value).fails(
                one_of(
                    *(
                        DETECTED + not_in(value, "returnValuesOnConditionCheckFailure", choices)
                        for choices in ORDERS
                    )
                )
            )
            for value in ("ALL_NEW", "UPDATED_OLD")
        ),
    ),
    fact(
        "9.12",
        "A",
        "In transactions the Item appears within the matching CancellationReasons entry.",
        case(
            put(item("a", v=S("1"))).gives({}),
            transact_write(
                tx_put(key("b")),
                tx_check(key("a"), "attribute_not_exists(pk)", ReturnValuesOnConditionCheckFailure="ALL_OLD"),
                tx_put(
                    key("c"), condition="attribute_exists(pk)", ReturnValuesOnConditionCheckFailure="ALL_OLD"
                ),
            ).answers(
                reasons(
                    "None",
                    {"Code": "ConditionalCheckFailed", "Message": FAILED, "Item": item("a", v=S("1"))},
                    ("ConditionalCheckFailed", FAILED),
                )
            ),
            *(
                transact_write(action).answers(
                    reasons(
                        {"Code": "ConditionalCheckFailed", "Message": FAILED, "Item": item("a", v=S("1"))}
                    )
                )
                for action in (
                    tx_put(
                        key("a"),
                        condition="attribute_not_exists(pk)",
                        ReturnValuesOnConditionCheckFailure="ALL_OLD",
                    ),
                    tx_delete(
                        key("a"),
                        condition="attribute_not_exists(pk)",
                        ReturnValuesOnConditionCheckFailure="ALL_OLD",
                    ),
                    tx_update(
                        key("a"),
                        "REMOVE v",
                        condition="attribute_not_exists(pk)",
                        ReturnValuesOnConditionCheckFailure="ALL_OLD",
                    ),
                )
            ),
        ),
    ),
    fact(
        "9.13",
        "",
        "An index means the list as it is after the update for UPDATED_NEW, and as it was for UPDATED_OLD: an element that SET appends comes back only if its index is that of its new place, and what was appended from farther past the end is left out, of a list with nothing else of that update the whole attribute (A, that an appending SET can return nothing; captured in full for PartiQL's RETURNING MODIFIED).",
        returns({"l": L(S("0"), S("1"))}, "UPDATED_NEW", "SET l[2] = :v", {"l": L(S("new"))}, values=V),
        returns({"l": L(S("0"), S("1"))}, "UPDATED_NEW", "SET l[7] = :v", None, values=V),
        returns(
            {"l": L(S("0"), S("1")), "m": S("x")},
            "UPDATED_NEW",
            "SET l[7] = :v, m = :v",
            {"m": S("new")},
            values=V,
        ),
        returns(
            {"l": L(S("0"), S("1"))}, "UPDATED_NEW", "SET l[0] = :v, l[7] = :v", {"l": L(S("new"))}, values=V
        ),
        returns({"l": L(S("0"), S("1"))}, "UPDATED_OLD", "SET l[2] = :v", None, values=V),
        returns(
            {"l": L(S("0"), S("1"))}, "UPDATED_OLD", "SET l[1] = :v, l[7] = :v", {"l": L(S("1"))}, values=V
        ),
        returns({"l": L(S("0"), S("1"), S("2"))}, "UPDATED_OLD", "REMOVE l[1]", {"l": L(S("1"))}),
    ),
)
