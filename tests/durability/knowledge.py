"""What all clients together know of a database, and the comparison with what it holds."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Final

from .churned import Churned
from .inspection import Call, index_problems, items_of
from .ledger import Items, Ledger
from .tables import CREATE_ORDERS, CREATE_PLAIN, ORDERS, PLAIN, Item, key_of
from .workload import is_of, opening, problems_of_accounts

LOOKS: Final = 400
"""How often a lagging index is looked at before it is wrong."""


class Knowledge:
    def __init__(self, clients: int) -> None:
        self.ledgers = {f"client {number}": Ledger() for number in range(clients)}
        self.churned = Churned()
        self._filling: Items = {}
        """Items that nobody changes."""

    def copy(self) -> Knowledge:
        copy = Knowledge(0)
        copy.ledgers = {name: ledger.copy() for name, ledger in self.ledgers.items()}
        copy.churned = self.churned.copy()
        copy._filling = self._filling
        return copy

    def trust_answers(self) -> None:
        """For a database that goes on: an internal error has changed nothing."""
        for ledger in self.ledgers.values():
            ledger.failed.clear()
        for presence in (self.churned.index, self.churned.table):
            presence.failed = presence.known

    async def prepare(self, call: Call, filling: int) -> None:
        """Makes the tables and what is in them before the clients begin."""
        for create in (CREATE_ORDERS, CREATE_PLAIN):
            await call("CreateTable", create)
            while (await call("DescribeTable", {"TableName": create["TableName"]}))["Table"][
                "TableStatus"
            ] != "ACTIVE":
                pass
        for request in opening():
            await call(request.operation, request.body)
        items = [_filling_item(number) for number in range(filling)]
        for at in range(0, filling, 25):
            puts = [{"PutRequest": {"Item": item}} for item in items[at : at + 25]]
            await call("BatchWriteItem", {"RequestItems": {ORDERS: puts}})
        self._filling = {key_of(ORDERS, item): item for item in items}

    async def problems(
        self, call: Call, pause: Callable[[], Awaitable[None]], *, with_counts: bool
    ) -> list[str]:
        """What a database shows, whose last process has ended or whose last turn has failed, against what is
        known; then that is known. `pause` waits a little for what lags."""
        problems = await self.churned.problems(call)
        found = await items_of(call, ORDERS, PLAIN)
        for name, ledger in self.ledgers.items():
            problems += ledger.settle({key: item for key, item in found.items() if is_of(name, key)})
        problems += problems_of_accounts(found)
        await self._replay(call)
        expected = self._expected(found)
        if (again := await items_of(call, ORDERS, PLAIN)) != expected:
            changed = sorted(key for key in again.keys() | expected if again.get(key) != expected.get(key))
            problems.append(f"after the replay of transactions these are other than they were: {changed}")
        return problems + await _agreement(call, expected, pause, with_counts=with_counts)

    async def _replay(self, call: Call) -> None:
        """Transactions whose token is remembered do nothing when they are asked for again."""
        for ledger in self.ledgers.values():
            for request in ledger.tokens:
                await call(request.operation, request.body)

    def _expected(self, found: Items) -> Items:
        accounts = {key: item for key, item in found.items() if "balance" in item}
        expected = accounts | self._filling
        for ledger in self.ledgers.values():
            expected |= ledger.items
        return expected


async def _agreement(
    call: Call, items: Items, pause: Callable[[], Awaitable[None]], *, with_counts: bool
) -> list[str]:
    for _ in range(LOOKS):
        problems = await index_problems(call, ORDERS, items, with_counts=with_counts)
        if not problems:
            break
        await pause()
    return problems + await index_problems(call, PLAIN, items, with_counts=with_counts)


def _filling_item(number: int) -> Item:
    return {
        "pk": {"S": f"filling/{number % 7}"},
        "sk": {"S": f"{number:04}"},
        "owner": {"S": "filling"},
        "version": {"N": str(number)},
        "color": {"S": "grey"},
        "weight": {"N": str(number % 10)},
    }
