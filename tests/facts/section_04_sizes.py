"""Section 4: item size arithmetic. Sizes are seen where a write takes one unit more, and in TableSizeBytes."""

# ruff: noqa: E501 - the service's texts stand whole on their lines

from typing import Any

from tests.facts.answers import items
from tests.facts.requests import (
    BOOL,
    NS,
    NULL,
    SS,
    Item,
    L,
    N,
    S,
    batch_write,
    binaries,
    binary,
    delete,
    get,
    item,
    key,
    mapping,
    put,
    put_request,
    query,
    scan,
    update,
)
from tests.facts.shapes import LOCAL, PAIRS, PLAIN
from tests.facts.table import Case, Step, case, fact, section

LIMIT = 409_600
PAGE = 1_048_576
HALF = (LIMIT - 2 * len("pkaskblkcf") - 2 * len("pkaskblkc")) // 2
"""Bytes of an attribute `f` that fill an item of `LOCAL` and its three entries, of which one is whole."""


def filled(size: int, taken: int, **attributes: Any) -> Item:
    """An item of `size` bytes: key, the attributes of `taken` bytes, and a filler `f`."""
    return item("a", f=S("x" * (size - len("pk" + "a" + "f") - taken)), **attributes)


def units(count: float, table: str = PLAIN) -> dict[str, object]:
    return {"ConsumedCapacity": {"TableName": table, "CapacityUnits": count}}


def takes(size: int, **attributes: Any) -> Case:
    """The attributes take `size` bytes together, names included: one byte more than 1,024 is one unit more.

    So it is when they are put, when an update adds them, and when what is stored is deleted.
    """
    names = {f"#{place}": name for place, name in enumerate(attributes)}
    update_them = {
        "expression": "SET " + ", ".join(f"#{place} = :{place}" for place in range(len(names))),
        "names": names,
        "values": {f":{place}": value for place, value in enumerate(attributes.values())},
    }
    steps: list[Step] = []
    for whole, count in ((1024, 1), (1025, 2)):
        complete = filled(whole, size, **attributes)
        without = {name: value for name, value in complete.items() if name not in attributes}
        steps += [
            put(complete, capacity="TOTAL").gives(units(count)),
            delete(key("a"), capacity="TOTAL").gives(units(count)),
            put(without).gives({}),
            update(key("a"), capacity="TOTAL", **update_them).gives(units(count)),
            delete(key("a"), capacity="TOTAL").gives(units(count)),
        ]
    return case(*steps)


def number_takes(size: int, *texts: str) -> tuple[Case, ...]:
    return tuple(takes(1 + size, n=N(text)) for text in texts)


def sized_as(value: dict[str, object], size: int) -> Case:
    """`size()` of the value."""
    return case(
        put(item("a", v=value)).gives({}),
        scan(filter="size(v) = :n", values={":n": N(str(size))}, projection="pk").gives(items(key("a"))),
        scan(filter="size(v) <> :n", values={":n": N(str(size))}, projection="pk").gives(items(scanned=1)),
    )


def page_of(sizes: list[int], *, ends_after: int) -> Case:
    """Items of these sizes in one collection; a page of them ends after so many."""
    keys = [key("a", str(place)) for place in range(len(sizes))]
    overhead = len("pk" + "a" + "sk" + "0" + "f")
    page = items(*({"sk": each["sk"]} for each in keys[:ends_after]))
    more: dict[str, object] = {} if ends_after == len(sizes) else {"LastEvaluatedKey": keys[ends_after - 1]}
    nothing = items(scanned=ends_after)
    return case(
        *(
            put(each | {"f": S("x" * (size - overhead))}, PAIRS).gives({})
            for each, size in zip(keys, sizes, strict=True)
        ),
        query("pk = :p", PAIRS, values={":p": S("a")}, projection="sk").gives(page | more),
        scan(PAIRS, projection="sk").gives(page | more),
        query("pk = :p", PAIRS, values={":p": S("a")}, filter="attribute_exists(nothing)").gives(
            nothing | more
        ),
        scan(PAIRS, filter="attribute_exists(nothing)").gives(nothing | more),
    )


TOO_BIG = "Item size has exceeded the maximum allowed size"
TOO_BIG_TO_UPDATE = "Item size to update has exceeded the maximum allowed size"

