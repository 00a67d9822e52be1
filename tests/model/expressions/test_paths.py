"""Paths are checked where they are written: names, types, operators."""

from __future__ import annotations

import copy
from datetime import UTC, datetime
from decimal import Decimal
from typing import Annotated, Any

import pytest
from pydantic import BaseModel, Field
from tests.model.expressions.shop import Address, App, Colour, Line, Order

from partita.model import Entity, F, Key, attribute_path
from partita.model.errors import DeclarationError, ExpressionError, ModelError
from partita.model.expressions.conditions import AttributeAt, Comparison, Value
from partita.model.expressions.paths import elements_of

O = F(Order)  # noqa: E741


@pytest.mark.parametrize(
    ("path", "stored"),
    [
        (O.qty, ("qty",)),
        (O["qty"], ("qty",)),
        (O.total, ("amount",)),
        (O.address.city, ("address", "city")),
        (O.address.postcode, ("address", "zip")),
        (O.address["size"], ("address", "size")),
        (O.billing.city, ("billing", "city")),
        (O.lines[0], ("lines", 0)),
        (O.lines[12].address.postcode, ("lines", 12, "address", "zip")),
        (O.labels["x"], ("labels", "x")),
        (O.labels["not.a path"], ("labels", "not.a path")),
        (O.counts[5], ("counts", "5")),
        (O.key_attribute("PK"), ("PK",)),
        (O.key_attribute("GSI1SK"), ("GSI1SK",)),
        (attribute_path("anything"), ("anything",)),
    ],
)
def test_a_path_is_what_is_stored(path: Any, stored: tuple[Any, ...]) -> None:
    assert elements_of(path) == stored


@pytest.mark.parametrize(
    ("write", "message"),
    [
        (lambda: O.custmer, "Order has no field 'custmer'; did you mean 'customer'?"),
        (lambda: O["custmer"], "Order has no field 'custmer'; did you mean 'customer'?"),
        (lambda: O.xyzzy, "Order has no field 'xyzzy'"),
        (lambda: O.amount, "Order has no field 'amount'; 'total' is stored so"),
        (lambda: O.PK, "PK is a key attribute: write F(Order).key_attribute('PK')"),
        (lambda: O.address.ciyt, "Address has no field 'ciyt'; did you mean 'city'?"),
        (lambda: O.address.zip, "Address has no field 'zip'; 'postcode' is stored so"),
        (lambda: O.lines[0].sk, "Line has no field 'sk'; did you mean 'sku'?"),
        (lambda: O.qty.units, "F(Order).qty is int: there is no 'units' in it"),
        (lambda: O.qty[0], "F(Order).qty is int: there is no [0] in it"),
        (lambda: O.labels.x, "write F(Order).labels['x']"),
        (lambda: O.labels[0], "a key of F(Order).labels is str, not 0"),
        (lambda: O.counts["x"], "a key of F(Order).counts is int, not 'x'"),
        (lambda: O.lines["sku"], "F(Order).lines is list[Line]: there is no ['sku'] in it"),
        (lambda: O.lines[-1], "counts list elements from the front"),
        (lambda: O.tags[0], "there is no [0] in it"),
        (lambda: O.key_attribute("GS1PK"), "table App has no key attribute 'GS1PK'; did you mean 'GSI1PK'?"),
    ],
)
def test_an_unknown_name_is_told_with_the_nearest(write: Any, message: str) -> None:
    with pytest.raises(DeclarationError) as refused:
        write()
    assert message in str(refused.value).replace("tests.model.expressions.shop.", "")


