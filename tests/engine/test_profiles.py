"""What lags, by how much, and what never does: histories of requests under profiles that lag."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests import counts
from tests.engine.support import (
    ROWS_AT_ONCE,
    Answer,
    Dice,
    Item,
    Request,
    World,
    index_of,
    reading,
    rolls,
    runs,
    table_of,
)
from tests.engine.truth import check_all

LAGGING: list[tuple[str, dict[str, Any]]] = [
    ("aws", {}),
    ("hostile", {}),
    # What reads and what indexes need of the log differs most here.
    ("instant", {"index_lag_ms": (1, 2), "read_lag_ms": 3000, "stale_read_chance": 0.8}),
    ("instant", {"index_lag_ms": (0, 3000), "read_lag_ms": 2, "stale_read_chance": 0.8}),
    ("instant", {"index_lag_ms": (5, 40)}),
    ("instant", {"read_lag_ms": 40, "stale_read_chance": 1.0}),
]

AHEAD_US = 1000
"""While a clock stands still, the stamps of writes run ahead of it, by some µs a write."""

State = dict[str, Item]
"""Every item of the table by its sort key."""


class Version(NamedTuple):
    """The table from one change on."""

    since_us: int
    state: State


@pytest.fixture(autouse=True, scope="module")
def few_rows_at_once() -> Iterator[None]:
    with reading(ROWS_AT_ONCE[0]):
        yield


def create(world: World) -> None:
    world.call(
        "CreateTable",
        table_of(
            "music",
            "pk",
            "sk",
            types={"pk": "S", "sk": "S", "g": "S", "n": "N"},
            global_indexes=[index_of("global", ["g"], ["n"])],
            local_indexes=[index_of("local", ["pk"], ["n"])],
        ),
    )
    world.finish()


class History:
    """Requests on one partition, and all states that it ever was in."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.answers: list[Any] = []
        """Everything that was answered, to compare with a replay."""
        create(world)
        self._versions = [Version(world.clock.now_us(), {})]
        self._shown = 0
        """The version that the global index showed last."""
        self._has_lagged_otherwise = False

    # -- writing
    @property
    def _now(self) -> State:
        return self._versions[-1].state

    def _change(self, sk: str, item: Item | None) -> None:
        state = {name: value for name, value in self._now.items() if name != sk}
        if item is not None:
            state[sk] = item
        self._versions.append(Version(self.world.clock.now_us(), state))

    def _new_item(self, dice: Dice) -> Item:
        item: Item = {"pk": {"S": "p"}, "sk": {"S": dice.pick("abc")}, "n": {"N": str(len(self._versions))}}
        return {**item, "g": {"S": "g"}} if dice.below(4) else item

    def _call(self, operation: str, request: Request) -> Answer:
        answer = self.world.call(operation, {"TableName": "music", **request})
        self.answers.append(answer)
        return answer

    def put(self, dice: Dice) -> None:
        item = self._new_item(dice)
        self._call("PutItem", {"Item": item})
        self._change(item["sk"]["S"], item)

    def update(self, dice: Dice) -> None:
        item = self._new_item(dice)
        sk = item["sk"]["S"]
        key = {"pk": item["pk"], "sk": item["sk"]}
        request = {
            "Key": key,
            "UpdateExpression": "SET n = :n",
            "ExpressionAttributeValues": {":n": item["n"]},
        }
        self._call("UpdateItem", request)
        self._change(sk, {**self._now.get(sk, key), "n": item["n"]})

    def delete(self, dice: Dice) -> None:
        sk = dice.pick("abc")
        self._call("DeleteItem", {"Key": {"pk": {"S": "p"}, "sk": {"S": sk}}})
        if sk in self._now:
            self._change(sk, None)

    def transact(self, dice: Dice) -> None:
        items = {item["sk"]["S"]: item for item in [self._new_item(dice), self._new_item(dice)]}
        actions = [{"Put": {"TableName": "music", "Item": item}} for item in items.values()]
        self.answers.append(self.world.call("TransactWriteItems", {"TransactItems": actions}))
        for sk, item in items.items():
            self._change(sk, item)

    def batch(self, dice: Dice) -> None:
        items = {item["sk"]["S"]: item for item in [self._new_item(dice), self._new_item(dice)]}
        requests = [{"PutRequest": {"Item": item}} for item in items.values()]
        answer = self.world.call("BatchWriteItem", {"RequestItems": {"music": requests}})
        self.answers.append(answer)
        left = [r["PutRequest"]["Item"] for r in answer["UnprocessedItems"].get("music", [])]
        for sk, item in items.items():
            if item not in left:
                self._change(sk, item)

    def wait(self, dice: Dice) -> None:
        self.world.advance_ms(dice.pick([0.001, 0.5, 1, 3, 12, 50, 400, 1500]))

    def restart(self, dice: Dice) -> None:
        self.world.reopen()

    def restart_otherwise(self, dice: Dice) -> None:
        profile, numbers = dice.pick([*LAGGING, ("instant", {})])
        self.world.configure(profile, **numbers)
        self._has_lagged_otherwise = True

    # -- reading
    def get(self, dice: Dice) -> None:
        sk, strong = dice.pick("abc"), dice.below(3) == 0
        key = {"pk": {"S": "p"}, "sk": {"S": sk}}
        found = self._call("GetItem", {"Key": key, "ConsistentRead": strong}).get("Item")
        self._check_read({} if found is None else {sk: found}, [sk], strong)

    def get_many(self, dice: Dice) -> None:
        strong = dice.below(3) == 0
        keys = [{"pk": {"S": "p"}, "sk": {"S": sk}} for sk in "abc"]
        request = {"RequestItems": {"music": {"Keys": keys, "ConsistentRead": strong}}}
        answer = self.world.call("BatchGetItem", request)
        self.answers.append(answer)
        left = [key["sk"]["S"] for key in answer["UnprocessedKeys"].get("music", {}).get("Keys", [])]
        found = {item["sk"]["S"]: item for item in answer["Responses"]["music"]}
        self._check_read(found, [sk for sk in "abc" if sk not in left], strong)

    def transact_get(self, dice: Dice) -> None:
        gets = [{"Get": {"TableName": "music", "Key": {"pk": {"S": "p"}, "sk": {"S": sk}}}} for sk in "abc"]
        answer = self.world.call("TransactGetItems", {"TransactItems": gets})
        self.answers.append(answer)
        found = {r["Item"]["sk"]["S"]: r["Item"] for r in answer["Responses"] if r}
        self._check_read(found, list("abc"), True)

    def read_table(self, dice: Dice) -> None:
        strong = dice.below(3) == 0
        request: Request = {"ConsistentRead": strong, **({"Limit": 1} if dice.below(2) else {})}
        if dice.below(2):
            request |= self._partition("pk", "p")
            request["ScanIndexForward"] = dice.below(2) == 0
            found = self._items("Query", request)
            order = [item["sk"]["S"] for item in found]
            assert order == sorted(order, reverse=not request["ScanIndexForward"])
        else:
            found = self._items("Scan", request)
        assert len(found) == len({item["sk"]["S"] for item in found})
        self._check_read({item["sk"]["S"]: item for item in found}, list("abc"), strong)

    def read_local_index(self, dice: Dice) -> None:
        strong = dice.below(3) > 0
        request = {**self._partition("pk", "p"), "IndexName": "local", "ConsistentRead": strong}
        found = self._items("Query", request)
        self._check_read({item["sk"]["S"]: item for item in found}, list("abc"), strong)

    def read_global_index(self, dice: Dice) -> None:
        request: Request = {"IndexName": "global"}
        if dice.below(2):
            found = self._items("Query", {**request, **self._partition("g", "g")})
        else:
            found = self._items("Scan", request)
        assert len(found) == len({item["sk"]["S"] for item in found})
        self._check_index({item["sk"]["S"]: item for item in found})

    def _partition(self, name: str, value: str) -> Request:
        return {
            "KeyConditionExpression": f"{name} = :v",
            "ExpressionAttributeValues": {":v": {"S": value}},
        }

    def _items(self, operation: str, request: Request) -> list[Item]:
        items = self.world.items(operation, {"TableName": "music", **request})
        self.answers.append(items)
        return items

    def _check_read(self, found: State, keys: list[str], strong: bool) -> None:
        """Every item is as it is, or if the read was not strong one version behind, within the lag."""
        for sk in keys:
            past = self._past_of(sk)
            if found.get(sk) == past[-1][1]:
                continue
            assert not strong, "a strong read is behind"
            assert len(past) > 1
            assert found.get(sk) == past[-2][1], "more than one version behind, or a state that never was"
            age_us = self.world.clock.now_us() - past[-1][0]
            assert age_us - AHEAD_US < self.world.settings.read_lag_ms * 1000, (
                "behind for longer than the lag"
            )
            assert self.world.settings.stale_read_chance

    def _past_of(self, sk: str) -> list[tuple[int, Item | None]]:
        """The item's states (None: no item), each with its beginning."""
        past: list[tuple[int, Item | None]] = []
        for version in self._versions:
            state = version.state.get(sk)
            if not past or past[-1][1] != state:
                past.append((version.since_us, state))
        return past

    def _check_index(self, found: State) -> None:
        """The index shows the table as it was at one moment within the lag, and never goes back."""
        states = [
            {sk: item for sk, item in version.state.items() if "g" in item} for version in self._versions
        ]
        candidates = [at for at in range(self._shown, len(states)) if states[at] == found]
        assert candidates, "the index shows what never was, or went back"
        if candidates[0] > self._shown and not self._has_lagged_otherwise:
            age_us = self.world.clock.now_us() - self._versions[candidates[0]].since_us
            assert age_us >= self.world.settings.index_lag_ms[0] * 1000, "the index lags less than it must"
        self._shown = candidates[0]
        # What came next must be within the lag still.
        if candidates[-1] + 1 < len(states):
            age_us = self.world.clock.now_us() - self._versions[candidates[-1] + 1].since_us
            longest_us = self.world.settings.index_lag_ms[1] * 1000
            assert age_us - AHEAD_US < longest_us, "the index is behind for longer than the lag"


