"""A backfill amid writers of the version of now; the test chooses whose next request goes on.

The backfill's answers are lost at times, and it is killed and resumed. At the end every item is as the model
says, no write of the writers was undone, and what they deleted stayed deleted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import pytest
from tests.counts import BACKFILL_HISTORIES
from tests.model.backfilling.shop import PLACED, App, OldProduct, Order, Product, old_order
from tests.model.writing.by_hand import context

import partita
from partita.design.verify import verify
from partita.errors import DynamoDBError
from partita.model import F, Session
from partita.model.backfilling.backfill import backfill
from partita.model.errors import ModelError
from partita.model.expressions.guards import unchanged
from partita.model.flows.flow import Call, Flow, NoAnswer, Refused, Together
from partita.model.flows.retries import Retries
from partita.model.reading.getting import get
from partita.model.writing import mending, writes

IDS = ("1", "2", "3")
CUSTOMERS = ("7", "8")
RETRIES = Retries(attempts=100)


class History:
    """What the writers of one history know to have been applied."""

    def __init__(self) -> None:
        self.hits: Counter[str] = Counter()
        self.deleted: set[str] = set()


def writer(history: History, chance: Random) -> Flow[None]:
    """A few writes of orders and of the product."""
    own = context(RETRIES)
    for _ in range(4):
        key = Order.key(id=chance.choice(IDS))
        try:
            match chance.choice(("hit", "hit", "move", "finish", "delete", "create", "product")):
                case "hit":
                    yield from writes.change(own, key, (F(Order).hits.add(1),), None, False)
                    history.hits[key.values["id"]] += 1
                case "move" | "finish" as what:
                    order = yield from get(own, key, consistent=True)
                    if order is None:
                        continue
                    if what == "move":
                        order.customer = chance.choice(CUSTOMERS)
                    else:
                        order.done = not order.done
                    yield from writes.update(own, order, None)
                case "delete":
                    yield from writes.delete(own, key, None)
                    history.deleted.add(key.values["id"])
                    history.hits[key.values["id"]] = 0
                case "create":
                    order = Order(id=key.values["id"], customer=chance.choice(CUSTOMERS), placed=PLACED)
                    yield from writes.create(own, order)
                    history.deleted.discard(order.id)
                    history.hits[order.id] = 0
                case "product":
                    product = yield from get(own, Product.key(id="p"), consistent=True)
                    product.title = str(chance.random())
                    yield from writes.update(own, product, None)
        except ModelError:
            pass


def run(
    database: partita.Database, of: Callable[[], Flow[Any]], chance: Random, lost: float
) -> Iterator[None]:
    """Sends one request of a flow each time that it is asked for more, and goes on to the next one."""
    flow = of()
    step: Any = next(flow)
    while True:
        outcome: Any = None
        failure: Exception | None = None
        if isinstance(step, Call):
            yield
            outcome = _outcome(database, step, chance, lost)
            failure = outcome if isinstance(outcome, Exception) else None
        elif isinstance(step, Together):
            outcome = []
            for call in step.calls:
                yield
                outcome.append(_outcome(database, call, chance, lost))
        try:
            step = flow.throw(failure) if failure is not None else flow.send(outcome)
        except StopIteration:
            return


def _outcome(database: partita.Database, call: Call, chance: Random, lost: float) -> Any:
    fate = chance.random()
    if fate < lost / 2:
        return NoAnswer("lost on the way there")
    try:
        answer: Any = database.call(call.operation, dict(call.parameters))
    except DynamoDBError as error:
        answer = Refused(error.name, str(error), item=error.members.get("Item"))
    return NoAnswer("lost on the way back") if fate < lost else answer


def played(database: partita.Database, seed: int) -> History:
    chance = Random(seed)
    history = History()
    kept: list[str] = []
    segments = chance.choice((1, 2))

    def filling() -> Flow[Any]:
        resume = kept[-1] if kept else None
        return backfill(context(RETRIES), App, page=2, segments=segments, resume=resume, keep=kept.append)

    live = [run(database, lambda: writer(history, chance), chance, 0) for _ in range(2)]
    filler = run(database, filling, chance, 0.2)
    running = [*live, filler]
    while running:
        one = chance.choice(running)
        if one is filler and chance.random() < 0.05:
            # Killed, and started again from what it kept.
            running.remove(filler)
            filler = run(database, filling, chance, 0.2)
            running.append(filler)
        elif next(one, running) is running:
            running.remove(one)
    return history


def faults(database: partita.Database, history: History) -> list[str]:
    """What is not as it has to be."""
    with Session(database.client()) as session:
        found = session.run(verify(App))
        wrong = [str(problem) for problem in found.problems]
        for number in IDS:
            order = session.get(Order, id=number, consistent=True)
            if order is None:
                wrong += [] if number in history.deleted else [f"order {number} is lost"]
            elif number in history.deleted:
                wrong.append(f"order {number} is back")
            elif order.hits != history.hits[number]:
                wrong.append(f"order {number} has {order.hits} hits, not {history.hits[number]}")
            elif "channel" not in (order._stored or {}):
                wrong.append(f"order {number} was not filled")
    return wrong


@pytest.fixture
def database() -> Iterator[partita.Database]:
    with partita.Database() as database:
        with Session(database.client()) as session:
            session.create_table(App)
            for number in IDS:
                session.create(old_order(int(number)))
            session.create(OldProduct(id="p", name="Shoes"))
        yield database


def test_items_become_right_and_no_write_is_undone(database: partita.Database) -> None:
    old = database.snapshot()
    for seed in range(BACKFILL_HISTORIES):
        database.restore(old)
        history = played(database, seed)
        assert faults(database, history) == [], f"seed {seed}"


def _unconditional(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mending, "unchanged", lambda item, paths: unchanged(item, [("_type",)]))


def _resurrecting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mending, "unchanged", lambda item, paths: None)
    monkeypatch.setattr(mending, "present", lambda schema: ~F(Order).hits.between(-2, -1))


@pytest.mark.parametrize("break_it", [_unconditional, _resurrecting])
def test_a_backfill_without_its_condition_is_found_out(
    database: partita.Database, monkeypatch: pytest.MonkeyPatch, break_it: Any
) -> None:
    break_it(monkeypatch)
    old = database.snapshot()
    for seed in range(BACKFILL_HISTORIES):
        database.restore(old)
        try:
            history = played(database, seed)
        except AssertionError:
            continue
        if faults(database, history):
            return
    pytest.fail(f"{BACKFILL_HISTORIES} histories did not show it")
