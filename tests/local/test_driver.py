"""How requests are driven: waiting, interrupts, failures of the store, and forks of the process."""

from __future__ import annotations

import asyncio
import os
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.local.tables import ORDERS, key, order

from partita import Database, ManualClock
from partita.errors import InternalServerError, TransactionCanceledException, TransactionConflictException
from partita.storage import StoreFailed


def put(number: int) -> list[dict[str, Any]]:
    return [{"Put": {"TableName": "orders", "Item": order("ann", number)}}]


def holding(hold_ms: tuple[int, int], clock: ManualClock | None = None) -> Database:
    """A database whose transactions wait while they hold their items."""
    db = Database(transaction_hold_ms=hold_ms, clock=clock)
    db.create_table(**ORDERS)
    return db


@pytest.fixture
def slow() -> Iterator[Database]:
    with holding((60_000, 60_000)) as db:
        yield db


class Transaction(threading.Thread):
    """Writes item 1 in a transaction; waits until the transaction holds it."""

    def __init__(self, db: Database) -> None:
        super().__init__(daemon=True)
        self.db = db
        self.error: BaseException | None = None
        self.start()
        while not self.is_held():
            time.sleep(0.001)

    def run(self) -> None:
        try:
            self.db.transact_write_items(TransactItems=put(1))
        except BaseException as error:
            self.error = error

    def is_held(self) -> bool:
        try:
            self.db.put_item(TableName="orders", Item=order("ann", 1))
        except TransactionConflictException:
            return True
        return False


def test_others_go_on_while_a_request_waits(slow: Database) -> None:
    transaction = Transaction(slow)
    slow.put_item(TableName="orders", Item=order("ann", 2))
    assert transaction.is_alive()
    slow.clock.advance(61)
    transaction.join(10)
    assert not transaction.is_alive()
    assert transaction.error is None


def test_restore_fails_what_waits(slow: Database) -> None:
    snapshot = slow.snapshot()
    transaction = Transaction(slow)
    slow.restore(snapshot)
    slow.clock.advance(61)
    transaction.join(10)
    assert isinstance(transaction.error, InternalServerError)
    assert slow.scan(TableName="orders")["Count"] == 0


def test_closing_fails_what_waits(slow: Database) -> None:
    transaction = Transaction(slow)
    slow.close()
    slow.clock.advance(61)
    transaction.join(10)
    assert isinstance(transaction.error, InternalServerError)


def test_a_manual_clock_is_advanced_when_nobody_else_does() -> None:
    clock = ManualClock(1_000_000_000)
    with holding((1500, 1500), clock) as db:
        began = time.monotonic()
        db.transact_write_items(TransactItems=put(1))
        assert clock.now_us() == 1_000_000_001_500_000
        assert time.monotonic() - began < 1
        assert db.get_item(TableName="orders", Key=key("ann", 1))["Item"]


def test_on_a_manual_clock_the_earliest_goes_first() -> None:
    """Twenty transactions begin together, each with a hold of its own: they end in the order of those."""
    clock = ManualClock(0)
    ends: list[int] = []

    async def write(db: Database, number: int) -> None:
        await db.aio.transact_write_items(TransactItems=put(number))
        ends.append(clock.now_us())

    async def run(db: Database) -> None:
        await asyncio.gather(*(write(db, number) for number in range(20)))

    with holding((1, 1000), clock) as db:
        asyncio.run(run(db))
    assert ends == sorted(ends)
    assert len(set(ends)) > 15


def test_collisions_on_a_manual_clock_are_replayed() -> None:
    async def race(db: Database) -> list[str]:
        answers = await asyncio.gather(
            *(db.aio.transact_write_items(TransactItems=put(number % 3)) for number in range(6)),
            return_exceptions=True,
        )
        return [type(answer).__name__ for answer in answers]

    def play() -> list[str]:
        with holding((1, 1000), ManualClock(0)) as db:
            return asyncio.run(race(db))

    first = play()
    assert first == ["dict"] * 3 + ["TransactionCanceledException"] * 3
    assert play() == first


