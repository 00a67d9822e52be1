"""Each way in which code can do something else than its pattern declares is told in one sentence."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest
from tests.design.orders import (
    NOON,
    ORDER_PAGE,
    ORDERS_OF_CUSTOMER,
    PENDING,
    Account,
    App,
    Order,
    OrderLine,
    Stock,
    order,
)

import partita
from partita.design import Get, GetMany, P, Query, TransactGet, Write
from partita.design.testing import assert_pattern
from partita.model import AsyncSession, F, Session

KEY = Order.key(tenant=P("tenant"), id=P("id"))
BY_ID = Get("order by id", KEY)
MANY = GetMany("orders", KEY, each="id", at_most=2)
BOTH = TransactGet("both", KEY, Account.key(id=P("account")))
DAYS = {"since": NOON - timedelta(days=1), "until": NOON + timedelta(days=1)}
LINE = OrderLine(tenant="42", order="991", number=1, sku="shoe")
PLACE = Write("place", creates={Order: 1, OrderLine: 2}, changes=[Stock], how="transaction", guarded=[Stock])
SHIP = Write("ship", changes=[Order], how="put", decided_by=[BY_ID])
IMPORT = Write("import", creates={OrderLine: 30}, how="batch")
REGISTER = Write("register", creates=[Account], how="transaction")


@pytest.fixture
def client() -> Iterator[Any]:
    with partita.Database() as database:
        yield database.client()


@pytest.fixture
def session(client: Any) -> Iterator[Session]:
    with Session(client, tables={App: "app-test"}) as session:
        session.create_table(App)
        session.create(order())
        session.put(Stock(tenant="42", sku="shoe", free=9))
        yield session


def lines(number: int) -> list[OrderLine]:
    return [OrderLine(tenant="42", order="7", number=n, sku="shoe") for n in range(number)]


def place(session: Session, *, when: bool = True, lines: int = 1, other: bool = False) -> None:
    with session.transaction("place", remember=timedelta(days=1)) as tx:
        tx.create(order(id="1"))
        for number in range(lines):
            tx.create(OrderLine(tenant="42", order="1", number=number, sku="shoe"))
        stock = Stock.key(tenant="42", sku="shoe")
        tx.change(stock, F(Stock).free.add(-1), when=F(Stock).free >= 1 if when else None)
        if other:
            tx.check(Order.key(tenant="42", id="991"))


def ship(session: Session, times: int = 1) -> None:
    for status in ("SHIPPED", "PENDING")[:times]:
        read = session.get(Order, tenant="42", id="991")
        assert read is not None
        read.status = status  # type: ignore[assignment]
        session.update(read)


Use = Callable[[Session], object]

RIGHT: list[tuple[Any, Use]] = [
    (BY_ID, lambda s: s.run(BY_ID, tenant="42", id="991")),
    (BY_ID, lambda s: s.get(Order, tenant="42", id="no")),
    (MANY, lambda s: s.run(MANY, tenant="42", id=["991", "1"])),
    (BOTH, lambda s: s.run(BOTH, tenant="42", id="991", account="1")),
    (ORDER_PAGE, lambda s: s.run(ORDER_PAGE, tenant="42", id="991")),
    (ORDERS_OF_CUSTOMER, lambda s: s.run(ORDERS_OF_CUSTOMER, tenant="42", customer="7", **DAYS)),
    (PENDING, lambda s: s.run(PENDING, tenant="42")),
    (PLACE, place),
    (PLACE, lambda s: place(s, lines=2)),
    (SHIP, ship),
    (IMPORT, lambda s: s.batch_write(put=lines(30))),
    (REGISTER, lambda s: s.create(Account(id="1", email="a@x.io", username="a"))),
]


@pytest.mark.parametrize(("pattern", "use"), RIGHT)
def test_what_is_declared(session: Session, pattern: Any, use: Use) -> None:
    with assert_pattern(pattern, session):
        use(session)


OTHER: list[tuple[Any, Use, str]] = [
    (BY_ID, lambda s: None, "nothing was read"),
    (BY_ID, lambda s: list(s.scan_everything(App)), "Scan of app-test: the pattern declares GetItem"),
    (BY_ID, lambda s: s.get(Order, tenant="42", id="1", consistent=True), "an eventual read"),
    (BY_ID, lambda s: s.get(Account, id="1"), "is no key of Order"),
    (BY_ID, lambda s: [s.get(Order, tenant="42", id=n) for n in "12"], "2 reads were sent, and the pattern"),
    (BY_ID, lambda s: (s.run(BY_ID, tenant="42", id="1"), s.put(LINE.model_copy())), "writes nothing"),
    (MANY, lambda s: s.batch_get([Order.key(tenant="42", id=n) for n in "123"]), "asks for 3 items"),
    (BOTH, lambda s: s.transact_get([OrderLine.key(tenant="42", order="1", number=1)]), "no key of Order or"),
    (ORDERS_OF_CUSTOMER, lambda s: s.run(PENDING, tenant="42"), "the pattern declares GSI1"),
    (
        ORDERS_OF_CUSTOMER,
        lambda s: s.query(Order, Order.gsi1(tenant="42", customer="7"), limit=20),
        "declares newest first",
    ),
    (PENDING, lambda s: s.query(Order, Order.gsi2(tenant="42", shard=1), fetch=True), "1 of 4 shards"),
    (ORDER_PAGE, lambda s: s.query(Stock, Stock.key(tenant="42", sku="x")), "is no TENANT"),
    (PLACE, lambda s: None, "nothing was written"),
    (PLACE, lambda s: place(s, when=False), "declared as guarded, and the write asks no condition"),
    (PLACE, lambda s: place(s, lines=3), "3 OrderLine were written, and the pattern declares at most 2"),
    (PLACE, lambda s: place(s, lines=0), "no OrderLine was written, which the pattern declares"),
    (PLACE, lambda s: place(s, other=True), "does not declare that Order is checked"),
    (PLACE, lambda s: s.put(order(id="5")), "PutItem of .*: the pattern declares one TransactWriteItems"),
    (SHIP, lambda s: ship(s, 2), "2 writes were sent, and the pattern declares one PutItem"),
    (SHIP, lambda s: (s.run(ORDER_PAGE, tenant="42", id="991"), ship(s)), "no read in decided_by"),
    (SHIP, lambda s: s.delete(Order.key(tenant="42", id="991")), "not declare that Order is deleted"),
    (SHIP, lambda s: s.put(Stock(tenant="42", sku="a", free=1)), "the pattern names no such entity"),
    (IMPORT, lambda s: [s.put(line) for line in lines(2)], "the pattern declares a batch"),
    (IMPORT, lambda s: [s.batch_write(put=[line]) for line in lines(3)], "at most 2"),
]


@pytest.mark.parametrize(("pattern", "use", "says"), OTHER)
def test_what_is_not(session: Session, pattern: Any, use: Use, says: str) -> None:
    with pytest.raises(AssertionError, match=says) as failed, assert_pattern(pattern, session):
        use(session)
    text = str(failed.value)
    assert text.startswith(f'"{pattern.name}" is not what was sent:\n- ')
    assert "\ndeclared: " in text
    assert "\nsent:\n  " in text


def test_strong_reads_of_own_writes_are_allowed_where_asked_for(session: Session) -> None:
    def run() -> None:
        session.run(ORDERS_OF_CUSTOMER, tenant="42", customer="7", **DAYS, including=True)

    with assert_pattern(ORDERS_OF_CUSTOMER, session, including=True):
        run()
    with pytest.raises(AssertionError, match="BatchGetItem"), assert_pattern(ORDERS_OF_CUSTOMER, session):
        run()


def test_an_error_inside_is_raised_itself(session: Session) -> None:
    with pytest.raises(ZeroDivisionError), assert_pattern(BY_ID, session):
        _ = 1 / 0


def test_requests_of_another_session_do_not_count(client: Any, session: Session) -> None:
    with Session(client, tables={App: "app-test"}) as other, assert_pattern(BY_ID, session):
        session.run(BY_ID, tenant="42", id="991")
        other.run(BY_ID, tenant="42", id="991")


def test_async_sessions_too(client: Any, session: Session) -> None:
    class Coroutines:
        def __getattr__(self, name: str) -> Any:
            async def call(**parameters: Any) -> Any:
                return getattr(client, name)(**parameters)

            return call

        async def get_item(self, **parameters: Any) -> Any:
            return client.get_item(**parameters)

    async def run() -> None:
        async with AsyncSession(Coroutines(), tables={App: "app-test"}) as session:
            with assert_pattern(BY_ID, session):
                await session.run(BY_ID, tenant="42", id="991")
            with assert_pattern(PENDING, session):
                await session.run(PENDING, tenant="42")

    asyncio.run(run())


def test_a_query_that_searches_on(session: Session) -> None:
    searching = Query(
        "searching",
        Order.gsi1(tenant=P("tenant"), customer=P("customer")),
        limit=1,
        filter=F(Order).status == "SHIPPED",
        max_requests=3,
    )
    for number in range(3):
        session.create(order(id=str(number)))
    with assert_pattern(searching, session):
        session.run(searching, tenant="42", customer="7")
