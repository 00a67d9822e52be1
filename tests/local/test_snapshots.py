"""`snapshot`, `restore` and `fork`."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from tests.local.tables import ORDERS, key, order

from partita import Database, ManualClock


def numbers(db: Database) -> list[str]:
    return sorted(item["sk"]["S"] for item in db.scan(TableName="orders")["Items"])


def test_restore_brings_back_items_indexes_and_tables(orders: Database) -> None:
    orders.put_item(TableName="orders", Item=order("ann", 1, status={"S": "open"}))
    snapshot = orders.snapshot()
    orders.put_item(TableName="orders", Item=order("ann", 2, status={"S": "open"}))
    orders.delete_item(TableName="orders", Key=key("ann", 1))
    orders.create_table(**ORDERS | {"TableName": "other"})
    for _ in range(2):
        orders.restore(snapshot)
        assert numbers(orders) == ["0001"]
        by_status = orders.query(
            TableName="orders",
            IndexName="by-status",
            KeyConditionExpression="#s = :open",
            ExpressionAttributeNames={"#s": "status"},
            ExpressionAttributeValues={":open": {"S": "open"}},
        )
        assert by_status["Count"] == 1
        assert orders.list_tables() == {"TableNames": ["orders"]}
        orders.delete_table(TableName="orders")


def test_restore_brings_back_the_clock() -> None:
    clock = ManualClock(1_000_000_000)
    with Database(clock=clock) as db:
        snapshot = db.snapshot()
        db.clock.advance(3600)
        db.restore(snapshot)
        assert clock.now_us() == 1_000_000_000_000_000


def test_a_fork_goes_its_own_way(orders: Database) -> None:
    orders.put_item(TableName="orders", Item=order("ann", 1))
    with orders.fork() as fork:
        fork.put_item(TableName="orders", Item=order("ann", 2))
        orders.put_item(TableName="orders", Item=order("ann", 3))
        fork.clock.advance(86_400)
        assert numbers(fork) == ["0001", "0002"]
        assert numbers(orders) == ["0001", "0003"]
        assert fork.clock.now_us() - orders.clock.now_us() > 86_000_000_000
        with fork.fork() as second:
            assert numbers(second) == ["0001", "0002"]


def test_a_snapshot_restores_into_a_fork(orders: Database) -> None:
    snapshot = orders.snapshot()
    with orders.fork() as fork:
        fork.put_item(TableName="orders", Item=order("ann", 1))
        fork.restore(snapshot)
        assert numbers(fork) == []


def test_a_file_forks_into_memory_and_restores_in_place(tmp_path: Path) -> None:
    path = tmp_path / "data.db"
    with Database(path) as db:
        db.create_table(**ORDERS)
        snapshot = db.snapshot()
        db.put_item(TableName="orders", Item=order("ann", 1))
        with db.fork() as fork:
            fork.put_item(TableName="orders", Item=order("ann", 2))
        assert numbers(db) == ["0001"]
        db.restore(snapshot)
        db.put_item(TableName="orders", Item=order("ann", 3))
    with Database(path) as db:
        assert numbers(db) == ["0003"]


def test_what_waits_in_the_background_is_part_of_a_snapshot() -> None:
    with Database(profile="aws", index_lag_ms=(1000, 1000), clock=ManualClock()) as db:
        db.create_table(**ORDERS)
        db.clock.advance(60)
        db.put_item(TableName="orders", Item=order("ann", 1, status={"S": "open"}))

        def in_index(database: Database) -> int:
            answer = database.scan(TableName="orders", IndexName="by-status")
            return int(answer["Count"])

        fork = db.fork()
        assert (in_index(db), in_index(fork)) == (0, 0)
        fork.clock.advance(2)
        assert (in_index(db), in_index(fork)) == (0, 1)


@pytest.mark.parametrize("items", [100])
def test_they_take_about_a_millisecond(orders: Database, items: int) -> None:
    for number in range(items):
        orders.put_item(TableName="orders", Item=order("ann", number, text={"S": "x" * 300}))
    snapshot = orders.snapshot()
    figures = []
    for action in (orders.snapshot, lambda: orders.restore(snapshot), lambda: orders.fork().close()):
        runs = []
        for _ in range(10):
            began = time.process_time()
            action()
            runs.append(time.process_time() - began)
        figures.append(min(runs))
    assert max(figures) < 0.005, figures