STEPS = (
    *("put",) * 5,
    *("update",) * 3,
    *("delete",) * 2,
    *("transact", "batch"),
    *("wait",) * 4,
    *("get",) * 3,
    *("get_many", "transact_get", "read_table", "read_table", "read_local_index"),
    *("read_global_index",) * 4,
    *("restart", "restart_otherwise"),
)


def play(seed: int, profile: tuple[str, dict[str, Any]], rolled: Dice, steps: int) -> list[Any]:
    world = World(profile[0], seed=seed, **profile[1])
    history = History(world)
    for _ in range(steps):
        getattr(history, rolled.pick(STEPS))(rolled)
    # Once the lags have passed, everything shows the present.
    lags = world.settings.index_lag_ms[1] + world.settings.read_lag_ms
    world.advance_ms(lags + 1)
    for read in ("get", "get_many", "read_table", "read_local_index", "read_global_index"):
        getattr(history, read)(Dice(b"\1\1\1"))
    return history.answers


@given(
    seed=st.integers(0, 2**32),
    profile=st.sampled_from(LAGGING),
    rolled=rolls(600),
    steps=st.integers(0, 100),
)
@runs(counts.PROFILE_HISTORIES)
def test_reads_see_what_was_and_lag_no_more_than_they_may(
    seed: int, profile: tuple[str, dict[str, Any]], rolled: bytes, steps: int
) -> None:
    answers = play(seed, profile, Dice(rolled), steps)
    assert play(seed, profile, Dice(rolled), steps) == answers, "a replay gave other answers"


