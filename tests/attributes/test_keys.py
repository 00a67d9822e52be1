"""Keys as bytes, and sort key conditions as ranges of them."""

from __future__ import annotations

from base64 import b64encode
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from partita.attributes import (
    compare,
    equal,
    framed,
    normalise,
    partition_digest,
    sort_bytes,
    sort_range,
    successor,
)

from . import generated

texts = st.text(alphabet="\x00\x01ab\xff\U0010ffff", max_size=4).map(lambda text: {"S": text})
binaries = st.lists(st.sampled_from([0, 1, 2, 254, 255]), max_size=4).map(bytes)


def as_value(content: bytes) -> Any:
    return {"B": b64encode(content).decode()}


numbers = st.one_of(
    generated.numbers.map(lambda text: normalise({"N": text})[0]),
    st.integers(-3, 3).map(lambda number: {"N": str(number)}),
)
one_type = st.sampled_from([texts, binaries.map(as_value), numbers])


@st.composite
def pairs(draw: st.DrawFn) -> tuple[Any, Any]:
    """Two key values of one type, often close to each other."""
    kind = draw(one_type)
    return draw(kind), draw(kind)


def sign(number: int | None) -> int:
    assert number is not None
    return (number > 0) - (number < 0)


def bytes_sign(a: bytes, b: bytes) -> int:
    return (a > b) - (a < b)


@given(pairs())
def test_sort_bytes_sort_as_values_do(pair: tuple[Any, Any]) -> None:
    a, b = pair
    assert bytes_sign(sort_bytes(a), sort_bytes(b)) == sign(compare(a, b))


@given(pairs(), st.binary(max_size=3), st.binary(max_size=3))
def test_framed_bytes_sort_as_values_do_whatever_follows(pair: tuple[Any, Any], x: bytes, y: bytes) -> None:
    a, b = pair
    expected = sign(compare(a, b)) or bytes_sign(x, y)
    assert bytes_sign(framed(a) + x, framed(b) + y) == expected


@given(pairs(), pairs())
def test_frames_in_a_row_sort_one_after_the_other(first: tuple[Any, Any], second: tuple[Any, Any]) -> None:
    """17.10"""
    expected = sign(compare(*first)) or sign(compare(*second))
    a, b = (framed(first[side]) + framed(second[side]) for side in (0, 1))
    assert bytes_sign(a, b) == expected


@given(binaries, binaries)
def test_successor(prefix: bytes, other: bytes) -> None:
    after = successor(prefix)
    if after is None:
        assert prefix.strip(b"\xff") == b""
        assert other < prefix or other.startswith(prefix)
    else:
        assert (other >= after) == (other > prefix and not other.startswith(prefix))
        assert after > prefix


OPERATORS = ("=", "<", "<=", ">", ">=", "BETWEEN", "begins_with")


def selects(operator: str, value: Any, operands: list[Any]) -> bool:
    if operator == "begins_with":
        return sort_bytes(value).startswith(sort_bytes(operands[0]))
    order = sign(compare(value, operands[0]))
    if operator == "BETWEEN":
        return order >= 0 and sign(compare(value, operands[1])) <= 0
    return {"=": order == 0, "<": order < 0, "<=": order <= 0, ">": order > 0, ">=": order >= 0}[operator]


@st.composite
def conditions(draw: st.DrawFn) -> tuple[str, list[Any], list[Any]]:
    """(operator, operands, values to choose from), all of one type."""
    kind = draw(one_type)
    operands = [draw(kind), draw(kind)]
    values = [*operands, *draw(st.lists(kind, max_size=6))]
    operator = draw(st.sampled_from(OPERATORS[:-1] if kind is numbers else OPERATORS))
    return operator, operands if operator == "BETWEEN" else operands[:1], values


@given(conditions())
def test_ranges_of_sort_bytes(condition: tuple[str, list[Any], list[Any]]) -> None:
    operator, operands, values = condition
    low, high = sort_range(operator, operands, is_framed=False)
    for value in values:
        content = sort_bytes(value)
        assert (low <= content and (high is None or content < high)) == selects(operator, value, operands)


