"""Section 3: attribute values."""

# ruff: noqa: E501 - the service's texts stand whole on their lines

from tests.facts.answers import any_order, any_text, items, reasons
from tests.facts.requests import (
    BOOL,
    NS,
    NULL,
    SS,
    L,
    N,
    S,
    batch_get,
    batch_write,
    binaries,
    binary,
    delete,
    get,
    item,
    key,
    mapping,
    nested,
    put,
    put_request,
    query,
    scan,
    transact_get,
    transact_write,
    tx_check,
    tx_get,
    tx_put,
    tx_update,
    update,
)
from tests.facts.shapes import ABSENT, BYTES, NUMBERED, NUMERIC, PAIRS
from tests.facts.table import Case, case, fact, section

EMPTY_VALUE = "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes"
TWO_TYPES = "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes"
NAME_TOO_LARGE = "Attribute name is too large, must be less than 65536 bytes"
DIGITS = "Attempting to store more than 38 significant digits in a Number"
OVERFLOW = "Number overflow. Attempting to store a number with magnitude larger than supported range"
UNDERFLOW = "Number underflow. Attempting to store a number with magnitude smaller than supported range"
START = "The provided starting key is invalid: "
NOT_NUMERIC = "The parameter cannot be converted to a numeric value: "
INVALID = "One or more parameter values were invalid: "
EMPTY_STRINGS = INVALID + "An string set  may not be empty"
EMPTY_NUMBERS = INVALID + "An number set  may not be empty"
EMPTY_BINARIES = INVALID + "Binary sets should not be empty"
NULL_FALSE = INVALID + "Null attribute value types must have the value of true"
TOO_DEEP = "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported limit"
LARGEST = "9." + "9" * 37 + "E+125"
LARGEST_PLAIN = "9" * 38 + "0" * 88
SMALLEST_PLAIN = "0." + "0" * 129 + "1"


def number_stored(sent: str, kept: str) -> Case:
    """A number as an attribute's value comes back in its normal form."""
    return case(put(item("a", n=N(sent))).gives({}), get(key("a")).gives({"Item": item("a", n=N(kept))}))


def stored(value: dict[str, object], kept: dict[str, object] | None = None) -> Case:
    """A value that is accepted and comes back as it was sent, or as `kept`."""
    return case(put(item("a", v=value)).gives({}), get(key("a")).gives({"Item": item("a", v=kept or value)}))


def wrapped(text: str) -> str:
    """How the older layer words a value check of an expression value."""
    return f"ExpressionAttributeValues contains invalid value: {text} for key :v"