def test_threads_on_a_manual_clock_all_finish() -> None:
    with holding((1, 1000), ManualClock()) as db:
        threads = [
            threading.Thread(target=db.transact_write_items, kwargs={"TransactItems": put(number)})
            for number in range(8)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(20)
        assert not any(thread.is_alive() for thread in threads)
        assert db.scan(TableName="orders")["Count"] == 8


def test_a_plain_call_within_a_loop_does_not_wait_for_its_tasks() -> None:
    async def run(db: Database) -> None:
        task = asyncio.create_task(db.aio.transact_write_items(TransactItems=put(1)))
        await asyncio.sleep(0)
        db.transact_write_items(TransactItems=put(2))
        await task

    with holding((10, 1000), ManualClock()) as db:
        asyncio.run(run(db))
        assert db.scan(TableName="orders")["Count"] == 2


def test_what_became_due_runs_before_the_next_request() -> None:
    """All of it, however much there is."""
    with Database(profile="aws", index_lag_ms=(1000, 1000), clock=ManualClock()) as db:
        db.create_table(**ORDERS)
        db.clock.advance(60)
        for number in range(800):
            db.put_item(TableName="orders", Item=order("ann", number, status={"S": "open"}))
        assert db.scan(TableName="orders", IndexName="by-status")["Count"] == 0
        db.clock.advance(2)
        assert db.scan(TableName="orders", IndexName="by-status")["Count"] == 800


def test_a_cancelled_request_lets_go_of_its_items(slow: Database) -> None:
    async def run() -> None:
        task = asyncio.create_task(slow.aio.transact_write_items(TransactItems=put(1)))
        await asyncio.sleep(0)
        with pytest.raises(TransactionConflictException):
            await slow.aio.put_item(TableName="orders", Item=order("ann", 1))
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await slow.aio.put_item(TableName="orders", Item=order("ann", 1))

    asyncio.run(run())


def test_an_interrupt_leaves_nothing_half_done(orders: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    store = orders._driver.store
    transact = store.transact

    async def interrupted(*arguments: Any) -> Any:
        await transact(*arguments)
        raise KeyboardInterrupt

    orders.put_item(TableName="orders", Item=order("ann", 1))
    with monkeypatch.context() as patched:
        patched.setattr(store, "transact", interrupted)
        with pytest.raises(KeyboardInterrupt):
            orders.put_item(TableName="orders", Item=order("ann", 2))
    assert orders.scan(TableName="orders")["Items"] == [order("ann", 1)]
    assert orders.describe_table(TableName="orders")["Table"]["ItemCount"] == 1
    orders.put_item(TableName="orders", Item=order("ann", 3))


def test_a_store_that_fails_is_an_internal_server_error(
    orders: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail() -> None:
        raise StoreFailed("database or disk is full")

    with monkeypatch.context() as patched:
        patched.setattr(orders._driver.store, "commit", fail)
        with pytest.raises(InternalServerError, match="Internal server error") as raised:
            orders.put_item(TableName="orders", Item=order("ann", 1))
    assert isinstance(raised.value.__cause__, StoreFailed)
    assert orders.scan(TableName="orders")["Count"] == 0
    orders.put_item(TableName="orders", Item=order("ann", 1))


def in_child(action: Any) -> str:
    """What `action` gives in a forked child, which ends as Python programs do."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.write(writing, action().encode())
        except BaseException as error:
            os.write(writing, f"{type(error).__name__}: {error}".encode())
        os._exit(0)
    os.close(writing)
    os.waitpid(child, 0)
    with os.fdopen(reading) as answer:
        return answer.read()


def test_a_forked_child_is_refused_a_file(tmp_path: Path) -> None:
    with Database(tmp_path / "data.db") as db:
        answer = in_child(db.list_tables)
        assert answer.startswith("RuntimeError: this partita.Database was opened from a file by the parent")
        assert "partita serve" in answer
        db.create_table(**ORDERS)


def test_a_forked_child_has_a_copy_of_what_is_in_memory(orders: Database) -> None:
    def use() -> str:
        orders.put_item(TableName="orders", Item=order("ann", 1))
        return str(orders.scan(TableName="orders")["Count"])

    assert in_child(use) == "1"
    assert orders.scan(TableName="orders")["Count"] == 0


def test_a_child_that_ends_leaves_the_parents_file_alone(tmp_path: Path) -> None:
    """In a process of its own, since the child tidies up as it ends."""
    program = f"""
import os, sys, partita
from tests.local.tables import ORDERS, order
db = partita.Database({str(tmp_path / "data.db")!r})
db.create_table(**ORDERS)
db.put_item(TableName="orders", Item=order("ann", 1))
child = os.fork()
if child == 0:
    sys.exit(0)
os.waitpid(child, 0)
for number in range(2, 50):
    db.put_item(TableName="orders", Item=order("ann", number))
os._exit(0)
"""
    root = Path(__file__).parents[2]
    assert (
        os.spawnve(
            os.P_WAIT,
            sys.executable,
            [sys.executable, "-c", program],
            {"PYTHONPATH": os.pathsep.join([str(root), *sys.path])},
        )
        == 0
    )
    with Database(tmp_path / "data.db") as db:
        assert db.scan(TableName="orders")["Count"] == 49


def test_a_fork_finds_the_database_at_rest(orders: Database) -> None:
    """Even while threads are at work: the child's lock is free, and no write is cut in two."""
    stop = threading.Event()

    def work() -> None:
        number = 0
        while not stop.is_set():
            number += 1
            orders.put_item(TableName="orders", Item=order("bob", number))

    thread = threading.Thread(target=work)
    thread.start()
    try:
        for _ in range(10):
            answer = in_child(lambda: str(orders.scan(TableName="orders", Select="COUNT")["Count"]))
            assert answer.isdigit(), answer
    finally:
        stop.set()
        thread.join()


def test_a_refused_transaction_says_why(slow: Database) -> None:
    transaction = Transaction(slow)
    with pytest.raises(TransactionCanceledException) as raised:
        slow.transact_write_items(TransactItems=put(1))
    assert raised.value.members["CancellationReasons"][0]["Code"] == "TransactionConflict"
    slow.clock.advance(61)
    transaction.join(10)