SECTION = section(
    4,
    "Item size arithmetic",
    fact(
        "4.1",
        "D",
        "Item size is the sum over attributes of UTF-8 length of the name plus size of the value.",
        takes(len("name") + len("value"), name=S("value")),
        takes(len("é".encode()) + 1, é=S("x")),
        takes(3 + 4, abc=S(""), defg=S("")),
    ),
    fact(
        "4.2",
        "D",
        "S: UTF-8 bytes. B: raw (decoded) bytes. BOOL and NULL: 1 byte.",
        takes(1 + 6, v=S("aé€")),
        takes(1 + 4, v=S("🎼")),
        takes(1 + 3, v=binary(b"\x00\x01\xff")),
        takes(1 + 1, v=BOOL(True)),
        takes(1 + 1, v=BOOL(False)),
        takes(1 + 1, v=NULL),
    ),
    fact(
        "4.3",
        "D",
        "N: about 1 byte per two significant digits plus 1; negative numbers 1 byte more.",
        *number_takes(2, "1", "12"),
        *number_takes(3, "1234", "-12"),
        *number_takes(11, "12345678901234567890"),
        *number_takes(12, "-12345678901234567890"),
    ),
    fact(
        "4.4",
        "",
        "Exact N rule: 1 byte, plus ceil(integer digits / 2), plus ceil(fraction digits / 2), plus 1 if negative, where leading and trailing zeros of the whole value do not count but inner zeros do; an exponent is expanded first. Captured sizes: 0 is 1; 1, 12, 100, 0042, 0.15, 0.0000001, 1E125 and 1E-100 are 2; 123, 1010, 1.5, 1.200 and -42 are 3; 12345, 1.234 and 100.5 are 4; 3.14159 is 5; 38 digits are 20. (A) By the rule 120 and 0.01 and 1e100 are 2 (I). Doubtful: pairing digits in base 100 outwards from the decimal point fits every captured value too and would make 120 and 0.012 3 bytes instead of 2; no capture decides.",
        *number_takes(1, "0", "0.0", "-0"),
        *number_takes(2, "1", "12", "100", "0042", "0.15", "0.0000001", "1E125", "1E-100"),
        *number_takes(3, "123", "1010", "1.5", "1.200", "-42"),
        *number_takes(4, "12345", "1.234", "100.5"),
        *number_takes(5, "3.14159"),
        *number_takes(20, "1" * 38),
        *number_takes(2, "120", "0.01", "1e100"),
    ),
    fact(
        "4.5",
        "D",
        "L and M: 3 bytes, plus 1 byte for each element or pair, plus the contents (names of pairs included).",
        takes(1 + 3, v=L()),
        takes(1 + 3, v=mapping()),
        takes(1 + 3 + (1 + 1) + (1 + 2), v=L(S("x"), S("yz"))),
        takes(1 + 3 + (1 + 1 + 2) + (1 + 2 + 1), v=mapping(a=S("xy"), bc=NULL)),
        takes(1 + 3 + (1 + 3 + (1 + 1 + 3)), v=L(mapping(a=L()))),
    ),
    fact(
        "4.6",
        "D",
        "Sets: sum of member sizes.",
        takes(1 + 3, v=SS("a", "bc")),
        takes(1 + 2 + 3, v=NS("1", "123")),
        takes(1 + 3, v=binaries(b"a", b"bc")),
    ),
    fact(
        "4.7",
        "A",
        "Maximum item size is 400 KB = 409,600 bytes, attribute names included; exactly 409,600 is accepted.",
        put(filled(LIMIT, 0)).gives({}),
        put(item("a", f=S("é" * ((LIMIT - 4) // 2)))).gives({}),
        put(filled(LIMIT + 1, 0)).fails(TOO_BIG),
        put(filled(LIMIT + 1, len("name"), name=S(""))).fails(TOO_BIG),
    ),
    fact(
        "4.8",
        "A",
        "PutItem over the limit: `Item size has exceeded the maximum allowed size`.",
        put(filled(LIMIT + 1, 0)).fails("Item size has exceeded the maximum allowed size"),
        case(
            put(item("a", f=S("small"))).gives({}),
            put(filled(LIMIT + 1, 0)).fails("Item size has exceeded the maximum allowed size"),
            get(key("a")).gives({"Item": item("a", f=S("small"))}),
        ),
    ),
    fact(
        "4.9",
        "A",
        "UpdateItem over the limit: `Item size to update has exceeded the maximum allowed size`.",
        case(
            put(item("a", f=S("small"))).gives({}),
            update(key("a"), "SET f = :f", values={":f": S("x" * LIMIT)}).fails(
                "Item size to update has exceeded the maximum allowed size"
            ),
            get(key("a")).gives({"Item": item("a", f=S("small"))}),
        ),
        case(
            put(item("a", f=S("x" * 300_000))).gives({}),
            update(key("a"), "SET g = :g", values={":g": S("x" * 200_000)}).fails(TOO_BIG_TO_UPDATE),
        ),
    ),
    fact(
        "4.10",
        "A",
        "UpdateItem's check adds overhead for the update actions, so the largest item reachable by SET is some bytes smaller than by PutItem (409,581 total with a one-character key in one capture).",
        update(key("a"), "SET f = :f", values={":f": S("x" * (409_581 - 4))}).gives({}),
        update(key("a"), "SET f = :f", values={":f": S("x" * (409_582 - 4))}).fails(TOO_BIG_TO_UPDATE),
        put(filled(409_582, 0)).gives({}),
    ),
    fact(
        "4.11",
        "D",
        "LSI tables: item plus its index copies within one partition key form the collection with the 10 GB limit.",
        reason="It would take a collection of 10 GB.",
    ),
    fact(
        "4.12",
        "",
        "`size()` of a string counts UTF-16 code units: an astral character is 2, a precomposed accented letter 1 (A, one source); of binary its bytes, of set/list/map the number of members (A). Item size (4.2) is still by UTF-8 bytes.",
        sized_as(S("🎼"), 2),
        sized_as(S("é"), 1),
        sized_as(S("abc"), 3),
        sized_as(binary(b"\x00\xff\x80"), 3),
        sized_as(SS("a", "bcd"), 2),
        sized_as(NS("1", "200", "3"), 3),
        sized_as(L(S("abc"), L()), 2),
        sized_as(mapping(a=S("abc")), 1),
        takes(1 + 4, v=S("🎼")),
    ),
    fact(
        "4.13",
        "D",
        "A Query/Scan page ends when evaluated data reaches 1 MB (1,048,576 bytes), before filtering.",
        page_of([262_144] * 5, ends_after=4),
        page_of([262_144] * 3 + [262_143, 1000, 1000], ends_after=5),
        page_of([262_144] * 3 + [262_143], ends_after=4),
    ),
    fact(
        "4.14",
        "A",
        "One item of 400 KB plus pages: the item that crosses 1 MB is included in the page, so a page may exceed 1 MB slightly.",
        page_of([LIMIT] * 4, ends_after=3),
        page_of([300_000] * 5, ends_after=4),
    ),
    fact(
        "4.15",
        "D",
        "For reads capacity is rounded up in steps of 4096 bytes, for writes 1024.",
        case(
            put(filled(4096, 0), capacity="TOTAL").gives(units(4)),
            get(key("a"), ConsistentRead=True, capacity="TOTAL", projection="pk").gives(
                {"Item": key("a")} | units(1)
            ),
            put(filled(4097, 0), capacity="TOTAL").gives(units(5)),
            get(key("a"), ConsistentRead=True, capacity="TOTAL", projection="pk").gives(
                {"Item": key("a")} | units(2)
            ),
            get(key("a"), capacity="TOTAL", projection="pk").gives({"Item": key("a")} | units(1)),
            delete(key("a"), capacity="TOTAL").gives(units(5)),
        ),
    ),
    fact(
        "4.16",
        "D",
        "In a table with local indexes an item and its entries in all of them may have 400 KB together; an item that is in none of them is as 4.7. The texts are those of 4.8 and 4.9 (I).",
        put(item("a", "b", lk=S("c"), f=S("x" * HALF)), LOCAL).gives({}),
        put(item("a", "b", lk=S("c"), f=S("x" * (HALF + 1))), LOCAL).fails(TOO_BIG),
        put(item("a", "b", f=S("x" * 400_000)), LOCAL).gives({}),
        case(
            put(item("a", "b", f=S("x" * (HALF + 1))), LOCAL).gives({}),
            update(key("a", "b"), "SET lk = :c", LOCAL, values={":c": S("c")}).fails(TOO_BIG_TO_UPDATE),
            update(key("a", "b"), "SET lk = :c, f = :f", LOCAL, values={":c": S("c"), ":f": S("")}).gives({}),
        ),
        batch_write([put_request(item("a", "b", lk=S("c"), f=S("x" * (HALF + 1))))], LOCAL).fails(TOO_BIG),
    ),
)
