"""The backfill of a new global index (facts 16.22, 5.20, 5.21): complete, in order, resumable."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from tests.engine.tables.harness import SCOPE, Bench, defined, index, table

from partita.engine import backfill
from partita.engine.agenda import drive

Item = dict[str, Any]
CREATE = {
    "TableName": "music",
    "AttributeDefinitions": defined("gk"),
    "GlobalSecondaryIndexUpdates": [{"Create": index("new", "gk")}],
}
DELETE = {"TableName": "music", "GlobalSecondaryIndexUpdates": [{"Delete": {"IndexName": "new"}}]}
LAG = {"index_lag_ms": (5, 50)}


def item(number: int, group: str | None = "g") -> Item:
    plain = {"pk": {"S": f"item {number}"}}
    return plain if group is None else {**plain, "gk": {"S": group}}


def bench_with(items: list[Item], **settings: Any) -> Bench:
    bench = Bench(**settings)
    bench.call("CreateTable", table())
    finish(bench)
    for number in range(0, len(items), 25):
        requests = [{"PutRequest": {"Item": found}} for found in items[number : number + 25]]
        bench.call("BatchWriteItem", {"RequestItems": {"music": requests}})
    return bench


def scan(bench: Bench, **members: Any) -> list[Item]:
    """All items of the table, or of an index."""
    items: list[Item] = []
    start: dict[str, Any] = {}
    while True:
        page = bench.call("Scan", {"TableName": "music", **members, **start})
        items += page["Items"]
        if "LastEvaluatedKey" not in page:
            return sorted(items, key=lambda found: str(found["pk"]))
        start = {"ExclusiveStartKey": page["LastEvaluatedKey"]}


def finish(bench: Bench) -> None:
    """Lets all background work come to its end."""
    for _ in range(10_000):
        bench.run_due()
        due_us = bench.engine.agenda.next_due_us
        if due_us is None:
            return
        bench.clock.advance(max(0, due_us - bench.clock.now_us()) / 1_000_000)
    raise AssertionError("background work has no end")


def check_index(bench: Bench) -> None:
    """The index holds exactly the table's items that have its key, and counts them rightly."""
    finish(bench)
    described = bench.index("new")
    assert described is not None
    assert (described["IndexStatus"], described.get("Backfilling")) == ("ACTIVE", None)
    expected = [found for found in scan(bench) if "gk" in found]
    assert scan(bench, IndexName="new") == expected
    space = bench.engine.catalogue.table(SCOPE, "music").indexes["new"].space
    rows = drive(bench.store.walk(space, None, b"", None, limit=1_000_000))
    assert described["ItemCount"] == len(rows) == len(expected)
    assert described["IndexSizeBytes"] == sum(row[3] for row in rows)
    assert leftovers(bench) == []


def leftovers(bench: Bench) -> list[Any]:
    """Rows of the books that only work under way needs."""
    books = (b"walked", b"filled", b"clearing")
    return [row for book in books for row in drive(bench.store.range(0, book, b"", None, limit=99))]


@pytest.mark.parametrize("settings", [{}, LAG, {"table_transition_ms": 20, "index_transition_ms": 30}])
@pytest.mark.parametrize("count", [0, 1, 24, 25, 700])
def test_every_item_with_the_key_is_in_the_index(count: int, settings: dict[str, Any]) -> None:
    bench = bench_with([item(n, None if n % 5 == 0 else f"g{n % 3}") for n in range(count)], **settings)
    bench.call("UpdateTable", CREATE)
    check_index(bench)


def test_facts_5_20_and_5_21_unfit_keys_are_left_out() -> None:
    kept = item(1)
    unfit = [
        {"pk": {"S": "number"}, "gk": {"N": "1"}},
        {"pk": {"S": "list"}, "gk": {"L": []}},
        {"pk": {"S": "empty"}, "gk": {"S": ""}},
        {"pk": {"S": "long"}, "gk": {"S": "x" * 2049}},
    ]
    bench = bench_with([kept, *unfit])
    bench.call("UpdateTable", CREATE)
    finish(bench)
    assert scan(bench, IndexName="new") == [kept]
    described = bench.index("new")
    assert described is not None
    assert described["ItemCount"] == 1


def test_a_small_table_s_index_is_active_at_the_next_request() -> None:
    bench = bench_with([item(n) for n in range(300)])
    bench.call("UpdateTable", CREATE)
    assert len(scan(bench, IndexName="new")) == 300


def test_an_index_in_the_making_cannot_be_read() -> None:
    bench = bench_with([item(n) for n in range(2_000)])
    bench.call("UpdateTable", CREATE)
    assert bench.error("Scan", {"TableName": "music", "IndexName": "new"}) == (
        "ValidationException: Cannot read from backfilling global secondary index: new"
    )
    described = bench.index("new")
    assert described is not None
    assert described["Backfilling"] is True
    check_index(bench)


def test_large_items_are_filled_in_few_at_a_time() -> None:
    bench = bench_with([])
    for number in range(6):
        bench.call("PutItem", {"TableName": "music", "Item": {**item(number), "x": {"S": "x" * 300_000}}})
    bench.call("UpdateTable", CREATE)
    bench.run_due(2)
    described = bench.engine.catalogue.table(SCOPE, "music").indexes["new"]
    assert described.item_count == 1
    check_index(bench)


def test_a_deleted_item_does_not_come_back() -> None:
    bench = bench_with([item(n) for n in range(200)])
    bench.call("UpdateTable", CREATE)
    bench.run_due(3)
    for number in range(200):
        bench.call_at_once("DeleteItem", {"TableName": "music", "Key": item(number, None)})
    check_index(bench)
    assert scan(bench, IndexName="new") == []


