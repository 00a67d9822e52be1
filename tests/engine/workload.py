"""A random workload on two tables, and beside it the same workload on plain dicts."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import Any, NamedTuple

import orjson
from tests.engine.faults import FaultyStore
from tests.engine.support import Answer, Dice, Item, Request, World, index_of, table_of
from tests.engine.truth import check_all, held

from partita.errors import DynamoDBError
from partita.storage import StoreFailed

TABLES = ("music", "plain")
MUSIC_TYPES = {"pk": "S", "sk": "N", "gpk": "S", "gsk": "S", "st": "S", "step": "N", "score": "N"}

Model = dict[str, dict[str, Item]]
"""Table -> key -> item."""


def create_tables(world: World) -> None:
    """`music`: an overloaded sparse index, one that includes `note`, and a local one. `plain`: a hash key."""
    music = table_of(
        "music",
        "pk",
        "sk",
        types=MUSIC_TYPES,
        global_indexes=[
            index_of("overloaded", ["gpk"], ["gsk"]),
            index_of("by_state", ["st"], ["step"], projection=["note"]),
        ],
        local_indexes=[index_of("by_score", ["pk"], ["score"], projection="KEYS_ONLY")],
    )
    world.call("CreateTable", music)
    world.call("CreateTable", table_of("plain", "pk", types={"pk": "S"}))
    world.finish()


def key_text(key: Item) -> str:
    return str([key[name] for name in ("pk", "sk") if name in key])


def plain(item: Item) -> str:
    """An item as text that is equal for equal items, whatever the order of names and set members."""
    return orjson.dumps(
        {n: {"SS": sorted(v["SS"])} if "SS" in v else v for n, v in item.items()},
        option=orjson.OPT_SORT_KEYS,
    ).decode()


# -- what can be asked for
class Condition(NamedTuple):
    text: str
    values: Item
    holds: Callable[[Item], bool]


CONDITIONS: list[Condition] = [
    Condition("attribute_not_exists(pk)", {}, lambda item: not item),
    Condition("attribute_exists(pk)", {}, bool),
    Condition("size(pk) > :cn", {":cn": {"N": "0"}}, bool),
    Condition("version = :cv", {":cv": {"N": "1"}}, lambda item: item.get("version") == {"N": "1"}),
    Condition(
        "attribute_not_exists(version) OR version < :cv",
        {":cv": {"N": "2"}},
        lambda item: "version" not in item or Decimal(item["version"]["N"]) < 2,
    ),
]


class Update(NamedTuple):
    text: str | None
    values: Item
    apply: Callable[[Item, Item], None]
    """Changes an item (that exists, or has its key only) in place."""
    creates: bool = True
    fails: bool = False


def _set(**names: str) -> Callable[[Item, Item], None]:
    return lambda item, values: item.update({name: values[value] for name, value in names.items()})


def _add_version(item: Item, values: Item) -> None:
    item["version"] = {"N": str(int(item.get("version", {"N": "0"})["N"]) + 1)}


def _add_tags(item: Item, values: Item) -> None:
    item["tags"] = {"SS": sorted({*item.get("tags", {"SS": []})["SS"], *values[":tags"]["SS"]})}


def _delete_tags(item: Item, values: Item) -> None:
    left = set(item.pop("tags", {"SS": []})["SS"]) - set(values[":tags"]["SS"])
    if left:
        item["tags"] = {"SS": sorted(left)}


def _append(item: Item, values: Item) -> None:
    item["hist"] = {"L": [*item.get("hist", {"L": []})["L"], *values[":more"]["L"]]}


def _remove(*names: str) -> Callable[[Item, Item], None]:
    def apply(item: Item, values: Item) -> None:
        for name in names:
            item.pop(name, None)

    return apply


def _score_without_step(item: Item, values: Item) -> None:
    item["score"] = values[":s"]
    item.pop("step", None)


def update_of(dice: Dice) -> Update:
    letter, number = {"S": dice.pick("xyz")}, {"N": str(dice.below(3))}
    return dice.pick(
        [
            Update("SET gpk = :g, gsk = :g", {":g": letter}, _set(gpk=":g", gsk=":g")),
            Update("SET gsk = :g", {":g": letter}, _set(gsk=":g")),
            Update("SET st = :t, step = :a", {":t": letter, ":a": number}, _set(st=":t", step=":a")),
            Update("SET step = :a", {":a": number}, _set(step=":a")),
            Update("SET score = :s REMOVE step", {":s": number}, _score_without_step),
            Update("ADD version :one", {":one": {"N": "1"}}, _add_version),
            Update("SET note = :n", {":n": note(dice)}, _set(note=":n")),
            Update("ADD tags :tags", {":tags": {"SS": [letter["S"]]}}, _add_tags),
            Update("DELETE tags :tags", {":tags": {"SS": [letter["S"]]}}, _delete_tags, creates=False),
            Update(
                "SET hist = list_append(if_not_exists(hist, :none), :more)",
                {":none": {"L": []}, ":more": {"L": [number]}},
                _append,
            ),
            Update("REMOVE gpk, score", {}, _remove("gpk", "score"), creates=False),
            Update("REMOVE step", {}, _remove("step"), creates=False),
            Update(None, {}, _remove()),
            Update("SET note = absent", {}, _remove(), fails=True),
        ]
    )


def note(dice: Dice) -> dict[str, str]:
    """Texts of which the longer ones cross a unit of capacity and what fits a cell."""
    return {"S": dice.pick("no") * dice.pick([0, 1, 5, 300, 1100, 4200])}


def key_of(dice: Dice, table: str) -> Item:
    key: Item = {"pk": {"S": dice.pick("abc")}}
    return key if table == "plain" else {**key, "sk": {"N": dice.pick(["-1", "0", "2", "10"])}}


def item_of(dice: Dice, table: str) -> Item:
    item = key_of(dice, table)
    for name, value in (
        ("gpk", {"S": dice.pick("xyz")}),
        ("gsk", {"S": dice.pick("xyz")}),
        ("st", {"S": dice.pick("xyz")}),
        ("step", {"N": str(dice.below(3))}),
        ("score", {"N": str(dice.below(3))}),
        ("version", {"N": "1"}),
        ("note", note(dice)),
    ):
        if dice.below(4):
            item[name] = value
    return item


class Action(NamedTuple):
    """One write, as a request's parameters, and what it makes of the item that it meets."""

    kind: str
    """Put, Update, Delete or ConditionCheck."""
    table: str
    key: Item
    parameters: Request
    condition: Condition | None
    make: Callable[[Item | None], Item | None]
    fails: bool = False

    @property
    def operation(self) -> str:
        return f"{self.kind}Item"


