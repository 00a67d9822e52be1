"""Values of every annotation come back from DynamoDB's form, or the annotation is refused."""

from __future__ import annotations

import base64
import enum
import math
from collections.abc import Callable
from datetime import UTC, date, datetime, time, timedelta, timezone
from decimal import Decimal
from typing import Annotated, Any, Literal, NewType, Optional, TypeVar, Union
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import (
    AwareDatetime,
    Base64Bytes,
    Base64Str,
    BaseModel,
    ConfigDict,
    EmailStr,
    Field,
    Json,
    NaiveDatetime,
    PositiveInt,
    RootModel,
    SecretStr,
)

from partita.attributes import normalise
from partita.model import Attribute, DeclarationError, StoreNull, UnstorableValue
from partita.model.schema import AttributeValue
from partita.model.values.codecs import codec_for

UserId = NewType("UserId", str)
T = TypeVar("T")


class Colour(enum.Enum):
    RED = "r"
    BLUE = "b"


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 2


class Address(BaseModel):
    city: str
    zip: Annotated[str | None, Attribute("postcode")] = None
    lines: list[str] = []
    tags: set[str] = set()


class Home(Address):
    floor: int


class Rights(enum.IntFlag):
    READ = 1
    WRITE = 2


class Numbers(RootModel[list[int]]):
    pass


class Tree(BaseModel):
    name: str
    children: list[Tree] = []


class Card(BaseModel):
    kind: Literal["card"] = "card"
    number: str


class Transfer(BaseModel):
    kind: Literal["transfer", "wire"]
    iban: str


class Aliased(BaseModel):
    city: str = Field(alias="cityName")


numbers = st.integers(-(10**38) + 1, 10**38 - 1)
decimals = st.decimals(allow_nan=False, allow_infinity=False, places=4, min_value=-(10**30), max_value=10**30)
floats = st.floats(allow_nan=False, allow_infinity=False, min_value=-1e120, max_value=1e120).filter(
    lambda x: x == 0 or abs(x) > 1e-120
)
texts = st.text(st.characters(codec="utf-8"), max_size=5)
names = texts.filter(bool)
EAST = timezone(timedelta(hours=2))
moments = st.datetimes(datetime(2, 1, 1), datetime(9998, 1, 1), timezones=st.timezones())
addresses = st.builds(
    Address,
    city=texts,
    zip=st.none() | texts,
    lines=st.lists(texts, max_size=2),
    tags=st.sets(texts, max_size=2),
)
trees = st.recursive(
    st.builds(Tree, name=texts),
    lambda inner: st.builds(Tree, name=texts, children=st.lists(inner, max_size=2)),
    max_leaves=4,
)

ROUND: list[tuple[Any, st.SearchStrategy[Any]]] = [
    (str, texts),
    (UserId, texts),
    (EmailStr, texts),
    (int, numbers),
    (PositiveInt, st.integers(1, 9)),
    (Decimal, decimals),
    (float, floats),
    (bool, st.booleans()),
    (bytes, st.binary(max_size=5)),
    (datetime, moments),
    (AwareDatetime, moments),
    (date, st.dates()),
    (UUID, st.uuids()),
    (Colour, st.sampled_from(Colour)),
    (Level, st.sampled_from(Level)),
    (Literal["a", "b"], st.sampled_from("ab")),
    (Literal[1, 2], st.sampled_from([1, 2])),
    (Literal[Colour.RED], st.just(Colour.RED)),
    (list[int], st.lists(numbers, max_size=3)),
    (list[int | None], st.lists(st.none() | numbers, max_size=3)),
    (list[set[str]], st.lists(st.sets(texts, max_size=2), max_size=3)),
    (tuple[int, ...], st.lists(numbers, max_size=3).map(tuple)),
    (tuple[int, str | None], st.tuples(numbers, st.none() | texts)),
    (set[str], st.sets(texts, max_size=3)),
    (frozenset[int], st.frozensets(numbers, max_size=3)),
    (set[Decimal], st.sets(decimals, max_size=3)),
    (set[float], st.sets(floats, max_size=3)),
    (set[bytes], st.sets(st.binary(max_size=3), max_size=3)),
    (set[UUID], st.sets(st.uuids(), max_size=2)),
    (set[Colour], st.sets(st.sampled_from(Colour))),
    (dict[str, int], st.dictionaries(names, numbers, max_size=3)),
    (dict[int, str | None], st.dictionaries(numbers, st.none() | texts, max_size=3)),
    (dict[UUID, list[date]], st.dictionaries(st.uuids(), st.lists(st.dates(), max_size=2), max_size=2)),
    (dict[Colour, bool], st.dictionaries(st.sampled_from(Colour), st.booleans())),
    (dict[Literal[1, 2], bool], st.dictionaries(st.sampled_from([1, 2]), st.booleans())),
    (dict[date, str], st.dictionaries(st.dates(), texts, max_size=2)),
    (Address, addresses),
    (list[Address], st.lists(addresses, max_size=2)),
    (Tree, trees),
    (int | str, numbers | texts),
    (bool | Decimal | list[str], st.booleans() | decimals | st.lists(texts, max_size=2)),
    (
        Annotated[Card | Transfer, Field(discriminator="kind")],
        st.builds(Card, number=texts)
        | st.builds(Transfer, kind=st.sampled_from(["transfer", "wire"]), iban=texts),
    ),
    (Aliased, texts.map(lambda city: Aliased(cityName=city))),
    (str | None, st.none() | texts),
    (Optional[int], st.none() | numbers),  # noqa: UP045
    (Union[None, Address], st.none() | addresses),  # noqa: UP007
    (Annotated[str | None, StoreNull()], st.none() | texts),
    (Annotated[set[str] | None, StoreNull()], st.none() | st.sets(texts, max_size=2)),
]


