"""Capacity of every operation, per table and index, against the rules written plainly (section 14)."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests import counts
from tests.engine.item_sizes import blocks, item_bytes
from tests.engine.support import Answer, Dice, Item, Request, World, dice, runs
from tests.engine.workload import (
    TABLES,
    WRITES,
    Action,
    Workload,
    action_of,
    create_tables,
    distinct,
    key_of,
    key_text,
    plain,
)

from partita.errors import DynamoDBError
from partita.storage import WRITE, Decision

Units = dict[str | None, float]
"""Index name -> units; None: the table's own."""

KEYS = ("pk", "sk")
INDEXES: dict[str, tuple[tuple[str, ...], tuple[str, ...] | None]] = {
    # name: (key attributes, other attributes that it holds; None: all)
    "overloaded": (("gpk", "gsk"), None),
    "by_state": (("st", "step"), ("note",)),
    "by_score": (("pk", "score"), ()),
}
GLOBAL = ("overloaded", "by_state")


def entry_of(index: str, item: Item | None) -> Item | None:
    """What the index holds of an item."""
    keys, others = INDEXES[index]
    if item is None or not all(name in item for name in keys):
        return None
    return {n: v for n, v in item.items() if others is None or n in KEYS or n in keys or n in others}


def index_units(index: str, old: Item | None, new: Item | None) -> float:
    """Facts 14.9 – 14.13."""
    before, after = entry_of(index, old), entry_of(index, new)
    if before is None or after is None:
        entry = before or after
        return blocks(item_bytes(entry), 1024) if entry is not None else 0
    if [before[name] for name in INDEXES[index][0]] != [after[name] for name in INDEXES[index][0]]:
        return blocks(item_bytes(before), 1024) + blocks(item_bytes(after), 1024)
    if plain(before) == plain(after):
        return 0
    return blocks(max(item_bytes(before), item_bytes(after)), 1024)


def write_units(table: str, old: Item | None, new: Item | None, times: int = 1) -> Units:
    """Fact 14.5; a transaction doubles the table's part only."""
    units: Units = {None: times * blocks(max(item_bytes(old or {}), item_bytes(new or {})), 1024)}
    if table == "music":
        units |= {index: index_units(index, old, new) for index in INDEXES}
    return units


def read_units(size: int, strong: bool) -> float:
    return blocks(size, 4096) * (1 if strong else 0.5)


def consumed(table: str, units: Units, level: str, member: str | None = None) -> Answer:
    """Facts 14.7, 14.14, 14.16: the member of the answer."""

    def arm(of: float) -> Answer:
        return {"CapacityUnits": of, **({member: of} if member else {})}

    answer: Answer = {"TableName": table, **arm(sum(units.values()))}
    if level == "INDEXES":
        answer["Table"] = arm(units.get(None, 0))
        for kind, is_global in (("GlobalSecondaryIndexes", True), ("LocalSecondaryIndexes", False)):
            arms = {i: arm(u) for i, u in units.items() if i and u and (i in GLOBAL) is is_global}
            if arms:
                answer[kind] = arms
    return answer


def total(all_units: list[Units]) -> Units:
    names = {name for units in all_units for name in units}
    return {name: sum(units.get(name, 0) for units in all_units) for name in names}


