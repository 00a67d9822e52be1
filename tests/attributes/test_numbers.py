"""Numbers: what is one, its normal form, its size, sums, and bytes that sort."""

from __future__ import annotations

import time
from contextlib import suppress
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from partita.attributes import add_numbers, framed, normal_number, subtract_numbers, value_size
from partita.attributes.numbers import normal_number_and_size, number_bytes
from partita.errors import Family, SerializationException, ValidationException

from .generated import numbers

NINES = "9" * 38
TOO_MANY_DIGITS = "Attempting to store more than 38 significant digits in a Number"
OVERFLOW = "Number overflow. Attempting to store a number with magnitude larger than supported range"
UNDERFLOW = "Number underflow. Attempting to store a number with magnitude smaller than supported range"


@pytest.mark.parametrize(
    ("sent", "normal"),
    [
        # 3.11
        ("1e3", "1000"),
        ("1.50", "1.5"),
        ("007", "7"),
        ("-0", "0"),
        ("-0.0", "0"),
        ("0e99999999999", "0"),
        ("+5", "5"),
        ("5.", "5"),
        (".5", "0.5"),
        ("-.50E+1", "-5"),
        ("1E-2", "0.01"),
        ("12.34e1", "123.4"),
        ("1" + "0" * 50, "1" + "0" * 50),
        # 3.12
        ("1e125", "1" + "0" * 125),
        ("1e-130", "0." + "0" * 129 + "1"),
        # 3.4
        ("000" + NINES + "000", NINES + "000"),
        ("0.000" + NINES + "000", "0.000" + NINES),
        # 3.5, 3.10
        ("0.1e126", "1" + "0" * 125),
        ("-9." + "9" * 37 + "E+125", "-" + NINES + "0" * 88),
        ("0" * 5000 + "1", "1"),
        ("1e" + "0" * 5000 + "3", "1000"),
        ("1" + "0" * 5000 + "e-5000", "1"),
    ],
)
def test_normal_form(sent: str, normal: str) -> None:
    assert normal_number(sent) == normal
    assert normal_number(normal) == normal


@pytest.mark.parametrize(
    ("sent", "text"),
    [
        ("1" * 39, TOO_MANY_DIGITS),  # 3.3
        ("1." + "0" * 37 + "1", TOO_MANY_DIGITS),
        ("1e126", OVERFLOW),  # 3.6
        ("-11e125", OVERFLOW),  # 3.10
        ("1" + "0" * 126, OVERFLOW),
        ("1e-131", UNDERFLOW),  # 3.7
        ("-0.1e-130", UNDERFLOW),
        ("1e-99999999999", UNDERFLOW),
        ("1e-" + "9" * 100_000, UNDERFLOW),
        ("1e" + "9" * 100_000, OVERFLOW),
        ("1" * 100_000, OVERFLOW),
    ],
)
def test_limits(sent: str, text: str) -> None:
    with pytest.raises(ValidationException) as raised:
        normal_number(sent)
    assert raised.value.family is Family.NUMBER
    assert raised.value.words("PutItem") == "1 validation error detected: " + text
    assert raised.value.words("GetItem") == text
    assert raised.value.words("Scan") == text


@pytest.mark.parametrize(
    ("sent", "older"),
    [
        ("1e2147483647", UNDERFLOW),
        ("10e2147483646", UNDERFLOW),
        ("1e2147483646", OVERFLOW),
        ("1e99999999999", OVERFLOW),
    ],
)
def test_a_huge_exponent_wraps_in_the_older_layer(sent: str, older: str) -> None:
    """3.8"""
    with pytest.raises(ValidationException) as raised:
        normal_number(sent)
    assert raised.value.words("Query") == OVERFLOW
    assert raised.value.words("Scan") == older


@pytest.mark.parametrize(
    "sent",
    [
        *("dog", "NaN", "Infinity", "-Infinity", "0x10", " 1", "1 ", "1\n", "1e", "1e+", "1.2.3"),
        *("+", "-", ".", "--1", "1_000", "e5", ".e5", "١", "²", "1,5", "1e1.5", "\x00"),
    ],
)
def test_not_a_number(sent: str) -> None:
    """3.8, 3.9"""
    with pytest.raises(ValidationException) as raised:
        normal_number(sent)
    text = f"The parameter cannot be converted to a numeric value: {sent}"
    assert raised.value.words("UpdateItem") == "1 validation error detected: " + text
    assert raised.value.words("BatchGetItem") == text
    assert raised.value.words("TransactWriteItems") == text


def test_an_empty_number() -> None:
    """3.8"""
    with pytest.raises(ValidationException) as raised:
        normal_number("")
    assert raised.value.words("Query") == "The parameter cannot be converted to a numeric value: "
    assert raised.value.words("Scan") == "The parameter cannot be converted to a numeric value"


def test_a_number_that_no_answer_could_echo() -> None:
    with pytest.raises(SerializationException):
        normal_number("\ud800")


@pytest.mark.parametrize(
    "sent",
    [
        "1" * 4_000_000,
        "1" * 4_000_000 + "x",
        "0" * 4_000_000,
        "1e" + "0" * 4_000_000 + "x",
        "." + "0" * 4_000_000 + "x",
        "1." + "0" * 4_000_000 + "e" + "9" * 4_000_000,
    ],
    ids=["digits", "digits-x", "zeros", "exponent-x", "fraction-x", "all-long"],
)
def test_long_texts_take_linear_time(sent: str) -> None:
    start = time.process_time()
    with suppress(ValidationException):
        normal_number(sent)
    assert time.process_time() - start < 2


