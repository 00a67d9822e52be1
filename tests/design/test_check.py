"""Each rule has a design that breaks it, and one that just passes."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable
from datetime import date, datetime
from typing import Annotated, Any, Literal

import pytest
from pydantic import BaseModel, StringConstraints
from tests.design import orders
from tests.design.orders import NOON, Account, App, Id, Order, OrderLine, Stock

from partita.design import (
    Accept,
    Collect,
    Finding,
    Get,
    GetMany,
    P,
    Query,
    Scan,
    TransactGet,
    Write,
    check,
    design_of,
    is_proved,
    wished,
)
from partita.design.sizes import most_bytes
from partita.design.testing import assert_proved
from partita.model import Entity, F, Index, Key, KeyAttribute, LocalIndex, Table

T, C, I = P("tenant"), P("customer"), P("id")  # noqa: E741


def found(*declared: Any) -> list[Finding]:
    """What is wrong with these patterns and entities, without indexes that nothing reads."""
    return [finding for finding in check(declared) if finding.rule != "unused-index"]


def of_patterns(*declared: Any) -> list[Finding]:
    return [finding for finding in found(*declared) if finding.subject.startswith('"')]


def long(length: int) -> Any:
    return Annotated[str, StringConstraints(max_length=length)]


class OrderLabel(BaseModel):
    customer: str
    total: Any


class Totals(BaseModel):
    status: Literal["PENDING", "SHIPPED"]


EMAIL_FREE = Query("email lookup", Account.key(id=P("id")), limit=1)

READS: list[tuple[str, Any, Any]] = [
    (
        "partition-equality",
        Query("q", wished(Order.gsi1, customer=C), limit=9),
        Query("q", wished(Order.gsi1, tenant=T, customer=C), limit=9),
    ),
    (
        "partition-equality",
        Query("q", wished(Order.gsi1, tenant=T, customer=C, status=P("status")), limit=9),
        Query("q", wished(Order.gsi1, tenant=T, customer=C, placed=P("placed")), limit=9),
    ),
    (
        "sort-order",
        lambda: Query("q", wished(visits().key, shop="1", page=P("page")), limit=9),
        lambda: Query("q", wished(visits().key, shop="1", day=P("day"), page=P("page")), limit=9),
    ),
    ("projection", Query("q", Order.gsi2(tenant=T), limit=9), orders.PENDING),
    (
        "projection",
        Query("q", Order.gsi2(tenant=T), limit=9, view=orders.PendingOrder, filter=F(Order).total > P("t")),
        Query("q", Order.gsi1(tenant=T, customer=C), limit=9, filter=F(Order).total > P("t")),
    ),
    (
        "projection",
        Query("q", Order.gsi2(tenant=T), limit=9, view=Totals),
        Query("q", Order.gsi1(tenant=T, customer=C), limit=9, view=Totals),
    ),
    (
        "bounded",
        Query("q", Order.gsi1(tenant=T, customer=C)),
        Query("q", Order.gsi1(tenant=T, customer=C), limit=1),
    ),
    ("bounded", Query("q", Order.gsi1(tenant=T, customer=C), limit=0), Query("q", Order.key(tenant=T, id=I))),
    (
        "bounded",
        Collect("c", Order.key(tenant=T, id=I), of=[Order, OrderLine]),
        Collect("c", Order.key(tenant=T, id=I), of=[Order, OrderLine], at_most=1),
    ),
    (
        "bounded",
        Get("g", OrderLine.key(tenant=T, order=I)),
        Get("g", OrderLine.key(tenant=T, order=I, number=P("number"))),
    ),
    (
        "bounded",
        Get("g", Order.gsi1(tenant=T, customer=C, placed=P("placed"))),
        Query("g", Order.gsi1(tenant=T, customer=C, placed=P("placed")), limit=1),
    ),
    (
        "one-request",
        GetMany("m", Order.key(tenant=T, id=I), each=I.name, at_most=101),
        GetMany("m", Order.key(tenant=T, id=I), each=I.name, at_most=100),
    ),
    (
        "one-request",
        TransactGet(
            "t", Order.key(tenant=T, id=I), Stock.key(tenant=T, sku=P("skus")), each="skus", at_most=100
        ),
        TransactGet(
            "t", Order.key(tenant=T, id=I), Stock.key(tenant=T, sku=P("skus")), each="skus", at_most=99
        ),
    ),
    ("bounded", TransactGet("t"), TransactGet("t", Order.key(tenant=T, id=I))),
    (
        "bounded",
        TransactGet("t", Order.key(tenant=T, id=I), each="ids", at_most=9),
        TransactGet("t", Order.key(tenant=T, id=I), each=I.name, at_most=9),
    ),
    (
        "bounded",
        TransactGet("t", Order.key(tenant=T, id=I), each=I.name, at_most=0),
        TransactGet("t", Order.key(tenant=T, id=I), each=I.name, at_most=1),
    ),
    (
        "bounded",
        TransactGet("t", Order.key(tenant=T, id=I), Order.gsi1(tenant=T, customer=C, placed=P("placed"))),
        TransactGet("t", Order.key(tenant=T, id=I), Stock.key(tenant=T, sku=P("sku"))),
    ),
    (
        "partition-equality",
        TransactGet("t", wished(Order.key, id=I)),
        TransactGet("t", wished(Order.key, tenant=T, id=I)),
    ),
    (
        "bounded",
        GetMany("m", Order.key(tenant=T, id=I), each="ids", at_most=9),
        GetMany("m", Order.key(tenant=T, id=I), each=T.name, at_most=9),
    ),
    (
        "bounded",
        GetMany("m", Order.gsi1(tenant=T, customer=C, placed=P("placed")), each=C.name, at_most=9),
        GetMany("m", OrderLine.key(tenant=T, order=I, number=P("number")), each="number", at_most=9),
    ),
    (
        "bounded",
        GetMany("m", Order.key(tenant=T, id=I), each=I.name, at_most=0),
        GetMany("m", Order.key(tenant=T, id=I), each=I.name, at_most=1),
    ),
    (
        "one-request",
        Query("q", Order.gsi1(tenant=T, customer=C), limit=9, max_requests=2),
        Query("q", Order.gsi1(tenant=T, customer=C), limit=9, max_requests=1),
    ),
    ("one-request", Query("q", Order.gsi2(tenant=T), limit=9, fetch=True), orders.PENDING),
    ("scan", Scan("s", Order, filter=F(Order).customer == C), orders.ORDERS_OF_CUSTOMER),
    (
        "strong-gsi",
        Query("q", Order.gsi1(tenant=T, customer=C), limit=9, consistent=True),
        Get("q", Order.key(tenant=T, id=I), consistent=True),
    ),
    (
        "other-partition",
        Collect("c", Order.key(tenant=T, id=I), of=[Order, OrderLine, Stock], at_most=9),
        Collect("c", Order.key(tenant=T, id=I), of=[Order, OrderLine], at_most=9),
    ),
    (
        "other-partition",
        Query("q", Order.gsi1(tenant=T, customer=C), of=[Order, OrderLine], limit=9),
        Query("q", Order.gsi1(tenant=T, customer=C), of=[Order], limit=9),
    ),
    (
        "sorting",
        lambda: Query("q", bids(raw=True).key(lot=P("lot")), limit=9),
        lambda: Query("q", bids(raw=False).key(lot=P("lot")), limit=9),
    ),
    (
        "page-size",
        Collect("c", Order.key(tenant=T, id=I), of=[Order, OrderLine], at_most=963),
        Collect("c", Order.key(tenant=T, id=I), of=[Order, OrderLine], at_most=962),
    ),
]


def visits() -> Any:
    class Visits(Table): ...

    class Visit(Entity, table=Visits):
        shop: Id
        day: date
        page: int
        second: int

        key = Key("SHOP#{shop}", "{day}#{page:6}#{second:6}")

    return Visit


def bids(raw: bool) -> Any:
    class Bids(Table): ...

    class Bid(Entity, table=Bids):
        lot: Id
        amount: int

        key = Key("LOT#{lot}", "{amount}" if raw else "{amount:8}", raw=raw)

    return Bid


def made(declared: Any) -> Any:
    return declared() if callable(declared) else declared


@pytest.mark.parametrize(
    ("rule", "breaks", "passes"), READS, ids=lambda one: one if isinstance(one, str) else ""
)
def test_reads(rule: str, breaks: Any, passes: Any) -> None:
    assert rule in {finding.rule for finding in of_patterns(made(breaks))}
    assert of_patterns(made(passes)) == []


class Other(Table): ...


class Plain(Entity, table=Other):
    tenant: Id
    id: Id

    key = Key("TENANT#{tenant}#PLAIN#{id}", "PLAIN")


WRITES: list[tuple[str, Write, Write]] = [
    (
        "together",
        Write("w", creates=[Account], how="put"),
        Write("w", creates=[Account], how="transaction"),
    ),
    (
        "together",
        Write("w", creates=[Plain], changes=[Stock], how="put"),
        Write("w", creates=[Plain], how="put"),
    ),
    ("together", Write("w", how="transaction"), Write("w", deletes=[Plain], how="transaction")),
    (
        "batch-together",
        Write("w", creates={Plain: 25}, how="batch", together=True),
        Write("w", creates={Plain: 25}, how="batch"),
    ),
    (
        "batch-together",
        Write("w", creates=[Account], how="batch"),
        Write("w", creates=[Account], how="transaction"),
    ),
    (
        "batch-together",
        Write("w", creates=[Order], how="batch"),
        Write("w", creates=[OrderLine], how="batch"),
    ),
    ("batch-together", Write("w", changes=[Stock], how="batch"), Write("w", creates=[Stock], how="batch")),
    (
        "one-request",
        Write("w", creates={Plain: 26}, how="batch"),
        Write("w", creates={Plain: 25}, how="batch"),
    ),
    (
        "actions",
        Write("w", creates={Order: 1, OrderLine: 100}, how="transaction"),
        Write("w", creates={Order: 1, OrderLine: 99}, how="transaction"),
    ),
    (
        "actions",
        Write("w", creates={Account: 34}, how="transaction"),
        Write("w", creates={Account: 33}, how="transaction"),
    ),
    (
        "actions",
        Write("w", changes={Account: 20}, checks={Plain: 1}, how="transaction"),
        Write("w", changes={Account: 20}, how="transaction"),
    ),
    (
        "check-then-put",
        Write("w", creates=[Plain], how="put", decided_by=[orders.ORDERS_OF_CUSTOMER]),
        Write("w", changes=[Order], how="put", decided_by=[orders.ORDERS_OF_CUSTOMER]),
    ),
    (
        "check-then-put",
        Write("w", creates=[Account], how="transaction", decided_by=[Scan("s", Account)]),
        Write("w", creates=[Account], how="transaction", decided_by=[orders.ACCOUNT]),
    ),
    (
        "check-then-put",
        Write("w", changes=[Stock], how="put", decided_by=[Get("g", Stock.key(tenant=T, sku=P("sku")))]),
        Write(
            "w",
            changes=[Stock],
            how="put",
            decided_by=[Get("g", Stock.key(tenant=T, sku=P("sku")))],
            guarded=[Stock],
        ),
    ),
    (
        "check-then-put",
        Write("w", creates=[Order], how="transaction", decided_by=[orders.ACCOUNT]),
        Write("w", creates=[Order], checks=[Account], how="transaction", decided_by=[orders.ACCOUNT]),
    ),
    (
        "check-then-put",
        Write("w", deletes=[Stock], how="put", decided_by=[orders.ACCOUNT]),
        Write("w", deletes=[Order], how="put", decided_by=[Get("g", Order.key(tenant=T, id=I))]),
    ),
]


@pytest.mark.parametrize(("rule", "breaks", "passes"), WRITES)
def test_writes(rule: str, breaks: Write, passes: Write) -> None:
    assert rule in {finding.rule for finding in of_patterns(breaks)}
    assert of_patterns(passes) == []


def entity(
    partition: str,
    sort: str | None = None,
    *,
    index: tuple[str, str] | None = None,
    raw: bool = False,
    **of: Any,
) -> type[Entity]:
    """An entity of a table of its own, with these fields and keys."""
    table = type("Own", (Table,), {"gsi1": Index()} if index else {}, sort_key="SK" if sort else None)
    keys: dict[str, Any] = {"key": Key(partition, sort, raw=raw)}
    if index:
        keys["gsi1"] = Key(*index)
    namespace = {"__annotations__": of, "__module__": __name__, **keys}
    kind: Any = type(Entity)
    return kind("Thing", (Entity,), namespace, table=table)  # type: ignore[no-any-return]


KEYS: list[tuple[str, Callable[[], Any], Callable[[], Any]]] = [
    (
        "key-length",
        lambda: entity("THING#{id}", id=long(511)),
        lambda: entity("THING#{id}", id=long(510)),
    ),
    (
        "key-length",
        lambda: entity("A#{id}", "{name}", id=Id, name=long(257)),
        lambda: entity("A#{id}", "{name}", id=Id, name=long(256)),
    ),
    (
        "key-length",
        lambda: entity("A#{id}", index=("N#{id}", "{name}"), id=Id, name=str),
        lambda: entity("A#{id}", index=("N#{id}", "{name}"), id=Id, name=Literal["a", "b"]),
    ),
    (
        "sorting",
        lambda: entity("A#{id}", "{n}", raw=True, id=long(9), n=int),
        lambda: entity("A#{id}", "{n:9}", id=long(9), n=int),
    ),
    ("hot-partition", lambda: entity("THINGS", "{id}", id=Id), lambda: entity("{id}", "THINGS", id=Id)),
    (
        "hot-partition",
        lambda: entity("DAY#{day}", "{id}", day=date, id=Id),
        lambda: entity("{tenant}#{day}", "{id}", tenant=Id, day=date, id=Id),
    ),
    (
        "hot-partition",
        lambda: entity("A#{id}", index=("{at:hour}", "{id}"), id=Id, at=datetime),
        lambda: entity("A#{id}", index=("{at:hour}#{shard:4}", "{id}"), id=Id, at=datetime),
    ),
    (
        "hot-partition",
        lambda: entity("A#{id}", index=("{state}", "{id}"), id=Id, state=Literal["on", "off"]),
        lambda: entity("A#{id}", index=("{state}#{id}", "{id}"), id=Id, state=Literal["on", "off"]),
    ),
    (
        "hot-partition",
        lambda: entity("A#{id}", index=("{flag}", "{id}"), id=Id, flag=bool),
        lambda: entity("A#{id}", index=("{at}", "{id}"), id=Id, at=datetime),
    ),
    (
        "raw-key",
        lambda: entity("A#{id}", "{name}#{n}", raw=True, id=Id, name=long(9), n=long(9)),
        lambda: entity("A#{id}", "{name}#{n}", id=Id, name=long(9), n=long(9)),
    ),
]


@pytest.mark.parametrize(("rule", "breaks", "passes"), KEYS)
def test_keys(rule: str, breaks: Callable[[], Any], passes: Callable[[], Any]) -> None:
    assert rule in {finding.rule for finding in found(breaks())}
    assert found(passes()) == []


def test_a_length_that_nothing_bounds_is_a_warning_and_one_that_is_too_long_is_refused() -> None:
    assert [one.severity for one in found(entity("{id}", id=str))] == ["warning"]
    assert [one.severity for one in found(entity("{id}", id=long(9999)))] == ["refused"]


def test_an_item_beyond_400_kb_is_a_warning() -> None:
    longest = 400 * 1024 - most_bytes(entity("A#{id}", id=Id, text=long(0)).__schema__)
    assert found(entity("A#{id}", id=Id, text=long(longest // 4))) == []
    (finding,) = found(entity("A#{id}", id=Id, text=long(longest // 4 + 1)))
    assert (finding.severity, finding.rule) == ("warning", "item-size")


def test_what_decides_a_write_is_told_apart_from_what_must_be_free() -> None:
    twice = Write("w", creates=[Account], how="transaction", decided_by=[Scan("s", Account)])
    gone = Write("w", creates=[Order], how="transaction", decided_by=[orders.ACCOUNT])
    assert "unique()" in of_patterns(twice)[0].reason
    assert "checks=" in of_patterns(gone)[0].reason


def test_one_counter_is_hot_where_a_write_changes_it() -> None:
    counter: Any = entity("COUNTER", "ALL", count=int)
    assert found(counter) == []
    (finding,) = found(counter, Write("count", changes=[counter], how="put"))
    assert (finding.severity, finding.rule) == ("refused", "hot-partition")
    assert "one item" in finding.reason


def test_an_index_of_sort_and_partition_key_is_hot_where_the_sort_key_is_constant() -> None:
    class Inverted(Table):
        back = Index(partition=KeyAttribute("SK"), sort=KeyAttribute("PK"))

    class Note(Entity, table=Inverted):
        id: Id
        key = Key("NOTE#{id}", "META")

    assert [one.rule for one in found(Note)] == ["hot-partition"]


def test_two_contexts_in_one_table_can_collide() -> None:
    class Sales(Table, name="shared"): ...

    class Support(Table, name="shared"): ...

    class Sale(Entity, table=Sales):
        id: Id
        key = Key("CASE#{id}", "META")

    class Ticket(Entity, table=Support):
        id: Id
        key = Key("CASE#{id}", "META")

    class Call(Entity, table=Support):
        id: Id
        key = Key("CASE#{id}", "CALL")

    (finding,) = found(Sale, Ticket, Call)
    assert (finding.rule, finding.subject) == ("collision", "entity Sale")
    assert "Ticket" in finding.reason
    assert found(Sale, Call.__schema__.table.cls) != []
    assert found(Sale) == []


def test_a_local_index_needs_bounded_collections() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")

        class Loose(Table):
            lsi1 = LocalIndex()

    class Firm(Table):
        lsi1 = LocalIndex(bounded=True)

    assert [one.rule for one in found(Loose)] == ["lsi"]
    assert found(Firm) == []


def test_an_index_that_no_pattern_reads_is_a_warning() -> None:
    rules = {one.subject for one in check([orders.ORDER_PAGE]) if one.rule == "unused-index"}
    assert rules == {"index App.gsi1", "index App.gsi2"}
    assert not [one for one in check(orders) if one.rule == "unused-index"]


def test_two_patterns_of_one_name_are_refused() -> None:
    again = Get("order page", Account.key(id=I))
    assert "name" in {one.rule for one in check([orders.ORDER_PAGE, again])}


def test_a_wished_pattern_is_told_which_key_would_do() -> None:
    (finding,) = of_patterns(Query("q", wished(Order.key, tenant=T, customer=C), limit=9))[:1]
    assert "Order.gsi1 can be asked so" in finding.reason


def test_swallowed_entities_are_named_with_a_key() -> None:
    class Shop(Table): ...

    class Product(Entity, table=Shop):
        shop: Id
        sku: Id
        key = Key("SHOP#{shop}", "PRODUCT#{sku}")

    class Price(Entity, table=Shop):
        shop: Id
        sku: Id
        day: date
        key = Key("SHOP#{shop}", "PRODUCT#{sku}#PRICE#{day}")

    class Clerk(Entity, table=Shop):
        shop: Id
        name: Id
        key = Key("SHOP#{shop}", "CLERK#{name}")

    (finding,) = of_patterns(Query("products", Product.key(shop=P("shop")), limit=9))
    assert finding.rule == "swallow"
    assert "Price" in finding.reason
    assert "Clerk" not in finding.reason
    assert of_patterns(Query("both", Product.key(shop=P("shop")), of=[Product, Price], limit=9)) == []
    assert of_patterns(Query("clerks", Clerk.key(shop=P("shop")), limit=9)) == []
    one = Query("prices", Price.key(shop=P("shop"), sku=P("sku")), limit=9)
    assert of_patterns(one) == []


def test_a_refusal_can_be_accepted_with_a_reason() -> None:
    things: Any = entity("THINGS", "{id}", id=Id)
    accept = Accept("hot-partition", things, because="ten of them, read at the start")
    (finding,) = found(things, accept)
    assert finding.severity == "accepted"
    assert "ten of them" in finding.reason
    assert is_proved([finding])
    with pytest.raises(ValueError, match="needs a reason"):
        Accept("hot-partition", things, because=" ")


def test_the_order_service_is_proved() -> None:
    assert check(orders) == []
    assert_proved(orders, allow_warnings=False)


def test_assert_proved_names_every_reason() -> None:
    with pytest.raises(AssertionError) as failure:
        assert_proved([Scan("all orders", Order), Query("some", Order.gsi1(tenant=T, customer=C))])
    assert "all orders" in str(failure.value)
    assert "[bounded]" in str(failure.value)


def test_a_module_is_searched_for_patterns_and_entities() -> None:
    design = design_of(orders)
    assert [one.name for one in design.patterns][:2] == ["order page", "orders of a customer"]
    assert [table.cls for table in design.tables] == [App]
    nested = design_of([[orders.ACCOUNT], {"a": (orders.REGISTER,)}])
    assert [one.name for one in nested.patterns] == ["account by id", "register"]


def rules_of(findings: Iterable[Finding]) -> set[str]:
    return {finding.rule for finding in findings}


def test_a_value_that_does_not_fit_its_key_is_refused() -> None:
    assert rules_of(
        of_patterns(Query("q", wished(OrderLine.key, tenant="1", order="2", number="x"), limit=1))
    ) == {"partition-equality"}


def test_values_may_be_given_instead_of_parameters() -> None:
    fixed = Query("today", Order.gsi1(tenant="42", customer=C).after(NOON), limit=3)
    assert of_patterns(fixed) == []
    assert fixed.parameters == ("customer",)
