"""`AsyncSession` has the methods of `Session`, and they do the same; here on a client made by hand.

`tests/model/writing/aio` has the same on aiobotocore's client.
"""

from __future__ import annotations

import asyncio
import inspect
from typing import Any

import pytest
from tests.model.writing.aio.story import story
from tests.model.writing.by_hand import Clock

import partita
from partita.model import AsyncSession, Session


class Awaited:
    """A client whose methods are coroutines around those of another."""

    def __init__(self, client: Any) -> None:
        self._client = client

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._client, name)

        async def call(**parameters: Any) -> Any:
            await asyncio.sleep(0)
            return method(**parameters)

        return call


def test_the_story() -> None:
    async def instantly(seconds: float) -> None: ...

    with partita.Database() as database:
        session = AsyncSession(Awaited(database.client()), now=Clock(), sleep=instantly)
        asyncio.run(story(session))


def test_methods_and_arguments_are_the_same() -> None:
    def signatures(cls: type) -> dict[str, list[tuple[str, Any, Any]]]:
        return {
            name: [(p.name, p.kind, p.default) for p in inspect.signature(method).parameters.values()]
            for name, method in inspect.getmembers(cls, inspect.isfunction)
            if not name.startswith("_")
        }

    ours, theirs = signatures(Session), signatures(AsyncSession)
    assert {"get", "query", "transaction", "backfill", "close"} < set(ours)
    assert ours == theirs


def test_a_cancelled_task_ends_its_flow() -> None:
    ended: list[bool] = []

    class Never:
        async def get_item(self, **_: Any) -> None:
            await asyncio.Event().wait()

    def flow() -> Any:
        try:
            yield partita.model.flows.flow.Call("GetItem", {"TableName": "app"})
        finally:
            ended.append(True)

    async def main() -> None:
        task: asyncio.Task[Any] = asyncio.create_task(AsyncSession(Never()).run(lambda context: flow()))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(main())
    assert ended == [True]
