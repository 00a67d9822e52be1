"""Items that an older version wrote are brought to what is declared now."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from datetime import UTC, datetime
from random import Random
from typing import Any

import pytest
from tests.model.backfilling.shop import (
    PLACED,
    Account,
    App,
    OldAccount,
    OldApp,
    OldOrder,
    OldProduct,
    Order,
    Product,
    old_order,
)
from tests.model.conftest import Server
from tests.model.writing.by_hand import START, Clock

import partita
from partita.design.verify import verify
from partita.model import (
    AsyncSession,
    Backfill,
    CheckpointRefused,
    Session,
    Unreachable,
    WriteRefused,
    entity_of,
)

ORDERS = 11


def fill(client: Any) -> None:
    with Session(client) as session:
        session.create_table(App)
        for number in range(ORDERS):
            session.create(old_order(number))
        session.create(OldProduct(id="p", name="Shoes"))
        session.create(OldAccount(id="a", email="a@x.io"))


@pytest.fixture
def client() -> Iterator[Any]:
    with partita.Database() as database:
        client = database.client()
        fill(client)
        yield client


def items(client: Any) -> dict[str, Any]:
    found = client.get_paginator("scan").paginate(TableName="app", ConsistentRead=True)
    return {item["PK"]["S"]: item for page in found for item in page["Items"]}


def is_sound(client: Any) -> bool:
    with Session(client) as session:
        return session.run(verify(App)).is_sound


def test_old_items_get_keys_and_new_attributes(server: Server) -> None:
    client = server.client()
    fill(client)
    assert not is_sound(client)
    told: list[tuple[int, int]] = []
    with Session(client) as session:
        done = session.backfill(App, page=5, progress=lambda *both: told.append(both))
        assert done.is_complete
        assert (done.items, done.written, done.right, done.others) == (ORDERS + 3, ORDERS + 1, 1, 1)
        assert done.attributes["Order.GSI1PK"] == ORDERS
        assert done.attributes["Order.GSI2PK"] == sum(number % 2 == 0 for number in range(ORDERS))
        assert is_sound(client)
        assert told[-1] == (ORDERS + 3, ORDERS + 3)
        stored = items(client)
        assert stored["ORDER#1"]["channel"] == {"S": "web"}
        assert "GSI2PK" not in stored["ORDER#1"]
        again = session.backfill(App)
        assert (again.written, again.right) == (0, ORDERS + 2)


def test_neither_version_nor_times_change(client: Any) -> None:
    with Session(client) as session:
        read = session.get(Product, id="p")
        assert read is not None
        session.backfill(Product)
        stored = items(client)["PRODUCT#p"]
        assert (stored["version"], stored["title"], stored["GSI1SK"]) == (
            {"N": "1"},
            {"S": "Shoes"},
            {"S": "Shoes"},
        )
        assert "name" not in stored
        assert "updated" not in stored
        read.title = "Boots"
        session.update(read)
        assert session.query(Product, Product.gsi1()).items[0].title == "Boots"


def test_a_dry_run_says_what_it_would_write(client: Any) -> None:
    before = items(client)
    with Session(client) as session:
        done = session.backfill(App, dry_run=True)
    assert items(client) == before
    assert done.written == ORDERS + 1
    example = next(str(one) for one in done.examples if one.entity == "Product")
    assert example.startswith("Product PRODUCT#p / META: ")
    assert "GSI1PK" in example


def test_only_the_entities_that_are_named(client: Any) -> None:
    with Session(client) as session:
        done = session.backfill([Product])
    assert (done.written, done.others) == (1, ORDERS + 2)
    assert "GSI1PK" not in items(client)["ORDER#1"]


def test_segments_are_read_and_written_side_by_side(client: Any) -> None:
    sent: list[str] = []
    with Session(client, log=lambda request: sent.append(request.operation)) as session:
        assert session.backfill(App, segments=4, page=3).is_complete
    assert sent.count("UpdateItem") == ORDERS + 1
    assert is_sound(client)


def test_an_attribute_that_nobody_writes_any_more_is_removed(client: Any) -> None:
    client.update_item(
        TableName="app",
        Key={"PK": {"S": "ORDER#3"}, "SK": {"S": "META"}},
        UpdateExpression="SET GSI9PK = :x, extra = :x",
        ExpressionAttributeValues={":x": {"S": "x"}},
    )
    with Session(client) as session:
        session.backfill(Order)
        assert "GSI9PK" in items(client)["ORDER#3"]
        done = session.backfill(Order, remove=["GSI9PK"])
        assert (done.written, done.attributes) == (1, {"Order.GSI9PK": 1})
        stored = items(client)["ORDER#3"]
        assert "GSI9PK" not in stored
        assert stored["extra"] == {"S": "x"}
        for name in ("customer", "GSI1PK", "PK", "_type"):
            with pytest.raises(WriteRefused, match=f"Order writes {name} itself"):
                session.backfill(Order, remove=[name])


def test_entities_can_be_changed_on_the_way_and_markers_go_with_them(client: Any) -> None:
    def change(account: Account) -> None:
        account.email = account.email.upper()
        account.expires = datetime(2030, 1, 1, tzinfo=UTC)

    with Session(client) as session:
        done = session.backfill(Account, change=change)
        assert (done.written, done.unmended) == (1, {})
        assert session.audit(App).is_clean
        stored = items(client)
        assert stored["UNIQ#Account#email#A@X.IO"]["ttl"] == stored["ACCT#a"]["ttl"]
        assert "UNIQ#Account#email#a@x.io" not in stored
        assert done.consumed.write_units > 4


def test_what_cannot_be_put_right_is_left_and_named(client: Any) -> None:
    schema = Order.__schema__
    good = schema.encode(Order(id="9", customer="7", placed=PLACED))
    for pk, changes in (
        ("ORDER#bad", {"customer": None}),
        ("ORDER#other", {}),
        ("ORDER#long", {"id": {"S": "long"}, "customer": {"S": "x" * 2100}}),
    ):
        item = {**good, "PK": {"S": pk}, **changes}
        client.put_item(
            TableName="app",
            Item={name: value for name, value in item.items() if value is not None and "GSI" not in name},
        )
    with Session(client) as session:
        done = session.backfill(App)
    assert done.written == ORDERS + 1
    assert not done.is_complete
    assert sorted(map(str, done.problems)) == [
        "primary key: Order ORDER#other / META: the model writes it under ORDER#9 / META",
        f"refused: Order ORDER#long / META: {next(p.text for p in done.problems if p.kind == 'refused')}",
        "unreadable: Order ORDER#bad / META: Order: the item has no attribute 'customer'",
    ]


def test_code_of_the_application_that_raises_leaves_the_item(client: Any) -> None:
    def change(order: Order) -> None:
        if order.id == "3":
            raise LookupError("no such thing")

    client.update_item(
        TableName="app",
        Key={"PK": {"S": "PRODUCT#p"}, "SK": {"S": "META"}},
        UpdateExpression="REMOVE #name",
        ExpressionAttributeNames={"#name": "name"},
    )
    with Session(client) as session:
        done = session.backfill(Order, change=change)
        assert (done.written, done.unmended) == (ORDERS - 1, {"unreadable": 1})
        assert str(done.problems[0]).endswith("Order: LookupError: no such thing")
        (problem,) = session.backfill(Product).problems
        said = "Product: the upcaster of version 1 fails: KeyError: 'name'"
        assert str(problem) == f"unreadable: Product PRODUCT#p / META: {said}"


class Killed(BaseException):
    """The process ends here."""


class Mortal:
    """A client that ends its process at the request of this number, before or after it was applied."""

    def __init__(self, client: Any, dies_at: int, after: bool) -> None:
        self._client = client
        self._left = dies_at
        self._after = after

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._client, name)
        if not callable(method):
            return method

        def call(**parameters: Any) -> Any:
            self._left -= 1
            if self._left == 0 and not self._after:
                raise Killed
            answer = method(**parameters)
            if self._left == 0:
                raise Killed
            return answer

        return call


@pytest.mark.parametrize("after", [False, True])
@pytest.mark.parametrize("segments", [1, 3])
def test_it_goes_on_from_its_checkpoint_wherever_it_was_killed(segments: int, after: bool) -> None:
    with partita.Database() as database:
        client = database.client()
        fill(client)
        old, dies_at, killed = database.snapshot(), 0, True
        while killed:
            dies_at += 1
            database.restore(old)
            kept: list[str] = []
            with Session(Mortal(client, dies_at, after), chance=Random(1), threads=1) as session:
                try:
                    session.backfill(App, page=3, segments=segments, keep=kept.append)
                    killed = False
                except Killed:
                    pass
            with Session(client) as session:
                resume = kept[-1] if kept else None
                done = session.backfill(App, page=3, segments=segments, resume=resume)
            assert done.is_complete
            assert is_sound(client)
            assert done.written + done.right >= ORDERS + 2
            if resume is not None and killed:
                # Pages that were done are not read again.
                counted = json.loads(resume)["counts"]["items"]
                assert done.items - counted < ORDERS + 3
        assert dies_at > ORDERS + 5


def test_a_checkpoint_is_of_one_backfill(client: Any) -> None:
    kept: list[str] = []
    with Session(client) as session:
        session.backfill(App, page=5, keep=kept.append)
        for other in (
            {"of": Order},
            {"segments": 2},
            {"dry_run": True},
            {"remove": ["x"]},
        ):
            given: dict[str, Any] = {"of": App, **other}
            with pytest.raises(CheckpointRefused, match="another backfill"):
                session.backfill(given.pop("of"), resume=kept[0], **given)
        for text in ("", "[]", "{}", "null", '{"format": 1}', '{"format": 2}', kept[0][:-1], "[" * 100_000):
            with pytest.raises(CheckpointRefused, match="no checkpoint"):
                session.backfill(App, resume=text)
        broken = {**json.loads(kept[0]), "starts": {"7": None}}
        with pytest.raises(CheckpointRefused, match="no checkpoint"):
            session.backfill(App, resume=json.dumps(broken))


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"of": []}, "at least one entity"),
        ({"of": [Order, OldOrder], "segments": 0}, "segments is a number"),
        ({"of": App, "page": "x"}, "page is a number"),
        ({"of": App, "units_per_second": 0}, "units_per_second is a number"),
        ({"of": App, "units_per_second": 1e-300}, "units_per_second is a number"),
        ({"of": App, "units_per_second": "5"}, "units_per_second is a number"),
        ({"of": App, "change": 5}, "change is a function, not 5"),
        ({"of": App, "keep": "file"}, "keep is a function"),
        ({"of": App, "remove": [5]}, "list of attributes"),
        ({"of": App, "remove": 5}, "list of attributes"),
        ({"of": [Order], "remove": (name for name in ["customer"])}, "Order writes customer itself"),
        ({"of": "Order"}, "not of 'Order'"),
        ({"of": App, "remove": "GSI1PK"}, "list of attributes"),
        ({"of": 7}, "table or of entities"),
        ({"of": [Order.key(id="1")]}, "table or of entities"),
    ],
)
def test_what_cannot_be_meant_is_refused(client: Any, arguments: dict[str, Any], says: str) -> None:
    with Session(client) as session, pytest.raises(WriteRefused, match=says):
        session.backfill(**arguments)


def test_a_change_that_makes_another_entity_is_named(client: Any) -> None:
    with Session(client) as session:
        done = session.backfill(Order, change=lambda order: order.model_copy())
    assert (done.written, done.unmended) == (0, {"refused": ORDERS})
    assert "it is to change the one that it is given" in str(done.problems[0])


def test_entities_of_two_tables_are_refused(client: Any) -> None:
    with Session(client, tables={OldApp: "other"}) as session, pytest.raises(WriteRefused, match="one table"):
        session.backfill([Order, OldOrder])


def test_it_keeps_to_a_rate(client: Any) -> None:
    clock = Clock()
    slept: list[float] = []

    def sleep(seconds: float) -> None:
        slept.append(seconds)
        clock.advance(seconds=seconds)

    with Session(client, now=clock, sleep=sleep) as session:
        done = session.backfill(App, page=5, units_per_second=10)
    assert done.consumed.units >= ORDERS
    seconds = (clock() - START).total_seconds()
    assert seconds == pytest.approx(done.consumed.units / 10, abs=1)
    assert max(slept) < 1


def test_an_unreachable_server_ends_it_and_it_can_be_resumed(client: Any) -> None:
    kept: list[str] = []

    class Down:
        left = 9

        def __getattr__(self, name: str) -> Any:
            def call(**parameters: Any) -> Any:
                Down.left -= 1
                if Down.left < 0:
                    raise ConnectionError("down")
                return getattr(client, name)(**parameters)

            return call

        def update_item(self, **parameters: Any) -> Any:
            return self.__getattr__("update_item")(**parameters)

    with Session(Down(), sleep=lambda _: None) as session, pytest.raises(Unreachable):
        session.backfill(App, page=3, keep=kept.append)
    with Session(client) as session:
        assert session.backfill(App, page=3, resume=kept[-1]).is_complete
    assert is_sound(client)


def test_async_sessions_do_the_same(client: Any) -> None:
    class Coroutines:
        def __getattr__(self, name: str) -> Any:
            async def call(**parameters: Any) -> Any:
                return getattr(client, name)(**parameters)

            return call

        async def update_item(self, **parameters: Any) -> Any:
            return client.update_item(**parameters)

    async def run() -> Backfill:
        async with AsyncSession(Coroutines()) as session:
            return await session.backfill(App, segments=2, units_per_second=100_000)

    assert asyncio.run(run()).written == ORDERS + 1
    assert isinstance(entity_of(items(client)["ORDER#1"], App), Order)
