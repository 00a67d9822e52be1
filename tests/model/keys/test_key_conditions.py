"""Conditions on keys find exactly what their values say, whatever stands around them in the key."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.model.declaring.orders import NOON, Order, OrderLine

import partita
from partita.model import Entity, Index, Key, KeyAttribute, KeyCondition, KeyValueError, Session, Table
from partita.model.keys.terms import AttributeCondition
from partita.model.schema import AttributeValue

texts = st.text(st.characters(codec="utf-8"), max_size=3) | st.text("#$ A\x7f\uffff", max_size=3)
small = st.integers(0, 12)
days = st.integers(0, 20).map(lambda n: date(2026, 1, 25) + timedelta(days=n))


class Shapes(Table):
    bare = Index()
    prefixed = Index()
    middle = Index()
    packed = Index()
    packed_text = Index()
    signed = Index()


class Shape(Entity, table=Shapes):
    id: str
    title: str
    name: str
    other: str
    n: int
    m: int
    day: date

    key = Key("{id}", "S")
    bare = Key("P", "{title}")
    prefixed = Key("P", "A#{name}")
    middle = Key("P", "A#{day}#{name}#{other}")
    packed = Key("P", "A{n:2}{m:2}")
    packed_text = Key("P", "{n:2}{name}")
    signed = Key("P", "{m:+2}#{name}")


shapes = st.builds(
    Shape, id=st.just("1"), title=texts.filter(bool), name=texts, other=texts, n=small, m=small, day=days
)


def holds(condition: AttributeCondition, value: AttributeValue | None) -> bool:
    """What the database does with a term: texts order by their UTF-8 bytes."""
    if value is None:
        return False

    def key(av: AttributeValue) -> Any:
        return av["S"].encode() if "S" in av else Decimal(av["N"])

    stored, operands = key(value), [key(one) for one in condition.operands]
    match condition.operator:
        case "=":
            return bool(stored == operands[0])
        case "<":
            return bool(stored < operands[0])
        case "<=":
            return bool(stored <= operands[0])
        case ">":
            return bool(stored > operands[0])
        case ">=":
            return bool(stored >= operands[0])
        case "BETWEEN":
            assert operands[0] <= operands[1], "the service refuses this"
            return bool(operands[0] <= stored <= operands[1])
        case "begins_with":
            return bool(stored.startswith(operands[0]))


def finds(condition: KeyCondition[Any], shape: Shape) -> bool:
    item = shape.__schema__.encode(shape)
    return all(holds(term, item.get(term.attribute)) for term in condition.conditions())


RANGED = [
    ("bare", [], "title", texts.filter(bool)),
    ("prefixed", [], "name", texts),
    ("middle", [], "day", days),
    ("middle", ["day"], "name", texts),
    ("middle", ["day", "name"], "other", texts),
    ("packed", [], "n", small),
    ("packed", ["n"], "m", small),
    ("packed_text", [], "n", small),
    ("packed_text", ["n"], "name", texts),
    ("signed", [], "m", small),
    ("signed", ["m"], "name", texts),
]


@pytest.mark.parametrize(("index", "bound", "ranged", "values"), RANGED)
@given(data=st.data())
def test_a_range_finds_the_entities_whose_value_lies_in_it(
    index: str, bound: list[str], ranged: str, values: st.SearchStrategy[Any], data: st.DataObject
) -> None:
    stored, asked = data.draw(shapes), data.draw(shapes)
    if data.draw(st.booleans()):
        stored = stored.model_copy(update={name: getattr(asked, name) for name in bound})
    condition = getattr(Shape, index)(**{name: getattr(asked, name) for name in bound})
    same = all(getattr(stored, name) == getattr(asked, name) for name in bound)
    value = getattr(stored, ranged)
    a, b = sorted([data.draw(values | st.just(value)), data.draw(values | st.just(value))])

    assert finds(condition, stored) == same
    assert finds(condition.between(a, b), stored) == (same and a <= value <= b)
    assert finds(condition.after(a), stored) == (same and value > a)
    assert finds(condition.at_least(a), stored) == (same and value >= a)
    assert finds(condition.at_most(a), stored) == (same and value <= a)
    if a != "":
        assert finds(condition.before(a), stored) == (same and value < a)
    if isinstance(a, str):
        assert finds(condition.begins_with(a), stored) == (same and value.startswith(a))


def test_the_whole_key_is_an_equality_and_names_an_item() -> None:
    condition = Order.key(tenant="42", id="9 1")
    assert condition.is_item
    assert condition.item_key() == {"PK": {"S": "TENANT#42#ORDER#9$P1"}, "SK": {"S": "META"}}
    assert condition.entity is Order
    line = OrderLine.key(tenant="42", order="991")
    assert not line.is_item
    with pytest.raises(KeyValueError, match="with number too"):
        line.item_key()
    assert OrderLine.key(tenant="42", order="991", number=7).item_key()["SK"] == {"S": "LINE#0007"}
    with pytest.raises(KeyValueError, match=r"as in Order\.key\(…\), without a range"):
        Order.gsi1(tenant="42", customer="7", placed=NOON).item_key()


def test_a_part_of_the_sort_key_is_a_prefix_and_ends_at_a_separator() -> None:
    assert OrderLine.key(tenant="42", order="991").sort() == (
        AttributeCondition("SK", "begins_with", ({"S": "LINE#"},)),
    )
    assert Shape.middle(day=date(2026, 1, 1), name="x").sort() == (
        AttributeCondition("middleSK", "begins_with", ({"S": "A#2026-01-01#x#"},)),
    )
    assert Order.gsi1(tenant="42", customer="7").sort() == ()


def test_a_sharded_key_asks_every_shard_or_the_one_that_is_given() -> None:
    condition = Order.gsi2(tenant="42").after(NOON)
    assert condition.shards == (0, 1, 2, 3)
    assert [dict(condition.partition(n)) for n in condition.shards] == [
        {"GSI2PK": {"S": f"TENANT#42#PENDING#{n}"}} for n in range(4)
    ]
    one = Order.gsi2(tenant="42", shard=2)
    assert one.shards == (None,)
    assert one.partition() == (("GSI2PK", {"S": "TENANT#42#PENDING#2"}),)
    with pytest.raises(KeyValueError, match="not one of 0 … 3"):
        Order.gsi2(tenant="42", shard=4)


def test_multi_attribute_keys() -> None:
    condition = Order.by_region(tenant="42", region="eu", placed=NOON).at_least(Decimal("10.0"))
    assert condition.conditions() == (
        AttributeCondition("tenant", "=", ({"S": "42"},)),
        AttributeCondition("region", "=", ({"S": "eu"},)),
        AttributeCondition("placed", "=", ({"S": "2026-09-28T12:00:00.000000Z"},)),
        AttributeCondition("amount", ">=", ({"N": "10"},)),
    )
    ranged = Order.by_region(tenant="42", region="eu").between(NOON, NOON + timedelta(1))
    assert ranged.sort()[0].operator == "BETWEEN"
    with pytest.raises(KeyValueError, match="nothing lies between"):
        Order.by_region(tenant="42", region="eu").between(NOON, NOON - timedelta(1))
    with pytest.raises(KeyValueError, match="texts and bytes"):
        Order.by_region(tenant="42", region="eu", placed=NOON).begins_with("1")


def test_the_beginning_of_a_datetime_may_be_asked_for_as_text() -> None:
    condition = Order.gsi1(tenant="42", customer="7").begins_with("2026-09")
    assert condition.sort() == (AttributeCondition("GSI1SK", "begins_with", ({"S": "2026-09"},)),)


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda: Order.key(tenant="42"), "id is missing; the partition key needs tenant, id"),
        (lambda: Order.key(tenant="42", id="1", idd="2"), "has no 'idd': it takes tenant, id"),
        (lambda: Order.gsi1(tenant="42", customer="7", status="x"), "it takes tenant, customer, then placed"),
        (lambda: Order.key(tenant="42", id=1), "id: 1 is not a str"),
        (lambda: Order.key(tenant="42", id=None), "id is missing"),
        (lambda: Order.gsi1(tenant="42", customer="7", placed=datetime(2026, 1, 1)), "no time zone"),
        (lambda: Shape.middle(name="x"), "bound from the left: day, name, other"),
        (lambda: Order.key(tenant="42", id="1").after("x"), "no placeholder left"),
        (lambda: Shape.bare().after("a").before("b"), "one range"),
        (lambda: Shape.bare().between("b", "a"), "nothing lies between"),
        (lambda: Shape.prefixed().before(""), "nothing comes before"),
        (lambda: Shape.bare().begins_with(3), "as a str"),
        (lambda: Shape.packed().after("x"), "n: 'x' is not a number"),
        (lambda: Shape.packed().after(100), "more than 2 digits"),
        (lambda: Order.by_region(tenant="42", region=5), "region is str, not 5"),
        (lambda: Order.by_region(tenant="42", region=""), "would be an empty key"),
    ],
)
def test_wrong_questions_are_refused_when_they_are_asked(ask: Any, message: str) -> None:
    with pytest.raises(KeyValueError, match=message):
        ask()


def test_ranges_of_numbers_that_do_not_sort_are_refused() -> None:
    class Raws(Table):
        pass

    class Raw(Entity, table=Raws):
        id: str
        n: int
        key = Key("{id}", "N#{n}", raw=True)

    assert Raw.key(id="1", n=5).item_key()["SK"] == {"S": "N#5"}
    with pytest.raises(KeyValueError, match="do not order"):
        Raw.key(id="1").after(5)


def test_a_number_key_orders_by_itself() -> None:
    class Numbers(Table, sort_key=KeyAttribute("n", "N")):
        pass

    class Number(Entity, table=Numbers):
        id: str
        n: int
        key = Key("{id}", "{n}", raw=True)

    assert Number.key(id="1").after(-5).sort() == (AttributeCondition("n", ">", ({"N": "-5"},)),)


def test_names_of_placeholders() -> None:
    assert Order.gsi1.partition_names == ("tenant", "customer")
    assert Order.gsi1.sort_names == ("placed",)


def test_a_part_of_a_time_in_the_partition_leaves_the_time_in_the_sort_key_open() -> None:
    class Times(Table, name="times"):
        by_day = Index()
        by_hour = Index(partition=KeyAttribute("hour"), sort=KeyAttribute("at"))

    class Event(Entity, table=Times):
        id: str
        at: datetime
        key = Key("EVENT#{id}", "EVENT")
        by_day = Key("DAY#{at:day}#{shard:2}", "{at}#{id}")
        by_hour = Key("HOUR#{at:hour}", "{at}", raw=True)

    day = AttributeCondition("by_dayPK", "=", ({"S": "DAY#2026-09-28#1"},))
    whole = Event.by_day(at=NOON)
    assert whole.conditions(1) == (day,)
    (after,) = whole.after(NOON).sort()
    assert (after.attribute, after.operator) == ("by_daySK", ">")
    assert Event.by_hour(at=NOON).conditions() == (
        AttributeCondition("hour", "=", ({"S": "HOUR#2026-09-28T12"},)),
    )
    assert len(Event.by_hour(at=NOON).at_most(NOON).conditions()) == 2
    assert Event.by_day.sort_names == ("at", "id")
    with pytest.raises(KeyValueError, match="bound from the left: at, id"):
        Event.by_day(at=NOON, id="1")
    events = [Event(id=str(number), at=NOON + timedelta(hours=number)) for number in range(13)]
    with partita.Database() as db:
        session = Session(db.client())
        session.create_table(Times)
        session.batch_write(put=events)
        found = session.query(Event, whole.between(NOON, NOON + timedelta(hours=2)), newest_first=True)
        assert [event.id for event in found] == ["2", "1", "0"]
        assert [event.id for event in session.iterate(Event, whole)] == [str(n) for n in range(12)]
