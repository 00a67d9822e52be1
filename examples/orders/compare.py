"""`python -m examples.orders.compare`: the service and its naive version on the same orders, side by side.

For each access pattern: requests, the time of one run (ms; median and 99th percentile) and the capacity units
that it consumed. Then what each design let happen twice that may happen once, on profile `aws`.
"""

from __future__ import annotations

import argparse
import os
import platform
import secrets
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from random import Random
from statistics import quantiles
from typing import Any

import partita

try:
    import boto3

    from examples.orders.bulk import (
        NEWEST,
        PRODUCTS,
        TENANT,
        customers_of,
        load,
        one_table,
        order_id,
        table_each,
    )
    from examples.orders.entities import Account, Shop
    from examples.orders.naive import KEYS, NaiveService, create_tables
    from examples.orders.races import ROUNDS, Race, races
    from examples.orders.service import OrderService, Wanted
    from partita.model import Session
except ModuleNotFoundError as missing:
    raise SystemExit(
        f'the comparison needs {missing.name}: install it with pip install -e ".[dev]"'
    ) from None

NAIVE_PREFIX = "compare-naive-"
TOOLKIT_TABLE = "compare-orders"
EVER = (NEWEST - timedelta(days=10_000), NEWEST + timedelta(days=10_000))

Run = Callable[[], object]


@dataclass(frozen=True)
class Cost:
    """What one run of an access pattern takes, in one design."""

    requests: float
    p50_ms: float
    p99_ms: float
    units: float
    runs: int


@dataclass(frozen=True)
class Compared:
    """An access pattern in both designs; None: that one was left out."""

    pattern: str
    naive: Cost | None
    toolkit: Cost | None


class Counter:
    """Counts the requests of a boto3 client, and the capacity units that they consume."""

    def __init__(self, client: Any) -> None:
        self.units: list[float] = []
        """Of each request so far."""
        client.meta.events.register("before-parameter-build.dynamodb", self._ask)
        client.meta.events.register("after-call.dynamodb", self._count)

    def _ask(self, params: dict[str, Any], **_: Any) -> None:
        """Each request asks what it consumes."""
        params["ReturnConsumedCapacity"] = "TOTAL"

    def _count(self, parsed: dict[str, Any], **_: Any) -> None:
        # Appending is safe where a session sends several requests at once.
        consumed = parsed.get("ConsumedCapacity", [])
        tables = [consumed] if isinstance(consumed, dict) else consumed
        self.units.append(sum(table["CapacityUnits"] for table in tables))


class Server:
    """Where both designs keep their tables: a database in this process, or the server at a URL."""

    def __init__(self, url: str | None, database: partita.Database | None) -> None:
        self._url = url
        self._database = database

    def make(self, kind: str) -> Any:
        """A boto3 `client` or `resource`."""
        if self._database is not None:
            return getattr(self._database, kind)()
        return getattr(boto3.Session(), kind)(
            "dynamodb",
            endpoint_url=self._url,
            region_name="us-east-1",
            aws_access_key_id="local",
            aws_secret_access_key="local",
        )

    @property
    def batch_write_item(self) -> Callable[..., Any]:
        """For loading, past boto3 where that is possible."""
        client = self.make("client") if self._database is None else self._database
        written: Callable[..., Any] = client.batch_write_item
        return written


@contextmanager
def served(url: str | None) -> Iterator[Server]:
    """A server, and the tables of this comparison are gone from it afterwards."""
    if url is None:
        with partita.Database() as database:
            yield Server(None, database)
        return
    server = Server(url, None)
    try:
        yield server
    finally:
        client = server.make("client")
        for name in (TOOLKIT_TABLE, *(NAIVE_PREFIX + table for table in KEYS)):
            with suppress(client.exceptions.ResourceNotFoundException):
                client.delete_table(TableName=name)


def compare(
    orders: int, *, url: str | None = None, naive: bool = True, runs: int = 200, seconds: float = 5.0
) -> list[Compared]:
    """Each access pattern on so many orders: `runs` runs, or as many as the time allows, but at least 10."""
    with served(url) as server:
        of_toolkit = _toolkit(server, orders)
        of_naive = _naive(server, orders) if naive else None
        return [
            Compared(
                pattern,
                None if of_naive is None else _cost(*of_naive[pattern], runs, seconds),
                _cost(run, counter, runs, seconds),
            )
            for pattern, (run, counter) in of_toolkit.items()
        ]


def _toolkit(server: Server, orders: int) -> dict[str, tuple[Run, Counter]]:
    client = server.make("client")
    session = Session(client, tables={Shop: TOOLKIT_TABLE})
    session.create_table(Shop)
    _timed("toolkit", lambda: load(server.batch_write_item, one_table(orders, TOOLKIT_TABLE)))
    service, counter, pick = OrderService(session), Counter(client), _Pick(orders)
    patterns: dict[str, Run] = {
        "order page": lambda: service.order_page(TENANT, pick.order()),
        "orders of a customer": lambda: service.orders_of(TENANT, pick.customer(), *EVER),
        "pending orders": lambda: service.pending(TENANT),
        "place an order of two lines": lambda: service.place_order(
            TENANT, pick.customer(), pick.two(), key=pick.new(), placed=NEWEST
        ),
        "take from the stock": lambda: service.reserve(TENANT, pick.product(), 1),
        "register an account": lambda: service.register(
            Account(id=(new := pick.new()), email=f"{new}@example.com", username=new)
        ),
    }
    return {pattern: (run, counter) for pattern, run in patterns.items()}