class Metered:
    """A workload of which every request tells its capacity."""

    def __init__(self, world: World) -> None:
        create_tables(world)
        self.world = world
        self.workload = Workload(world)
        self.level = "INDEXES"

    def _call(self, operation: str, request: Request) -> Answer | None:
        """None if it failed: then it tells no capacity (fact 14.18)."""
        answer = self.world.attempt(operation, {**request, "ReturnConsumedCapacity": self.level})
        if not isinstance(answer, DynamoDBError):
            return answer
        assert "ConsumedCapacity" not in answer.body(operation)
        return None

    def _is(self, answer: Answer, table: str, units: Units) -> None:
        assert answer.get("ConsumedCapacity") == self._told(table, units)

    def _are(self, answer: Answer, by_table: dict[str, list[Units]], member: str | None = None) -> None:
        """Fact 14.17: one entry a table."""
        told = [self._told(table, total(units), member) for table, units in by_table.items()]
        found = answer.get("ConsumedCapacity")
        if self.level == "NONE":
            assert found is None
        else:
            assert sorted(found or [], key=str) == sorted(told, key=str)

    def _told(self, table: str, units: Units, member: str | None = None) -> Answer | None:
        return consumed(table, units, self.level, member) if self.level != "NONE" else None

    def _units(self, action: Action, times: int = 1) -> Units:
        old = self.workload.old(action)
        return write_units(action.table, old, action.make(old), times)

    # -- writes
    def write(self, rolled: Dice) -> None:
        action = action_of(rolled, WRITES)
        answer = self._call(action.operation, action.parameters)
        if answer is not None:
            self._is(answer, action.table, self._units(action))
            self.workload.take(action)

    def batch_write(self, rolled: Dice) -> None:
        actions = distinct([action_of(rolled, ("Put", "Delete")) for _ in range(1 + rolled.below(7))])
        requests: dict[str, list[Request]] = {}
        by_table: dict[str, list[Units]] = {}
        for action in actions:
            name, member = ("PutRequest", "Item") if action.kind == "Put" else ("DeleteRequest", "Key")
            requests.setdefault(action.table, []).append({name: {member: action.parameters[member]}})
            by_table.setdefault(action.table, []).append(self._units(action))
        answer = self._call("BatchWriteItem", {"RequestItems": requests})
        assert answer is not None
        self._are(answer, by_table)
        for action in actions:
            self.workload.take(action)

    def transact(self, rolled: Dice) -> None:
        kinds = (*WRITES, "ConditionCheck")
        actions = distinct([action_of(rolled, kinds) for _ in range(1 + rolled.below(6))])
        actions = [a for a in actions if a.kind != "Update" or "UpdateExpression" in a.parameters]
        if not actions:
            return
        by_table: dict[str, list[Units]] = {}
        for action in actions:
            by_table.setdefault(action.table, []).append(self._units(action, times=2))
        token = str(rolled.below(100))
        request = {
            "TransactItems": [{action.kind: action.parameters} for action in actions],
            "ClientRequestToken": token,
        }
        answer = self._call("TransactWriteItems", request)
        if answer is None:
            return
        self._are(answer, by_table, "WriteCapacityUnits")
        # Told again, nothing happens, and it costs what reading the items costs that the first call met.
        reads: dict[str, list[Units]] = {}
        for action in actions:
            old = self.workload.old(action)
            size = max(item_bytes(item or {}) for item in (old, action.make(old)))
            reads.setdefault(action.table, []).append({None: 2 * read_units(size, True)})
            self.workload.take(action)
        replayed = self._call("TransactWriteItems", request)
        assert replayed is not None
        self._are(replayed, reads, "ReadCapacityUnits")
        self.world.clock.advance(601)

    # -- reads of single items
    def get(self, rolled: Dice) -> None:
        table, strong = rolled.pick(TABLES), rolled.below(2) == 0
        key = key_of(rolled, table)
        request: Request = {"TableName": table, "Key": key, "ConsistentRead": strong}
        if rolled.below(2):
            request["ProjectionExpression"] = "pk"
        answer = self._call("GetItem", request)
        assert answer is not None
        item = self.workload.model[table].get(key_text(key), {})
        self._is(answer, table, {None: read_units(item_bytes(item), strong)})

    def get_many(self, rolled: Dice) -> None:
        keys = {(t, key_text(k)): (t, k) for t in TABLES for k in [key_of(rolled, t) for _ in range(4)]}
        strong = rolled.below(2) == 0
        requests: dict[str, Request] = {}
        batch: dict[str, list[Units]] = {}
        transaction: dict[str, list[Units]] = {}
        for (table, text), (_, key) in keys.items():
            size = item_bytes(self.workload.model[table].get(text, {}))
            of_table = requests.setdefault(table, {"Keys": [], "ConsistentRead": strong})
            of_table["Keys"].append(key)
            batch.setdefault(table, []).append({None: read_units(size, strong)})
            transaction.setdefault(table, []).append({None: 2 * read_units(size, True)})
        answer = self._call("BatchGetItem", {"RequestItems": requests})
        assert answer is not None
        self._are(answer, batch)
        gets = [{"Get": {"TableName": table, "Key": key}} for table, key in keys.values()]
        answer = self._call("TransactGetItems", {"TransactItems": gets})
        assert answer is not None
        self._are(answer, transaction, "ReadCapacityUnits")

    # -- reads of many
    def read(self, rolled: Dice) -> None:
        """Sizes are summed over the page and rounded once (fact 14.2); what is left out costs as much."""
        operation, request, index = self._read_of(rolled)
        strong = rolled.below(2) == 0 and index not in GLOBAL
        request |= {"ConsistentRead": strong}
        if rolled.below(2):
            request["Limit"] = 1 + rolled.below(4)
        while True:
            answer = self._call(operation, request)
            assert answer is not None
            units = read_units(sum(map(item_bytes, answer["Items"])), strong)
            self._is(answer, request["TableName"], {index: units})
            for variant in ({"Select": "COUNT"}, FILTERED, {"ProjectionExpression": "pk"}):
                self._costs_as_much(operation, request, variant, answer)
            if index == "by_score":
                self._check_fetch(operation, request, answer, units, strong)
            if "LastEvaluatedKey" not in answer:
                return
            request = {**request, "ExclusiveStartKey": answer["LastEvaluatedKey"]}

    def _read_of(self, rolled: Dice) -> tuple[str, Request, str | None]:
        table = rolled.pick(("music", "music", "plain"))
        index = rolled.pick((None, *INDEXES)) if table == "music" else None
        request: Request = {"TableName": table, **({"IndexName": index} if index else {})}
        if rolled.below(2):
            return "Scan", request, index
        name = INDEXES[index][0][0] if index else "pk"
        request |= {
            "KeyConditionExpression": f"{name} = :k",
            "ExpressionAttributeValues": {":k": {"S": rolled.pick("abc" if name == "pk" else "xyz")}},
        }
        return "Query", request, index

    def _costs_as_much(self, operation: str, request: Request, variant: Request, plainly: Answer) -> None:
        values = {**request.get("ExpressionAttributeValues", {}), **variant.get(VALUES, {})}
        answer = self._call(operation, {**request, **variant, **({VALUES: values} if values else {})})
        assert answer is not None
        assert answer.get("ConsumedCapacity") == plainly.get("ConsumedCapacity")
        assert answer["ScannedCount"] == plainly["ScannedCount"]

    def _check_fetch(
        self, operation: str, request: Request, entries: Answer, units: float, strong: bool
    ) -> None:
        """A local index that must fetch adds one read of the table for each item."""
        items = [self.workload.model["music"][key_text(entry)] for entry in entries["Items"]]
        fetched = sum(read_units(item_bytes(item), strong) for item in items)
        for variant in ({"Select": "ALL_ATTRIBUTES"}, {"ProjectionExpression": "pk, note"}):
            answer = self._call(operation, {**request, **variant})
            assert answer is not None
            self._is(answer, "music", {None: fetched, "by_score": units})
            if "Select" in variant:
                assert list(map(plain, answer["Items"])) == list(map(plain, items))