@pytest.mark.parametrize(("annotation", "values"), ROUND, ids=[str(case[0]).split(".")[-1] for case in ROUND])
@given(data=st.data())
def test_what_is_stored_reads_back_equal(
    annotation: Any, values: st.SearchStrategy[Any], data: st.DataObject
) -> None:
    codec = codec_for(annotation, "X.x")
    value = data.draw(values)
    encoded = codec.encode(value)
    if encoded is None:
        assert codec.absent is not None
        assert codec.absent() == value
        return
    read = codec.decode(encoded)
    # A local time that a clock change skips or repeats equals no other zone's time in Python.
    assert read == (value.astimezone(UTC) if isinstance(value, datetime) else value)
    assert type(read) is type(value) or isinstance(value, datetime)
    wire = on_the_wire(encoded)
    assert normalise(wire)[0] == wire, "the database keeps it as it was sent"


def on_the_wire(value: AttributeValue) -> AttributeValue:
    ((kind, content),) = value.items()
    match kind:
        case "B":
            return {"B": base64.b64encode(content).decode()}
        case "BS":
            return {"BS": [base64.b64encode(one).decode() for one in content]}
        case "L":
            return {"L": [on_the_wire(one) for one in content]}
        case "M":
            return {"M": {name: on_the_wire(one) for name, one in content.items()}}
    return value


@pytest.mark.parametrize(
    ("annotation", "message"),
    [
        (Any, "says nothing"),
        (object, "says nothing"),
        (T, "says nothing"),
        (list, "of what the list is"),
        (dict, "of what the dict is"),
        (list[Any], "says nothing"),
        (dict[str, Any], "says nothing"),
        (dict[float, str], "keys of a dict"),
        (dict[bytes, str], "keys of a dict"),
        (dict[Decimal, str], "keys of a dict"),
        (dict[bool, str], "keys of a dict"),
        (dict[str | None, str], "keys of a dict"),
        (dict[tuple[str, str], str], "keys of a dict"),
        (set[bool], "a set holds"),
        (set[tuple[int, int]], "a set holds"),
        (set[str | None], "a set holds"),
        (set[str] | None, "empty set would both"),
        (str | UUID, "cannot be told apart"),
        (int | float, "cannot be told apart"),
        (list[str] | tuple[str, ...], "cannot be told apart"),
        (Card | Transfer, "cannot be told apart"),
        (set[str] | int, "cannot be told apart"),
        (Literal["a", 1], "all str or all int"),
        (Literal[Colour.RED, "x"], "cannot be told apart"),
        (time, "no lossless form"),
        (timedelta, "no lossless form"),
        (complex, "no lossless form"),
        (SecretStr, "no lossless form"),
        (NaiveDatetime, "no lossless form"),
        (Callable[[], int], "no lossless form"),
        (Base64Bytes, "another form"),
        (Base64Str | None, "another form"),
        (Json[list[int]], "another form"),
        (Rights, "a set of an Enum, or an int"),
        (Numbers, "declare what it holds"),
    ],
)
def test_what_cannot_come_back_is_refused_in_one_line(annotation: Any, message: str) -> None:
    with pytest.raises(DeclarationError, match=message) as refusal:
        codec_for(annotation, "Order.total")
    assert str(refusal.value).startswith("Order.total")
    assert "\n" not in str(refusal.value)


def test_an_enum_of_other_values_is_refused() -> None:
    class Odd(enum.Enum):
        A = (1, 2)

    with pytest.raises(DeclarationError, match="all str or all int"):
        codec_for(Odd, "X.x")


def test_a_refusal_inside_a_model_names_the_model_and_the_field() -> None:
    class Bad(BaseModel):
        a: str
        b: Any

    for _ in range(2):
        with pytest.raises(DeclarationError, match=r"^Bad\.b: "):
            codec_for(list[Bad], "X.x")


@pytest.mark.parametrize(
    ("configuration", "message"),
    [
        (ConfigDict(extra="allow"), "extra values"),
        (ConfigDict(use_enum_values=True), "in the place of members"),
    ],
)
def test_a_model_that_keeps_other_values_than_it_declares_is_refused(
    configuration: ConfigDict, message: str
) -> None:
    class Open(BaseModel):
        model_config = configuration

    with pytest.raises(DeclarationError, match=message):
        codec_for(Open, "X.x")