def _naive(server: Server, orders: int) -> dict[str, tuple[Run, Counter]]:
    resource = server.make("resource")
    create_tables(server.make("client"), NAIVE_PREFIX)
    _timed("naive", lambda: load(server.batch_write_item, table_each(orders, NAIVE_PREFIX)))
    service, pick = NaiveService(resource, NAIVE_PREFIX), _Pick(orders)
    counter = Counter(resource.meta.client)
    patterns: dict[str, Run] = {
        "order page": lambda: service.order_page(TENANT, pick.order()),
        "orders of a customer": lambda: service.orders_of(TENANT, pick.customer(), *EVER),
        "pending orders": lambda: service.pending(TENANT),
        "place an order of two lines": lambda: service.place_order(
            TENANT, pick.customer(), pick.two(), placed=NEWEST
        ),
        "take from the stock": lambda: service.reserve(TENANT, pick.product(), 1),
        "register an account": lambda: service.register(new := pick.new(), f"{new}@example.com"),
    }
    return {pattern: (run, counter) for pattern, run in patterns.items()}


class _Pick:
    """What the runs ask for: the same for both designs."""

    def __init__(self, orders: int) -> None:
        self._chance = Random(orders)
        self._orders = orders
        # A server remembers the tokens of transactions for ten minutes, also of an earlier comparison.
        self._prefix = secrets.token_hex(4)
        self._new = 0

    def order(self) -> str:
        return order_id(self._chance.randrange(self._orders))

    def customer(self) -> str:
        return str(self._chance.randrange(customers_of(self._orders)))

    def product(self) -> str:
        return str(self._chance.randrange(PRODUCTS))

    def two(self) -> Sequence[Wanted]:
        first, second = self._chance.sample(range(PRODUCTS), 2)
        return [Wanted(str(first), 1), Wanted(str(second), 2)]

    def new(self) -> str:
        self._new += 1
        return f"{self._prefix}-{self._new}"


def _cost(run: Run, counter: Counter, runs: int, seconds: float) -> Cost:
    for _ in range(3):
        run()
    counter.units.clear()
    times: list[float] = []
    began = time.perf_counter()
    while len(times) < runs and (len(times) < 10 or time.perf_counter() - began < seconds):
        started = time.perf_counter()
        run()
        times.append((time.perf_counter() - started) * 1000)
    hundredths = quantiles(times, n=100, method="inclusive")
    count = len(times)
    return Cost(len(counter.units) / count, hundredths[49], hundredths[98], sum(counter.units) / count, count)


def _timed(what: str, work: Callable[[], int]) -> None:
    started = time.perf_counter()
    items = work()
    print(f"{what}: {items:,} items loaded in {time.perf_counter() - started:.1f} s", file=sys.stderr)


def costs_table(compared: Sequence[Compared]) -> str:
    """The costs as text."""
    columns = f" {'requests':>8} {'p50 ms':>8} {'p99 ms':>8} {'units':>8} {'runs':>4} "
    lines = [
        f"{'':28} {'naive':^40}  {'toolkit':^40}",
        f"{'access pattern':28}{columns}{columns}",
    ]
    lines += [f"{one.pattern:28}{_cells(one.naive)}{_cells(one.toolkit)}" for one in compared]
    return "\n".join(line.rstrip() for line in lines)


def _cells(cost: Cost | None) -> str:
    if cost is None:
        return f" {'–':>8} {'–':>8} {'–':>8} {'–':>8} {'–':>4} "
    return f" {cost.requests:8.1f} {cost.p50_ms:8.2f} {cost.p99_ms:8.2f} {cost.units:8.1f} {cost.runs:4} "


def races_table(found: Sequence[Race]) -> str:
    """What happened twice, as text."""
    lines = [f"{'happened twice':36} {'naive':>10} {'toolkit':>10}"]
    for race in found:
        naive, toolkit = (f"{count} of {race.rounds}" for count in (race.naive, race.toolkit))
        lines.append(f"{race.name:36} {naive:>10} {toolkit:>10}")
    return "\n".join(lines)


def machine() -> str:
    """What the times were measured on."""
    try:
        gigabytes = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9
        memory = f", {gigabytes:.0f} GB"
    except (AttributeError, ValueError):
        memory = ""
    return f"{os.cpu_count()} cores{memory}, Python {platform.python_version()}"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m examples.orders.compare", description=__doc__)
    parser.add_argument("--orders", type=int, default=10_000)
    parser.add_argument(
        "--url",
        help="a server of the API, in place of a database in this process; tables called compare-orders and "
        "compare-naive-... are made there, and deleted at the end",
    )
    parser.add_argument(
        "--toolkit-only", action="store_true", help="leaves the naive version out: for many orders"
    )
    parser.add_argument("--seed", type=int, default=1, help="of the races")
    options = parser.parse_args()
    if options.orders < 1:
        parser.error("--orders is at least 1")
    print(f"{datetime.now(UTC):%Y-%m-%d}, {machine()}; {options.orders:,} orders\n")
    print(costs_table(compare(options.orders, url=options.url, naive=not options.toolkit_only)))
    print(f"\nprofile aws, seed {options.seed}, each {ROUNDS} times")
    print(races_table(races(options.seed, ROUNDS)))


if __name__ == "__main__":
    main()
