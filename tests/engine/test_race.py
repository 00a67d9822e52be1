"""The race of a unique e-mail address: lost through an index that lags, never lost through marker items."""

from __future__ import annotations

from random import Random
from typing import Any, NamedTuple

import pytest
from tests import counts
from tests.engine.support import Request, Running, World, index_of, table_of

from partita.errors import DynamoDBError

EMAIL = "ann@example.com"
BY_EMAIL: Request = {
    "TableName": "users",
    "IndexName": "by_email",
    "KeyConditionExpression": "email = :e",
    "ExpressionAttributeValues": {":e": {"S": EMAIL}},
}


def create(world: World) -> None:
    definition = table_of(
        "users", "pk", types={"pk": "S", "email": "S"}, global_indexes=[index_of("by_email", ["email"])]
    )
    world.call("CreateTable", definition)
    world.finish()


def users(world: World) -> list[str]:
    """Who is registered with the address, once everything has settled."""
    world.finish()
    return [item["pk"]["S"] for item in world.items("Query", BY_EMAIL)]


# -- check, then put
class Trace(NamedTuple):
    answers: list[Any]
    registered: list[str]


def check_then_put(profile: str, seed: int) -> Trace:
    """Two people register one after the other, a few milliseconds apart, each after a look at the index."""
    world = World(profile, seed=seed)
    create(world)
    answers = []
    for user in ("user 1", "user 2"):
        found = world.call("Query", BY_EMAIL)
        answers.append(found)
        if not found["Count"]:
            item = {"pk": {"S": user}, "email": {"S": EMAIL}}
            condition = {"ConditionExpression": "attribute_not_exists(pk)"}
            answers.append(world.call("PutItem", {"TableName": "users", "Item": item, **condition}))
        world.advance_ms(10)
    return Trace(answers, users(world))


def test_through_a_lagging_index_both_register_for_some_seed_which_replays_exactly() -> None:
    by_seed = {seed: check_then_put("aws", seed) for seed in range(40)}
    lost = [seed for seed, trace in by_seed.items() if len(trace.registered) == 2]
    won = [seed for seed, trace in by_seed.items() if trace.registered == ["user 1"]]
    assert lost
    assert won
    assert len(lost) + len(won) == 40
    for seed in (lost[0], won[0]):
        assert [check_then_put("aws", seed) for _ in range(3)] == [by_seed[seed]] * 3


@pytest.mark.parametrize(("profile", "registered"), [("instant", 1), ("hostile", 2)])
def test_the_profiles_around_it(profile: str, registered: int) -> None:
    """Without lag it never happens in turn; with a long one always."""
    assert {len(check_then_put(profile, seed).registered) for seed in range(10)} == {registered}


# -- marker items
class Registration:
    """A client that registers by a transaction: the user, and a marker that there can be one of."""

    def __init__(self, world: World, user: str, *, has_token: bool) -> None:
        self._world = world
        self.user = user
        marker = {"pk": {"S": f"email#{EMAIL}"}, "owner_id": {"S": user}}
        item = {"pk": {"S": user}, "email": {"S": EMAIL}}
        new = {"TableName": "users", "ConditionExpression": "attribute_not_exists(pk)"}
        self._request: Request = {"TransactItems": [{"Put": {**new, "Item": i}} for i in (item, marker)]}
        if has_token:
            self._request["ClientRequestToken"] = user
        self.running: Running | None = None
        self.has_registered: bool | None = None
        """None: it is not known yet."""

    def step(self) -> None:
        """Starts, goes on, or after a conflict tries again, as an SDK does."""
        if self.running is None:
            self.running = self._world.start("TransactWriteItems", self._request)
        self.running.step()
        if not self.running.is_done:
            return
        outcome = self.running.outcome()
        self.running = None
        if not isinstance(outcome, DynamoDBError):
            self.has_registered = True
            return
        codes = [reason["Code"] for reason in outcome.members["CancellationReasons"]]
        if "TransactionConflict" in codes:
            return
        assert codes == ["None", "ConditionalCheckFailed"]
        self.has_registered = False


def register_with_markers(profile: str, seed: int) -> list[str]:
    """Several people register at once; a scheduler decides by the seed who goes on. Gives who was told so."""
    random = Random(seed)
    world = World(profile, seed=seed)
    create(world)
    clients = [
        Registration(world, f"user {number}", has_token=random.random() < 0.5)
        for number in range(2 + random.randrange(3))
    ]
    for _ in range(10_000):
        open_clients = [client for client in clients if client.has_registered is None]
        if not open_clients:
            break
        client = random.choice(open_clients)
        wakes_us = client.running.sleeps_until_us if client.running is not None else None
        if wakes_us is None or wakes_us <= world.clock.now_us():
            client.step()
        else:
            world.advance_ms(random.choice([0, 1, 7]))
    told = [client.user for client in clients if client.has_registered]
    assert users(world) == told
    marker = {"TableName": "users", "Key": {"pk": {"S": f"email#{EMAIL}"}}, "ConsistentRead": True}
    assert [world.call("GetItem", marker)["Item"]["owner_id"]["S"]] == told
    return told


def test_with_marker_items_exactly_one_registers_whatever_the_seed() -> None:
    winners = set()
    for seed in range(counts.RACE_SEEDS):
        told = register_with_markers("hostile" if seed % 2 else "aws", seed)
        assert len(told) == 1, f"seed {seed}"
        winners.add(told[0])
    # The scheduler did mix them: it is not always the first who wins.
    assert len(winners) > 1


@pytest.mark.parametrize("seed", range(3))
def test_a_schedule_replays_exactly(seed: int) -> None:
    assert register_with_markers("aws", seed) == register_with_markers("aws", seed)
