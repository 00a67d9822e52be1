"""What is given by mistake to a pattern, or to what is made of them, is refused where it stands, in words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from partita.design import (
    Collect,
    Get,
    GetMany,
    P,
    Query,
    Scan,
    TransactGet,
    Write,
    design_of,
    diff,
    exported,
    html,
    is_proved,
    markdown,
    report,
    wished,
)
from partita.model import Entity, Index, Key, Table


class App(Table, name="app"):
    gsi1 = Index()


class Order(Entity, table=App):
    id: str
    customer: str

    key = Key("ORDER#{id}", "META")
    gsi1 = Key("CUST#{customer}", "{id}")


class Keyless(Entity, table=App):
    id: str


ONE: Any = Order.key(id=P("id"))
THEIRS: Any = Order.gsi1(customer=P("customer"))
ORDER: Any = Order
ANYTHING: Any = 3
DESIGN: Any = design_of([Order])


@pytest.mark.parametrize(
    ("declare", "message"),
    [
        (lambda: Get("order", ORDER), "a key condition is needed, such as"),
        (lambda: Get("order", ORDER.key), "a key condition is needed"),
        (lambda: Get("order", "ORDER#1"), "a key condition is needed"),
        (lambda: Get(None, ONE), "begins with its name"),
        (lambda: Get("", ONE), "begins with its name"),
        (lambda: Get("order", ONE, view=3), "a view is a pydantic model"),
        (lambda: GetMany("orders", ORDER, each="id", at_most=3), "a key condition is needed"),
        (lambda: GetMany("orders", ONE, each="id", at_most="3"), "at_most is a whole number"),
        (lambda: TransactGet("orders", ORDER), "a key condition is needed"),
        (lambda: Query("orders", "CUST#7"), "a key condition is needed"),
        (lambda: GetMany("orders", ONE, each="id", at_most=None), "at_most is a whole number, not None"),
        (lambda: Query("orders", THEIRS, limit="20"), "limit is a whole number"),
        (lambda: Query("orders", THEIRS, max_requests=None), "max_requests is a whole number, not None"),
        (lambda: Query("orders", THEIRS, filter="total > 3"), "a filter is a condition"),
        (lambda: Query("orders", THEIRS, view=int), "a view is a pydantic model"),
        (lambda: Query("orders", THEIRS, of=ORDER), "entities are given as a list"),
        (lambda: Collect("page", ONE, of=ORDER, at_most=3), "entities are given as a list"),
        (lambda: Collect("page", ONE, of=["Order"], at_most=3), "a class of entities is needed"),
        (lambda: Collect("page", ONE, of=[ORDER], at_most=True), "at_most is a whole number"),
        (lambda: Scan("all", App), "a class of entities is needed"),
        (lambda: Scan("all", Keyless), "Keyless has no key"),
        (lambda: Scan("all", ORDER, filter=3), "a filter is a condition"),
        (lambda: Write("place", creates=ORDER, how="put"), "entities are given as a list"),
        (lambda: Write("place", creates=["Order"], how="put"), "a class of entities is needed"),
        (lambda: Write("place", creates={ORDER: "3"}, how="batch"), "the number of Order is a whole"),
        (lambda: Write("place", creates=[ORDER], how="put", guarded=ORDER), "entities are given as a list"),
        (lambda: Write("place", creates=[ORDER], how="put", decided_by=Get("o", ONE)), "a list of declared"),
        (lambda: Write("place", creates=[ORDER], how="put", decided_by=["o"]), "a list of declared reads"),
        (lambda: exported([ORDER]), "a design is what design_of gives"),
        (lambda: html(ANYTHING), r"what report\(\) gives is needed, not 3"),
        (lambda: markdown(DESIGN), r"what report\(\) gives is needed, not Design"),
        (lambda: report([ORDER], traffic=ANYTHING), r"traffic is Traffic\(…\), not 3"),
        (lambda: report([ORDER], prices=ANYTHING), r"prices are Prices\(…\), not 3"),
        (lambda: is_proved(ANYTHING), r"what check\(\) gives is needed, not 3"),
        (lambda: is_proved([ANYTHING]), r"what check\(\) gives is needed"),
        (lambda: diff(DESIGN, DESIGN), r"what exported\(\) or read_exported\(\) gives is needed"),
        (lambda: diff({}, {}), r"what exported\(\) or read_exported\(\) gives is needed, not {}"),
        (lambda: wished("gsi1", customer=P("customer")), "a key of a class is needed"),
    ],
)
def test_wrong_arguments(declare: Callable[[], Any], message: str) -> None:
    with pytest.raises(TypeError, match=message) as refusal:
        declare()
    assert "\n" not in str(refusal.value)