def test_none_that_a_factory_would_replace_is_refused() -> None:
    class Model(BaseModel):
        a: str | None = Field(default_factory=lambda: "x")

    with pytest.raises(DeclarationError, match="the default that default_factory makes"):
        codec_for(Model, "X.x")


@pytest.mark.parametrize(
    ("annotation", "value", "stored"),
    [
        (float, 0.1, {"N": "0.1"}),
        (float, 1e22, {"N": "10000000000000000000000"}),
        (float, 5.0, {"N": "5"}),
        (float, -0.0, {"N": "0"}),
        (Decimal, Decimal("1.50"), {"N": "1.5"}),
        (Decimal, Decimal("1E+3"), {"N": "1000"}),
        (Decimal, Decimal("-0"), {"N": "0"}),
        (int, 10**100, {"N": "1" + "0" * 100}),
        (
            datetime,
            datetime(2026, 9, 28, 9, tzinfo=EAST),
            {"S": "2026-09-28T07:00:00.000000Z"},
        ),
        (set[int], {10, 9}, {"NS": ["10", "9"]}),
        (list[str | None], ["a", None], {"L": [{"S": "a"}, {"NULL": True}]}),
        (
            Address,
            Address(city="x", zip="1"),
            {"M": {"city": {"S": "x"}, "postcode": {"S": "1"}, "lines": {"L": []}}},
        ),
        (Annotated[str | None, StoreNull()], None, {"NULL": True}),
        (str | None, None, None),
        (set[str], set(), None),
    ],
)
def test_stored_forms_are_fixed_for_ever(annotation: Any, value: Any, stored: AttributeValue | None) -> None:
    assert codec_for(annotation, "X.x").encode(value) == stored


@pytest.mark.parametrize(
    ("annotation", "value"),
    [
        (float, math.nan),
        (float, math.inf),
        (float, -math.inf),
        (float, 1e126),
        (float, 1e-131),
        (int, 10**38 + 1),
        (int, 10**126),
        (Decimal, Decimal("NaN")),
        (Decimal, Decimal("sNaN")),
        (Decimal, Decimal("Infinity")),
        (Decimal, Decimal("1." + "1" * 38)),
        (Decimal, Decimal("1E+126")),
        (Decimal, Decimal("1E-131")),
        (datetime, datetime(2026, 1, 1)),
        (int | str, 1.5),
        (dict[str, int], {"": 1}),
        (dict[Literal["", "x"], int], {"": 1}),
    ],
)
def test_values_that_the_database_cannot_keep_are_refused(annotation: Any, value: Any) -> None:
    with pytest.raises(UnstorableValue):
        codec_for(annotation, "X.x").encode(value)


@pytest.mark.parametrize(
    ("annotation", "value"),
    [
        (str, b"x"),
        (str, 1),
        (int, 1.5),
        (int, Decimal("1.5")),
        (int, "1"),
        (float, "1"),
        (Decimal, 1.5),
        (bool, 1),
        (bool, "yes"),
        (bytes, "x"),
        (bytes, 5),
        (date, datetime(2026, 1, 1, 5, tzinfo=UTC)),
        (UUID, "00000000-0000-0000-0000-000000000001"),
        (Colour, "r"),
        (Literal["a"], "b"),
        (list[int], (1,)),
        (list[int], {1: 2}),
        (tuple[int, ...], [1]),
        (tuple[int, str], [1, "a"]),
        (set[int], [1, 1]),
        (dict[str, int], {1: 1}),
        (dict[str, int], {"a": 1.5}),
        (Address, {"city": "x"}),
        (Address, Home(city="x", floor=3)),
        (list[Address], [Home(city="x", floor=3)]),
        (Address | str, Home(city="x", floor=3)),
    ],
)
def test_what_got_in_past_the_validation_is_not_stored_as_something_else(annotation: Any, value: Any) -> None:
    """Lists, dicts and nested models can be changed without a look at the types."""
    with pytest.raises((UnstorableValue, TypeError, AttributeError, KeyError)):
        codec_for(annotation, "X.x").encode(value)


@pytest.mark.parametrize(
    "value", [Decimal("9." + "9" * 37 + "E+125"), Decimal("1E-130"), Decimal("1." + "0" * 50)]
)
def test_the_widest_numbers_are_kept(value: Decimal) -> None:
    codec = codec_for(Decimal, "X.x")
    encoded = codec.encode(value)
    assert encoded is not None
    assert codec.decode(encoded) == value
    assert normalise(encoded)[0] == encoded


def test_numbers_read_back_whatever_wrote_them() -> None:
    assert codec_for(int, "X.x").decode({"N": "1E+2"}) == 100
    with pytest.raises(ValueError, match="whole number"):
        codec_for(int, "X.x").decode({"N": "1.5"})