@given(conditions(), st.lists(st.one_of(texts, binaries.map(as_value), numbers), max_size=2), st.data())
def test_ranges_of_framed_bytes(
    condition: tuple[str, list[Any], list[Any]], earlier: list[Any], data: st.DataObject
) -> None:
    operator, operands, values = condition
    prefix = b"".join(map(framed, earlier))
    low, high = sort_range(operator, operands, is_framed=True, prefix=prefix)
    for value in values:
        # What follows: further attributes, and always a digest of 16 bytes.
        more = data.draw(
            st.one_of(st.just(b"\x00" * 16), st.just(b"\xff" * 16), st.binary(min_size=16, max_size=16))
        )
        content = prefix + framed(value) + more
        assert (low <= content and (high is None or content < high)) == selects(operator, value, operands)
        if earlier:
            other = data.draw(st.one_of(texts, binaries.map(as_value), numbers))
            if framed(other) != framed(earlier[0]):
                elsewhere = framed(other) + prefix[len(framed(earlier[0])) :] + framed(value) + more
                assert not (low <= elsewhere and (high is None or elsewhere < high))


@pytest.mark.parametrize(
    ("operator", "kind"),
    [(operator, "S") for operator in OPERATORS] + [(operator, "N") for operator in OPERATORS[:-1]],
)
def test_ranges_stay_under_their_prefix(operator: str, kind: str) -> None:
    rows = [(outer, {kind: inner}) for outer in ("", "a", "b", "ba") for inner in ("1", "2", "21", "3")]
    operands = [{kind: "2"}, {kind: "21"}][: 2 if operator == "BETWEEN" else 1]
    prefix = framed({"S": "a"})
    low, high = sort_range(operator, operands, is_framed=True, prefix=prefix)
    for outer, value in rows:
        content = framed({"S": outer}) + framed(value) + bytes(16)
        expected = outer == "a" and selects(operator, value, operands)
        assert (low <= content and (high is None or content < high)) == expected


def test_an_unknown_operator() -> None:
    with pytest.raises(ValueError, match="<>"):
        sort_range("<>", [{"S": "x"}], is_framed=False)


key_values = st.lists(st.one_of(texts, binaries.map(as_value), numbers), min_size=1, max_size=4)


@given(key_values, key_values)
def test_digests_tell_values_apart(a: list[Any], b: list[Any]) -> None:
    same = len(a) == len(b) and all(map(equal, a, b))
    assert (partition_digest(a) == partition_digest(b)) == same
    assert len(partition_digest(a)) == 16


@pytest.mark.parametrize(
    ("value", "unframed", "with_frame"),
    [
        ({"S": "a\x00é"}, "6100c3a9", "6100ffc3a90001"),
        ({"B": "AP8="}, "00ff", "00ffff0001"),
        ({"N": "0"}, "8000", "8000"),
        ({"N": "1"}, "883200", "883200"),
        ({"N": "12"}, "884230", "884230"),
        ({"N": "-12"}, "77cdcf", "77cdcf"),
        ({"N": "-0.5"}, "77e9ff", "77e9ff"),
    ],
)
def test_bytes_never_change(value: Any, unframed: str, with_frame: str) -> None:
    """Like the digests, they are in the files of those who have data."""
    assert sort_bytes(value).hex() == unframed
    assert framed(value).hex() == with_frame


def test_digests_never_change() -> None:
    assert partition_digest([{"S": "a"}]).hex() == "39017a78c517fec67418ffc705af7973"
    assert partition_digest([{"N": "1"}]).hex() == "3d32c242909d06325ee843bf8e6b3fcb"
    assert partition_digest([{"S": "a"}, {"B": "AP8="}]).hex() == "e63039ecf78b7bdc4c9bf0b61cee7828"


def test_equal_numbers_are_one_key() -> None:
    """3.13"""
    digests = {partition_digest([normalise({"N": text})[0]]) for text in ("1", "1.0", "01", "1e0", "+1")}
    assert len(digests) == 1