SECTION = section(
    3,
    "Attribute values",
    fact(
        "3.1",
        "A",
        "`{}` or an unknown type key as AttributeValue: ValidationException `Supplied AttributeValue is empty, must contain exactly one of the supported datatypes`.",
        put(item("a", v={})).fails(
            "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes"
        ),
        put(item("a", v={"X": "x"})).fails(EMPTY_VALUE),
        put(item("a", v=L({}))).fails(EMPTY_VALUE),
        put(item("a", v=mapping(m={"X": "x"}))).fails(EMPTY_VALUE),
        update(key("a"), "SET v = :v", values={":v": {}}).fails(EMPTY_VALUE),
        batch_write([put_request(item("a", v={}))]).fails(EMPTY_VALUE),
    ),
    fact(
        "3.2",
        "A",
        "Two type keys in one AttributeValue: `Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes`.",
        put(item("a", v={"S": "x", "N": "1"})).fails(
            "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes"
        ),
        put(item("a", v=L({"S": "x", "BOOL": True}))).fails(TWO_TYPES),
        update(key("a"), "SET v = :v", values={":v": {"S": "x", "N": "1"}}).fails(TWO_TYPES),
        batch_write([put_request(item("a", v={"S": "x", "N": "1"}))]).fails(TWO_TYPES),
    ),
    fact(
        "3.3",
        "A",
        "Numbers keep up to 38 significant digits; a 39th gives `Attempting to store more than 38 significant digits in a Number`.",
        number_stored("1" * 38, "1" * 38),
        number_stored("-0." + "1" * 38, "-0." + "1" * 38),
        put(item("a", n=N("1" * 39))).detects(
            "Attempting to store more than 38 significant digits in a Number"
        ),
        put(item("a", n=N("1." + "1" * 38))).detects(DIGITS),
        batch_write([put_request(item("a", n=N("1" * 39)))]).fails(DIGITS),
    ),
    fact(
        "3.4",
        "A",
        "Leading and trailing zeros are not significant digits.",
        number_stored("00" + "1" * 38, "1" * 38),
        number_stored("1" * 38 + "00", "1" * 38 + "00"),
        number_stored("0.000" + "1" * 38 + "000", "0.000" + "1" * 38),
        put(item("a", n=N("1" + "0" * 37 + "1"))).detects(DIGITS),
    ),
    fact(
        "3.5",
        "A",
        "Magnitude range is 1E-130 to 9.9999999999999999999999999999999999999E+125, both signs.",
        number_stored("1E-130", SMALLEST_PLAIN),
        number_stored("-1E-130", "-" + SMALLEST_PLAIN),
        number_stored(LARGEST, LARGEST_PLAIN),
        number_stored("-" + LARGEST, "-" + LARGEST_PLAIN),
    ),
    fact(
        "3.6",
        "A",
        "Above: `Number overflow. Attempting to store a number with magnitude larger than supported range`.",
        put(item("a", n=N("1E126"))).detects(
            "Number overflow. Attempting to store a number with magnitude larger than supported range"
        ),
        put(item("a", n=N("-1E126"))).detects(OVERFLOW),
        batch_write([put_request(item("a", n=N("1E126")))]).fails(OVERFLOW),
    ),
    fact(
        "3.7",
        "A",
        "Below (non-zero): `Number underflow. Attempting to store a number with magnitude smaller than supported range`.",
        put(item("a", n=N("1E-131"))).detects(
            "Number underflow. Attempting to store a number with magnitude smaller than supported range"
        ),
        put(item("a", n=N("-9E-131"))).detects(UNDERFLOW),
        batch_write([put_request(item("a", n=N("1E-131")))]).fails(UNDERFLOW),
        number_stored("0E-200", "0"),
    ),
    fact(
        "3.8",
        "A",
        "Not a number: `The parameter cannot be converted to a numeric value: dog`. For an empty string the current layer keeps colon and blank (`…numeric value: `), the older layer ends at `value`. A huge exponent is a range error: 1e2147483647 and 1e99999999999 overflow in the current layer, the first underflows in the older (wraps).",
        put(item("a", n=N("dog"))).detects("The parameter cannot be converted to a numeric value: dog"),
        batch_write([put_request(item("a", n=N("dog")))]).fails(NOT_NUMERIC + "dog"),
        put(item("a", n=N(""))).detects("The parameter cannot be converted to a numeric value: "),
        get({"pk": N("")}, NUMERIC).fails("The parameter cannot be converted to a numeric value: "),
        batch_write([put_request(item("a", n=N("")))]).fails(
            "The parameter cannot be converted to a numeric value"
        ),
        transact_write(tx_put(item("a", n=N("")))).fails(
            "The parameter cannot be converted to a numeric value"
        ),
        put(item("a", n=N("1e2147483647"))).detects(OVERFLOW),
        put(item("a", n=N("1e99999999999"))).detects(OVERFLOW),
        batch_write([put_request(item("a", n=N("1e2147483647")))]).fails(UNDERFLOW),
    ),
    fact(
        "3.9",
        "A",
        "NaN, Infinity, hexadecimal, leading or trailing blanks, `1e` and `1.2.3` are not numbers (the text is echoed as sent, blanks included); a leading plus sign is fine (`+5` is 5).",
        *(
            put(item("a", n=N(text))).detects(NOT_NUMERIC + text)
            for text in (
                "NaN",
                "Infinity",
                "-Infinity",
                "0x1",
                " 1",
                "1 ",
                "1e",
                "1.2.3",
                "1_000",
                "--1",
                ".",
                "e5",
            )
        ),
        number_stored("+5", "5"),
    ),
    fact(
        "3.10",
        "A",
        "What counts is the value after normalisation: 0.1e126 is accepted, 11e125 is not.",
        number_stored("0.1e126", "1" + "0" * 125),
        put(item("a", n=N("11e125"))).detects(OVERFLOW),
        number_stored("10e-131", SMALLEST_PLAIN),
        put(item("a", n=N("0.1e-130"))).detects(UNDERFLOW),
    ),
    fact(
        "3.11",
        "A",
        "Numbers come back normalised, always in plain decimals without an exponent: `1e3` as `1000`, `1.50` as `1.5`, `007` as `7`, `-0` as `0`.",
        number_stored("1e3", "1000"),
        number_stored("1.50", "1.5"),
        number_stored("007", "7"),
        number_stored("-0", "0"),
        number_stored("0.0", "0"),
        number_stored("-1.20e1", "-12"),
        number_stored("12.5e-3", "0.0125"),
        stored(L(N("1e1"), mapping(n=N("2.0"))), L(N("10"), mapping(n=N("2")))),
    ),
    fact(
        "3.12",
        "A",
        "Even 1e125 comes back as a 1 and 125 zeros; 1e-130 as `0.000…1`.",
        number_stored("1e125", "1" + "0" * 125),
        number_stored("1e-130", SMALLEST_PLAIN),
    ),
    fact(
        "3.13",
        "A",
        "Numeric keys are the same key if their value is equal (`1`, `1.0`, `01`, `1e0`), and are returned in normal form.",
        case(
            put({"pk": N("1.0"), "v": S("first")}, NUMERIC).gives({}),
            *(
                get({"pk": N(text)}, NUMERIC).gives({"Item": {"pk": N("1"), "v": S("first")}})
                for text in ("1", "01", "1e0")
            ),
            put({"pk": N("1e0"), "v": S("second")}, NUMERIC, ReturnValues="ALL_OLD").gives(
                {"Attributes": {"pk": N("1"), "v": S("first")}}
            ),
            scan(NUMERIC).gives(items({"pk": N("1"), "v": S("second")})),
        ),
        case(
            put({"pk": S("a"), "sk": N("1.00")}, NUMBERED).gives({}),
            delete({"pk": S("a"), "sk": N("01")}, NUMBERED, ReturnValues="ALL_OLD").gives(
                {"Attributes": {"pk": S("a"), "sk": N("1")}}
            ),
        ),
    ),
    fact(
        "3.14",
        "A",
        "Numbers sort by value with negatives first, as range keys and in comparisons.",
        case(
            *(
                put({"pk": S("a"), "sk": N(text)}, NUMBERED).gives({})
                for text in ("10", "-10", "9", "0", "-9.5", "1e-5", "-1e-5", "1e20", "-1e20", "100", "0.5")
            ),
            query("pk = :p", NUMBERED, values={":p": S("a")}, projection="sk").gives(
                items(
                    *(
                        {"sk": N(text)}
                        for text in (
                            "-100000000000000000000",
                            "-10",
                            "-9.5",
                            "-0.00001",
                            "0",
                            "0.00001",
                            "0.5",
                            "9",
                            "10",
                            "100",
                            "100000000000000000000",
                        )
                    )
                )
            ),
            query(
                "pk = :p AND sk < :n", NUMBERED, values={":p": S("a"), ":n": N("-9.9")}, projection="sk"
            ).gives(items({"sk": N("-100000000000000000000")}, {"sk": N("-10")})),
            scan(NUMBERED, filter="sk > :n", values={":n": N("9")}, projection="sk").gives(
                items({"sk": N("10")}, {"sk": N("100")}, {"sk": N("100000000000000000000")}, scanned=11)
            ),
        ),
    ),
    fact(
        "3.15",
        "A",
        'Members of NS are normalised too, and duplicates are judged by value: `["1","1.0"]` is a duplicate.',
        stored(NS("1.50", "007"), any_order(NS("1.5", "7"))),
        put(item("a", v=NS("1", "1.0"))).detects(INVALID + "Input collection contains duplicates."),
        batch_write([put_request(item("a", v=NS("1", "1.0")))]).fails("Input collection contains duplicates"),
    ),
    fact(
        "3.16",
        "A",
        'Empty SS: `One or more parameter values were invalid: An string set  may not be empty` (two blanks after "set").',
        put(item("a", v=SS())).detects(
            "One or more parameter values were invalid: An string set  may not be empty"
        ),
        batch_write([put_request(item("a", v=SS()))]).fails(EMPTY_STRINGS),
    ),
    fact(
        "3.17",
        "A",
        "Empty NS: `One or more parameter values were invalid: An number set  may not be empty` (two blanks).",
        put(item("a", v=NS())).detects(
            "One or more parameter values were invalid: An number set  may not be empty"
        ),
        batch_write([put_request(item("a", v=NS()))]).fails(EMPTY_NUMBERS),
    ),
    fact(
        "3.18",
        "A",
        "Empty BS: `One or more parameter values were invalid: Binary sets should not be empty`.",
        put(item("a", v=binaries())).detects(
            "One or more parameter values were invalid: Binary sets should not be empty"
        ),
        batch_write([put_request(item("a", v=binaries()))]).fails(EMPTY_BINARIES),
    ),
    fact(
        "3.19",
        "A",
        'Duplicate in SS, current layer: `One or more parameter values were invalid: Input collection ["a", "b", "b"] contains duplicates.` for b, a, b: members quoted, those before the first repeat in byte order, then the repeat, then the rest as sent. Older layer: as sent, unquoted: `[b, a, b]`. Full stop in both.',
        put(item("a", v=SS("b", "a", "b"))).detects(
            INVALID + 'Input collection ["a", "b", "b"] contains duplicates.'
        ),
        put(item("a", v=SS("d", "b", "d", "a", "c"))).detects(
            INVALID + 'Input collection ["b", "d", "d", "a", "c"] contains duplicates.'
        ),
        get({"pk": SS("b", "a", "b")}).fails(
            INVALID + 'Input collection ["a", "b", "b"] contains duplicates.'
        ),
        batch_write([put_request(item("a", v=SS("b", "a", "b")))]).fails(
            INVALID + "Input collection [b, a, b] contains duplicates."
        ),
        transact_write(tx_put(item("a", v=SS("b", "a", "b")))).fails(
            INVALID + "Input collection [b, a, b] contains duplicates."
        ),
    ),
    fact(
        "3.20",
        "A",
        "Duplicate in NS, current layer: `One or more parameter values were invalid: Input collection contains duplicates.` Older layer: `Input collection contains duplicates` (no first part, no full stop). Neither lists members.",
        put(item("a", v=NS("2", "1", "2"))).detects(INVALID + "Input collection contains duplicates."),
        get({"pk": NS("2", "1", "2")}).fails(INVALID + "Input collection contains duplicates."),
        batch_write([put_request(item("a", v=NS("2", "1", "2")))]).fails(
            "Input collection contains duplicates"
        ),
        transact_write(tx_put(item("a", v=NS("2", "1", "2")))).fails("Input collection contains duplicates"),
    ),
    fact(
        "3.21",
        "A",
        'Duplicate in BS, current layer: `One or more parameter values were invalid: Input collection ["AA==","/w==","AA=="]of type BS contains duplicates.` (quoted base64, no blank after the comma, order as in 3.19); older layer: `[/w==, AA==, AA==]of type BS contains duplicates.` (as sent, comma and blank). No blank before "of" in both.',
        put(item("a", v={"BS": ["/w==", "AA==", "AA=="]})).detects(
            INVALID + 'Input collection ["AA==","/w==","AA=="]of type BS contains duplicates.'
        ),
        batch_write([put_request(item("a", v={"BS": ["/w==", "AA==", "AA=="]}))]).fails(
            INVALID + "Input collection [/w==, AA==, AA==]of type BS contains duplicates."
        ),
    ),
    fact(
        "3.22",
        "A",
        "Empty sets nested in a list or map are refused as well.",
        put(item("a", v=L(SS()))).detects(EMPTY_STRINGS),
        put(item("a", v=mapping(m=NS()))).detects(EMPTY_NUMBERS),
        put(item("a", v=mapping(m=L(binaries())))).detects(EMPTY_BINARIES),
        update(key("a"), "SET v = :v", values={":v": L(SS())}).detects(EMPTY_STRINGS),
    ),
    fact(
        "3.23",
        "A",
        "Empty string and empty binary are fine as non-key values, as set members and within lists and maps.",
        stored(S("")),
        stored(binary(b"")),
        stored(SS("", "x"), any_order(SS("", "x"))),
        stored(binaries(b"", b"x"), any_order(binaries(b"", b"x"))),
        stored(L(S(""), binary(b""))),
        stored(mapping(s=S(""), b=binary(b""))),
    ),
    fact(
        "3.24",
        "A",
        "Empty list and empty map are fine.",
        stored(L()),
        stored(mapping()),
        stored(L(L(), mapping())),
    ),
    fact(
        "3.25",
        "A",
        '`{"NULL": false}`: `One or more parameter values were invalid: Null attribute value types must have the value of true`.',
        put(item("a", v={"NULL": False})).detects(
            "One or more parameter values were invalid: Null attribute value types must have the value of true"
        ),
        put(item("a", v=L({"NULL": False}))).detects(NULL_FALSE),
        batch_write([put_request(item("a", v={"NULL": False}))]).fails(NULL_FALSE),
    ),
    fact(
        "3.26",
        "A",
        "Sets have no order; the service may return members in another order than given.",
        stored(SS("b", "a", "c"), any_order(SS("a", "b", "c"))),
        stored(NS("3", "1", "2"), any_order(NS("1", "2", "3"))),
        stored(binaries(b"b", b"a"), any_order(binaries(b"a", b"b"))),
        case(
            put(item("a", v=SS("b", "a"))).gives({}),
            update(key("a"), "REMOVE w", condition="v = :v", values={":v": SS("a", "b")}).gives({}),
        ),
    ),
    fact(
        "3.27",
        "A",
        "Lists may mix types; nesting limit is 32 levels.",
        stored(L(S("x"), N("1"), binary(b"x"), BOOL(True), NULL, L(S("y")), mapping(m=S("z")))),
        stored(nested(31)),
        put(item("a", v=nested(32))).detects(TOO_DEEP),
    ),
    fact(
        "3.28",
        "A",
        "Too deep: `Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported limit`. The attribute itself is level 1: 31 maps or lists around a scalar are fine, 32 are not, in items and in expression values alike. From 63 wraps on: PutItem loses the prefix, and UpdateItem says `ExpressionAttributeValues contains invalid value: <that text> for key :v`. An update that makes the stored item too deep says only `Nesting Levels have exceeded supported limits`; in a transaction that is the ValidationError reason.",
        stored(nested(31)),
        put(item("a", v=nested(32))).detects(
            "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported limit"
        ),
        put(item("a", v=nested(62))).detects(TOO_DEEP),
        put(item("a", v=nested(63))).fails(TOO_DEEP),
        put(item("a", v=nested(200))).fails(TOO_DEEP),
        case(
            update(key("a"), "SET v = :v", values={":v": nested(31)}).gives({}),
            get(key("a")).gives({"Item": item("a", v=nested(31))}),
        ),
        update(key("a"), "SET v = :v", values={":v": nested(32)}).detects(TOO_DEEP),
        update(key("a"), "SET v = :v", values={":v": nested(63)}).fails(wrapped(TOO_DEEP)),
        case(
            put(item("a", v=nested(20))).gives({}),
            update(key("a"), "SET v" + ".m" * 20 + " = :v", values={":v": nested(11)}).gives({}),
            get(key("a")).gives({"Item": item("a", v=nested(31))}),
            update(key("a"), "SET v" + ".m" * 20 + " = :v", values={":v": nested(12)}).fails(
                "Nesting Levels have exceeded supported limits"
            ),
            transact_write(
                tx_update(key("a"), "SET v" + ".m" * 20 + " = :v", values={":v": nested(12)})
            ).answers(reasons(("ValidationError", "Nesting Levels have exceeded supported limits"))),
            get(key("a")).gives({"Item": item("a", v=nested(31))}),
        ),
        case(put(item("a", v=L(nested(30)))).gives({}), put(item("a", v=L(nested(31)))).detects(TOO_DEEP)),
    ),
    fact(
        "3.29",
        "A",
        "Attribute names are case-sensitive, may hold any Unicode character including dots and blanks, up to 65,535 bytes for non-key names.",
        case(
            put(item("a") | {"Name": S("1"), "nAME": S("2"), "a.b c": S("3"), "ключ 🔑": S("4")}).gives({}),
            get(key("a")).gives(
                {"Item": item("a") | {"Name": S("1"), "nAME": S("2"), "a.b c": S("3"), "ключ 🔑": S("4")}}
            ),
            get(
                key("a"), projection="#n, #d, #u", names={"#n": "nAME", "#d": "a.b c", "#u": "ключ 🔑"}
            ).gives({"Item": {"nAME": S("2"), "a.b c": S("3"), "ключ 🔑": S("4")}}),
        ),
        case(
            put(item("a") | {"n" * 65_535: S("x")}).gives({}),
            get(key("a")).gives({"Item": item("a") | {"n" * 65_535: S("x")}}),
        ),
    ),
    fact(
        "3.30",
        "A",
        "An attribute name may not be empty.",
        put(item("a") | {"": S("x")}).fails(any_text()),
        update(key("a"), AttributeUpdates={"": {"Value": S("x")}}).fails(any_text()),
        update(key("a"), "SET #n = :v", names={"#n": ""}, values={":v": S("x")}).fails(any_text()),
    ),
    fact(
        "3.31",
        "A",
        "Strings may contain NUL and any other character; comparison is by UTF-8 bytes.",
        stored(S('a\0b\x01\n\t"\\ \u2028 🎼')),
        case(
            *(
                put(item("a", text), PAIRS).gives({})
                for text in ("\U00010000", "\uffff", "a", "é", "z", "\0", "B")
            ),
            query("pk = :p", PAIRS, values={":p": S("a")}, projection="sk").gives(
                items(*({"sk": S(text)} for text in ("\0", "B", "a", "z", "é", "\uffff", "\U00010000")))
            ),
            query(
                "pk = :p AND sk > :s", PAIRS, values={":p": S("a"), ":s": S("\uffff")}, projection="sk"
            ).gives(items({"sk": S("\U00010000")})),
            scan(PAIRS, filter="sk > :s", values={":s": S("\uffff")}, projection="sk").gives(
                items({"sk": S("\U00010000")}, scanned=7)
            ),
        ),
    ),
    fact(
        "3.32",
        "A",
        "Binary compares as unsigned bytes.",
        case(
            *(
                put({"pk": S("a"), "sk": binary(content)}, BYTES).gives({})
                for content in (b"\xff", b"\x7f", b"\x80", b"\x00\x01", b"\x00")
            ),
            query("pk = :p", BYTES, values={":p": S("a")}, projection="sk").gives(
                items(
                    *(
                        {"sk": binary(content)}
                        for content in (b"\x00", b"\x00\x01", b"\x7f", b"\x80", b"\xff")
                    )
                )
            ),
            scan(BYTES, filter="sk > :b", values={":b": binary(b"\x7f")}, projection="sk").gives(
                items({"sk": binary(b"\x80")}, {"sk": binary(b"\xff")}, scanned=5)
            ),
        ),
    ),
    fact(
        "3.33",
        "A",
        'The five scalar types and documents/sets are all different types: `{"N":"1"}` never equals `{"S":"1"}`.',
        case(
            put(item("a", n=N("1"), s=S("1"), b=BOOL(True), ss=SS("1"), l=L(S("1")))).gives({}),
            *(
                scan(filter=condition, values={":v": value}).gives(items(scanned=1))
                for condition, value in (
                    ("n = :v", S("1")),
                    ("s = :v", N("1")),
                    ("s = :v", binary(b"1")),
                    ("b = :v", S("true")),
                    ("ss = :v", NS("1")),
                    ("ss = :v", L(S("1"))),
                    ("l = :v", SS("1")),
                )
            ),
        ),
    ),
    fact(
        "3.34",
        "A",
        "Expression values that fail a value check: the current layer gives the bare text of the check (with the prefix of section 0 on writes); the older layer wraps it: `ExpressionAttributeValues contains invalid value: <text> for key :v`. Not only duplicates and numbers: empty sets and empty AttributeValues in older captures too.",
        update(key("a"), "SET v = :v", values={":v": SS("b", "a", "b")}).detects(
            INVALID + 'Input collection ["a", "b", "b"] contains duplicates.'
        ),
        update(key("a"), "SET v = :v", values={":v": N("dog")}).detects(NOT_NUMERIC + "dog"),
        query("pk = :v", values={":v": N("dog")}).fails(NOT_NUMERIC + "dog"),
        scan(filter="a = :v", values={":v": N("dog")}).fails(wrapped(NOT_NUMERIC + "dog")),
        scan(filter="a = :v", values={":v": SS("b", "a", "b")}).fails(
            wrapped(INVALID + "Input collection [b, a, b] contains duplicates.")
        ),
        scan(filter="a = :v", values={":v": SS()}).fails(wrapped(EMPTY_STRINGS)),
        scan(filter="a = :v", values={":v": {}}).fails(wrapped(EMPTY_VALUE)),
        transact_write(tx_update(key("a"), "SET v = :v", values={":v": N("1" * 39)})).fails(wrapped(DIGITS)),
        transact_write(tx_check(key("a"), "a = :v", values={":v": NS()})).fails(wrapped(EMPTY_NUMBERS)),
    ),
    fact(
        "3.35",
        "A",
        "Value checks reach everywhere a value can stand: item, key, expression value, AttributeUpdates, Expected, QueryFilter, ExclusiveStartKey, set member, nested. They come before the table is looked up, and in transactions they are a top-level ValidationException, never a cancellation.",
        put(item("a", v=N("dog")), ABSENT).detects(NOT_NUMERIC + "dog"),
        put(item("a", v=NS("1", "dog")), ABSENT).detects(NOT_NUMERIC + "dog"),
        put(item("a", v=L(mapping(m=N("dog")))), ABSENT).detects(NOT_NUMERIC + "dog"),
        get({"pk": N("dog")}, ABSENT).fails(NOT_NUMERIC + "dog"),
        delete({"pk": N("dog")}, ABSENT).detects(NOT_NUMERIC + "dog"),
        update({"pk": N("dog")}, "REMOVE a", ABSENT).detects(NOT_NUMERIC + "dog"),
        update(key("a"), "SET v = :v", ABSENT, values={":v": N("dog")}).detects(NOT_NUMERIC + "dog"),
        update(key("a"), table=ABSENT, AttributeUpdates={"v": {"Value": N("dog")}}).detects(
            NOT_NUMERIC + "dog"
        ),
        put(key("a"), ABSENT, Expected={"v": {"Value": N("dog")}}).detects(NOT_NUMERIC + "dog"),
        put(
            key("a"), ABSENT, Expected={"v": {"ComparisonOperator": "EQ", "AttributeValueList": [N("dog")]}}
        ).detects(NOT_NUMERIC + "dog"),
        query(
            table=ABSENT,
            KeyConditions={"pk": {"ComparisonOperator": "EQ", "AttributeValueList": [S("a")]}},
            QueryFilter={"v": {"ComparisonOperator": "EQ", "AttributeValueList": [N("dog")]}},
        ).fails(NOT_NUMERIC + "dog"),
        query("pk = :p", ABSENT, values={":p": S("a")}, start={"pk": N("dog")}).fails(
            START + NOT_NUMERIC + "dog"
        ),
        scan(ABSENT, start={"pk": N("dog")}).fails(START + NOT_NUMERIC + "dog"),
        batch_get([{"pk": N("dog")}], ABSENT).fails(NOT_NUMERIC + "dog"),
        batch_write([put_request(item("a", v=N("dog")))], ABSENT).fails(NOT_NUMERIC + "dog"),
        transact_get(tx_get({"pk": N("dog")}, ABSENT)).fails(NOT_NUMERIC + "dog"),
        transact_write(tx_put(key("a"), ABSENT), tx_put(item("b", v=N("dog")), ABSENT)).fails(
            NOT_NUMERIC + "dog"
        ),
    ),
    fact(
        "3.36",
        "A, Sep 2026",
        "An attribute name of 65,536 bytes or more, at any level: `Attribute name is too large, must be less than 65536 bytes`. Captured on PutItem and UpdateItem, with the prefix, in the item, in an expression value and as the name behind a `#` placeholder.",
        put(item("a") | {"n" * 65_536: S("x")}).detects(NAME_TOO_LARGE),
        put(item("a") | {"ю" * 32_768: S("x")}).detects(NAME_TOO_LARGE),
        put(item("a", m=mapping({"n" * 65_536: S("x")}))).detects(NAME_TOO_LARGE),
        put(item("a", m=mapping({"n" * 65_535: S("x")}))).gives({}),
        update(key("a"), "SET d = :v", values={":v": mapping({"n" * 65_536: S("x")})}).detects(
            NAME_TOO_LARGE
        ),
        update(key("a"), "SET #n = :v", names={"#n": "n" * 65_536}, values={":v": S("x")}).detects(
            NAME_TOO_LARGE
        ),
        get(key("a"), projection="#n", names={"#n": "n" * 65_536}).fails(NAME_TOO_LARGE),
    ),
    fact(
        "3.37",
        "A, Sep 2026",
        "In a transaction expression values are not held to the nesting limit: what an Update makes too deep with them cancels, ValidationError with the short text of 3.28; a ConditionCheck looks at them as they are. (The first captured in two regions without its text, which is inferred from 3.28; that it ends at 63 wraps is inferred too.)",
        transact_write(
            tx_put(key("b")), tx_update(key("a"), "SET v = :v", values={":v": nested(32)})
        ).answers(reasons("None", ("ValidationError", "Nesting Levels have exceeded supported limits"))),
        case(
            put(item("a", v=nested(31))).gives({}),
            *(
                transact_write(tx_check(key("a"), "v <> :v", values={":v": nested(levels)})).gives({})
                for levels in (32, 62)
            ),
        ),
        transact_write(tx_check(key("a"), "v <> :v", values={":v": nested(63)})).fails(wrapped(TOO_DEEP)),
    ),
    fact(
        "3.38",
        "F",
        "Of a value with two type keys, what is wrong with one of them is found before 3.2. Reported of numbers.",
        put(item("a", v={"S": "x", "N": "dog"}), ABSENT).detects(NOT_NUMERIC + "dog"),
        put(item("a", v={"NULL": False, "BOOL": True}), ABSENT).detects(
            "One or more parameter values were invalid: Null attribute value types must have the value of true"
        ),
        get({"pk": {"N": "1" * 39, "S": "x"}}, ABSENT).fails(DIGITS),
    ),
)