def action_of(dice: Dice, kinds: Sequence[str], table: str | None = None) -> Action:
    kind = dice.pick(kinds)
    table = table or dice.pick(("music", "music", "music", "plain"))
    condition = dice.pick(CONDITIONS) if kind == "ConditionCheck" or dice.is_rare(3) else None
    values = dict(condition.values) if condition is not None else {}
    parameters: Request = {"TableName": table}
    make: Callable[[Item | None], Item | None]
    key: Item
    fails = False
    if kind == "Put":
        item = item_of(dice, table)
        key = {name: item[name] for name in ("pk", "sk") if name in item}
        parameters["Item"] = item
        make = lambda old: item  # noqa: E731
    else:
        key = parameters["Key"] = key_of(dice, table)
        make = (lambda old: None) if kind == "Delete" else (lambda old: old)
        if kind == "Update":
            update = update_of(dice)
            values |= update.values
            if update.text is not None:
                parameters["UpdateExpression"] = update.text
            elif condition is not None:
                values, condition = {}, None
            fails = update.fails
            make = _maker(update, key)
    if condition is not None:
        parameters["ConditionExpression"] = condition.text
    if values:
        parameters["ExpressionAttributeValues"] = values
    return Action(kind, table, key, parameters, condition, make, fails)


def _maker(update: Update, key: Item) -> Callable[[Item | None], Item | None]:
    def make(old: Item | None) -> Item | None:
        if old is None and not update.creates:
            return None
        new = copy.deepcopy(old if old is not None else key)
        update.apply(new, update.values)
        return new

    return make


WRITES = ("Put", "Put", "Update", "Update", "Delete")