@pytest.mark.parametrize(
    "write",
    [
        lambda: O.qty == "3",
        lambda: O.qty == True,  # noqa: E712
        lambda: O.qty == 2.5,
        lambda: O.qty >= "3",
        lambda: O.qty.between(1, "2"),
        lambda: O.qty.is_in([1, "2"]),
        lambda: O.customer == 7,
        lambda: O.customer == b"7",
        lambda: O.status == "SHIPED",
        lambda: O.colour == "red",
        lambda: O.placed > "2026-01-01",
        lambda: O.placed > datetime(2026, 1, 1),
        lambda: O.total == "10.5",
        lambda: O.paid == 0,
        lambda: O.picture == "abc",
        lambda: O.address == "Huế",
        lambda: O.address.city == 3,
        lambda: O.lines[0].qty == "2",
        lambda: O.labels["x"] == 1,
        lambda: O.tags.contains(1),
        lambda: O.history.contains("1"),
        lambda: O.note.contains(1),
        lambda: O.note.contains(""),
        lambda: O.note.begins_with(b"x"),
        lambda: O.note.size() > "3",
        lambda: O.note.size() == True,  # noqa: E712
        lambda: O.qty == O.customer,
        lambda: O.qty == O.qty,
        lambda: O.note.size() == O.customer,
        lambda: O.qty == (O.stock == 3),
        lambda: O.qty == None,  # noqa: E711
        lambda: O.qty.set("3"),
        lambda: O.qty.set(-1),
        lambda: O.qty.set(None),
        lambda: O.qty.set(O.customer),
        lambda: O.qty.set(O.total),
        lambda: O.customer.set(O.status),
        lambda: O.history.set(O.gaps),
        lambda: O.qty.set(O.qty),
        lambda: O.qty.set_default("1"),
        lambda: O.weight.set_default(None),
        lambda: O.qty.add("1"),
        lambda: O.qty.add(1.5),
        lambda: O.qty.add(True),
        lambda: O.customer.add(1),
        lambda: O.paid.add(1),
        lambda: O.placed.add(1),
        lambda: O.history.append(3),
        lambda: O.history.append("12"),
        lambda: O.history.append(["1"]),
        lambda: O.history.append([]),
        lambda: O.tags.append(["x"]),
        lambda: O.lines.append(["x"]),
        lambda: O.tags.add_to_set(1),
        lambda: O.tags.add_to_set(),
        lambda: O.history.add_to_set(1),
        lambda: O.qty.delete_from_set(1),
        lambda: O.lines[0].set("x"),
        lambda: O.customer.remove(),
        lambda: O.address.city.remove(),
        lambda: O.key_attribute("PK").set("x"),
        lambda: O.key_attribute("SK").remove(),
        lambda: O.key_attribute("PK") == 1,
    ],
)
def test_what_does_not_fit_the_type_raises_where_it_is_written(write: Any) -> None:
    with pytest.raises(ModelError):
        write()


@pytest.mark.parametrize("operator", ["__lt__", "__le__", "__gt__", "__ge__"])
@pytest.mark.parametrize(
    ("path", "value"),
    [
        (O.paid, True),
        (O.tags, {"a"}),
        (O.lines, []),
        (O.address, Address(city="x")),
        (O.labels, {}),
    ],
)
def test_only_text_numbers_and_bytes_have_an_order(path: Any, value: Any, operator: str) -> None:
    with pytest.raises(ExpressionError, match="needs B, N, S"):
        getattr(path, operator)(value)


@pytest.mark.parametrize(
    ("write", "message"),
    [
        (lambda: bool(O.qty == 1), "instead of and, or, not"),
        (lambda: (O.qty == 1) and (O.stock == 1), "instead of and, or, not"),
        (lambda: not O.paid.exists(), "instead of and, or, not"),
        (lambda: 1 < O.qty < 5, r"\.between\(low, high\)"),
        (lambda: O.qty == 1 & O.stock == 2, "parentheses"),
        (lambda: (O.qty == 1) & O.paid, "parentheses"),
        (lambda: (O.qty == 1) | True, "parentheses"),
        (lambda: True & (O.qty == 1), "parentheses"),
        (lambda: "a" in O.tags, r"\.contains\('a'\)"),
        (lambda: bool(O.paid), "compare it"),
        (lambda: O.qty.between(10, 9), "comes after"),
        (lambda: O.customer.between("b", "a"), "comes after"),
        (lambda: O.colour.between(Colour.RED, Colour.BLUE), "comes after"),
        (lambda: O.picture.between(b"b", b"a"), "comes after"),
        (lambda: O.note.size().between(10, 9), "comes after"),
        (lambda: O.qty.is_in([]), "1 to 100 values, not 0"),
        (lambda: O.qty.is_in(range(101)), "1 to 100 values, not 101"),
        (lambda: O.status.is_in("PENDING"), "takes a list of values"),
        (lambda: O.qty.is_type("X"), "the kinds are"),
        (lambda: O.qty.size(), "size needs"),
        (lambda: O.qty.begins_with("1"), "begins_with needs"),
        (lambda: O.address.contains("x"), "contains needs"),
        (lambda: hash(O.qty), "unhashable"),
        (lambda: list(O.tags), "not iterable"),
    ],
)
def test_habits_of_python_that_mean_something_else_are_refused(write: Any, message: str) -> None:
    with pytest.raises(TypeError, match=message):
        write()


