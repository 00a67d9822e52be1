"""The recipes: sharded counters, idempotent creation, home regions."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from datetime import timedelta
from random import Random

import pytest
from tests.model.writing.by_hand import Clock
from tests.model.writing.test_async_session import Awaited

import partita
from partita.model import (
    AsyncSession,
    ConditionFailed,
    Entity,
    F,
    Key,
    KeyValueError,
    NotStored,
    OperationReused,
    Session,
    Table,
    UnreadableItem,
    WriteRefused,
)
from partita.model.recipes.counters import ShardedCounter
from partita.model.recipes.home_region import HomeRegion
from partita.model.recipes.idempotent_creation import create_once
from partita.model.writing.transaction import Transaction


class Posts(Table):
    pass


class Likes(Entity, table=Posts):
    post: str
    slot: int
    count: int = 0

    key = Key("POST#{post}#LIKES#{slot:2}", "COUNT")


class Post(Entity, table=Posts):
    id: str
    text: str
    home: str = "eu-central-1"

    key = Key("POST#{id}", "POST")


@pytest.fixture
def database() -> Iterator[partita.Database]:
    with partita.Database() as made:
        yield made


@pytest.fixture
def session(database: partita.Database) -> Iterator[Session]:
    with Session(database.client(), now=Clock(), sleep=lambda seconds: None, chance=Random(1)) as made:
        made.create_table(Posts)
        yield made


LIKES = ShardedCounter(Likes, shards=8, shard="slot")


class TestCounters:
    def test_additions_are_spread_and_summed_in_one_request(self, session: Session) -> None:
        for _ in range(60):
            session.run(LIKES.add(2, post="7"))
        session.run(LIKES.add(-5, post="7"))
        session.run(LIKES.add(1, post="8"))
        before = session.consumed[None].requests
        assert session.run(LIKES.total(post="7", consistent=True)) == 115
        assert session.consumed[None].requests == before + 1
        stored = [session.get(Likes, post="7", slot=number) for number in range(8)]
        assert all(shard is not None and shard.count != 0 for shard in stored)

    def test_one_writer_can_keep_to_one_shard(self, session: Session) -> None:
        shards = {session.run(LIKES.add(1, by="ada", post="7")).slot for _ in range(10)}
        assert shards == {LIKES.shard_of("ada")}
        assert session.run(LIKES.total(post="7")) == 10
        assert {LIKES.shard_of(str(number)) for number in range(100)} == set(range(8))

    def test_what_was_never_counted_is_nothing(self, session: Session) -> None:
        assert session.run(LIKES.total(post="7")) == 0

    def test_a_shard_that_no_sum_reads_is_refused(self, session: Session) -> None:
        for number in (8, 99, -1):
            with pytest.raises(KeyValueError):
                LIKES.ref(number, post="7")
        with pytest.raises(KeyValueError, match="'slot' is the number of the shard, which the counter gives"):
            session.run(LIKES.add(1, post="7", slot=3))
        with pytest.raises(KeyValueError, match="half a surrogate pair"):
            LIKES.shard_of("\ud800")

    def test_exactly_once_with_what_is_counted(self, session: Session) -> None:
        for _ in range(2):
            with session.transaction("like-1", remember=timedelta(days=1)) as tx:
                tx.change(LIKES.ref(3, post="7"), F(Likes).count.add(1), or_create=True)
        assert session.run(LIKES.total(post="7")) == 1

    def test_asynchronously(self, session: Session, database: partita.Database) -> None:
        async def main() -> int:
            other = AsyncSession(Awaited(database.client()))
            await other.run(LIKES.add(4, post="7"))
            return await other.run(LIKES.total(post="7"))

        assert asyncio.run(main()) == 4


class TestIdempotentCreation:
    @staticmethod
    def build(text: str) -> Callable[[Transaction], Post]:
        def build(tx: Transaction) -> Post:
            post = Post(id=tx.id(), text=text)
            tx.create(post)
            tx.change(LIKES.ref(0, post=post.id), F(Likes).count.add(1), or_create=True)
            return post

        return build

    def test_the_second_time_gives_what_is_stored(self, session: Session) -> None:
        first = session.run(create_once("42#key-1", self.build("hello")))
        assert first.is_new
        first.entity.text = "edited"
        session.update(first.entity)
        second = session.run(create_once("42#key-1", self.build("hello")))
        assert not second.is_new
        assert second.entity == first.entity
        assert session.run(LIKES.total(post=first.entity.id)) == 1
        other = session.run(create_once("43#key-1", self.build("hello")))
        assert other.is_new
        assert other.entity.id != first.entity.id

    def test_what_was_deleted_since_is_not_made_again(self, session: Session) -> None:
        first = session.run(create_once("42#key-1", self.build("hello")))
        session.delete(first.entity)
        with pytest.raises(NotStored, match="deleted since"):
            session.run(create_once("42#key-1", self.build("hello")))

    def test_what_the_transaction_does_not_write_was_not_created(self, session: Session) -> None:
        def forgotten(tx: Transaction) -> Post:
            return Post(id="1", text="x")

        def another(tx: Transaction) -> Post:
            tx.create(Post(id="1", text="x"))
            tx.check(Post.key(id="2"))
            return Post(id="2", text="x")

        for build in (forgotten, another):
            with pytest.raises(WriteRefused, match=r"does not write .*add it with tx\.create"):
                session.run(create_once("42#key-1", build))
        assert session.get(Post, id="1") is None

    def test_a_key_without_a_utf_8_form_is_refused(self, session: Session) -> None:
        with pytest.raises(WriteRefused, match="half a surrogate pair"):
            session.run(create_once("42#\ud800", self.build("hello")))

    def test_a_key_that_served_for_something_else(self, session: Session) -> None:
        session.run(create_once("42#key-1", self.build("hello")))

        def another(tx: Transaction) -> Post:
            post = Post(id="fixed", text="x")
            tx.create(post)
            return post

        with pytest.raises(OperationReused):
            session.run(create_once("42#key-1", another))
        assert session.get(Post, id="fixed") is None


class TestHomeRegion:
    def test_a_write_away_from_home_fails_and_says_where_to_go(self, session: Session) -> None:
        here, there = HomeRegion("eu-central-1"), HomeRegion("us-east-1")
        post = Post(id="1", text="x")
        session.create(post)
        post.text = "y"
        with pytest.raises(ConditionFailed) as failed:
            session.update(post, when=there.condition(Post))
        assert there.home_of(failed.value) == "eu-central-1"
        assert here.home_of(failed.value) is None
        session.update(post, when=here.condition(Post))
        moved = session.change(Post.key(id="1"), F(Post).home.set("us-east-1"), when=here.condition(Post))
        assert there.is_home_of(moved)
        assert not here.is_home_of(moved)


def test_records_of_operations_are_no_entities(session: Session, database: partita.Database) -> None:
    with session.transaction("op", remember=timedelta(days=1)) as tx:
        tx.create(Post(id="1", text="x"))
    items = database.client().scan(TableName="Posts")["Items"]
    record = next(item for item in items if item["_type"] == {"S": "_Operation"})
    with pytest.raises(UnreadableItem):
        partita.model.entity_of(record, Posts)
