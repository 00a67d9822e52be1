"""`AsyncSession` on aiobotocore's client."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest
from aiobotocore.session import get_session
from botocore.exceptions import ReadTimeoutError
from tests.model.writing.aio.story import story
from tests.model.writing.shop import App, Stock

import partita
from partita.model import AsyncSession, F, OutcomeUnknown, Session
from partita.model.sessions.unanswered import watching


@pytest.fixture(autouse=True)
def database(monkeypatch: pytest.MonkeyPatch) -> Iterator[partita.Database]:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "AWS_PROFILE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    monkeypatch.setenv("AWS_CONFIG_FILE", "/nowhere")
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", "/nowhere")
    with partita.Database() as made, partita.patch_boto3(made):
        yield made


async def instantly(seconds: float) -> None: ...


def new_client() -> Any:
    return get_session().create_client("dynamodb", region_name="us-east-1")


def test_the_story() -> None:
    async def main() -> None:
        async with new_client() as client:
            await story(AsyncSession(client, sleep=instantly))

    asyncio.run(main())


def test_a_session_that_waits_refuses_the_client() -> None:
    async def main() -> None:
        async with new_client() as client:
            with pytest.raises(TypeError, match="aiobotocore's DynamoDB client have to be awaited"):
                Session(client)

    asyncio.run(main())


def test_an_unanswered_request_is_the_sessions_to_repeat() -> None:
    sent: list[str] = []

    def lose(request: Any, **_: Any) -> None:
        sent.append(request.url)
        raise ReadTimeoutError(endpoint_url=request.url)

    async def main() -> None:
        async with new_client() as client:
            session = AsyncSession(client, sleep=instantly)
            await session.create_table(App)
            await session.create(Stock(sku="9", qty=3))
            client.meta.events.register_first("before-send.dynamodb.UpdateItem", lose)
            with pytest.raises(OutcomeUnknown):
                await session.change(Stock.key(sku="9"), F(Stock).qty.add(-2))

    asyncio.run(main())
    assert len(sent) == 1


def test_a_damaged_answer_is_no_answer() -> None:
    sent: list[str] = []

    class Http:
        """An answer as aiobotocore has it, whose content is awaited."""

        headers = {"x-amz-crc32": "1"}  # noqa: RUF012

        @property
        async def content(self) -> bytes:
            return b"{}"

    async def main() -> None:
        async with new_client() as client:
            session = AsyncSession(client, sleep=instantly)
            await session.create_table(App)
            await session.create(Stock(sku="9", qty=3))

            async def damage(request_dict: Any, **_: Any) -> None:
                sent.append(request_dict["url"])
                with watching():
                    await client.meta.events.emit(
                        "needs-retry.dynamodb.UpdateItem",
                        response=(Http(), {}),
                        caught_exception=None,
                        request_dict=request_dict,
                        attempts=1,
                        operation=None,
                        endpoint=None,
                    )

            client.meta.events.register("before-call.dynamodb.UpdateItem", lambda params, **_: damage(params))
            with pytest.raises(OutcomeUnknown):
                await session.change(Stock.key(sku="9"), F(Stock).qty.add(-2))

    asyncio.run(main())
    assert len(sent) == 1
