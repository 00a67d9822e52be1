"""Transactions: all or nothing, reasons by position, tokens by the clock, and who collides with whom."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests import counts
from tests.engine.faults import FaultyStore
from tests.engine.support import Answer, Dice, Item, Request, Running, World, dice, index_of, runs, table_of
from tests.engine.truth import check_all

from partita.errors import DynamoDBError
from partita.storage import StoreFailed

TABLES = ("accounts", "orders", "events", "names")
HOLD: dict[str, Any] = {"transaction_hold_ms": (5, 5)}
CONFLICT = {"Code": "TransactionConflict", "Message": "Transaction is ongoing for the item"}
NONE = {"Code": "None"}


def world_with_tables(profile: str = "instant", **numbers: Any) -> World:
    world = World(profile, **numbers)
    for name in TABLES:
        types = {"pk": "S", "sk": "S", "g": "S"}
        indexes = [index_of("by_g", ["g"], ["pk"])]
        local = [index_of("local", ["pk"], ["g"])] if name == "events" else []
        definition = table_of(name, "pk", "sk", types=types, global_indexes=indexes, local_indexes=local)
        world.call("CreateTable", definition)
    world.finish()
    return world


def key(sk: str, pk: str = "p") -> Item:
    return {"pk": {"S": pk}, "sk": {"S": sk}}


def put(table: str, sk: str, **more: Any) -> Request:
    return {"Put": {"TableName": table, "Item": {**key(sk), "g": {"S": "g"}}, **more}}


def add(table: str, sk: str, amount: int = 1, /, **more: Any) -> Request:
    update = {"UpdateExpression": "ADD n :n", "ExpressionAttributeValues": {":n": {"N": str(amount)}}}
    return {"Update": {"TableName": table, "Key": key(sk), **update, **more}}


def transaction(*actions: Request, token: str | None = None) -> Request:
    return {"TransactItems": list(actions), **({"ClientRequestToken": token} if token else {})}


def number(world: World, table: str, sk: str) -> int:
    item = world.call("GetItem", {"TableName": table, "Key": key(sk), "ConsistentRead": True}).get("Item", {})
    return int(item.get("n", {"N": "0"})["N"])


def contents(world: World) -> dict[str, list[Item]]:
    return {name: world.items("Scan", {"TableName": name, "ConsistentRead": True}) for name in TABLES}


# -- all or nothing
@given(
    failing=st.lists(st.integers(0, 99), max_size=4, unique=True), profile=st.sampled_from(["instant", "aws"])
)
@runs(30)
def test_a_hundred_actions_on_four_tables_happen_or_do_not(failing: list[int], profile: str) -> None:
    world = world_with_tables(profile)
    for at in range(0, 100, 3):
        world.call("PutItem", {"TableName": TABLES[at % 4], "Item": key(str(at))})
    before = contents(world)
    actions: list[Request] = []
    for at in range(100):
        table, sk = TABLES[at % 4], str(at)
        holds = "attribute_exists(pk)" if at % 3 == 0 else "attribute_not_exists(pk)"
        fails = "attribute_not_exists(pk)" if at % 3 == 0 else "attribute_exists(pk)"
        condition = {"ConditionExpression": fails if at in failing else holds}
        if at % 5 == 4:
            actions.append({"ConditionCheck": {"TableName": table, "Key": key(sk), **condition}})
        elif at % 5 == 3:
            actions.append({"Delete": {"TableName": table, "Key": key(sk), **condition}})
        elif at % 5 == 2:
            actions.append(add(table, sk, **condition))
        else:
            actions.append(put(table, sk, **condition))
        if at in failing:
            parameters = next(iter(actions[-1].values()))
            parameters["ReturnValuesOnConditionCheckFailure"] = "ALL_OLD"
    if failing:
        body = world.error("TransactWriteItems", transaction(*actions))
        expected: list[dict[str, Any]] = [
            {
                "Code": "ConditionalCheckFailed",
                "Message": "The conditional request failed",
                **({"Item": key(str(at))} if at % 3 == 0 else {}),
            }
            if at in failing
            else NONE
            for at in range(100)
        ]
        assert body["CancellationReasons"] == expected
        codes = ", ".join(reason["Code"] for reason in expected)
        assert body["Message"] == (
            f"Transaction cancelled, please refer cancellation reasons for specific reasons [{codes}]"
        )
        assert contents(world) == before
    else:
        assert world.call("TransactWriteItems", transaction(*actions)) == {}
        for at in range(100):
            table, sk = TABLES[at % 4], str(at)
            found = world.call("GetItem", {"TableName": table, "Key": key(sk), "ConsistentRead": True})
            was_there, kind = at % 3 == 0, at % 5
            assert ("Item" in found) is (kind in (0, 1, 2) or (kind == 4 and was_there))
    world.finish()
    check_all(world)


def test_a_transaction_whose_turn_fails_has_not_happened_and_its_token_is_free() -> None:
    world = world_with_tables(store_type=FaultyStore)
    assert isinstance(world.store, FaultyStore)
    request = transaction(*(add(table, "a") for table in TABLES), token="t")
    for fault in range(3):
        if fault == 2:
            world.store.is_commit_faulty = True
        else:
            world.store.writes_until_fault = fault
        with pytest.raises(StoreFailed):  # noqa: PT012
            world.start("TransactWriteItems", request).step_in_turn()
            world.engine.flush()
        world.engine.recover()
        world.store.heal()
        assert [number(world, table, "a") for table in TABLES] == [0] * 4
    for _ in range(2):
        world.call("TransactWriteItems", request)
    assert [number(world, table, "a") for table in TABLES] == [1] * 4


# -- tokens
def test_a_token_is_remembered_for_ten_minutes_after_its_transaction_finished() -> None:
    world = world_with_tables(transaction_hold_ms=(2000, 2000))
    request = transaction(add("orders", "a"), token="t")
    world.call("TransactWriteItems", request)
    assert number(world, "orders", "a") == 1
    for seconds in (0, 300, 299.999):
        world.clock.advance(seconds)
        assert world.call("TransactWriteItems", request) == {}
        assert number(world, "orders", "a") == 1
    world.clock.advance(0.001)
    world.call("TransactWriteItems", request)
    assert number(world, "orders", "a") == 2


def test_a_token_is_remembered_across_restarts_and_then_leaves_nothing(tmp_path: Any) -> None:
    world = World(path=tmp_path / "partita.db")
    world.call("CreateTable", table_of("orders", "pk", "sk", types={"pk": "S", "sk": "S"}))
    requests = [transaction(add("orders", "a"), token=f"t{number}") for number in range(450)]
    for request in requests:
        world.call("TransactWriteItems", request)
    world.clock.advance(599)
    world.reopen()
    for request in requests:
        world.call("TransactWriteItems", request)
    assert number(world, "orders", "a") == 450
    world.clock.advance(2)
    world.reopen()
    world.run_due()
    world.clock.advance(601)
    world.run_due()
    assert world.rows(1) == []
    world.call("TransactWriteItems", requests[0])
    assert number(world, "orders", "a") == 451


def test_fact_13_17_the_same_token_with_other_content() -> None:
    world = world_with_tables()
    world.call("TransactWriteItems", transaction(add("orders", "a"), token="t"))
    for other in (
        transaction(add("orders", "a", 2), token="t"),
        transaction(add("orders", "b"), token="t"),
        transaction(add("orders", "a"), add("orders", "b"), token="t"),
        transaction(put("orders", "a"), token="t"),
    ):
        body = world.error("TransactWriteItems", other)
        assert body["__type"] == "com.amazonaws.dynamodb.v20120810#IdempotentParameterMismatchException"
        assert "Message" in body
    assert number(world, "orders", "a") == 1
    # The answer's details are no content.
    same = {**transaction(add("orders", "a"), token="t"), "ReturnConsumedCapacity": "TOTAL"}
    world.call("TransactWriteItems", same)
    assert number(world, "orders", "a") == 1


def test_a_cancelled_transaction_frees_its_token() -> None:
    world = world_with_tables()
    request = transaction(add("orders", "a", ConditionExpression="attribute_exists(pk)"), token="t")
    world.error("TransactWriteItems", request)
    world.call("PutItem", {"TableName": "orders", "Item": key("a")})
    world.call("TransactWriteItems", request)
    assert number(world, "orders", "a") == 1


# -- who collides
def test_a_token_in_use_is_told_so() -> None:
    world = world_with_tables(**HOLD)
    request = transaction(add("orders", "a"), token="t")
    first = world.start("TransactWriteItems", request)
    assert not first.step()
    body = world.error("TransactWriteItems", request)
    assert body["__type"] == "com.amazonaws.dynamodb.v20120810#TransactionInProgressException"
    assert "Message" in body
    world.advance_ms(5)
    assert first.step()
    assert first.outcome() == {}
    assert world.call("TransactWriteItems", request) == {}
    assert number(world, "orders", "a") == 1


def held(world: World) -> Running:
    """A transaction that holds items `a` and `c` of orders, the latter by a check, and waits."""
    for sk in "abc":
        world.call("PutItem", {"TableName": "orders", "Item": {**key(sk), "n": {"N": "0"}}})
    check = {"TableName": "orders", "Key": key("c"), "ConditionExpression": "attribute_exists(pk)"}
    running = world.start("TransactWriteItems", transaction(add("orders", "a"), {"ConditionCheck": check}))
    assert not running.step()
    return running


UPDATE = add("orders", "a")["Update"]
SINGLE_WRITES: dict[str, Callable[[str], Request]] = {
    "PutItem": lambda sk: {"TableName": "orders", "Item": key(sk)},
    "UpdateItem": lambda sk: {**UPDATE, "Key": key(sk)},
    "DeleteItem": lambda sk: {"TableName": "orders", "Key": key(sk)},
}


@pytest.mark.parametrize("operation", SINGLE_WRITES)
def test_fact_13_13_a_write_of_a_held_item_collides(operation: str) -> None:
    world = world_with_tables(**HOLD)
    running = held(world)
    for sk in "ac":
        assert world.error(operation, SINGLE_WRITES[operation](sk)) == {
            "__type": "com.amazonaws.dynamodb.v20120810#TransactionConflictException",
            "message": "Transaction is ongoing for the item",
        }
    world.call(operation, SINGLE_WRITES[operation]("b"))
    world.call("PutItem", {"TableName": "names", "Item": key("a")})
    world.advance_ms(5)
    assert running.step()
    assert number(world, "orders", "a") == 1
    world.call(operation, SINGLE_WRITES[operation]("a"))


def test_fact_13_11_a_transaction_that_meets_a_held_item_is_cancelled_by_position() -> None:
    world = world_with_tables(**HOLD)
    running = held(world)
    writes = transaction(add("orders", "b"), add("orders", "a"), add("names", "a"), add("orders", "c"))
    reasons = world.error("TransactWriteItems", writes)["CancellationReasons"]
    assert reasons == [NONE, CONFLICT, NONE, CONFLICT]
    gets = [{"Get": {"TableName": "orders", "Key": key(sk)}} for sk in "cba"]
    reasons = world.error("TransactGetItems", {"TransactItems": gets})["CancellationReasons"]
    assert reasons == [CONFLICT, NONE, CONFLICT]
    world.call("TransactGetItems", {"TransactItems": gets[1:2]})
    world.advance_ms(5)
    assert running.step()
    world.call("TransactWriteItems", writes)
    assert [number(world, "orders", sk) for sk in "abc"] == [2, 1, 1]


def test_reads_never_collide_and_see_nothing_of_what_waits() -> None:
    world = world_with_tables(**HOLD)
    running = held(world)
    assert number(world, "orders", "a") == 0
    get_many = {"RequestItems": {"orders": {"Keys": [key("a"), key("b")], "ConsistentRead": True}}}
    assert len(world.call("BatchGetItem", get_many)["Responses"]["orders"]) == 2
    query = {
        "TableName": "orders",
        "KeyConditionExpression": "pk = :p",
        "ExpressionAttributeValues": {":p": {"S": "p"}},
    }
    for items in (world.items("Query", query), world.items("Scan", {"TableName": "orders"})):
        assert [item["n"]["N"] for item in items] == ["0", "0", "0"]
    world.advance_ms(5)
    assert running.step()
    assert number(world, "orders", "a") == 1


def test_in_a_batch_the_held_item_comes_back_unprocessed() -> None:
    world = world_with_tables(**HOLD)
    running = held(world)
    writes = [
        {"PutRequest": {"Item": key("a")}},
        {"PutRequest": {"Item": key("b")}},
        {"DeleteRequest": {"Key": key("c")}},
        {"DeleteRequest": {"Key": key("d")}},
    ]
    answer = world.call("BatchWriteItem", {"RequestItems": {"orders": writes}})
    assert answer["UnprocessedItems"] == {"orders": [writes[0], writes[2]]}
    world.advance_ms(5)
    assert running.step()
    answer = world.call("BatchWriteItem", {"RequestItems": answer["UnprocessedItems"]})
    assert answer["UnprocessedItems"] == {}
    assert world.items("Scan", {"TableName": "orders"}) == [key("a"), key("b")]


@pytest.mark.parametrize("end", ["condition fails", "abandoned", "turn fails"])
def test_however_a_transaction_ends_its_items_are_free(end: str) -> None:
    world = world_with_tables(store_type=FaultyStore, **HOLD)
    condition = {"ConditionExpression": "n > :n"} if end == "condition fails" else {}
    running = world.start("TransactWriteItems", transaction(add("orders", "a", **condition), token="t"))
    assert not running.step()
    world.advance_ms(5)
    if end == "abandoned":
        running.close()
    elif end == "condition fails":
        assert running.step()
        assert isinstance(running.outcome(), DynamoDBError)
    else:
        assert isinstance(world.store, FaultyStore)
        world.store.is_commit_faulty = True
        running.step_in_turn()
        with pytest.raises(StoreFailed):
            world.engine.flush()
    assert number(world, "orders", "a") == 0
    world.call("UpdateItem", add("orders", "a")["Update"])
    world.call("TransactWriteItems", transaction(add("orders", "a"), token="t"))
    assert number(world, "orders", "a") == 2


# -- many at once
@given(rolled=dice(300), steps=st.integers(0, 60), profile=st.sampled_from(["aws", "hostile"]))
@runs(counts.TRANSACTION_MIXES)
def test_money_is_neither_made_nor_lost_and_every_reader_sees_all_of_it(
    rolled: Dice, steps: int, profile: str
) -> None:
    """Transfers between accounts in three tables, whose steps a scheduler mixes."""
    world = world_with_tables(profile)
    accounts = [(table, sk) for table in TABLES[:3] for sk in "ab"]
    balances = dict.fromkeys(accounts, 100)
    for table, sk in accounts:
        world.call("PutItem", {"TableName": table, "Item": {**key(sk), "n": {"N": "100"}}})
    waiting: list[tuple[Running, dict[tuple[str, str], int]]] = []

    def settle(running: Running, changes: dict[tuple[str, str], int]) -> None:
        """What was answered with success is done, in the order of the answers; nothing else is."""
        outcome = running.outcome()
        is_covered = all(balances[account] + change >= 0 for account, change in changes.items())
        if isinstance(outcome, DynamoDBError):
            reasons = outcome.members.get("CancellationReasons", [{"Code": "TransactionConflict"}])
            codes = {reason["Code"] for reason in reasons} - {"None"}
            assert codes == {"TransactionConflict"} or (
                codes == {"ConditionalCheckFailed"} and not is_covered
            )
        else:
            assert is_covered
            for account, change in changes.items():
                balances[account] += change

    def start(operation: str, request: Request, changes: dict[tuple[str, str], int]) -> None:
        running = world.start(operation, request)
        if running.step():
            settle(running, changes)
        else:
            waiting.append((running, changes))

    for _ in range(steps):
        what = rolled.below(6)
        if what < 3:
            source = rolled.pick(accounts)
            targets = [account for account in accounts if account != source][: 1 + rolled.below(3)]
            amount = 1 + rolled.below(60)
            changes = {source: -amount * len(targets), **dict.fromkeys(targets, amount)}
            actions = [change_of(account, change) for account, change in changes.items()]
            start("TransactWriteItems", transaction(*actions), changes)
        elif what == 3:
            account = rolled.pick(accounts)
            gift = change_of(account, 5)["Update"]
            start("UpdateItem", gift, {account: 5})
        elif what == 4 and waiting:
            at = rolled.below(len(waiting))
            running, changes = waiting.pop(at)
            assert running.sleeps_until_us is not None
            world.advance_to(running.sleeps_until_us)
            assert running.step()
            settle(running, changes)
        else:
            gets = [{"Get": {"TableName": table, "Key": key(sk)}} for table, sk in accounts]
            answer: Answer | DynamoDBError = world.attempt("TransactGetItems", {"TransactItems": gets})
            if isinstance(answer, DynamoDBError):
                assert waiting
            else:
                found = [int(response["Item"]["n"]["N"]) for response in answer["Responses"]]
                assert found == list(balances.values())
    for running, _ in waiting[::2]:
        running.close()
    for running, changes in waiting[1::2]:
        world.advance_ms(100)
        assert running.step()
        settle(running, changes)
    assert {account: number(world, *account) for account in accounts} == balances
    world.finish()
    check_all(world)


def change_of(account: tuple[str, str], change: int) -> Request:
    """An update that leaves no account below zero."""
    table, sk = account
    action = add(table, sk, change)
    if change < 0:
        action["Update"]["ConditionExpression"] = "n >= :least"
        action["Update"]["ExpressionAttributeValues"][":least"] = {"N": str(-change)}
    return action


# -- item collections
def event(sk: str, size: int, **more: Any) -> Item:
    return {**key(sk), "note": {"S": "x" * size}, **more}


def collection(world: World) -> int:
    ((_, _, _, size),) = world.rows(world.table("events").collections_space)
    return size


EVENTS = {"TableName": "events"}
FULL = {"Code": "ItemCollectionSizeLimitExceeded", "Message": "Collection size exceeded."}


def test_an_item_collection_stops_growing_at_its_limit_and_may_shrink() -> None:
    world = world_with_tables(collection_limit_bytes=1000)
    too_large = "com.amazonaws.dynamodb.v20120810#ItemCollectionSizeLimitExceededException"

    world.call("PutItem", {**EVENTS, "Item": event("a", 400)})
    # An index entry counts as well: 300 bytes twice.
    assert world.error("PutItem", {**EVENTS, "Item": event("b", 300, g={"S": "g"})})["__type"] == too_large
    world.call("PutItem", {**EVENTS, "Item": event("b", 500)})
    before = collection(world)
    assert before <= 1000
    grow = {
        "TableName": "events",
        "Key": key("a"),
        "UpdateExpression": "SET note = :p",
        "ExpressionAttributeValues": {":p": {"S": "x" * 500}},
    }
    assert world.error("UpdateItem", grow)["__type"] == too_large
    assert collection(world) == before
    world.call("PutItem", {**EVENTS, "Item": event("a", 400)})
    # Another collection has its own limit.
    world.call("PutItem", {**EVENTS, "Item": {**event("a", 900), "pk": {"S": "q"}}})
    world.call("DeleteItem", {"TableName": "events", "Key": {"pk": {"S": "q"}, "sk": {"S": "a"}}})
    world.configure(collection_limit_bytes=500)
    world.call("TransactWriteItems", transaction(put_event("c", 300), delete_event("a")))
    world.call("TransactWriteItems", transaction(delete_event("c"), put_event("a", 250)))
    world.call("PutItem", {**EVENTS, "Item": event("b", 499)})
    world.call("DeleteItem", {"TableName": "events", "Key": key("b")})
    world.call("PutItem", {**EVENTS, "Item": event("b", 1)})
    check_all(world)


def put_event(sk: str, size: int) -> Request:
    return {"Put": {"TableName": "events", "Item": event(sk, size)}}


def delete_event(sk: str) -> Request:
    return {"Delete": {"TableName": "events", "Key": key(sk)}}


LARGE = {"Put": {"TableName": "orders", "Item": event("a", 5000)}}
"""In a table without local indexes."""


@pytest.mark.parametrize(
    ("actions", "full_at"),
    [
        ([put_event("b", 300)], None),
        ([put_event("b", 700)], 0),
        ([LARGE, put_event("b", 700)], 1),
        ([put_event("b", 100), LARGE, put_event("c", 700)], 2),
        ([put_event("b", 700), LARGE, put_event("c", 10)], 0),
        # What counts is what all actions make of the collection together, whatever their order.
        ([delete_event("a"), put_event("b", 700)], None),
        ([put_event("b", 700), delete_event("a")], None),
        ([put_event("b", 1200), delete_event("a")], 0),
        ([put_event("b", 900), put_event("a", 1)], None),
        ([LARGE, delete_event("a"), put_event("b", 1500)], 2),
    ],
)
def test_a_transaction_may_not_make_an_item_collection_too_large(
    actions: list[Request], full_at: int | None
) -> None:
    world = world_with_tables(collection_limit_bytes=1000)
    world.call("PutItem", {"TableName": "events", "Item": event("a", 400)})
    before = contents(world)
    if full_at is None:
        request = {**transaction(*actions), "ReturnItemCollectionMetrics": "SIZE"}
        metrics = world.call("TransactWriteItems", request)["ItemCollectionMetrics"]
        told = {"ItemCollectionKey": {"pk": {"S": "p"}}, "SizeEstimateRangeGB": [0.0, 1.0]}
        assert metrics == {"events": [told]}
    else:
        body = world.error("TransactWriteItems", transaction(*actions))
        assert body["CancellationReasons"] == [FULL if at == full_at else NONE for at in range(len(actions))]
        assert contents(world) == before
    check_all(world)
