"""What each design allows when two do the same at once, on a database that behaves as production does.

Nothing here depends on luck: each thread stops before each of its requests, a seed chooses who goes on, and
the database's clock is moved by hand.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import Any

import partita
from examples.orders.bulk import NEWEST, PRODUCTS, STOCK, TENANT, load, one_table, table_each
from examples.orders.entities import Account, Shop
from examples.orders.naive import NaiveService, Taken, create_tables
from examples.orders.service import OrderService, OutOfStock, Wanted
from partita.model import Session, UniqueViolation

BETWEEN_REQUESTS_SECONDS = 0.01
"""At most this passes between a request and the next."""
AFTERWARDS_SECONDS = 1.0
"""By then every index has caught up."""

ROUNDS = PRODUCTS - 1
"""The most: each sells out a product of its own, and the last one is for orders."""
LAST_PRODUCT = str(PRODUCTS - 1)

Work = Callable[[], Any]

REFUSALS = (Taken, OutOfStock, UniqueViolation)
"""How a service says that the other one was first."""


@dataclass(frozen=True)
class Race:
    """How often something happened twice that may happen once."""

    name: str
    rounds: int
    naive: int
    toolkit: int


class Turn:
    """A thread that stops before each of its requests, so that of several only one runs at a time."""

    def __init__(self, work: Work) -> None:
        self._work = work
        self._ended = False
        self._go = threading.Semaphore(0)
        self._stopped = threading.Semaphore(0)
        self._thread = threading.Thread(target=self._run, daemon=True)
        self.result: Any = None
        self.failure: BaseException | None = None
        self._thread.start()

    def step(self) -> bool:
        """Lets it go on up to its next request; whether it has one."""
        self._go.release()
        self._stopped.acquire()
        return not self._ended

    def _run(self) -> None:
        _mine.turn = self
        self._go.acquire()
        try:
            self.result = self._work()
        except BaseException as failure:
            self.failure = failure
        self._ended = True
        self._stopped.release()

    @staticmethod
    def stop(**_: Any) -> None:
        """The handler for a client's event `before-call`: waits for the next step."""
        turn = getattr(_mine, "turn", None)
        if turn is not None:
            turn._stopped.release()
            turn._go.acquire()


_mine = threading.local()


def interleave(works: Sequence[Work], chance: Random, advance: Callable[[float], object]) -> list[Any]:
    """Does all at once, request by request as `chance` has it; what those gave that were not refused."""
    turns = [Turn(work) for work in works]
    running = list(turns)
    while running:
        turn = chance.choice(running)
        advance(chance.uniform(0, BETWEEN_REQUESTS_SECONDS))
        if not turn.step():
            running.remove(turn)
    for turn in turns:
        if turn.failure is not None and not isinstance(turn.failure, REFUSALS):
            raise turn.failure
    return [turn.result for turn in turns if turn.failure is None]


def races(seed: int, rounds: int) -> list[Race]:
    """Each race so often, in both designs, on one database of profile `aws`."""
    with partita.Database(profile="aws", seed=seed, clock=partita.ManualClock()) as database:
        resource, client = database.resource(), database.client()
        create_tables(client)
        session = Session(client, sleep=database.clock.advance, chance=Random(seed))
        session.create_table(Shop)
        load(client.batch_write_item, one_table(0, Shop.__schema__.name))
        load(client.batch_write_item, table_each(0, "naive-"))
        for events in (resource.meta.client.meta.events, client.meta.events):
            events.register("before-call.dynamodb", Turn.stop)
        naive, service = NaiveService(resource), OrderService(session)

        def twice(works: Callable[[int], list[Work]], same: Callable[[Any], object] = id) -> int:
            """How many rounds had two different results, by `same`, of which there should be one."""
            chance = Random(seed)
            count = 0
            for number in range(rounds):
                database.clock.advance(AFTERWARDS_SECONDS)
                results = interleave(works(number), chance, database.clock.advance)
                count += len({same(result) for result in results}) > 1
            return count

        return [
            Race(
                "one e-mail address, two accounts",
                rounds,
                twice(lambda n: [partial(naive.register, f"{n}{who}", _email(n)) for who in "ab"]),
                twice(lambda n: [partial(service.register, _account(f"{n}{who}", n)) for who in "ab"]),
            ),
            Race(
                "one order sent twice, two orders",
                rounds,
                twice(lambda n: _sent_twice(naive), lambda made: made[0]["id"]),
                twice(lambda n: _sent_twice(service, key=str(n)), lambda page: page.order.id),
            ),
            Race(
                "the whole stock, sold twice",
                rounds,
                twice(lambda n: [partial(naive.reserve, TENANT, str(n), STOCK)] * 2),
                twice(lambda n: [partial(service.reserve, TENANT, str(n), STOCK)] * 2),
            ),
        ]


def _email(number: int) -> str:
    return f"ada{number}@example.com"


def _account(name: str, number: int) -> Account:
    return Account(id=name, email=_email(number), username=name)


def _sent_twice(service: Any, **key: str) -> list[Work]:
    return [partial(service.place_order, TENANT, "0", [Wanted(LAST_PRODUCT, 1)], placed=NEWEST, **key)] * 2
