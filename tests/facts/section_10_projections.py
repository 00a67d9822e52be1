"""Section 10: projections on reads."""

# ruff: noqa: E501 - the service's texts stand whole on their lines

from tests.facts.answers import items
from tests.facts.requests import Item, L, S, get, item, key, mapping, put, scan, transact_get, tx_get
from tests.facts.table import Case, case, fact, section


def projects(attributes: Item, projection: str, projected: Item) -> Case:
    return case(
        put(item("a") | attributes).gives({}),
        get(key("a"), projection=projection).gives({"Item": projected}),
        scan(projection=projection).gives(items(projected)),
    )


NUMBERS = L(*(S(str(i)) for i in range(7)))

SECTION = section(
    10,
    "Projections on reads",
    fact(
        "10.1",
        "A",
        "GetItem on a missing item: body without Item.",
        get(key("a")).gives({}),
        get(key("a"), projection="b").gives({}),
        get(key("a"), ConsistentRead=True).gives({}),
    ),
    fact(
        "10.2",
        "A",
        "GetItem where the projection matches nothing: `Item: {}`.",
        case(
            put(item("a", b=S("x"))).gives({}),
            get(key("a"), projection="c").gives({"Item": {}}),
            get(key("a"), AttributesToGet=["c"]).gives({"Item": {}}),
            transact_get(tx_get(key("a"), projection="c")).gives({"Responses": [{"Item": {}}]}),
        ),
    ),
    fact(
        "10.3",
        "A",
        "Keys are not added to a projection by themselves.",
        projects({"b": S("x"), "c": S("y")}, "b", {"b": S("x")}),
        projects({"b": S("x"), "c": S("y")}, "b, pk", {"pk": S("a"), "b": S("x")}),
    ),
    fact(
        "10.4",
        "A",
        "Projected nested paths keep their parent structure.",
        projects(
            {"b": mapping(c=mapping(d=S("x"), e=S("y")), f=S("z"))},
            "b.c.d",
            {"b": mapping(c=mapping(d=S("x")))},
        ),
        projects(
            {"b": mapping(c=S("1"), d=S("2"), e=S("3"))}, "b.c, b.e", {"b": mapping(c=S("1"), e=S("3"))}
        ),
        projects({"b": L(S("x"), mapping(c=S("1"), d=S("2")))}, "b[1].d", {"b": L(mapping(d=S("2")))}),
        projects(
            {"b": L(mapping(c=S("1"), d=S("2"), e=S("3")))},
            "b[0].c, b[0].d",
            {"b": L(mapping(c=S("1"), d=S("2")))},
        ),
    ),
    fact(
        "10.5",
        "A",
        "Several list indexes are compacted in ascending order: `l[5], l[1]` gives a list of two, element 1 first.",
        projects({"l": NUMBERS}, "l[5], l[1]", {"l": L(S("1"), S("5"))}),
        projects({"l": NUMBERS}, "l[10], l[3], l[2]", {"l": L(S("2"), S("3"))}),
        projects(
            {"l": L(L(S("a"), S("b")), L(S("c"), S("d")))}, "l[1][1], l[0][0]", {"l": L(L(S("a")), L(S("d")))}
        ),
    ),
    fact(
        "10.6",
        "A",
        "Paths that do not fit the item's shape are silently left out.",
        projects({"b": S("x"), "c": S("y")}, "b.d, c", {"c": S("y")}),
        projects({"b": mapping(x=S("1"))}, "b[0], pk", {"pk": S("a")}),
        projects({"b": L(S("1"))}, "b.x, pk", {"pk": S("a")}),
        projects({"b": L(S("1"))}, "b[1], pk", {"pk": S("a")}),
        projects({"b": mapping(x=S("1"))}, "b.y, pk", {"pk": S("a")}),
    ),
)
