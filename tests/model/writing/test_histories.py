"""Several sessions write at once, with lost answers, conflicts and crashes: nothing is lost or done twice."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from random import Random
from typing import Any

import pytest
from tests import counts
from tests.model.writing.by_hand import START, context
from tests.model.writing.interleaving import Crashed, play
from tests.model.writing.shop import App, Draft, Note, Order, Stock, order

from partita import Database
from partita.model import F
from partita.model.definition.table_requests import create_table_request
from partita.model.errors import AlreadyExists, OutcomeUnknown, StaleVersion, TransactionFailed
from partita.model.flows.context import Context
from partita.model.flows.flow import Call, Flow
from partita.model.flows.retries import Retries, ask
from partita.model.writing import planning, recording, transaction, writes
from partita.model.writing.transaction import Transaction


@pytest.fixture(scope="module")
def empty() -> Iterator[Database]:
    with Database() as database:
        database.call("CreateTable", create_table_request(App))
        database.call("DescribeTable", {"TableName": "app"})
        yield database


def session(number: int, *, clock: bool = True) -> Context:
    """The context of one of several sessions: their clocks never show the same time, or always do."""
    calls = iter(range(1, 10**9))

    def now() -> datetime:
        return START + (timedelta(microseconds=10 * next(calls) + number) if clock else timedelta())

    return replace(context(Retries(attempts=4)), now=now)


def read(context: Context, ref: Any) -> Flow[Any]:
    request = {"TableName": "app", "Key": ref.item_key(), "ConsistentRead": True}
    answer = yield from ask(Retries(attempts=1000), Call("GetItem", request))
    return ref.entity.__schema__.decode(answer["Item"])


class Tally:
    """What the sessions of a history believe."""

    def __init__(self) -> None:
        self.applied = 0
        self.unknown = 0
        self.stale: list[StaleVersion] = []


def count_up(context: Context, ref: Any, bump: Callable[[Any], None], times: int, tally: Tally) -> Flow[None]:
    """Reads the entity and raises its count by one, `times` times, with the version as the only guard."""
    done = 0
    while done < times:
        entity = yield from read(context, ref)
        bump(entity)
        try:
            # Until the answer is there, whoever crashes leaves an unknown outcome behind.
            tally.unknown += 1
            yield from writes.update(context, entity, None)
        except StaleVersion as stale:
            tally.unknown -= 1
            tally.stale.append(stale)
            continue
        except OutcomeUnknown:
            done += 1
            continue
        tally.unknown -= 1
        tally.applied += 1
        done += 1


def count_history(empty: Database, seed: int, timed: bool) -> bool:
    """Whether a history of counting lost no update; `timed`: writers are told apart by their times."""
    chance = Random(seed)
    tally = Tally()
    ref: Any = Order.key(tenant="42", id="991") if timed else Draft.key(id="1")
    new: Any = order(note="0") if timed else Draft(id="1", text="0")
    field = "note" if timed else "text"

    def bump(entity: Any) -> None:
        setattr(entity, field, str(int(getattr(entity, field)) + 1))

    with empty.fork(seed=seed) as database:
        assert play(database, [writes.create(session(0), new)], chance, lost=0, crashes=0) == [None]
        flows = [
            count_up(session(number, clock=timed), ref, bump, 3, tally)
            for number in range(chance.randrange(2, 5))
        ]
        outcomes = play(database, flows, chance)
        assert all(stale.current is not None for stale in tally.stale)
        assert all(outcome is None or isinstance(outcome, Crashed) for outcome in outcomes), outcomes
        (entity,) = play(database, [read(session(0), ref)], chance, lost=0, crashes=0)
    count = int(getattr(entity, field))
    return tally.applied <= count <= tally.applied + tally.unknown and bool(entity.version == count + 1)


@pytest.mark.parametrize("timed", [True, False])
def test_no_update_is_lost(empty: Database, timed: bool) -> None:
    for seed in range(counts.VERSION_HISTORIES):
        assert count_history(empty, seed, timed), seed


def test_a_writer_that_takes_a_twins_write_for_its_own_is_found(
    empty: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    original = planning.verdict_on_overwriting

    def credulous(schema: Any, ours: Any, version: int | None) -> Any:
        return original(replace(schema, updated=schema.version), ours, version)

    monkeypatch.setattr(planning, "verdict_on_overwriting", credulous)
    assert not all(count_history(empty, seed, False) for seed in range(counts.VERSION_HISTORIES))


@pytest.mark.parametrize("kind", [Order, Note, Draft, Stock])
def test_only_one_creates(empty: Database, kind: Any) -> None:
    made: dict[Any, Callable[[str], Any]] = {
        Order: lambda who: order(note=who),
        Note: lambda who: Note(id="1", text="the same"),
        Draft: lambda who: Draft(id="1", text=who),
        Stock: lambda who: Stock(sku="1", qty=1, name=who),
    }

    def contend(number: int) -> Flow[str]:
        try:
            yield from writes.create(session(number), made[kind](str(number)))
        except AlreadyExists:
            return "exists"
        except OutcomeUnknown:
            return "unknown"
        return "created"

    for seed in range(counts.CREATION_HISTORIES):
        chance = Random(seed)
        with empty.fork(seed=seed) as database:
            outcomes = play(database, [contend(number) for number in range(chance.randrange(2, 5))], chance)
            (item,) = database.call("Scan", {"TableName": "app"}).get("Items") or [None]
        assert outcomes.count("created") <= 1, (seed, outcomes)
        if "created" in outcomes:
            assert item is not None
        if item is not None:
            assert any(o in ("created", "unknown") or isinstance(o, Crashed) for o in outcomes), seed


def operation_history(empty: Database, seed: int, remember: timedelta | None) -> bool:
    """Whether each operation, sent by several processes that each build it, was applied once.

    Nothing but the operation's id guards what it does.
    """
    chance = Random(seed)
    believed: set[int] = set()

    def send(number: int, operation: int) -> Flow[None]:
        while True:
            tx = Transaction(
                session(number), f"op-{operation}", at=None if remember else START, remember=remember
            )
            tx.change(Stock.key(sku="9"), F(Stock).qty.add(-1))
            tx.change(Stock.key(sku=str(operation)), F(Stock).qty.add(1), or_create=True)
            try:
                yield from tx.as_flow()
            except (OutcomeUnknown, TransactionFailed):
                continue
            believed.add(operation)
            return

    with empty.fork(seed=seed) as database:
        play(database, [writes.create(session(0), Stock(sku="9", qty=100))], chance, lost=0, crashes=0)
        flows = [send(number, number % 3) for number in range(9)]
        outcomes = play(database, flows, chance)
        assert all(outcome is None or isinstance(outcome, Crashed) for outcome in outcomes), outcomes
        items = database.call("Scan", {"TableName": "app"})["Items"]
    counted = {item["sku"]["S"]: int(item["qty"]["N"]) for item in items if item["_type"] == {"S": "Stock"}}
    left = counted.pop("9")
    return (
        set(counted.values()) <= {1}
        and 100 - left == len(counted)
        and {str(n) for n in believed} <= counted.keys()
    )


@pytest.mark.parametrize("remember", [None, timedelta(days=1)])
def test_no_operation_is_applied_twice(empty: Database, remember: timedelta | None) -> None:
    for seed in range(counts.OPERATION_HISTORIES):
        assert operation_history(empty, seed, remember), seed


def test_a_token_of_the_process_alone_is_found(empty: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    fresh = iter(range(10**9))
    monkeypatch.setattr(transaction, "token_of", lambda operation, tables: f"token-{next(fresh)}")
    assert not all(operation_history(empty, seed, None) for seed in range(counts.OPERATION_HISTORIES))


def test_a_record_that_is_not_guarded_is_found(empty: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    original = recording.record_action

    def unguarded(*arguments: Any) -> Any:
        action = original(*arguments)
        guards = ("ConditionExpression", "ExpressionAttributeNames", "ReturnValuesOnConditionCheckFailure")
        return replace(action, parameters={n: v for n, v in action.parameters.items() if n not in guards})

    fresh = iter(range(10**9))
    monkeypatch.setattr(transaction, "token_of", lambda operation, tables: f"token-{next(fresh)}")
    monkeypatch.setattr(transaction, "record_action", unguarded)
    seeds = range(counts.OPERATION_HISTORIES)
    assert not all(operation_history(empty, seed, timedelta(days=1)) for seed in seeds)
