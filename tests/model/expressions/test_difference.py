"""An update by difference: only what changed, only its paths, and exactly the new item in the end."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests import counts
from tests.model.expressions.shop import ITEM, KEY, Order, create_table

import partita
from partita.model import difference, render
from partita.model.errors import ExpressionError
from partita.model.expressions.conditions import Value
from partita.model.expressions.updates import Append, Remove, SetTo
from partita.model.values.attribute_values import same_value

SCHEMA = Order.__schema__


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    with partita.Database() as database:
        client = database.client()
        create_table(client)
        yield client


def _text(value: str) -> dict[str, Any]:
    return {"S": value}


@pytest.mark.parametrize(
    ("old", "new", "actions"),
    [
        ({}, {}, []),
        ({"a": _text("x")}, {"a": _text("x")}, []),
        ({"a": {"N": "1.0"}}, {"a": {"N": "1"}}, []),
        ({"a": {"SS": ["x", "y"]}}, {"a": {"SS": ["y", "x"]}}, []),
        (
            {},
            {"b": _text("x"), "a": _text("y")},
            [SetTo(("a",), Value(_text("y"))), SetTo(("b",), Value(_text("x")))],
        ),
        ({"a": _text("x")}, {}, [Remove(("a",))]),
        ({"a": _text("x")}, {"a": {"N": "1"}}, [SetTo(("a",), Value({"N": "1"}))]),
        (
            {"a": {"M": {"x": _text("1"), "y": _text("2"), "z": _text("3")}}},
            {"a": {"M": {"x": _text("1"), "y": _text("4"), "w": _text("5")}}},
            [SetTo(("a", "w"), Value(_text("5"))), SetTo(("a", "y"), Value(_text("4"))), Remove(("a", "z"))],
        ),
        ({"a": {"M": {"x": _text("1")}}}, {"a": {"M": {}}}, [Remove(("a", "x"))]),
        ({}, {"a": {"M": {"x": _text("1")}}}, [SetTo(("a",), Value({"M": {"x": _text("1")}}))]),
        (
            {"a": {"L": [_text("1"), {"M": {"x": _text("2"), "y": _text("3")}}]}},
            {"a": {"L": [_text("0"), {"M": {"x": _text("2"), "y": _text("4")}}]}},
            [SetTo(("a", 0), Value(_text("0"))), SetTo(("a", 1, "y"), Value(_text("4")))],
        ),
        (
            {"a": {"L": [_text("1")]}},
            {"a": {"L": [_text("1"), _text("2"), _text("3")]}},
            [Append(("a",), {"L": [_text("2"), _text("3")]}, creates=False)],
        ),
        (
            {"a": {"L": [_text("1"), _text("2")]}},
            {"a": {"L": [_text("1")]}},
            [SetTo(("a",), Value({"L": [_text("1")]}))],
        ),
        (
            {"a": {"L": [_text("1")]}},
            {"a": {"L": [_text("2"), _text("1")]}},
            [SetTo(("a",), Value({"L": [_text("2"), _text("1")]}))],
        ),
    ],
)
def test_only_what_changed_is_in_it(old: dict[str, Any], new: dict[str, Any], actions: list[Any]) -> None:
    assert difference(SCHEMA, KEY | old, KEY | new) == actions


def test_what_another_writer_changed_beside_it_stays(client: Any) -> None:
    client.put_item(TableName="app", Item=ITEM)
    new = ITEM | {"address": {"M": ITEM["address"]["M"] | {"city": _text("Vinh")}}}
    client.update_item(
        TableName="app",
        Key=KEY,
        UpdateExpression="SET address.zip = :z",
        ExpressionAttributeValues={":z": _text("43000")},
    )
    client.update_item(TableName="app", Key=KEY, **render(update=difference(SCHEMA, ITEM, new)))
    stored = client.get_item(TableName="app", Key=KEY)["Item"]["address"]["M"]
    assert (stored["city"], stored["zip"]) == (_text("Vinh"), _text("43000"))


def test_another_primary_key_is_refused() -> None:
    with pytest.raises(ExpressionError, match="SK differs"):
        difference(SCHEMA, ITEM, ITEM | {"SK": _text("OTHER")})


def test_beyond_4_kb_the_attribute_with_most_changes_is_set_as_a_whole(client: Any) -> None:
    old = KEY | {
        "few": {"M": {"x": _text("1"), "y": _text("1")}},
        "many": {"M": {f"name{n}": _text("1") for n in range(400)}},
    }
    new = KEY | {
        "few": {"M": {"x": _text("2"), "y": _text("1")}},
        "many": {"M": {f"name{n}": _text("2") for n in range(400)}},
    }
    actions = difference(SCHEMA, old, new)
    assert actions == [SetTo(("few", "x"), Value(_text("2"))), SetTo(("many",), Value(new["many"]))]
    _applies(client, old, new)


def test_more_attributes_than_an_update_can_name_are_refused() -> None:
    new = KEY | {f"name{n}": _text("1") for n in range(400)}
    with pytest.raises(ExpressionError, match="400 attributes differ"):
        difference(SCHEMA, KEY, new)


def test_many_grown_lists_become_one_value(client: Any) -> None:
    old = KEY | {"m": {"M": {f"{n}": {"L": []} for n in range(200)}}}
    new = KEY | {"m": {"M": {f"{n}": {"L": [_text("1")]} for n in range(200)}}}
    _applies(client, old, new)


def test_values_of_32_levels_are_updated_at_their_bottom(client: Any) -> None:
    def nested(value: str) -> dict[str, Any]:
        inner = _text(value)
        for _ in range(31):
            inner = {"M": {"x": inner}}
        return inner

    old, new = KEY | {"a": nested("1")}, KEY | {"a": nested("2")}
    (action,) = difference(SCHEMA, old, new)
    assert len(action.path) == 32
    _applies(client, old, new)


_NAMES = st.sampled_from(["a", "b", "name", "size", "x.y", "n0", "#q"])
_SCALARS = st.one_of(
    st.builds(lambda text: {"S": text}, st.sampled_from(["", "x", "y"])),
    st.builds(lambda number: {"N": str(number)}, st.integers(0, 3)),
    st.builds(lambda yes: {"BOOL": yes}, st.booleans()),
    st.just({"NULL": True}),
    st.builds(lambda data: {"B": data}, st.sampled_from([b"", b"1"])),
    st.builds(lambda members: {"SS": sorted(members)}, st.sets(st.sampled_from("abc"), min_size=1)),
    st.builds(lambda members: {"NS": sorted(map(str, members))}, st.sets(st.integers(0, 3), min_size=1)),
)
_VALUES = st.recursive(
    _SCALARS,
    lambda inner: st.one_of(
        st.builds(lambda entries: {"M": entries}, st.dictionaries(_NAMES, inner, max_size=4)),
        st.builds(lambda elements: {"L": elements}, st.lists(inner, max_size=4)),
    ),
    max_leaves=12,
)
_ATTRIBUTES = st.dictionaries(_NAMES, _VALUES, max_size=5)


@st.composite
def _changed(draw: st.DrawFn, value: dict[str, Any]) -> dict[str, Any]:
    """The value with some parts changed and others kept, so that differences lie deep inside."""
    ((kind, content),) = value.items()
    if kind == "M" and draw(st.booleans()):
        return {"M": draw(_changed_attributes(content))}
    if kind == "L" and draw(st.booleans()):
        kept = [draw(_changed(element)) if draw(st.booleans()) else element for element in content]
        return {"L": kept + draw(st.lists(_VALUES, max_size=2))}
    return draw(_VALUES) if draw(st.booleans()) else value


@st.composite
def _changed_attributes(draw: st.DrawFn, attributes: dict[str, Any]) -> dict[str, Any]:
    kept = {name: draw(_changed(value)) for name, value in attributes.items() if draw(st.integers(0, 4))}
    return kept | (draw(_ATTRIBUTES) if draw(st.integers(0, 3)) == 0 else {})


@settings(max_examples=counts.DIFFERENCES)
@given(data=st.data(), old=_ATTRIBUTES)
def test_applied_to_the_old_item_it_gives_the_new_one(
    client: Any, data: st.DataObject, old: dict[str, Any]
) -> None:
    _applies(client, KEY | old, KEY | data.draw(_changed_attributes(old)))


def _applies(client: Any, old: dict[str, Any], new: dict[str, Any]) -> None:
    client.put_item(TableName="app", Item=old)
    actions = difference(SCHEMA, old, new)
    assert bool(actions) != same_value({"M": old}, {"M": new})
    client.update_item(TableName="app", Key=KEY, **render(update=actions))
    stored = client.get_item(TableName="app", Key=KEY)["Item"]
    assert same_value({"M": stored}, {"M": new})