class Workload:
    """The database, the model, and steps that keep the two alike."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.model: Model = {name: {} for name in TABLES}
        self._snapshots: list[tuple[Any, Model, World]] = []

    def is_true_now(self) -> bool:
        """Whether reads without ConsistentRead and descriptions show the present."""
        return not self.world.settings.keeps_log

    # -- the model
    def old(self, action: Action) -> Item | None:
        return self.model[action.table].get(key_text(action.key))

    def take(self, action: Action) -> None:
        new = action.make(self.old(action))
        if new is None:
            self.model[action.table].pop(key_text(action.key), None)
        else:
            self.model[action.table][key_text(action.key)] = new

    def fault_of(self, action: Action) -> str | None:
        """The name of the error that the action must meet by itself."""
        if action.condition is not None and not action.condition.holds(self.old(action) or {}):
            return "ConditionalCheckFailedException"
        return "ValidationException" if action.fails else None

    # -- steps
    def write(self, dice: Dice) -> None:
        self.carry_out(action_of(dice, WRITES), "ALL_OLD" if dice.is_rare(2) else "NONE")

    def carry_out(self, action: Action, returned: str = "NONE") -> None:
        """Puts, updates or deletes, with the outcome that the model has."""
        expected = self.fault_of(action)
        old = self.old(action)
        answer = self.world.attempt(action.operation, {**action.parameters, "ReturnValues": returned})
        if isinstance(answer, DynamoDBError):
            assert answer.name == expected, answer.words(action.operation)
            return
        assert expected is None
        assert ("Attributes" in answer) is (returned == "ALL_OLD" and old is not None)
        if "Attributes" in answer:
            assert plain(answer["Attributes"]) == plain(old or {})
        self.take(action)

    def batch_write(self, dice: Dice) -> None:
        actions = distinct([action_of(dice, ("Put", "Delete")) for _ in range(1 + dice.below(7))])
        requests: dict[str, list[Request]] = {}
        for action in actions:
            name, member = ("PutRequest", "Item") if action.kind == "Put" else ("DeleteRequest", "Key")
            requests.setdefault(action.table, []).append({name: {member: action.parameters[member]}})
        answer = self.world.call("BatchWriteItem", {"RequestItems": requests})
        unprocessed = answer["UnprocessedItems"]
        assert sum(map(len, unprocessed.values())) < len(actions)
        left = {
            (table, key_text(request.get("PutRequest", {}).get("Item") or request["DeleteRequest"]["Key"]))
            for table, left in unprocessed.items()
            for request in left
        }
        for action in actions:
            if (action.table, key_text(action.key)) not in left:
                self.take(action)

    def transact(self, dice: Dice) -> None:
        kinds = (*WRITES, "ConditionCheck")
        actions = distinct([action_of(dice, kinds) for _ in range(1 + dice.below(8))])
        # There an Update must have an expression.
        actions = [a for a in actions if a.kind != "Update" or "UpdateExpression" in a.parameters]
        if not actions:
            return
        request = {"TransactItems": [{action.kind: action.parameters} for action in actions]}
        faults = [self.fault_of(action) for action in actions]
        answer = self.world.attempt("TransactWriteItems", request)
        if isinstance(answer, DynamoDBError):
            assert answer.name == "TransactionCanceledException", answer.words("TransactWriteItems")
            codes = [reason["Code"] for reason in answer.members["CancellationReasons"]]
            assert codes == reason_codes(actions, faults)
            return
        assert not any(faults)
        for action in actions:
            self.take(action)

    def read(self, dice: Dice) -> None:
        """Compares what strong reads show (or any, if nothing lags) with the model."""
        read = dice.pick([self._get, self._get_many, self._query, self._query_index, self._scan])
        read(dice)

    def _get(self, dice: Dice) -> None:
        table = dice.pick(TABLES)
        key = key_of(dice, table)
        answer = self.world.call("GetItem", {"TableName": table, "Key": key, "ConsistentRead": True})
        self._is_same(answer.get("Item"), self.model[table].get(key_text(key)))

    def _get_many(self, dice: Dice) -> None:
        wanted = {(t, key_text(k)): (t, k) for t in TABLES for k in [key_of(dice, t), key_of(dice, t)]}
        gets = [{"Get": {"TableName": table, "Key": key}} for table, key in wanted.values()]
        answer = self.world.call("TransactGetItems", {"TransactItems": gets})
        for (table, key), response in zip(wanted.values(), answer["Responses"], strict=True):
            self._is_same(response.get("Item"), self.model[table].get(key_text(key)))

    def _query(self, dice: Dice) -> None:
        pk = {"S": dice.pick("abc")}
        request = {
            "TableName": "music",
            "KeyConditionExpression": "pk = :pk",
            "ExpressionAttributeValues": {":pk": pk},
            "ConsistentRead": True,
            "Limit": 1 + dice.below(5),
        }
        expected = [item for item in self.model["music"].values() if item["pk"] == pk]
        sort = "sk"
        if dice.is_rare(2):
            request |= {"IndexName": "by_score", "Select": "ALL_ATTRIBUTES"}
            expected = [item for item in expected if "score" in item]
            sort = "score"
        self._is_in_order(self.world.items("Query", request), expected, sort)

    def _query_index(self, dice: Dice) -> None:
        if not self.is_true_now():
            return
        value = {"S": dice.pick("xyz")}
        index, hash_name, sort = dice.pick([("overloaded", "gpk", "gsk"), ("by_state", "st", "step")])
        request = {
            "TableName": "music",
            "IndexName": index,
            "KeyConditionExpression": f"{hash_name} = :v",
            "ExpressionAttributeValues": {":v": value},
            "Limit": 1 + dice.below(5),
        }
        expected = [i for i in self.model["music"].values() if i.get(hash_name) == value and sort in i]
        if index == "by_state":
            names = ("pk", "sk", "st", "step", "note")
            expected = [{name: item[name] for name in names if name in item} for item in expected]
        self._is_in_order(self.world.items("Query", request), expected, sort)

    def _scan(self, dice: Dice) -> None:
        table = dice.pick(TABLES)
        request = {"TableName": table, "ConsistentRead": True, "Limit": 1 + dice.below(9)}
        found = self.world.items("Scan", request)
        assert sorted(map(plain, found)) == sorted(map(plain, self.model[table].values()))

    def _is_same(self, found: Item | None, expected: Item | None) -> None:
        assert (found is None) is (expected is None)
        assert plain(found or {}) == plain(expected or {})

    def _is_in_order(self, found: list[Item], expected: list[Item], sort: str) -> None:
        assert sorted(map(plain, found)) == sorted(map(plain, expected))
        values = [item[sort] for item in found]
        order = [Decimal(v["N"]) if "N" in v else v["S"] for v in values]
        assert order == sorted(order)

    def snapshot(self, dice: Dice) -> None:
        self._snapshots.append((self.world.snapshot(), copy.deepcopy(self.model), self.world))

    def restore(self, dice: Dice) -> None:
        if not self._snapshots:
            return
        snapshot, model, _ = dice.pick(self._snapshots)
        self.world.restore(snapshot)
        self.model = copy.deepcopy(model)

    def reopen(self, dice: Dice) -> None:
        self.world.reopen()

    def change_profile(self, dice: Dice) -> None:
        """Ends, and starts with other numbers."""
        profile, numbers = dice.pick(PROFILES)
        self.world.configure(profile, **numbers)

    def lose_turn(self, dice: Dice) -> None:
        """Several requests share a turn that cannot be made durable: none of them has happened."""
        store = self.world.store
        assert isinstance(store, FaultyStore)
        fault = dice.below(3)
        if fault == 0:
            store.writes_until_fault = dice.below(6)
        else:
            store.is_commit_faulty = True
        running = []
        has_failed = False
        try:
            self.world.engine.run_due()
            for _ in range(1 + dice.below(5)):
                action = action_of(dice, WRITES)
                request = self.world.start(action.operation, action.parameters)
                running.append(request)
                request.step_in_turn()
        except StoreFailed:
            has_failed = True
        if fault == 2:
            store.faulty_turns = dice.below(3)
        store.is_commit_faulty |= not has_failed
        try:
            self.world.engine.flush()
        except StoreFailed:
            has_failed = True
        assert has_failed
        for request in running:
            request.close()
        store.heal()

    def wait(self, dice: Dice) -> None:
        self.world.advance_ms(dice.pick([0, 1, 5, 30, 700]))
        self.world.engine.run_due()
        self.world.engine.flush()

    def check(self, dice: Dice | None = None) -> None:
        """Indexes, counts and books agree with the items, and those with the model."""
        self.world.finish()
        check_all(self.world)
        for name in TABLES:
            table = self.world.table(name)
            found = {key_text(item): plain(item) for item, _ in held(self.world, table.space).values()}
            assert found == {key: plain(item) for key, item in self.model[name].items()}
            if not self.world.settings.count_refresh_seconds:
                self._check_description(name)

    def _check_description(self, name: str) -> None:
        table = self.world.table(name)
        described: Answer = self.world.call("DescribeTable", {"TableName": name})["Table"]
        assert described["ItemCount"] == len(self.model[name])
        assert described["TableSizeBytes"] == table.size_bytes
        for member in ("GlobalSecondaryIndexes", "LocalSecondaryIndexes"):
            for index in described.get(member, []):
                held_index = table.indexes[index["IndexName"]]
                assert index["ItemCount"] == held_index.item_count
                assert index["IndexSizeBytes"] == held_index.size_bytes


PROFILES: list[tuple[str, dict[str, Any]]] = [
    ("instant", {}),
    ("aws", {}),
    ("hostile", {}),
    ("instant", {"read_lag_ms": 20, "stale_read_chance": 0.5}),
    ("instant", {"index_lag_ms": (1, 1)}),
    ("instant", {"unprocessed_chance": 0.5, "transaction_hold_ms": (1, 1), "page_bytes": 500}),
]


def distinct(actions: list[Action]) -> list[Action]:
    return list({(action.table, key_text(action.key)): action for action in actions}.values())


def reason_codes(actions: list[Action], faults: list[str | None]) -> list[str]:
    """Facts 13.5 – 13.8: an error of the data is told alone; else all conditions that failed."""
    codes = {"ConditionalCheckFailedException": "ConditionalCheckFailed"}
    for at, fault in enumerate(faults):
        if fault == "ValidationException":
            return ["ValidationError" if at == position else "None" for position in range(len(actions))]
    return [codes[fault] if fault else "None" for fault in faults]