VALUES = "ExpressionAttributeValues"
FILTERED: dict[str, Any] = {"FilterExpression": "hist = :none", VALUES: {":none": {"S": "never"}}}

STEPS = (*("write",) * 6, *("batch_write",) * 2, *("transact",) * 3, "get", "get_many", *("read",) * 2)


@given(rolled=dice(800), steps=st.integers(0, 30))
@runs(counts.CAPACITY_WORKLOADS)
def test_every_request_costs_what_the_rules_say(rolled: Dice, steps: int) -> None:
    metered = Metered(World())
    for _ in range(steps):
        metered.level = rolled.pick(("INDEXES", "INDEXES", "TOTAL", "NONE"))
        getattr(metered, rolled.pick(STEPS))(rolled)
    metered.workload.check()


@pytest.mark.parametrize("before", [None, 0, 900, 1100, 4200])
@pytest.mark.parametrize("after", [None, 0, 900, 1100, 4200])
@pytest.mark.parametrize("is_moved", [False, True])
def test_facts_14_5_and_14_9_to_14_13_the_larger_of_before_and_after(
    before: int | None, after: int | None, is_moved: bool
) -> None:
    """None: no item."""

    def item(size: int | None, letter: str) -> Item | None:
        names = ("gpk", "gsk", "st")
        keys = {"pk": {"S": "a"}, "sk": {"N": "1"}, "step": {"N": "1"}, "score": {"N": "1"}}
        letters = {name: {"S": letter} for name in names}
        return None if size is None else {**keys, **letters, "note": {"S": "n" * size}}

    old, new = item(before, "x"), item(after, "y" if is_moved else "x")
    world = World()
    create_tables(world)
    if old is not None:
        world.call("PutItem", {"TableName": "music", "Item": old})
    request: Request = {"TableName": "music", "ReturnConsumedCapacity": "INDEXES"}
    if new is None:
        answer = world.call("DeleteItem", {**request, "Key": {"pk": {"S": "a"}, "sk": {"N": "1"}}})
    else:
        answer = world.call("PutItem", {**request, "Item": new})
    assert answer["ConsumedCapacity"] == consumed("music", write_units("music", old, new), "INDEXES")


