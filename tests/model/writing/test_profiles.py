"""A session on databases that behave as production does: conflicts, unprocessed items, slow tables."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from random import Random

import pytest
from tests.model.writing.shop import App, Stock, order

from partita import Database, ManualClock
from partita.model import F, Retries, Session, Unreachable
from partita.model.flows.flow import Call, Flow, Together


@pytest.fixture(params=["aws", "hostile"])
def database(request: pytest.FixtureRequest) -> Iterator[Database]:
    with Database(profile=request.param, seed=3, clock=ManualClock()) as made:
        yield made


@pytest.fixture
def session(database: Database) -> Iterator[Session]:
    """Its pauses advance the database's clock."""
    retries = Retries(attempts=100)
    sleep = database.clock.advance
    with Session(database.client(), sleep=sleep, chance=Random(1), retries=retries) as made:
        made.create_table(App)
        yield made


def test_a_table_is_waited_for_and_batches_end(session: Session, database: Database) -> None:
    session.ensure_table(App)
    session.batch_write(put=[Stock(sku=str(number), qty=1) for number in range(200)])
    assert database.client().scan(TableName="app", ConsistentRead=True)["Count"] == 200
    assert session.consumed[None].requests > 8


def test_transactions_of_several_threads_are_all_applied(session: Session) -> None:
    session.create(Stock(sku="9", qty=100))

    def place(number: int) -> None:
        with session.transaction(f"place-{number}") as tx:
            tx.create(order(str(number)))
            tx.change(Stock.key(sku="9"), F(Stock).qty.add(-1), when=F(Stock).qty >= 1)

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(place, range(20)))
    assert session.get(Stock, sku="9", consistent=True) == Stock(sku="9", qty=80)


def test_requests_side_by_side(session: Session) -> None:
    session.batch_write(put=[Stock(sku=str(number), qty=number) for number in range(10)])

    def flow() -> Flow[list[str]]:
        calls = [
            Call(
                "GetItem",
                {"TableName": "app", "Key": Stock.key(sku=str(number)).item_key(), "ConsistentRead": True},
            )
            for number in range(10)
        ]
        answers = yield Together(calls)
        return [answer["Item"]["qty"]["N"] for answer in answers]

    assert session.run(lambda context: flow()) == [str(number) for number in range(10)]


def test_pauses_advance_a_clock_that_stands_still() -> None:
    clock = ManualClock()
    with Database(profile="aws", clock=clock) as database, Session(database.client()) as session:
        before = clock.now_us()
        session.create_table(App)
        session.put(Stock(sku="9", qty=1))
    assert clock.now_us() > before


def test_a_table_that_is_never_ready_is_told_of() -> None:
    with (
        Database(profile="aws", clock=ManualClock()) as database,
        Session(database.client(), sleep=lambda _: None) as session,
        pytest.raises(Unreachable, match=r"not ready after 240 looks at it \(CREATING\).*sleep= has to"),
    ):
        session.create_table(App)
