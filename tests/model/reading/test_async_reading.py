"""`AsyncSession` reads as `Session` does."""

from __future__ import annotations

import asyncio
from typing import Any

from tests.model.reading.app import App, Order, OrderLine, create_table, order, put

import partita
from partita.model.sessions.async_session import AsyncSession


class AsyncClient:
    """A boto3 client whose methods are coroutines."""

    def __init__(self, client: Any) -> None:
        self.meta = client.meta
        self._client = client

    def __getattr__(self, method: str) -> Any:
        async def call(**parameters: Any) -> Any:
            return getattr(self._client, method)(**parameters)

        return call


def test_every_read() -> None:
    async def reads() -> None:
        with partita.Database() as database:
            client = database.client()
            create_table(client)
            line = OrderLine(tenant="42", order="000", number=1, product="P")
            put(client, *map(order, range(6)), line)
            session = AsyncSession(AsyncClient(client))
            condition = Order.gsi2(tenant="42")
            everything = [order(n) for n in range(6)]
            assert await session.get(Order, tenant="42", id="001") == order(1)
            page = await session.query(Order, condition, limit=4, including=True)
            assert page.items == everything[:4]
            assert (await session.query(condition, cursor=page.cursor, including=True)).items == everything[
                4:
            ]
            assert [len(p.items) async for p in session.pages(Order, condition, limit=4)] == [4, 2]
            assert [one async for one in session.iterate(Order, condition)] == everything
            found = await session.collection(Order.key(tenant="42", id="000"), of=[Order, OrderLine])
            assert found.one(OrderLine) == line
            assert await session.batch_get([Order.key(tenant="42", id="002")]) == [order(2)]
            assert len([one async for one in session.scan_everything(App, segments=2)]) == 7

    asyncio.run(reads())
