"""Key templates: checked when the class is made, rendered, and read back."""

from __future__ import annotations

import enum
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Annotated, Any, Literal
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, Field

from partita.model import DeclarationError, KeyValueError
from partita.model.keys.declared_templates import compile_template
from partita.model.keys.templates import Template
from partita.model.values.codecs import field_schema

texts = st.text(st.characters(codec="utf-8"), max_size=6) | st.text("#$ A", max_size=5)


class Size(enum.Enum):
    SMALL = "s"
    LARGE = "l#"


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 20


class Thing(BaseModel):
    a: str
    b: str
    short: Annotated[str, Field(max_length=10)]
    n: int
    total: Decimal
    ratio: float
    at: datetime
    day: date
    uid: UUID
    data: bytes
    flag: bool
    size: Size
    level: Level
    kind: Literal["x", "yy"]
    step: Literal[1, 2, 10]
    tags: list[str]
    maybe: str | None = None


FIELDS = {name: field_schema(name, info, f"Thing.{name}") for name, info in Thing.model_fields.items()}


def compiled(text: str, **options: Any) -> Template:
    options = {"attribute": "PK", "kind": "S", "may_shard": True} | options
    return compile_template(text, fields=FIELDS, where="Thing.key", **options)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "empty template"),
        ("A#{nope}", "no field 'nope'"),
        ("A#{}", "no placeholder"),
        ("A#{a.b}", "no placeholder"),
        ("A#{a", "brace"),
        ("A#a}", "brace"),
        ("{a}{b}", "any length"),
        ("{a}-{b}", "any length"),
        ("{n}", "only with a width"),
        ("{total}", "only with a width"),
        ("{level}", "only with a width"),
        ("{step}", "only with a width"),
        ("{n:0}", "cannot stand in a key"),
        ("{n:5.2}", "cannot stand in a key"),
        ("{a:5}", "cannot stand in a key"),
        ("{total:30.9}", "more than 38 digits"),
        ("{tags}", "cannot stand in a key"),
        ("{day:hour}", "cannot stand in a key"),
        ("{at:week}", "cannot stand in a key"),
        ("{shard}", "shard:N"),
        ("{shard:1}", "shard:N"),
        ("{level:1}", "more than 1 digits"),
    ],
)
def test_what_cannot_work_is_refused_at_once(text: str, message: str) -> None:
    with pytest.raises((DeclarationError, KeyValueError), match=message):
        compiled(text)


def test_a_shard_stands_only_where_it_may() -> None:
    with pytest.raises(DeclarationError, match="only in the partition key"):
        compiled("{shard:4}", may_shard=False)


@pytest.mark.parametrize(
    ("text", "values", "key"),
    [
        ("TENANT#{a}#ORDER#{b}", {"a": "4#2", "b": "9 1"}, "TENANT#4$S2#ORDER#9$P1"),
        ("{n:3}{n:4}", {"n": 7}, "0070007"),
        ("{size}#{kind}", {"size": Size.LARGE, "kind": "yy"}, "l$S#yy"),
        ("{size}", {"size": "s"}, "s"),
        ("{level:3}|{step:2}", {"level": Level.HIGH, "step": 2}, "020|02"),
        ("{flag}", {"flag": True}, "true"),
        ("{data}", {"data": b"\x00\xff"}, "00ff"),
        (
            "{at:month}#{day:year}",
            {"at": datetime(2026, 9, 28, tzinfo=UTC), "day": date(2026, 1, 1)},
            "2026-09#2026",
        ),
        ("{ratio:1.3}", {"ratio": 0.25}, "0.250"),
        ("P#{shard:4}", {"shard": 3}, "P#3"),
    ],
)
def test_rendering(text: str, values: dict[str, Any], key: str) -> None:
    assert compiled(text).render(values) == {"S": key}


@pytest.mark.parametrize("values", [{}, {"a": None}, {"a": 1}, {"a": ""}])
def test_a_missing_unfit_or_empty_key_is_refused(values: dict[str, Any]) -> None:
    with pytest.raises(KeyValueError):
        compiled("{a}").render(values)


ALL = "T#{a}#{n:6}{uid}{at}#{b}#{total:5.2}#{size}#{kind}#{flag}#{data}#{level:2}{day}"
every = st.fixed_dictionaries(
    {
        "a": texts,
        "b": texts,
        "n": st.integers(0, 999_999),
        "uid": st.uuids(),
        "at": st.datetimes(timezones=st.just(UTC)),
        "total": st.integers(0, 9_999_999).map(lambda n: Decimal(n).scaleb(-2)),
        "size": st.sampled_from(Size),
        "kind": st.sampled_from(["x", "yy"]),
        "flag": st.booleans(),
        "data": st.binary(max_size=3),
        "level": st.sampled_from(Level),
        "day": st.dates(),
    }
)


@given(every)
def test_a_rendered_key_reads_back_into_its_values(values: dict[str, Any]) -> None:
    template = compiled(ALL)
    assert template.parse(template.render(values)) == values


@given(texts)
def test_reading_an_alien_key_gives_nothing_or_the_values_that_render_it(text: str) -> None:
    template = compiled("{a}#{n:2}")
    values = template.parse({"S": text})
    assert values is None or template.render(values) == {"S": text}


@pytest.mark.parametrize("key", ["", "T#", "T#x#1", "T#x#001", "U#x#01", "T#x#0a", "T#x#01\n"])
def test_keys_of_another_form_are_not_read(key: str) -> None:
    assert compiled("T#{a}#{n:2}").parse({"S": key}) is None


def test_a_field_that_stands_twice_has_one_value() -> None:
    template = compiled("{a}#{a}")
    assert template.names == ("a",)
    assert template.parse({"S": "x#x"}) == {"a": "x"}
    assert template.parse({"S": "x#y"}) is None


class TestRaw:
    def test_values_are_rendered_as_they_are(self) -> None:
        template = compiled("USER#{a}#{n}", raw=True)
        assert template.render({"a": "x y", "n": -7}) == {"S": "USER#x y#-7"}
        assert template.parse({"S": "USER#x y#-7"}) == {"a": "x y", "n": -7}

    def test_the_last_value_takes_separators(self) -> None:
        assert compiled("U#{a}", raw=True).parse({"S": "U#x#y"}) == {"a": "x#y"}

    def test_numbers_without_a_width_do_not_sort(self) -> None:
        assert not compiled("U#{n}", raw=True).sorts
        assert compiled("U#{n:4}", raw=True).sorts

    def test_a_key_attribute_that_is_a_number_is_the_field_itself(self) -> None:
        template = compiled("{n}", raw=True, attribute="n", kind="N")
        assert template.render({"n": 5}) == {"N": "5"}
        assert template.parse({"N": "5"}) == {"n": 5}
        assert template.parse({"S": "5"}) is None

    def test_its_kind_must_be_that_of_the_field(self) -> None:
        with pytest.raises(DeclarationError, match="stored as S"):
            compiled("{a}", raw=True, kind="N")
        with pytest.raises(DeclarationError, match="one placeholder"):
            compiled("N{n}", raw=True, kind="N")


@pytest.mark.parametrize(
    ("text", "most"),
    [
        ("A#{n:4}#{at}", 34),
        ("A#{short}", 42),
        ("A#{a}", None),
        ("é{size}", 5),
        ("{uid}{flag}", 41),
        ("{kind}#{shard:100}", 5),
    ],
)
def test_the_longest_key_is_known_where_the_fields_are_bounded(text: str, most: int | None) -> None:
    assert compiled(text).max_bytes == most