MUSIC = {"TableName": "music"}
IN_INDEX = {
    **MUSIC,
    "IndexName": "global",
    "KeyConditionExpression": "g = :g",
    "ExpressionAttributeValues": {":g": {"S": "g"}},
}


def item(sk: str, number: int) -> Item:
    return {"pk": {"S": "p"}, "sk": {"S": sk}, "g": {"S": "g"}, "n": {"N": str(number)}}


@pytest.mark.parametrize("profile", ["aws", "hostile"])
def test_a_query_right_after_a_put_can_miss_it_and_later_does_not(profile: str) -> None:
    missed = 0
    for seed in range(20):
        world = World(profile, seed=seed)
        create(world)
        world.call("PutItem", {**MUSIC, "Item": item("a", 1)})
        missed += world.call("Query", IN_INDEX)["Count"] == 0
        world.advance_ms(world.settings.index_lag_ms[1])
        assert world.call("Query", IN_INDEX)["Items"] == [item("a", 1)]
    assert missed == 20


@pytest.mark.parametrize("profile", ["aws", "hostile"])
def test_a_read_right_after_a_put_can_be_one_version_behind_and_a_strong_one_never(profile: str) -> None:
    key = {"pk": {"S": "p"}, "sk": {"S": "a"}}
    seen = set()
    for seed in range(40):
        world = World(profile, seed=seed)
        create(world)
        for number in range(3):
            world.call("PutItem", {**MUSIC, "Item": item("a", number)})
            strong = world.call("GetItem", {**MUSIC, "Key": key, "ConsistentRead": True})
            assert strong["Item"] == item("a", number)
        seen.add(world.call("GetItem", {**MUSIC, "Key": key})["Item"]["n"]["N"])
        world.advance_ms(world.settings.read_lag_ms + 1)
        assert world.call("GetItem", {**MUSIC, "Key": key})["Item"] == item("a", 2)
    assert seen == {"1", "2"}


