"""A client that makes and deletes an index and a whole table, again and again."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final

from .churned import Churned, Presence, index_status, table_status
from .connection import Channel, InternalError, succeeded
from .ledger import Request
from .tables import CREATE_LATER, CREATE_PASSING, DELETE_LATER, ORDERS, PASSING

BATCHES: Final = 12
BATCHES_AT_ONCE: Final = 4
INDEX_MADE: Final = "index made"
INDEX_DELETED: Final = "index deleted"
INDEX_GONE: Final = "index gone"
TABLE_MADE: Final = "table made"
TABLE_DELETED: Final = "table deleted"
TABLE_GONE: Final = "table gone"
EVENTS: Final = (INDEX_MADE, INDEX_DELETED, INDEX_GONE, TABLE_MADE, TABLE_DELETED, TABLE_GONE)


class Churn:
    def __init__(self, known: Churned, *, batches: int = BATCHES) -> None:
        self.known = known
        self._batches = batches
        self.happened = {name: asyncio.Event() for name in EVENTS}

    async def run(self, connection: Channel, is_over: Callable[[], bool]) -> None:
        """Raises Lost."""
        for event in self.happened.values():
            event.clear()
        while not is_over():
            for step in (self._churn_index, self._churn_table):
                with suppress(InternalError):
                    await step(connection)
            await asyncio.sleep(0.001)

    async def _churn_index(self, connection: Channel) -> None:
        description = (await connection.call("DescribeTable", {"TableName": ORDERS}))["Table"]
        if description["TableStatus"] != "ACTIVE":
            return
        match index_status(description):
            case None if self.happened[INDEX_DELETED].is_set() and not self.happened[INDEX_GONE].is_set():
                self.happened[INDEX_GONE].set()
            case None:
                await self._change(connection, self.known.index, True, "UpdateTable", CREATE_LATER)
                self.happened[INDEX_MADE].set()
            case "ACTIVE":
                await self._change(connection, self.known.index, False, "UpdateTable", DELETE_LATER)
                self.happened[INDEX_DELETED].set()

    async def _churn_table(self, connection: Channel) -> None:
        match await table_status(connection.call):
            case None if self.happened[TABLE_DELETED].is_set() and not self.happened[TABLE_GONE].is_set():
                self.happened[TABLE_GONE].set()
            case None:
                self.known.fills += 1
                self.known.filled = 0
                await self._change(connection, self.known.table, True, "CreateTable", CREATE_PASSING)
                self.happened[TABLE_MADE].set()
            case "ACTIVE" if self.known.filled < self._batches:
                await self._fill(connection)
            case "ACTIVE":
                await self._change(connection, self.known.table, False, "DeleteTable", {"TableName": PASSING})
                self.happened[TABLE_DELETED].set()

    async def _fill(self, connection: Channel) -> None:
        known = self.known
        answers = []
        for number in range(known.filled, min(known.filled + BATCHES_AT_ONCE, self._batches)):
            puts = [{"PutRequest": {"Item": item}} for item in known.batch(number)]
            answers.append(connection.send(Request("BatchWriteItem", {"RequestItems": {PASSING: puts}})))
        for sent in answers:
            answer = succeeded(await sent)
            assert not answer["UnprocessedItems"]
            known.filled += 1

    async def _change(
        self, connection: Channel, presence: Presence, wanted: bool, operation: str, body: dict[str, Any]
    ) -> None:
        presence.wanted = wanted
        try:
            await connection.call(operation, body)
        except InternalError:
            presence.wanted, presence.failed = presence.known, wanted
            raise
        presence.settle(wanted)
