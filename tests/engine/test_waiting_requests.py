"""Requests that wait while the world changes: what they work on may go, or the turn beside them may fail."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.engine.faults import FaultyStore
from tests.engine.support import ROWS_AT_ONCE, Request, Running, World, index_of, reading, table_of
from tests.engine.truth import check_all

from partita.errors import DynamoDBError
from partita.storage import StoreFailed

MUSIC = {"TableName": "music"}
QUERY: Request = {
    **MUSIC,
    "KeyConditionExpression": "pk = :p",
    "ExpressionAttributeValues": {":p": {"S": "p"}},
}
READS: dict[str, tuple[str, Request]] = {
    "query": ("Query", QUERY),
    "scan": ("Scan", MUSIC),
    "scan of an index": ("Scan", {**MUSIC, "IndexName": "global"}),
    "query of an index": (
        "Query",
        {
            **MUSIC,
            "IndexName": "global",
            "KeyConditionExpression": "g = :g",
            "ExpressionAttributeValues": {":g": {"S": "g"}},
        },
    ),
    "query of a local index": ("Query", {**QUERY, "IndexName": "local", "Select": "ALL_ATTRIBUTES"}),
}


@pytest.fixture(autouse=True)
def one_row_at_once() -> Iterator[None]:
    with reading(ROWS_AT_ONCE[0]):
        yield


def create(world: World) -> None:
    definition = table_of(
        "music",
        "pk",
        "sk",
        types={"pk": "S", "sk": "S", "g": "S"},
        global_indexes=[index_of("global", ["g"])],
        local_indexes=[index_of("local", ["pk"], ["g"], projection="KEYS_ONLY")],
    )
    world.call("CreateTable", definition)
    world.finish()


def item(sk: str) -> Request:
    return {"pk": {"S": "p"}, "sk": {"S": sk}, "g": {"S": "g"}}


def world_with_items(**numbers: object) -> World:
    world = World(store_type=FaultyStore, **numbers)  # type: ignore[arg-type]
    create(world)
    for sk in "abcdef":
        world.call("PutItem", {**MUSIC, "Item": item(sk)})
    world.finish()
    return world


def waiting(world: World, operation: str, request: Request) -> Running:
    running = world.start(operation, request)
    assert not running.step()
    return running


def outcome_of(running: Running) -> str:
    """How it ends: the name and words of its error, or how many items it gives."""
    while not running.is_done:
        running.step()
    outcome = running.outcome()
    if isinstance(outcome, DynamoDBError):
        return f"{outcome.name}: {outcome.words(running.operation)}"
    return str(outcome["Count"])


GONE = "ResourceNotFoundException: Requested resource not found"


@pytest.mark.parametrize("read", READS)
@pytest.mark.parametrize("is_made_again", [False, True])
def test_the_table_of_a_read_goes(read: str, is_made_again: bool) -> None:
    world = world_with_items()
    running = waiting(world, *READS[read])
    world.call("DeleteTable", MUSIC)
    world.finish()
    if is_made_again:
        create(world)
    assert outcome_of(running) == GONE


@pytest.mark.parametrize("read", ["scan of an index", "query of an index"])
def test_the_index_of_a_read_goes(read: str) -> None:
    world = world_with_items()
    running = waiting(world, *READS[read])
    delete = [{"Delete": {"IndexName": "global"}}]
    world.call("UpdateTable", {**MUSIC, "GlobalSecondaryIndexUpdates": delete})
    world.finish()
    assert outcome_of(running) == ("ValidationException: The table does not have the specified index: global")


@pytest.mark.parametrize("is_made_again", [False, True])
def test_the_table_of_a_transaction_goes(is_made_again: bool) -> None:
    world = world_with_items(transaction_hold_ms=(100, 100))
    world.call("CreateTable", table_of("other", "pk", types={"pk": "S"}))
    puts = [
        {"Put": {"TableName": "other", "Item": {"pk": {"S": "a"}}}},
        {"Put": {**MUSIC, "Item": item("new")}},
    ]
    running = waiting(world, "TransactWriteItems", {"TransactItems": puts, "ClientRequestToken": "t"})
    world.call("DeleteTable", MUSIC)
    world.finish()
    if is_made_again:
        create(world)
    world.advance_ms(100)
    assert outcome_of(running) == GONE
    assert world.call("Scan", {"TableName": "other"})["Count"] == 0
    check_all(world)
    world.call("PutItem", {"TableName": "other", "Item": {"pk": {"S": "a"}}})


def test_an_index_made_while_a_transaction_waits_shows_what_it_writes() -> None:
    world = world_with_items(transaction_hold_ms=(100, 100))
    put = {"Put": {**MUSIC, "Item": {**item("new"), "h": {"S": "h"}}}}
    running = waiting(world, "TransactWriteItems", {"TransactItems": [put]})
    update = {
        **MUSIC,
        "AttributeDefinitions": [{"AttributeName": "h", "AttributeType": "S"}],
        "GlobalSecondaryIndexUpdates": [{"Create": index_of("by_h", ["h"])}],
    }
    world.call("UpdateTable", update)
    world.run_due()
    world.advance_ms(100)
    assert running.step()
    world.finish()
    assert world.call("Scan", {**MUSIC, "IndexName": "by_h"})["Count"] == 1
    check_all(world)


@pytest.mark.parametrize("read", READS)
def test_a_read_goes_on_after_a_turn_beside_it_failed(read: str) -> None:
    world = world_with_items()
    running = waiting(world, *READS[read])
    lose_turn(world)
    assert outcome_of(running) == "6"


def test_a_transaction_goes_on_after_a_turn_beside_it_failed() -> None:
    world = world_with_items(transaction_hold_ms=(100, 100), index_lag_ms=(1, 1))
    put = {"Put": {**MUSIC, "Item": item("new")}}
    running = waiting(world, "TransactWriteItems", {"TransactItems": [put]})
    lose_turn(world)
    conflict = world.error("PutItem", {**MUSIC, "Item": item("new")})
    assert conflict["message"] == "Transaction is ongoing for the item"
    world.advance_ms(100)
    assert running.step()
    assert running.outcome() == {}
    world.finish()
    assert world.call("Scan", MUSIC)["Count"] == 7
    check_all(world)


def lose_turn(world: World) -> None:
    """A turn that makes a table and writes an item, and cannot be made durable."""
    assert isinstance(world.store, FaultyStore)
    world.start("CreateTable", table_of("lost", "pk", types={"pk": "S"})).step_in_turn()
    world.start("PutItem", {**MUSIC, "Item": item("lost")}).step_in_turn()
    world.store.is_commit_faulty = True
    with pytest.raises(StoreFailed):
        world.engine.flush()
    assert world.call("ListTables", {})["TableNames"] == ["music"]