@pytest.mark.parametrize(
    ("sent", "size"),
    # 4.4, the captured ones and those inferred from the rule
    [(text, 1) for text in ("0", "-0", "0.0", "0e5")]
    + [(text, 2) for text in ("1", "12", "100", "0042", "0.15", "0.0000001", "1E125", "1E-100")]
    + [(text, 2) for text in ("120", "0.01", "1e100", "0.012")]
    + [(text, 3) for text in ("123", "1010", "1.5", "1.200", "-42", "-0.5")]
    + [(text, 4) for text in ("12345", "1.234", "100.5", "-1.5")]
    + [("3.14159", 5), (NINES, 20), ("-" + NINES, 21), ("9." + "9" * 37, 21), ("100.001", 5)],
)
def test_size(sent: str, size: int) -> None:
    normal, size_at_write = normal_number_and_size(sent)
    assert size_at_write == size
    assert value_size({"N": normal}) == size


@given(numbers)
def test_normal_form_keeps_the_value(sent: str) -> None:
    normal, size = normal_number_and_size(sent)
    assert Decimal(normal) == Decimal(sent)
    assert "e" not in normal.lower()
    assert normal_number_and_size(normal) == (normal, size)
    assert normal == "0" or not normal.startswith(("00", "-00", "."))
    if "." in normal:
        assert normal[-1] != "0"


@given(numbers)
def test_size_equals_a_count_of_digits(sent: str) -> None:
    normal, size = normal_number_and_size(sent)
    number = Decimal(normal)
    whole, _, fraction = f"{number.copy_abs():f}".partition(".")
    whole, fraction = whole.lstrip("0"), fraction.rstrip("0")
    if not fraction:
        whole = whole.rstrip("0")
    if not whole:
        fraction = fraction.lstrip("0")
    expected = 1 + (len(whole) + 1) // 2 + (len(fraction) + 1) // 2 + (number < 0)
    assert size == expected
    assert value_size({"N": normal}) == size


@given(numbers, numbers)
def test_bytes_sort_as_numbers_do(a: str, b: str) -> None:
    """3.14"""
    x, y = normal_number(a), normal_number(b)
    assert (number_bytes(x) < number_bytes(y)) == (Decimal(x) < Decimal(y))
    assert (number_bytes(x) == number_bytes(y)) == (Decimal(x) == Decimal(y))


@given(numbers, numbers, st.binary(max_size=3), st.binary(max_size=3))
def test_bytes_end_by_themselves(a: str, b: str, more_a: bytes, more_b: bytes) -> None:
    x, y = normal_number(a), normal_number(b)
    if x != y:
        assert (framed({"N": x}) + more_a < framed({"N": y}) + more_b) == (Decimal(x) < Decimal(y))
    assert len(number_bytes(x)) <= 21


def test_bytes_at_the_limits() -> None:
    largest, smallest = "9." + "9" * 37 + "e125", "1e-130"
    ascending = ["-" + largest, "-1e125", "-10", "-9.5", "-9", "-1", "-0.5", "-" + smallest, "0"]
    ascending += [smallest, "0.5", "1", "9", "9.5", "10", "10.01", "1e125", largest]
    encoded = [number_bytes(normal_number(text)) for text in ascending]
    assert encoded == sorted(encoded)
    assert len(set(encoded)) == len(encoded)


@pytest.mark.parametrize(
    ("a", "b", "total"),
    [
        ("1", "2", "3"),
        ("0.1", "0.2", "0.3"),
        ("-1", "1", "0"),
        ("0.5", "0.5", "1"),
        ("99", "1", "100"),
        (NINES, "1", "1" + "0" * 38),
        (NINES, "0", NINES),
        ("1" + "0" * 125, "-1" + "0" * 125, "0"),
        ("1.5", "-0.5", "1"),
    ],
)
def test_sums(a: str, b: str, total: str) -> None:
    assert add_numbers(a, b) == total
    assert add_numbers(b, a) == total
    assert subtract_numbers(total, b) == a


@pytest.mark.parametrize(
    ("a", "b", "text"),
    [
        (NINES, "0.1", TOO_MANY_DIGITS),  # 8.12
        ("1" + "0" * 38, "1", TOO_MANY_DIGITS),
        ("1" + "0" * 125, "0." + "0" * 129 + "1", TOO_MANY_DIGITS),
        ("9" + "0" * 125, "9" + "0" * 125, OVERFLOW),
    ],
)
def test_sums_that_do_not_fit(a: str, b: str, text: str) -> None:
    with pytest.raises(ValidationException) as raised:
        add_numbers(a, b)
    assert raised.value.words("UpdateItem") == text


@given(numbers, numbers)
def test_sums_are_exact_or_refused(a: str, b: str) -> None:
    x, y = normal_number(a), normal_number(b)
    try:
        total, difference = add_numbers(x, y), subtract_numbers(x, y)
    except ValidationException:
        return
    assert as_integer(total) == as_integer(x) + as_integer(y)
    assert as_integer(difference) == as_integer(x) - as_integer(y)


def as_integer(normal: str) -> int:
    whole, _, fraction = normal.partition(".")
    return int(whole + fraction.ljust(200, "0"))