def test_lagging_indexes_are_charged_with_the_write() -> None:
    world = World("hostile")
    create_tables(world)
    item = {
        "pk": {"S": "a"},
        "sk": {"N": "1"},
        "gpk": {"S": "x"},
        "gsk": {"S": "x"},
        "note": {"S": "n" * 1500},
    }
    request = {"TableName": "music", "Item": item, "ReturnConsumedCapacity": "INDEXES"}
    answer = world.call("PutItem", request)
    assert answer["ConsumedCapacity"] == consumed("music", {None: 2, "overloaded": 2}, "INDEXES")


@pytest.mark.parametrize(
    ("size_bytes", "range_gb"),
    [(0, [0.0, 1.0]), (2**30 - 100, [0.0, 1.0]), (2**30, [1.0, 2.0]), (5 * 2**30 + 5, [5.0, 6.0])],
)
def test_facts_14_20_and_14_21_metrics_of_an_item_collection(size_bytes: int, range_gb: list[float]) -> None:
    world = World()
    create_tables(world)
    item = {"pk": {"S": "a"}, "sk": {"N": "1"}}
    world.call("PutItem", {"TableName": "music", "Item": item})
    set_collection_bytes(world, size_bytes)
    told = {"ItemCollectionKey": {"pk": {"S": "a"}}, "SizeEstimateRangeGB": range_gb}
    size = {"ReturnItemCollectionMetrics": "SIZE"}
    update = {
        "TableName": "music",
        "Key": item,
        "UpdateExpression": "SET note = :n",
        "ExpressionAttributeValues": {":n": {"S": "n"}},
    }
    assert world.call("UpdateItem", {**update, **size})["ItemCollectionMetrics"] == told
    batch = {"RequestItems": {"music": [{"PutRequest": {"Item": item}}]}}
    assert world.call("BatchWriteItem", {**batch, **size})["ItemCollectionMetrics"] == {"music": [told]}
    transaction = {"TransactItems": [{"Put": {"TableName": "music", "Item": item}}]}
    answer = world.call("TransactWriteItems", {**transaction, **size})
    assert answer["ItemCollectionMetrics"] == {"music": [told]}
    # Not without asking, and not for a table without local indexes.
    assert "ItemCollectionMetrics" not in world.call("UpdateItem", update)
    put = {"TableName": "plain", "Item": {"pk": {"S": "a"}}}
    assert "ItemCollectionMetrics" not in world.call("PutItem", {**put, **size})


def set_collection_bytes(world: World, size_bytes: int) -> None:
    """Makes the collection's book say so, as if it held gigabytes."""
    space = world.table("music").collections_space
    ((partition, *_),) = world.rows(space)
    decision = Decision([(space, partition, b"", b"", size_bytes)], (), (), None)
    transacting = world.store.transact([(space, partition, b"", WRITE)], lambda rows, stamp: decision)
    with pytest.raises(StopIteration):
        transacting.send(None)
    world.store.commit()
