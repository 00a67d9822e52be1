"""How values stand in keys: order is kept, nothing looks like anything else, and everything reads back."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from partita.model import KeyValueError
from partita.model.keys import formats

texts = st.text(st.characters(codec="utf-8"), max_size=8) | st.text("#$% \0AB", max_size=6)
zones = st.timezones() | st.just(UTC) | st.integers(-720, 720).map(lambda m: timezone(timedelta(minutes=m)))
moments = st.datetimes(datetime(2, 1, 1), datetime(9998, 1, 1), timezones=zones)


def padded(digits: int, scale: int = 0, *, signed: bool = False) -> formats.Format:
    kind: Any = Decimal if scale else int
    return formats.number_format(digits, scale, signed, kind, (int, Decimal))


def cents(low: int, high: int) -> st.SearchStrategy[Decimal]:
    return st.integers(low, high).map(lambda n: Decimal(n).scaleb(-2))


CASES: list[tuple[str, formats.Format, st.SearchStrategy[Any]]] = [
    ("text", formats.text_format(None), texts),
    ("padded", padded(4), st.integers(0, 9999)),
    ("signed", padded(3, signed=True), st.integers(-999, 999)),
    ("decimal", padded(3, 2), cents(0, 99999)),
    ("signed decimal", padded(2, 2, signed=True), cents(-9999, 9999)),
    ("datetime", formats.DATETIME, moments),
    ("date", formats.DATE, st.dates()),
    ("uuid", formats.UUID_FORMAT, st.uuids(allow_nil=True)),
    ("bytes", formats.bytes_format(None), st.binary(max_size=4)),
    ("bool", formats.BOOL, st.booleans()),
    ("shard", formats.shard_format(12), st.integers(0, 11)),
]
cases = pytest.mark.parametrize(
    ("form", "values"), [case[1:] for case in CASES], ids=[case[0] for case in CASES]
)


def sortable(value: Any) -> Any:
    """DynamoDB's order is that of UTF-8 bytes, which is the order of code points."""
    if isinstance(value, datetime):
        # A local time that a clock change skips or repeats equals no other zone's time in Python.
        return value.astimezone(UTC)
    return value.int if isinstance(value, UUID) else value


@cases
@given(data=st.data())
def test_written_values_order_as_the_values_do_also_when_more_follows(
    form: formats.Format, values: st.SearchStrategy[Any], data: st.DataObject
) -> None:
    a, b = data.draw(values), data.draw(values)
    for tail in ("", "#", "#" + data.draw(texts)):
        one, other = form.render(a) + tail, form.render(b) + tail
        assert (one.encode() < other.encode()) == (sortable(a) < sortable(b))
        assert (one == other) == (sortable(a) == sortable(b))


@cases
@given(data=st.data())
def test_written_values_read_back(
    form: formats.Format, values: st.SearchStrategy[Any], data: st.DataObject
) -> None:
    value = data.draw(values)
    assert sortable(form.parse(form.render(value))) == sortable(value)


@cases
@given(data=st.data())
def test_no_value_holds_a_separator_and_fixed_widths_are_kept(
    form: formats.Format, values: st.SearchStrategy[Any], data: st.DataObject
) -> None:
    text = form.render(data.draw(values))
    assert "#" not in text
    assert form.width in (None, len(text))
    assert form.max_bytes is None or len(text.encode()) <= form.max_bytes


@given(texts, texts, texts, texts)
def test_texts_side_by_side_never_swallow_each_other(a: str, b: str, c: str, d: str) -> None:
    one, other = (f"{formats.escape(x)}#{formats.escape(y)}" for x, y in ((a, b), (c, d)))
    assert (one == other) == ((a, b) == (c, d))
    assert (one < other) == ((a, b) < (c, d))
    assert one.startswith(formats.escape(c) + "#") == (a == c)


@given(texts, texts)
def test_the_beginning_of_a_text_is_the_beginning_of_what_is_written(a: str, b: str) -> None:
    assert formats.escape(a + b).startswith(formats.escape(a))


@pytest.mark.parametrize(
    ("text", "written"),
    [("a b", "a$Pb"), ("#", "$S"), ("$", "$T"), ("%", "%"), ("\0", "$0"), ("\n", "$:"), ("é#", "é$S")],
)
def test_the_escaping_rule_is_fixed_for_ever(text: str, written: str) -> None:
    assert formats.escape(text) == written


@pytest.mark.parametrize(
    ("form", "value", "written"),
    [
        (padded(5), 42, "00042"),
        (padded(5, signed=True), 7, "P00007"),
        (padded(5, signed=True), -1, "N99999"),
        (padded(5, 2), Decimal("12.5"), "00012.50"),
        (padded(2, 2, signed=True), Decimal("-0.01"), "N99.99"),
        (padded(2, 2, signed=True), Decimal("-0.00"), "P00.00"),
        (padded(3), Decimal("1E+2"), "100"),
        (formats.number_format(3, 1, False, float, (int, float)), 0.1, "000.1"),
        (
            formats.DATETIME,
            datetime(2026, 9, 28, 9, 5, tzinfo=timezone(timedelta(hours=2))),
            "2026-09-28T07:05:00.000000Z",
        ),
        (formats.DATE, date(926, 9, 28), "0926-09-28"),
        (
            formats.part_of_time_format(formats.DATETIME, "day"),
            datetime(2026, 9, 28, tzinfo=UTC),
            "2026-09-28",
        ),
        (formats.shard_format(10), 3, "3"),
        (formats.shard_format(11), 3, "03"),
    ],
)
def test_the_written_forms_are_fixed_for_ever(form: formats.Format, value: Any, written: str) -> None:
    assert form.render(value) == written


@pytest.mark.parametrize(
    ("form", "value"),
    [
        (padded(3), 1000),
        (padded(3), -1),
        (padded(3), "7"),
        (padded(3), True),
        (padded(3, signed=True), -1000),
        (padded(3, signed=True), 1000),
        (padded(3, 2), Decimal("1.001")),
        (padded(3, 2), Decimal("NaN")),
        (padded(3, 2), Decimal("999.999")),
        (formats.DATETIME, datetime(2026, 1, 1)),
        (formats.DATETIME, datetime.min.replace(tzinfo=timezone(timedelta(hours=3)))),
        (formats.DATETIME, date(2026, 1, 1)),
        (formats.DATE, datetime(2026, 1, 1, tzinfo=UTC)),
        (formats.text_format(None), 7),
        (formats.text_format(None), "\ud800"),
        (formats.raw_text_format(None, last=True), "\ud800"),
        (formats.UUID_FORMAT, "00000000-0000-0000-0000-000000000000"),
        (formats.BOOL, 1),
        (formats.shard_format(4), 4),
    ],
)
def test_what_does_not_fit_is_refused(form: formats.Format, value: Any) -> None:
    with pytest.raises(KeyValueError):
        form.render(value)