def test_numbers_of_another_type_are_taken_where_nothing_is_lost() -> None:
    assert (O.total >= 100) == (O.total >= Decimal(100))
    assert (O.weight == 2) == (O.weight == 2.0)
    assert (O.qty == Decimal(2)) == (O.qty == 2)


def test_a_comparison_may_use_a_value_that_the_field_may_not_hold() -> None:
    assert (O.qty > -1) == Comparison(AttributeAt(("qty",)), ">", Value({"N": "-1"}))


def test_an_enum_is_compared_with_its_members() -> None:
    assert (O.colour == Colour.RED) == (attribute_path("colour") == "red")


def test_none_and_the_empty_set_mean_absent() -> None:
    assert (O.note == None) == O.note.not_exists()  # noqa: E711
    assert (O.note != None) == O.note.exists()  # noqa: E711
    assert (O.tags == set()) == O.tags.not_exists()
    assert O.note.set(None) == O.note.remove()
    assert O.tags.set(set()) == O.tags.remove()


def test_times_are_compared_in_utc() -> None:
    moment = datetime.fromisoformat("2026-01-01T07:00:00+07:00")
    assert (O.placed == moment) == (O.placed == datetime(2026, 1, 1, tzinfo=UTC))


def test_names_that_python_asks_for_are_no_fields() -> None:
    assert not hasattr(O.qty, "__len__")
    assert not hasattr(O, "_repr_html_")
    assert copy.copy(O.qty) is not None
    assert repr(O.lines[0].qty) == "F(Order).lines[0].qty"


def test_paths_end_at_32_levels() -> None:
    class Node(BaseModel):
        child: Node | None = None

    Node.model_rebuild(_types_namespace={"Node": Node})

    class Tree(Entity, table=App):
        id: str
        root: Node
        key = Key("TREE#{id}", "META")

    path = F(Tree).root
    for _ in range(31):
        path = path.child
    with pytest.raises(ExpressionError, match="32 levels"):
        path.child  # noqa: B018


class _Mixed(Entity, table=App):
    id: str
    pair: tuple[int, str] = (1, "x")
    limit: Annotated[int | None, Field(le=10)] = None
    key = Key("MIXED#{id}", "META")


def test_members_of_a_tuple_have_types_of_their_own() -> None:
    pair = F(_Mixed).pair
    assert pair[0].add(1).path == ("pair", 0)
    assert (pair[1] == "y") == Comparison(AttributeAt(("pair", 1)), "=", Value({"S": "y"}))
    with pytest.raises(ExpressionError, match="there is no"):
        pair[2]


def test_what_is_stored_has_to_meet_the_constraints() -> None:
    limit = F(_Mixed).limit
    assert limit.set(10).path == limit.set(None).path == ("limit",)
    with pytest.raises(ExpressionError, match="less than or equal to 10"):
        limit.set(11)


def test_an_entity_without_a_table_has_no_fields_to_speak_of() -> None:
    with pytest.raises(ExpressionError, match="Entity has no table"):
        F(Entity)


def test_what_is_appended_is_the_model_itself() -> None:
    assert O.lines.append([Line(sku="z")]).elements == {"L": [{"M": {"sku": {"S": "z"}, "qty": {"N": "1"}}}]}