def test_a_backfill_goes_on_after_a_crash_where_it_was() -> None:
    bench = bench_with([item(n) for n in range(500)])
    bench.call("UpdateTable", CREATE)
    bench.run_due(5)
    index_ = bench.engine.catalogue.table(SCOPE, "music").indexes["new"]
    counted, place = index_.item_count, index_.filled_below
    assert 0 < counted < 500
    bench.engine.run_due(3)
    bench.crash()
    index_ = bench.engine.catalogue.table(SCOPE, "music").indexes["new"]
    assert (index_.item_count, index_.filled_below) == (counted, place)
    check_index(bench)


def test_a_failed_turn_takes_the_backfill_back() -> None:
    bench = bench_with([item(n) for n in range(500)])
    bench.call("UpdateTable", CREATE)
    bench.run_due(5)
    index_ = bench.engine.catalogue.table(SCOPE, "music").indexes["new"]
    place = index_.filled_below
    bench.engine.run_due(3)
    bench.engine.recover()
    assert bench.engine.catalogue.table(SCOPE, "music").indexes["new"] is index_
    assert index_.filled_below == place
    check_index(bench)


def test_a_slice_that_raises_is_taken_up_again(monkeypatch: pytest.MonkeyPatch) -> None:
    bench = bench_with([item(n) for n in range(500)])
    bench.call("UpdateTable", CREATE)
    bench.run_due(5)
    index_ = bench.engine.catalogue.table(SCOPE, "music").indexes["new"]
    place, counted = index_.filled_below, index_.item_count

    async def broken(*arguments: Any) -> None:
        raise RuntimeError("a defect")

    with monkeypatch.context() as patched:
        patched.setattr(backfill, "_save_walked", broken)
        with pytest.raises(RuntimeError, match="a defect"):
            bench.engine.run_due()
    bench.engine.flush()
    assert (index_.filled_below, index_.item_count) == (place, counted)
    while index_.status != "ACTIVE":
        bench.run_due()
    check_index(bench)


@pytest.mark.parametrize("settings", [{}, LAG])
def test_fact_16_22_an_index_can_be_deleted_while_it_is_filled(settings: dict[str, Any]) -> None:
    bench = bench_with([item(n) for n in range(1_000)], **settings)
    bench.call("UpdateTable", CREATE)
    bench.run_due(8)
    space = bench.engine.catalogue.table(SCOPE, "music").indexes["new"].space
    bench.call_at_once("UpdateTable", DELETE)
    bench.run_due(1)
    assert bench.index("new") is None
    finish(bench)
    assert not bench.store.has_space(space)
    assert leftovers(bench) == []
    bench.call("UpdateTable", CREATE)
    check_index(bench)


def test_rows_of_a_deleted_index_go_in_slices_across_a_restart() -> None:
    bench = bench_with([item(n) for n in range(5_000)])
    bench.call("UpdateTable", CREATE)
    finish(bench)
    space = bench.engine.catalogue.table(SCOPE, "music").indexes["new"].space
    bench.call("UpdateTable", DELETE)
    assert bench.index("new") is None
    bench.run_due(1)
    bench.start()
    assert bench.store.has_space(space)
    finish(bench)
    assert not bench.store.has_space(space)
    assert bench.engine.catalogue.discarded_spaces() == []


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("settings", [{}, LAG, {**LAG, "read_lag_ms": 20, "stale_read_chance": 0.5}])
def test_writes_and_crashes_during_a_backfill(settings: dict[str, Any], seed: int) -> None:
    """Whatever happens meanwhile, the finished index is what the table is."""
    chance = Random(seed)
    bench = bench_with([item(n, chance.choice((None, "a", "b"))) for n in range(300)], **settings)
    bench.call_at_once("UpdateTable", CREATE)
    for _ in range(chance.randrange(400)):
        number = chance.randrange(400)
        match chance.randrange(9):
            case 0 | 1 | 2:
                put = item(number, chance.choice((None, "a", "b", "c")))
                bench.call_at_once("PutItem", {"TableName": "music", "Item": put})
            case 3 | 4:
                bench.call_at_once("DeleteItem", {"TableName": "music", "Key": item(number, None)})
            case 5:
                bench.call_at_once(
                    "UpdateItem",
                    {
                        "TableName": "music",
                        "Key": item(number, None),
                        "UpdateExpression": "SET x = :x",
                        "ExpressionAttributeValues": {":x": {"S": "x" * chance.randrange(9)}},
                    },
                )
            case 6:
                bench.clock.advance(0.01)
            case 7:
                bench.run_due(chance.randrange(3))
            case _:
                bench.engine.run_due(1)
                if chance.random() < 0.2:
                    bench.crash()
                elif chance.random() < 0.2:
                    bench.engine.recover()
    check_index(bench)


@pytest.mark.parametrize("seed", range(6))
def test_the_profile_may_change_during_a_backfill(seed: int) -> None:
    chance = Random(seed)
    bench = bench_with([item(n, chance.choice((None, "a", "b"))) for n in range(300)], **LAG)
    bench.call_at_once("UpdateTable", CREATE)
    for step in range(60):
        number = chance.randrange(400)
        put = item(number, chance.choice((None, "a", "b", "c")))
        bench.call_at_once("PutItem", {"TableName": "music", "Item": put})
        bench.call_at_once("DeleteItem", {"TableName": "music", "Key": item(chance.randrange(400), None)})
        bench.clock.advance(0.005)
        bench.run_due(chance.randrange(2))
        if step % 20 == 19:
            is_lagging = bench.settings.has_index_lag
            bench.settings = type(bench.settings).of("instant", **({} if is_lagging else LAG))
            bench.start()
    check_index(bench)
