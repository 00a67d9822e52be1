"""Batches of keys: retried while they come back, and never given up in silence."""

from __future__ import annotations

from typing import Any

import pytest
from tests.model.reading.app import Order, create_table, order, put
from tests.model.reading.driving import Hand
from tests.model.writing.by_hand import context

import partita
from partita.model import Unprocessed
from partita.model.flows.flow import Flow, Pause, Together
from partita.model.flows.retries import Retries
from partita.model.reading.batch import batch_get
from partita.model.reading.keys import MOST_KEYS
from partita.model.schema import Item

RETRIES = Retries(attempts=4, first_seconds=1.0, most_seconds=100.0)


def refs(count: int) -> list[Any]:
    return [Order.key(tenant="42", id=f"{n:03}") for n in range(count)]


class Table:
    """Answers as many keys of each request as it is told, and gives back the others."""

    def __init__(self, *capacities: int) -> None:
        self.capacities = list(capacities)
        self.sizes: list[int] = []
        self.pauses: list[float] = []

    def run(self, flow: Flow[Any]) -> Any:
        try:
            step = next(flow)
            while True:
                if isinstance(step, Pause):
                    self.pauses.append(step.most_seconds)
                    step = flow.send(None)
                else:
                    assert isinstance(step, Together)
                    step = flow.send([self._answer(call.parameters["RequestItems"]) for call in step.calls])
        except StopIteration as end:
            return end.value

    def _answer(self, requests: Any) -> Item:
        ((table, request),) = requests.items()
        keys = request["Keys"]
        self.sizes.append(len(keys))
        done = self.capacities.pop(0) if self.capacities else len(keys)
        answer: Any = {"Responses": {table: keys[:done]}, "UnprocessedKeys": {}}
        if keys[done:]:
            answer["UnprocessedKeys"] = {table: request | {"Keys": keys[done:]}}
        # Only the keys matter here: they are no orders yet.
        answer["Responses"] = {table: []}
        return answer  # type: ignore[no-any-return]


def run(table: Table, count: int, **options: Any) -> Any:
    return table.run(batch_get(context(RETRIES), refs(count), **options))


def test_a_hundred_at_a_time() -> None:
    table = Table()
    assert run(table, 250) == [None] * 250
    assert table.sizes == [MOST_KEYS, MOST_KEYS, 50]
    assert table.pauses == []


def test_unprocessed_keys_are_asked_for_again_after_pauses_that_grow() -> None:
    table = Table(2, 0, 0, 3)
    assert run(table, 5) == [None] * 5
    assert table.sizes == [5, 3, 3, 3]
    assert table.pauses == [1.0, 2.0, 4.0]


def test_progress_makes_pauses_short_again() -> None:
    table = Table(1, 0, 1, 0, 1)
    run(table, 5)
    assert table.sizes == [5, 4, 4, 3, 3, 2]
    assert table.pauses == [1.0, 2.0, 1.0, 2.0, 1.0]


def test_what_is_left_at_the_end_is_raised_with_the_keys_asked_for() -> None:
    table = Table(2, 0, 0, 0, 0, 0)
    wanted = refs(5)
    with pytest.raises(Unprocessed, match="3 of 5 keys came back unprocessed 4 times") as raised:
        table.run(batch_get(context(RETRIES), wanted))
    assert list(raised.value.left) == wanted[2:]


def test_progress_is_told() -> None:
    told: list[tuple[int, int]] = []
    run(Table(2), 5, progress=lambda done, total: told.append((done, total)))
    assert told == [(2, 5), (5, 5)]


def test_under_a_hostile_profile_everything_arrives() -> None:
    with partita.Database(profile="hostile", clock=partita.ManualClock()) as database:
        hand = Hand(database)
        create_table(hand.client)
        database.clock.advance(2)
        put(hand.client, *map(order, range(230)))
        found = hand.run(batch_get(context(), refs(230), consistent=True))
        assert [one.id for one in found] == [f"{n:03}" for n in range(230)]
        assert len(hand.calls) > 3
