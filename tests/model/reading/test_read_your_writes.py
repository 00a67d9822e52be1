"""A query of a late index, asked to include what was written, is as good as a strong read of the table."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.counts import OWN_WRITES
from tests.model.reading.app import DAY, App, Order, OrderLine, create_table, order, put
from tests.model.reading.driving import Client, Hand

import partita
from partita.model import F, KeyCondition, ReadRefused
from partita.model.sessions.session import Session

CUSTOMERS = "78"


@cache
def _empty() -> partita.Database:
    made = partita.Database(clock=partita.ManualClock(), profile="aws")
    create_table(Client(made))
    made.clock.advance(1)
    return made


def database(seed: int = 0) -> partita.Database:
    """With the table and nothing in it: a copy of one, as making the table took a sixth of a history."""
    return _empty().fork(seed=seed)


class SteppedSession(Session):
    """A session whose flows are driven by hand: one request after the other, so that a seed replays it."""

    def __init__(self, hand: Hand, now: Callable[[], datetime]) -> None:
        super().__init__(hand.client, now=now)
        self._run = hand.run


@pytest.fixture
def hand() -> Any:
    with database() as made:
        yield Hand(made)


@pytest.fixture
def session(hand: Hand) -> SteppedSession:
    return session_of(hand)


def session_of(hand: Hand) -> SteppedSession:
    return SteppedSession(hand, lambda: datetime.fromtimestamp(hand.database.clock.now_us() / 1e6, UTC))


ACTIONS = st.tuples(
    st.sampled_from(["put", "put", "delete", "customer", "status", "change", "move"]),
    st.integers(0, 7),
    st.sampled_from(CUSTOMERS),
    st.integers(0, 20),
)


def act(session: Session, action: tuple[str, int, str, int]) -> None:
    """One write; what it needs to find and does not is passed over."""
    kind, number, customer, hours = action
    key = Order.key(tenant="42", id=f"{number:03}")
    placed = DAY + timedelta(hours=hours)
    if kind == "put":
        session.put(order(number, customer=customer, placed=placed))
        return
    found = session.get(key, consistent=True)
    if found is None:
        return
    match kind:
        case "delete":
            session.delete(found)
        case "change":
            session.change(key, F(Order).note.set("changed"))
        case "customer":
            found.customer = customer
            session.update(found)
        case "status":
            found.status = "SHIPPED" if found.status == "PENDING" else "PENDING"
            session.update(found)
        case "move":
            found.placed = placed
            session.update(found)


def conditions() -> list[KeyCondition[Order]]:
    return [
        Order.gsi1(tenant="42", customer="7"),
        Order.gsi1(tenant="42", customer="7").between(DAY + timedelta(hours=3), DAY + timedelta(hours=12)),
        Order.gsi1(tenant="42", customer="8").after(DAY + timedelta(hours=8)),
        Order.gsi2(tenant="42"),
        Order.by_region(tenant="42", region="eu"),
    ]


def selected(condition_number: int, one: Order) -> bool:
    """What the conditions mean, said of entities."""
    return [
        one.customer == "7",
        one.customer == "7" and DAY + timedelta(hours=3) <= one.placed <= DAY + timedelta(hours=12),
        one.customer == "8" and one.placed > DAY + timedelta(hours=8),
        one.status == "PENDING",
        True,
    ][condition_number]


@given(
    before=st.lists(ACTIONS, max_size=10),
    just_now=st.lists(ACTIONS, min_size=1, max_size=8),
    number=st.integers(0, 4),
    newest_first=st.booleans(),
    limit=st.sampled_from([1, 2, 5, None]),
    noted=st.booleans(),
    waits_ms=st.lists(st.integers(0, 10), min_size=1, max_size=4),
    seed=st.integers(0, 100),
)
@settings(max_examples=OWN_WRITES)
def test_it_is_equal_to_a_strong_read_of_the_table(
    before: list[Any],
    just_now: list[Any],
    number: int,
    newest_first: bool,
    limit: int | None,
    noted: bool,
    waits_ms: list[int],
    seed: int,
) -> None:
    with database(seed=seed) as made:
        hand = Hand(made)
        for action in before:
            act(session_of(hand), action)
        made.clock.advance(1)
        session = session_of(hand)
        for action in just_now:
            act(session, action)
        filter_ = F(Order).note == "changed" if noted else None
        read: list[Order] = []
        cursor = None
        for turn in range(100):
            page = session.query(
                Order,
                conditions()[number],
                newest_first=newest_first,
                limit=limit,
                filter=filter_,
                including=True,
                cursor=cursor,
            )
            assert limit is None or len(page.items) == limit or page.cursor is None
            read += page.items
            cursor = page.cursor
            if cursor is None:
                break
            made.clock.advance(waits_ms[turn % len(waits_ms)] / 1000)
        stored = session.scan_everything(App, of=[Order], consistent=True)
        wanted = [one for one in stored if selected(number, one) and (not noted or one.note == "changed")]
        assert sorted(read, key=lambda one: one.id) == sorted(wanted, key=lambda one: one.id)
        times = [one.placed for one in read]
        assert times == sorted(times, reverse=newest_first)


def test_a_new_order_is_on_the_page_at_once(session: SteppedSession) -> None:
    session.create(order(1))
    condition = Order.gsi1(tenant="42", customer="7")
    assert session.query(Order, condition).items == []
    page = session.query(Order, condition, including=True)
    assert page.items == [order(1)]
    assert page.requests == 2
    assert page.extra.requests == 1
    assert page.extra.read_units == 1.0


def test_the_strong_read_goes_out_with_the_query(session: SteppedSession, hand: Hand) -> None:
    session.create(order(1))
    hand.rounds.clear()
    session.query(Order, Order.gsi1(tenant="42", customer="7"), including=True)
    assert hand.rounds == [2]


def test_only_what_can_be_in_the_result_is_read(session: SteppedSession) -> None:
    session.create(order(1, customer="8"))
    session.create(order(2, customer="7", placed=DAY))
    early = Order.gsi1(tenant="42", customer="7").after(DAY + timedelta(hours=1))
    assert session.query(Order, early, including=True).extra.requests == 0


def test_updates_are_known(session: SteppedSession) -> None:
    mine = order(1)
    session.create(mine)
    mine.note = "changed"
    session.update(mine)
    seven, eight = (Order.gsi1(tenant="42", customer=customer) for customer in "78")
    assert session.query(Order, eight, including=True).extra.requests == 0
    assert session.query(Order, seven, including=True).items == [mine]
    mine.customer = "8"
    session.update(mine)
    assert session.query(Order, eight, including=True).items == [mine]
    assert session.query(Order, seven, including=True).items == []


def test_writes_of_which_only_the_key_is_known_are_read_where_they_can_stand(session: SteppedSession) -> None:
    line = OrderLine(tenant="42", order="001", number=1, product="9")
    session.create(line)
    with session.transaction() as tx:
        tx.change(OrderLine.key(tenant="42", order="001", number=1), F(OrderLine).product.set("8"))
    line.product = "8"
    ours, others = (Order.key(tenant="42", id=number) for number in ("001", "002"))
    pending, product = Order.gsi2(tenant="42"), OrderLine.gsi1(tenant="42", product="8")
    assert session.query(Order, pending, including=True).extra.requests == 0
    assert session.query([Order, OrderLine], others, including=True).extra.requests == 0
    assert session.query([Order, OrderLine], ours, including=True).items == [line]
    assert session.query(OrderLine, product, including=True).items == [line]


def test_what_moved_away_is_dropped_and_the_page_filled_up(session: SteppedSession, hand: Hand) -> None:
    put(hand.client, *map(order, range(4)))
    hand.database.clock.advance(1)
    moved = session.get(Order, tenant="42", id="000", consistent=True)
    assert moved is not None
    moved.customer = "8"
    session.update(moved)
    session.delete(order(1))
    page = session.query(Order, Order.gsi1(tenant="42", customer="7"), limit=2, including=True)
    assert [one.id for one in page] == ["002", "003"]


def test_entities_of_others_can_be_named(session: SteppedSession, hand: Hand) -> None:
    put(hand.client, order(1), order(2))
    condition = Order.gsi1(tenant="42", customer="7")
    named = session.query(Order, condition, including=[order(1), Order.key(tenant="42", id="002")])
    assert named.items == [order(1), order(2)]


def test_what_was_written_long_ago_costs_nothing(session: SteppedSession, hand: Hand) -> None:
    session.create(order(1))
    hand.database.clock.advance(61)
    page = session.query(Order, Order.gsi1(tenant="42", customer="7"), including=True)
    assert page.items == [order(1)]
    assert page.extra.requests == 0


def test_a_consistent_read_needs_no_help(session: SteppedSession) -> None:
    session.create(order(1))
    page = session.query(Order, Order.key(tenant="42", id="001"), consistent=True, including=True)
    assert page.items == [order(1)]
    assert page.requests == 1


def test_views_and_partial_indexes(session: SteppedSession) -> None:
    session.create(order(1))
    page = session.query(Order, Order.gsi3(tenant="42", status="PENDING"), fetch=True, including=True)
    assert page.items == [order(1)]


def test_entities_of_another_table_are_refused(session: SteppedSession) -> None:
    from partita.model import Entity, Key, Table

    class Other(Table):
        pass

    class Thing(Entity, table=Other):
        id: str
        key = Key("T#{id}", "T")

    with pytest.raises(ReadRefused, match="another table"):
        session.query(Order, Order.gsi1(tenant="42", customer="7"), including=[Thing(id="1")])