def test_instant_never_lags_and_other_seeds_of_it_answer_alike() -> None:
    def answers(seed: int) -> list[Answer]:
        world = World(seed=seed)
        create(world)
        found = []
        for number in range(10):
            world.call("PutItem", {**MUSIC, "Item": item("a", number)})
            found += [world.call("Query", IN_INDEX), world.call("Scan", MUSIC)]
            assert [answer["Items"] for answer in found[-2:]] == [[item("a", number)]] * 2
        return found

    assert answers(1) == answers(2)


def test_a_lag_of_many_writes_is_over_when_its_time_is() -> None:
    world = World("aws")
    create(world)
    for number in range(3_000):
        world.call("PutItem", {**MUSIC, "Item": item(str(number), number)})
    world.advance_ms(world.settings.index_lag_ms[1] + 3_000 * AHEAD_US / 100_000)
    assert world.call("Query", {**IN_INDEX, "Select": "COUNT"})["Count"] == 3_000


def test_reads_after_a_restart_may_still_lag() -> None:
    """What they need of the log is there, though what is older has been trimmed."""
    world = World(read_lag_ms=1000, stale_read_chance=1.0)
    create(world)
    world.call("PutItem", {**MUSIC, "Item": item("a", 1)})
    world.advance_ms(900)
    world.call("PutItem", {**MUSIC, "Item": item("a", 2)})
    world.advance_ms(102)
    world.run_due()
    assert [change.sequence for change in world.store.log_read(0, 10)] == [2]
    world.reopen()
    request = {**MUSIC, "Key": {"pk": {"S": "p"}, "sk": {"S": "a"}}}
    seen = {world.call("GetItem", request)["Item"]["n"]["N"] for _ in range(40)}
    assert seen == {"1", "2"}


def test_chance_goes_on_after_a_restart_and_back_with_a_restore() -> None:
    """Its state is part of the database: a snapshot replays, and a restart does not begin again."""
    world = World(read_lag_ms=60_000, stale_read_chance=0.5)
    create(world)
    for number in (1, 2):
        world.advance_ms(60_000)
        world.call("PutItem", {**MUSIC, "Item": item("a", number)})
    request = {**MUSIC, "Key": {"pk": {"S": "p"}, "sk": {"S": "a"}}}
    world.advance_ms(1)

    def draws() -> list[str]:
        return [world.call("GetItem", request)["Item"]["n"]["N"] for _ in range(40)]

    drawn = draws()
    snapshot = world.snapshot()
    later = draws()
    assert later != drawn
    world.reopen()
    assert draws() not in (drawn, later)
    for _ in range(2):
        world.restore(snapshot)
        assert draws() == later


def test_what_was_written_without_a_log_is_not_taken_for_old() -> None:
    """A lagging run, one that keeps no log, and a lagging one, all within the lag."""
    key = {"pk": {"S": "p"}, "sk": {"S": "a"}}
    numbers: dict[str, Any] = {"read_lag_ms": 1000, "stale_read_chance": 1.0}
    world = World(**numbers)
    create(world)
    world.call("PutItem", {**MUSIC, "Item": item("a", 1)})
    world.configure()
    for number in (2, 3):
        world.call("PutItem", {**MUSIC, "Item": item("a", number)})
    world.configure(**numbers)
    for _ in range(20):
        world.advance_ms(1)
        assert world.call("GetItem", {**MUSIC, "Key": key})["Item"] == item("a", 3)


@pytest.mark.parametrize("before", [*LAGGING, ("instant", {})])
@pytest.mark.parametrize("after", [*LAGGING, ("instant", {})])
def test_after_a_restart_with_another_profile_nothing_is_lost_or_goes_back(
    before: tuple[str, dict[str, Any]], after: tuple[str, dict[str, Any]]
) -> None:
    world = World(before[0], **before[1])
    create(world)
    for number in range(100):
        world.call("PutItem", {**MUSIC, "Item": item(str(number % 7), number)})
        if number % 30 == 29:
            world.advance_ms(1)
    shown = {entry["n"]["N"] for entry in world.call("Query", IN_INDEX)["Items"]}
    world.configure(after[0], **after[1])
    shown_after = {entry["n"]["N"] for entry in world.call("Query", IN_INDEX)["Items"]}
    assert sorted(map(int, shown_after)) >= sorted(map(int, shown))
    if not world.settings.has_index_lag:
        assert shown_after == {str(number) for number in range(93, 100)}
    world.advance_ms(world.settings.index_lag_ms[1] + world.settings.read_lag_ms + 1)
    assert world.items("Query", IN_INDEX) == [item(str(number % 7), number) for number in range(93, 100)]
    world.finish()
    assert world.store.log_read(0, 1) == [], "the log keeps what nobody needs"
    check_all(world)
