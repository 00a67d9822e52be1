"""Arguments of the wrong kind are refused in one line, before anything is sent."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest
from tests.model.reading.app import App, Order

import partita
from partita.model import AsyncSession, Entity, Key, KeyValueError, ReadRefused, Session, Table


class Lines(Table, name="lines"):
    pass


class Line(Entity, table=Lines):
    order: str
    number: int
    key = Key("ORDER#{order}", "LINE#{number:3}")


class Nothing:
    """A client that is never asked."""

    def query(self, **_: Any) -> Any:
        raise AssertionError("a request was sent")

    get_item = scan = batch_get_item = query


CONDITION = Order.gsi1(tenant="42", customer="7")


class Base(Entity):
    id: str


@pytest.mark.parametrize(
    "ask",
    [
        lambda s: s.get("Order", id="1"),
        lambda s: s.get(App, id="1"),
        lambda s: s.get(Base, id="1"),
        lambda s: s.get(None),
        lambda s: s.query("Order", CONDITION),
        lambda s: s.query(App, CONDITION),
        lambda s: s.query([App], CONDITION),
        lambda s: s.query(7, CONDITION),
        lambda s: s.query(Order, "customer"),
        lambda s: s.query(Order, Order),
        lambda s: s.query(CONDITION, filter="x > 1"),
        lambda s: s.query(CONDITION, view=7),
        lambda s: s.query(CONDITION, limit=2.5),
        lambda s: s.query(CONDITION, limit="2"),
        lambda s: s.query(CONDITION, limit=True),
        lambda s: s.query(CONDITION, limit=0),
        lambda s: s.query(CONDITION, limit=-1),
        lambda s: s.query(CONDITION, max_requests=1.5),
        lambda s: s.iterate(CONDITION, limit=5),
        lambda s: s.pages(CONDITION, order="desc"),
        lambda s: s.collection(Order),
        lambda s: s.collection(CONDITION, max_items=0.5),
        lambda s: s.collection(CONDITION, of=["Order"]),
        lambda s: s.batch_get(Order.key(tenant="42", id="1")),
        lambda s: s.batch_get(["Order"]),
        lambda s: s.batch_get("Order"),
        lambda s: s.batch_get(7),
        lambda s: s.scan_everything(Order),
        lambda s: s.scan_everything(Table),
        lambda s: s.scan_everything("app"),
        lambda s: s.scan_everything(App, of=["Order"]),
        lambda s: s.scan_everything(App, limit=1.5),
        lambda s: s.scan_everything(App, segments=2.0),
    ],
)
def test_wrong_arguments_of_reads(ask: Any) -> None:
    with pytest.raises(ReadRefused) as refused:
        ask(Session(Nothing()))
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    "client",
    [None, "dynamodb", 7, Nothing, SimpleNamespace(meta=SimpleNamespace(client=Nothing()), query=len)],
)
def test_what_is_no_client_is_refused(client: Any) -> None:
    with pytest.raises(TypeError, match=r"needs a client|boto3 resource"):
        Session(client)
    if not isinstance(client, SimpleNamespace):
        with pytest.raises(TypeError, match="needs a client"):
            AsyncSession(client)


class Coroutines:
    """A client whose methods are coroutines, as one can see."""

    async def query(self, **_: Any) -> Any:
        raise AssertionError("a request was sent")

    get_item = scan = batch_get_item = query


class Unseen:
    """A client of which one cannot see whether its methods are coroutines."""

    def __init__(self, client: Any) -> None:
        self._client = client

    def get_item(self, **parameters: Any) -> Any:
        return self._client(parameters)


def test_a_client_of_the_other_kind_of_session_is_refused() -> None:
    with partita.Database() as db:
        client = db.client()
    with pytest.raises(
        TypeError,
        match=r"^the methods of botocore's DynamoDB client answer at once: give it to a Session, and a "
        r"client of aiobotocore to an AsyncSession$",
    ):
        AsyncSession(client)
    with pytest.raises(
        TypeError, match=r"^the methods of .*'s Coroutines client have to be awaited: give it "
    ):
        Session(Coroutines())


def test_a_client_of_the_other_kind_is_known_by_its_answer_at_the_latest() -> None:
    async def answer(parameters: object) -> dict[str, object]:
        return {}

    with pytest.raises(TypeError, match="the client's answer to GetItem has to be awaited"):
        Session(Unseen(answer)).get(Order.key(tenant="42", id="1"))
    session = AsyncSession(Unseen(lambda parameters: {}))
    with pytest.raises(TypeError, match="the client answered GetItem at once, with nothing to await"):
        asyncio.run(session.get(Order.key(tenant="42", id="1")))


def test_what_names_no_item_says_what_is_missing() -> None:
    session = Session(Nothing())
    for read in (session.get, lambda key: session.batch_get([key]), lambda key: session.transact_get([key])):
        with pytest.raises(KeyValueError, match=r"Line\.key: .* full primary key, with number too"):
            read(Line.key(order="1"))
        with pytest.raises(KeyValueError, match="without a range"):
            read(Line.key(order="1").between(1, 2))


def test_keys_may_come_from_a_generator() -> None:
    with partita.Database() as db:
        session = Session(db.client())
        session.create_table(Lines)
        keys = [Line.key(order="1", number=number) for number in range(3)]
        session.create(Line(order="1", number=1))
        for read in (session.batch_get, session.transact_get):
            found: Any = read(key for key in keys)
            assert [line and line.number for line in found] == [None, 1, None]
