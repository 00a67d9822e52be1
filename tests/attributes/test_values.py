"""Checks of attribute values, and their normal form (docs/behaviours.md, section 3)."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from partita.attributes import MAX_LEVELS, depth, normalise, normalise_item, value_size
from partita.errors import Family, SerializationException, ValidationException

from . import generated

PREFIX = "1 validation error detected: "
INVALID = "One or more parameter values were invalid: "
EMPTY = "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes"
SEVERAL = (
    "Supplied AttributeValue has more than one datatypes set,"
    " must contain exactly one of the supported datatypes"
)
TOO_DEEP = (
    "Nesting Levels have exceeded supported limits:"
    " Attributes in the item have nested levels beyond supported limit"
)


def refusal(value: Any) -> ValidationException:
    with pytest.raises(ValidationException) as alone:
        normalise(value)
    for item in (
        {"a": value},
        {"z": {"S": "x"}, "m": {"M": {"n": value}}},
        {"l": {"L": [{"N": "1"}, value]}},
    ):
        with pytest.raises(ValidationException) as within:
            normalise_item(item)
        assert within.value.words("PutItem") == alone.value.words("PutItem")
        assert within.value.words("BatchWriteItem") == alone.value.words("BatchWriteItem")
    return alone.value


@pytest.mark.parametrize(
    ("value", "text", "family", "older"),
    [
        ({}, EMPTY, Family.ATTRIBUTE_VALUE_SHAPE, None),  # 3.1
        ({"X": "a"}, EMPTY, Family.ATTRIBUTE_VALUE_SHAPE, None),
        ({"s": "a"}, EMPTY, Family.ATTRIBUTE_VALUE_SHAPE, None),
        ({"S": None}, EMPTY, Family.ATTRIBUTE_VALUE_SHAPE, None),
        (None, EMPTY, Family.ATTRIBUTE_VALUE_SHAPE, None),
        ({"S": "a", "N": "1"}, SEVERAL, Family.ATTRIBUTE_VALUE_SHAPE, None),  # 3.2
        ({"S": "a", "L": []}, SEVERAL, Family.ATTRIBUTE_VALUE_SHAPE, None),
        ({"SS": []}, INVALID + "An string set  may not be empty", Family.EMPTY_SET, None),  # 3.16
        ({"NS": []}, INVALID + "An number set  may not be empty", Family.EMPTY_SET, None),  # 3.17
        ({"BS": []}, INVALID + "Binary sets should not be empty", Family.EMPTY_SET, None),  # 3.18
        (
            {"SS": ["b", "a", "b"]},  # 3.19
            INVALID + 'Input collection ["a", "b", "b"] contains duplicates.',
            Family.DUPLICATE_IN_SET,
            INVALID + "Input collection [b, a, b] contains duplicates.",
        ),
        (
            {"SS": ["é", "z", "", "z", "é", "a"]},
            INVALID + 'Input collection ["", "z", "é", "z", "é", "a"] contains duplicates.',
            Family.DUPLICATE_IN_SET,
            INVALID + "Input collection [é, z, , z, é, a] contains duplicates.",
        ),
        (
            {"NS": ["1", "2", "1.0"]},  # 3.15, 3.20
            INVALID + "Input collection contains duplicates.",
            Family.DUPLICATE_IN_SET,
            "Input collection contains duplicates",
        ),
        (
            {"BS": ["/w==", "AA==", "AA=="]},  # 3.21
            INVALID + 'Input collection ["AA==","/w==","AA=="]of type BS contains duplicates.',
            Family.DUPLICATE_IN_SET,
            INVALID + "Input collection [/w==, AA==, AA==]of type BS contains duplicates.",
        ),
        (
            {"NULL": False},  # 3.25
            INVALID + "Null attribute value types must have the value of true",
            Family.NULL_FALSE,
            None,
        ),
        ({"N": "dog"}, "The parameter cannot be converted to a numeric value: dog", Family.NUMBER, None),
        ({"NS": ["1", "x"]}, "The parameter cannot be converted to a numeric value: x", Family.NUMBER, None),
        (
            {"SS": ["a", None]},
            INVALID + "An string set may not have a null string as a member",
            Family.EMPTY_SET,
            None,
        ),
        (
            {"NS": [None]},
            INVALID + "An number set may not have a null string as a member",
            Family.EMPTY_SET,
            None,
        ),
        ({"BS": ["", None]}, INVALID + "Binary sets may not contain null values", Family.EMPTY_SET, None),
        ({"M": {"": {"S": "x"}}}, "Empty attribute name", Family.BARE, None),  # 3.30
        (
            {"M": {"a" * 65_536: {"S": "x"}}},  # 3.29
            "Attribute name is too large, must be less than 65536 bytes",
            Family.NAME_SIZE,
            None,
        ),
    ],
)
def test_refused(value: Any, text: str, family: Family, older: str | None) -> None:
    error = refusal(value)
    assert error.message == text
    assert error.family is family
    assert error.words("Scan") == (older or text)
    assert error.words("Query") == text


@pytest.mark.parametrize(
    "value",
    [
        *([], "S", "", 1, 1.5, True, ["S"], [{"S": "x"}]),
        *({"S": 1}, {"S": ["x"]}, {"S": {}}, {"S": True}, {"S": b"x"}, {"S": "\ud800"}),
        *({"N": 3}, {"N": 3.5}, {"N": ["1"]}, {"N": b"1"}, {"N": "\udfff"}, {"N": True}),  # 1.25
        *(
            {"B": 1},
            {"B": "QQ"},
            {"B": "QQ="},
            {"B": "QQ==="},
            {"B": "QQ==\n"},
            {"B": "!"},
            {"B": "é"},
        ),  # 1.29
        *({"B": "===="}, {"B": "Q==="}, {"B": "QQ==QQ=="}, {"B": "Q Q="}, {"B": "-_8="}, {"B": "\ud800"}),
        *({"B": "QR=="}, {"B": "QUJ="}, {"B": "AAAAQUJ="}, {"BS": ["QQI=", "QR=="]}),  # bits of no byte
        *({"B": "QUJD===="}, {"B": "QUJD=="}, {"B": "QQ======"}),
        *({"BOOL": 1}, {"BOOL": "true"}, {"BOOL": []}, {"NULL": 1}, {"NULL": "true"}, {"NULL": 0}),
        *(
            {"SS": "ab"},
            {"SS": {"a": 1}},
            {"SS": [1]},
            {"SS": [None, 1]},
            {"SS": [["a"]]},
            {"SS": ["\ud800"]},
        ),
        *({"NS": "12"}, {"NS": [1]}, {"NS": [{}]}, {"BS": "QQ=="}, {"BS": ["QQ"]}, {"BS": [1]}),
        *({"L": {}}, {"L": "x"}, {"L": ["x"]}, {"L": [[]]}, {"L": [{"S": 1}]}),
        *({"M": []}, {"M": "x"}, {"M": {"a": "x"}}, {"M": {"a": []}}, {"M": {1: {"S": "x"}}}),
        *({"M": {"\ud800": {"S": "x"}}}, {"M": {b"a": {"S": "x"}}}, {"M": {"a": {"BOOL": 0}}}),
    ],
)
def test_wrong_json_types(value: Any) -> None:
    for check in (
        lambda: normalise(value),
        lambda: normalise_item({"a": value}),
        lambda: normalise_item({"a": {"S": "x"}, "m": {"M": {"n": {"L": [value]}}}}),
    ):
        with pytest.raises(SerializationException) as raised:
            check()
        assert raised.value.message is None


@pytest.mark.parametrize("item", [None, [], "x", 1, {1: {"S": "x"}}, {None: {"S": "x"}}, {b"a": {"S": "x"}}])
def test_items_of_a_wrong_json_type(item: Any) -> None:
    with pytest.raises(SerializationException):
        normalise_item(item)


@pytest.mark.parametrize(
    ("value", "normal"),
    [
        ({"N": "1.50"}, {"N": "1.5"}),  # 3.11
        ({"N": "+12"}, {"N": "12"}),
        ({"N": "-0"}, {"N": "0"}),
        ({"NS": ["1.0", "2e1"]}, {"NS": ["1", "20"]}),  # 3.15
        ({"S": "x", "unknown": 1}, {"S": "x"}),
        ({"S": "x", "N": None}, {"S": "x"}),
        ({"L": [{"N": "01"}, {"S": "x"}]}, {"L": [{"N": "1"}, {"S": "x"}]}),
        ({"M": {"a": {"S": "x"}, "b": {"N": "01"}}}, {"M": {"a": {"S": "x"}, "b": {"N": "1"}}}),
        ({"M": {"a": {"L": [{"N": "01"}]}}}, {"M": {"a": {"L": [{"N": "1"}]}}}),
    ],
)
def test_normal_form(value: Any, normal: Any) -> None:
    as_sent = copy.deepcopy(value)
    assert normalise(value) == (normal, value_size(normal))
    assert normalise_item({"a": {"S": "s"}, "b": value}) == (
        {"a": {"S": "s"}, "b": normal},
        3 + value_size(normal),
    )
    assert value == as_sent


@pytest.mark.parametrize(
    "value",
    [
        *({"S": ""}, {"B": ""}, {"SS": [""]}, {"SS": ["", "a"]}, {"BS": [""]}),  # 3.23
        *({"L": []}, {"M": {}}, {"L": [{"S": ""}, {"L": []}, {"M": {}}]}),  # 3.24
        *({"BOOL": True}, {"BOOL": False}, {"NULL": True}),
        *(
            {"S": "\x00"},
            {"S": "𝄞"},
            {"M": {"a.b c": {"S": "x"}, "é": {"N": "1"}, "A": {"N": "2"}, "a": {"N": "3"}}},
        ),
        *({"NS": ["2", "1", "-1"]}, {"SS": ["b", "a"]}, {"BS": ["QQ==", "QUI=", "QUJD"]}),
        *({"L": [{"S": "x"}, {"N": "1"}, {"NULL": True}]}, {"M": {"a" * 65_535: {"S": "x"}}}),  # 3.27, 3.29
    ],
)
def test_normal_already(value: Any) -> None:
    assert normalise(value)[0] is value
    item = {"a": value, "b": {"N": "0"}}
    assert normalise_item(item)[0] is item


@given(generated.values)
def test_normal_form_is_final(value: Any) -> None:
    normal, size = normalise(value)
    again, same_size = normalise(normal)
    assert again is normal
    assert same_size == size == value_size(normal)


@given(generated.json_values)
def test_whatever_is_sent_is_normal_or_refused(value: Any) -> None:
    for check in (normalise, normalise_item):
        try:
            normal, size = check(value)
        except (SerializationException, ValidationException):
            continue
        assert size >= 0
        assert check(normal) == (normal, size)


def wrapped(value: Any, wraps: int, kinds: str = "LM") -> Any:
    for turn in range(wraps):
        value = {"L": [value]} if kinds[turn % len(kinds)] == "L" else {"M": {"m": value}}
    return value


@pytest.mark.parametrize("kinds", ["L", "M", "LM", "LLM"])
@pytest.mark.parametrize("innermost", [{"S": "x"}, {"N": "1"}, {"BOOL": True}, {"SS": ["a"]}, {"N": "01"}])
def test_31_wraps_are_fine(kinds: str, innermost: Any) -> None:
    """3.27, 3.28"""
    value = wrapped(innermost, 31, kinds)
    normal, size = normalise(value)
    assert depth(normal) == MAX_LEVELS
    assert size == value_size(normal)
    assert normalise_item({"a": value}) == ({"a": normal}, size + 1)


@pytest.mark.parametrize("kinds", ["L", "M", "LM", "LLM"])
@pytest.mark.parametrize("wraps", [32, 33, 61, 63, 64, 1_000, 100_000])
@pytest.mark.parametrize("innermost", [{"S": "x"}, {"N": "1"}, {"BOOL": True}, {"SS": ["a"]}, {"S": 1}, 7])
def test_32_wraps_are_too_deep(kinds: str, wraps: int, innermost: Any) -> None:
    """3.28"""
    value = wrapped(innermost, wraps, kinds)
    for check in (lambda: normalise(value), lambda: normalise_item({"a": {"S": "x"}, "b": value})):
        with pytest.raises(ValidationException) as raised:
            check()
        error = raised.value
        assert error.body("PutItem") == {
            "__type": "com.amazon.coral.validate#ValidationException",
            "message": TOO_DEEP if wraps >= 63 else PREFIX + TOO_DEEP,
        }
        assert error.words("TransactWriteItems") == TOO_DEEP
        in_expression = error.for_placeholder(":v")
        wrapped_text = f"ExpressionAttributeValues contains invalid value: {TOO_DEEP} for key :v"
        assert in_expression.name == "ValidationException"
        assert in_expression.words("UpdateItem") == (wrapped_text if wraps >= 63 else PREFIX + TOO_DEEP)
        assert in_expression.words("Scan") == wrapped_text


def test_what_contains_itself_is_too_deep() -> None:
    loop: dict[str, Any] = {"L": [{"S": "x"}]}
    loop["L"] += [{"M": {"a": loop, "b": loop}}, loop]
    with pytest.raises(ValidationException, match="Nesting Levels"):
        normalise(loop)


def test_depth() -> None:
    assert depth({"S": "x"}) == depth({"SS": ["x"]}) == depth({"L": []}) == depth({"M": {}}) == 1
    assert depth({"L": [{"S": "x"}, {"M": {"a": {"L": [{"N": "1"}]}}}]}) == 4
    assert depth({"L": [{"M": {"a": {"S": "x"}}}, {"S": "x"}]}, limit=2) == 2


@pytest.mark.parametrize("value", [{"SS": []}, {"N": "x"}, {}, {"NULL": False}])
def test_a_fault_of_an_expression_value(value: Any) -> None:
    """3.34"""
    with pytest.raises(ValidationException) as raised:
        normalise(value)
    text = raised.value.message
    error = raised.value.for_placeholder(":v")
    assert error.words("Query") == text
    assert error.words("Scan") == f"ExpressionAttributeValues contains invalid value: {text} for key :v"


@given(st.data())
def test_the_first_repeat_is_reported(data: st.DataObject) -> None:
    """3.19"""
    unique = data.draw(st.lists(generated.texts, min_size=1, max_size=5, unique=True))
    repeated = data.draw(st.sampled_from(unique))
    rest = data.draw(st.lists(generated.texts, max_size=3))
    with pytest.raises(ValidationException) as raised:
        normalise({"SS": [*unique, repeated, *rest]})
    reported = [*sorted(unique, key=str.encode), repeated, *rest]
    quoted = ", ".join(f'"{member}"' for member in reported)
    assert raised.value.message == f"{INVALID}Input collection [{quoted}] contains duplicates."
