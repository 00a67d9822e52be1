"""Every number of a profile can be set by itself, and does what it says."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from typing import Any

import pytest
from tests.engine.support import Item, World, index_of, table_of

from partita.engine.settings import PROFILES, Settings
from partita.errors import DynamoDBError

MUSIC = {"TableName": "music"}


def world(**numbers: Any) -> World:
    world = World(**numbers)
    definition = table_of(
        "music",
        "pk",
        "sk",
        types={"pk": "S", "sk": "N"},
        global_indexes=[index_of("global", ["sk"])],
        local_indexes=[index_of("local", ["pk"], ["sk"])],
    )
    world.call("CreateTable", definition)
    world.finish()
    return world


def put(world: World, number: int = 1, **more: Any) -> Item:
    item = {"pk": {"S": "a"}, "sk": {"N": str(number)}, **more}
    world.call("PutItem", {**MUSIC, "Item": item})
    return item


def in_index(world: World) -> int:
    count: int = world.call("Scan", {**MUSIC, "IndexName": "global"})["Count"]
    return count


def index_lag_ms() -> None:
    made = world(index_lag_ms=(70, 70))
    put(made, 1)
    made.advance_ms(30)
    put(made, 2)
    shown = []
    for _ in range(75):
        shown.append(in_index(made))
        made.advance_ms(1)
    assert shown == sorted(shown)
    # Stamps may be some µs ahead of a clock that stands still.
    assert shown.index(1) in (40, 41)
    assert shown.index(2) in (70, 71)


def stale_reads_until_ms(**numbers: Any) -> int:
    """For so many ms after a put, a read misses it."""
    made = world(**numbers)
    item = put(made)
    for passed in range(100):
        if "Item" in made.call("GetItem", {**MUSIC, "Key": item}):
            return passed
        made.advance_ms(1)
    raise AssertionError("the read lags for ever")


def read_lag_ms() -> None:
    assert 0 < stale_reads_until_ms(read_lag_ms=60, stale_read_chance=1.0, index_lag_ms=(0, 0)) <= 60
    assert stale_reads_until_ms(read_lag_ms=0, stale_read_chance=1.0) == 0


def stale_read_chance() -> None:
    assert stale_reads_until_ms(read_lag_ms=60, stale_read_chance=0.0) == 0
    made = world(read_lag_ms=10_000, stale_read_chance=0.25)
    item = put(made)
    made.advance_ms(1)
    stale = sum("Item" not in made.call("GetItem", {**MUSIC, "Key": item}) for _ in range(400))
    assert 60 <= stale <= 140


def transaction_hold_ms() -> None:
    made = world(transaction_hold_ms=(30, 40))
    for number in range(20):
        item = {"pk": {"S": "a"}, "sk": {"N": str(number)}}
        before_us = made.clock.now_us()
        made.call("TransactWriteItems", {"TransactItems": [{"Put": {**MUSIC, "Item": item}}]})
        assert 30_000 <= made.clock.now_us() - before_us <= 40_000


def unprocessed_chance() -> None:
    made = world(unprocessed_chance=1.0)
    keys = [{"pk": {"S": "a"}, "sk": {"N": str(number)}} for number in range(5)]
    writes = [{"PutRequest": {"Item": key}} for key in keys]
    answer = made.call("BatchWriteItem", {"RequestItems": {"music": writes}})
    assert answer["UnprocessedItems"] == {"music": writes[1:]}
    answer = made.call("BatchGetItem", {"RequestItems": {"music": {"Keys": keys}}})
    assert answer["UnprocessedKeys"] == {"music": {"Keys": keys[1:]}}
    assert answer["Responses"] == {"music": [keys[0]]}


def status(made: World) -> str:
    described = made.attempt("DescribeTable", {"TableName": "other"})
    return "" if isinstance(described, DynamoDBError) else str(described["Table"]["TableStatus"])


def table_transition_ms() -> None:
    made = World(table_transition_ms=80)
    made.call("CreateTable", table_of("other", "pk", types={"pk": "S"}))
    made.advance_ms(79)
    assert status(made) == "CREATING"
    made.advance_ms(1)
    assert status(made) == "ACTIVE"
    made.call("DeleteTable", {"TableName": "other"})
    made.advance_ms(79)
    assert status(made) == "DELETING"
    made.advance_ms(1)
    assert status(made) == ""


def index_transition_ms() -> None:
    made = world(index_transition_ms=80)
    definitions = [{"AttributeName": "g", "AttributeType": "S"}]
    create = [{"Create": index_of("new", ["g"])}]
    update = {**MUSIC, "AttributeDefinitions": definitions, "GlobalSecondaryIndexUpdates": create}
    made.call("UpdateTable", update)

    def seen() -> tuple[Any, ...]:
        indexes = made.call("DescribeTable", MUSIC)["Table"]["GlobalSecondaryIndexes"]
        new = next(index for index in indexes if index["IndexName"] == "new")
        return new["IndexStatus"], new.get("Backfilling")

    made.advance_ms(79)
    assert seen() == ("CREATING", False)
    made.advance_ms(1)
    assert seen() == ("CREATING", True)
    made.advance_ms(79)
    assert seen() == ("CREATING", True)
    made.advance_ms(1)
    assert seen() == ("ACTIVE", None)


def count_refresh_seconds() -> None:
    made = world(count_refresh_seconds=100)
    put(made)
    assert made.call("DescribeTable", MUSIC)["Table"]["ItemCount"] == 0
    made.clock.advance(100)
    assert made.call("DescribeTable", MUSIC)["Table"]["ItemCount"] == 1


def collection_limit_bytes() -> None:
    made = world(collection_limit_bytes=200)
    put(made, 1, note={"S": "x" * 50})
    full = made.error(
        "PutItem", {**MUSIC, "Item": {"pk": {"S": "a"}, "sk": {"N": "2"}, "note": {"S": "x" * 50}}}
    )
    assert full["__type"].endswith("#ItemCollectionSizeLimitExceededException")


def token_seconds() -> None:
    made = world(token_seconds=5)
    update = {
        **MUSIC,
        "Key": {"pk": {"S": "a"}, "sk": {"N": "1"}},
        "UpdateExpression": "ADD n :one",
        "ExpressionAttributeValues": {":one": {"N": "1"}},
    }
    request = {"TransactItems": [{"Update": update}], "ClientRequestToken": "token"}
    for seconds, expected in ((0, 1), (4.9, 1), (0.2, 2)):
        made.clock.advance(seconds)
        made.call("TransactWriteItems", request)
        item = made.call("GetItem", {**MUSIC, "Key": update["Key"]})["Item"]
        assert item["n"] == {"N": str(expected)}


def page_bytes() -> None:
    made = world(page_bytes=100)
    for number in range(10):
        put(made, number, note={"S": "x" * 30})
    assert [page["Count"] for page in made.pages("Scan", MUSIC)] == [3, 3, 3, 1]


SHOWN: list[Callable[[], None]] = [
    index_lag_ms,
    read_lag_ms,
    stale_read_chance,
    transaction_hold_ms,
    unprocessed_chance,
    table_transition_ms,
    index_transition_ms,
    count_refresh_seconds,
    collection_limit_bytes,
    token_seconds,
    page_bytes,
]


@pytest.mark.parametrize("show", SHOWN, ids=lambda show: show.__name__)
def test_a_number_does_what_it_says(show: Callable[[], None]) -> None:
    show()


def test_every_number_is_shown() -> None:
    assert {show.__name__ for show in SHOWN} == {f.name for f in fields(Settings)} - {"profile"}


@pytest.mark.parametrize("profile", PROFILES)
def test_one_number_leaves_the_others_of_the_profile_alone(profile: str) -> None:
    changed = Settings.of(profile, read_lag_ms=7)
    for field in fields(Settings):
        expected = 7 if field.name == "read_lag_ms" else getattr(PROFILES[profile], field.name)
        assert getattr(changed, field.name) == expected


@pytest.mark.parametrize(
    ("numbers", "words"),
    [
        ({"index_lag": (1, 2)}, "unknown setting 'index_lag'"),
        ({"index_lag_ms": 5}, "a pair of milliseconds"),
        ({"index_lag_ms": (5, 1)}, "a pair of milliseconds"),
        ({"index_lag_ms": (-1, 1)}, "a pair of milliseconds"),
        ({"index_lag_ms": (1, 2, 3)}, "a pair of milliseconds"),
        ({"index_lag_ms": (0.5, 1)}, "a pair of milliseconds"),
        ({"index_lag_ms": (False, True)}, "a pair of milliseconds"),
        ({"transaction_hold_ms": (1, True)}, "a pair of milliseconds"),
        ({"stale_read_chance": 1.5}, "a chance from 0 to 1"),
        ({"stale_read_chance": True}, "a chance from 0 to 1"),
        ({"stale_read_chance": float("nan")}, "a chance from 0 to 1"),
        ({"unprocessed_chance": "0.5"}, "a chance from 0 to 1"),
        ({"read_lag_ms": -1}, "a whole number"),
        ({"read_lag_ms": 1.5}, "a whole number"),
        ({"page_bytes": True}, "a whole number"),
    ],
)
def test_what_makes_no_sense_is_refused_by_name(numbers: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words) as raised:
        Settings.of("instant", **numbers)
    assert repr(next(iter(numbers))) in str(raised.value)


def test_an_unknown_profile_is_refused() -> None:
    with pytest.raises(ValueError, match="unknown profile 'prod': it is one of instant, aws, hostile"):
        Settings.of("prod")
