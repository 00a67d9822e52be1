"""Global indexes made and deleted on a table with data, amid writes, restarts and failures (fact 16.22)."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from tests import counts
from tests.engine.faults import FaultyStore
from tests.engine.item_sizes import Item
from tests.engine.support import Answer, Dice, Request, World, dice, index_of, runs
from tests.engine.truth import held
from tests.engine.workload import Action, Workload, create_tables, item_of, key_text, plain

from partita.engine.agenda import drive
from partita.errors import DynamoDBError
from partita.storage import StoreFailed

INDEXES: list[tuple[Request, dict[str, str]]] = [
    (index_of("new", ["version"]), {"version": "N"}),
    (index_of("new", ["gsk"], ["step"], projection="KEYS_ONLY"), {"gsk": "S", "step": "N"}),
    (
        index_of("new", ["st", "score"], ["gpk", "step", "sk"], projection=["note", "version"]),
        {"st": "S", "score": "N", "gpk": "S", "step": "N", "sk": "N"},
    ),
]
PROFILES: list[tuple[str, dict[str, Any]]] = [
    ("instant", {}),
    ("aws", {}),
    ("hostile", {}),
    ("instant", {"index_lag_ms": (1, 30), "index_transition_ms": 20}),
    ("instant", {"table_transition_ms": 30, "index_transition_ms": 10}),
]
FILLING = 150

Phase = tuple[str, bool | None]
"""IndexStatus and Backfilling; the empty status: there is no such index."""

PHASES: list[Phase] = [
    ("CREATING", False),
    ("CREATING", True),
    ("ACTIVE", None),
    ("DELETING", None),
    ("", None),
]


def many(dice: Dice, number: int) -> Item:
    """One of the items that fill the table."""
    keys = {"pk": {"S": f"many {number % 7}"}, "sk": {"N": str(number)}}
    return {**item_of(dice, "music"), **keys}


class Making:
    """A table that an index is made on, and what has been seen of the index."""

    def __init__(self, world: World, rolled: Dice) -> None:
        create_tables(world)
        self.world = world
        self.workload = Workload(world)
        for number in range(rolled.below(FILLING)):
            self._write("Put", many(rolled, number))
        self.definition, self.types = rolled.pick(INDEXES)
        world.slices = 0
        self._phase: Phase = ("", None)
        self._spaces: list[int] = []
        """Of indexes that there were."""
        self._untouched: dict[str, Item] = {}
        """Items that were there before the index, and that nothing has written since."""

    def _write(self, kind: str, item: Item) -> None:
        key = {name: item[name] for name in ("pk", "sk")}
        parameters: Request = {"TableName": "music", **({"Item": item} if kind == "Put" else {"Key": key})}
        new = item if kind == "Put" else None
        self.workload.carry_out(Action(kind, "music", key, parameters, None, lambda old: new))

    # -- the table's changes
    def _update_table(self, update: Request) -> Answer | DynamoDBError:
        definitions = [{"AttributeName": n, "AttributeType": t} for n, t in self.types.items()]
        request = {"TableName": "music", "GlobalSecondaryIndexUpdates": [update]}
        return self.world.attempt("UpdateTable", {**request, "AttributeDefinitions": definitions})

    def create(self, rolled: Dice) -> None:
        answer = self._update_table({"Create": self.definition})
        if isinstance(answer, DynamoDBError):
            assert self._phase[0], answer.words("UpdateTable")
            return
        assert not self._phase[0]
        assert self._described(answer["TableDescription"]) == ("CREATING", False)
        self._untouched = dict(self.workload.model["music"])
        self._phase = ("CREATING", False)
        self._spaces.append(self.world.table("music").indexes["new"].space)

    def delete(self, rolled: Dice) -> None:
        before = self.look()
        is_busy = self._table_status() != "ACTIVE"
        answer = self._update_table({"Delete": {"IndexName": "new"}})
        if isinstance(answer, DynamoDBError):
            assert is_busy or before in (("CREATING", False), ("DELETING", None), ("", None))
            return
        assert not is_busy
        assert before[0] in ("CREATING", "ACTIVE")
        self._phase = ("DELETING", None)
        # Another one may follow.
        self.definition, self.types = rolled.pick(INDEXES)

    def delete_table(self, rolled: Dice) -> None:
        """Refused while the index is in the making; else not asked for."""
        if self.look()[0] == "CREATING" or self._table_status() != "ACTIVE":
            answer = self.world.attempt("DeleteTable", {"TableName": "music"})
            assert isinstance(answer, DynamoDBError)
            assert answer.name == "ResourceInUseException"

    # -- what goes on meanwhile
    def write(self, rolled: Dice) -> None:
        self.workload.write(rolled)

    def write_many(self, rolled: Dice) -> None:
        """Items before and after the place that the backfill has come to."""
        for _ in range(1 + rolled.below(5)):
            kind = rolled.pick(("Put", "Delete"))
            self._write(kind, many(rolled, rolled.below(FILLING + 20)))

    def transact(self, rolled: Dice) -> None:
        self.workload.transact(rolled)

    def lose_turn(self, rolled: Dice) -> None:
        self.workload.lose_turn(rolled)

    def read(self, rolled: Dice) -> None:
        self.workload.read(rolled)

    # -- the work itself
    def slice(self, rolled: Dice) -> None:
        self.world.engine.run_due(1 + rolled.below(2))
        self.world.engine.flush()

    def slice_and_crash(self, rolled: Dice) -> None:
        """Some slices are durable, and then the process ends in the middle of a turn."""
        self.slice(rolled)
        self.world.engine.run_due(1 + rolled.below(3))
        self.world.crash()

    def slice_and_fail(self, rolled: Dice) -> None:
        store = self.world.store
        assert isinstance(store, FaultyStore)
        store.writes_until_fault = rolled.below(40)
        store.is_commit_faulty = rolled.is_rare(2)
        try:
            self.world.engine.run_due(1 + rolled.below(3))
            self.world.engine.flush()
        except StoreFailed:
            store.heal()
            self.world.engine.recover()
        store.heal()

    def restart(self, rolled: Dice) -> None:
        self.world.reopen()

    def change_profile(self, rolled: Dice) -> None:
        profile, numbers = rolled.pick(PROFILES)
        self.world.configure(profile, **numbers)

    def wait(self, rolled: Dice) -> None:
        self.world.advance_ms(rolled.pick([0, 1, 5, 30, 700]))

    # -- what is seen
    def look(self) -> Phase:
        """The phase as described; phases only ever go forward."""
        phase = self._described(self._describe())
        if phase != self._phase:
            assert PHASES.index(phase) > PHASES.index(self._phase) if self._phase[0] else not phase[0]
            self._phase = phase
        if phase[0] == "ACTIVE":
            self._check_untouched()
        if phase[0] == "CREATING":
            answer = self.world.attempt("Scan", {"TableName": "music", "IndexName": "new"})
            assert isinstance(answer, DynamoDBError)
        return phase

    def _describe(self) -> Answer:
        table: Answer = self.world.call("DescribeTable", {"TableName": "music"})["Table"]
        if self._described(table)[0] == "ACTIVE":
            # The table is ACTIVE before its index is.
            assert table["TableStatus"] == "ACTIVE" or self._phase[0] == "ACTIVE"
        return table

    def _table_status(self) -> str:
        status: str = self._describe()["TableStatus"]
        return status

    def _described(self, table: Answer) -> Phase:
        for index in table["GlobalSecondaryIndexes"]:
            if index["IndexName"] == "new":
                return index["IndexStatus"], index.get("Backfilling")
        return "", None

    def _check_untouched(self) -> None:
        """An index is ACTIVE once it holds all that was there before it."""
        now = self.workload.model["music"]
        index = self.world.table("music").indexes["new"]
        entries = {key_text(entry): entry for entry, _ in held(self.world, index.space).values()}
        for text, item in self._untouched.items():
            is_held = all(key.name in item for key in index.hash + index.range)
            if now.get(text) is item and is_held:
                assert plain(entries[text]) == plain({n: item[n] for n in entries[text]})

    def finish(self) -> None:
        """In the end the index is what the items make of it, and nothing is left of those that are gone."""
        self.workload.check()
        phase = self.look()
        assert phase in (("ACTIVE", None), ("", None))
        is_there = phase[0] == "ACTIVE"
        gone = self._spaces[:-1] if is_there else self._spaces
        books = {
            book: drive(self.world.store.range(0, book, b"", None, limit=1000))
            for book in (b"walked", b"filled", b"clearing", b"count")
        }
        self.world.store.commit()
        assert [books[book] for book in (b"walked", b"filled", b"clearing")] == [[], [], []]
        for space in gone:
            assert not self.world.store.has_space(space)
            assert space.to_bytes(8, "big") not in {row[0] for row in books[b"count"]}


STEPS = (
    *("create",) * 3,
    *("delete", "delete_table"),
    *("write",) * 2,
    *("write_many",) * 3,
    *("transact", "read", "lose_turn"),
    *("slice",) * 5,
    *("slice_and_crash", "slice_and_fail", "restart", "change_profile"),
    *("wait",) * 3,
)


@given(rolled=dice(3000), steps=st.integers(0, 60), profile=st.sampled_from(PROFILES))
@runs(counts.INDEX_CREATIONS)
def test_an_index_is_made_and_deleted_whatever_happens_meanwhile(
    rolled: Dice, steps: int, profile: tuple[str, dict[str, Any]]
) -> None:
    making = Making(World(profile[0], store_type=FaultyStore, **profile[1]), rolled)
    for _ in range(steps):
        getattr(making, rolled.pick(STEPS))(rolled)
        making.look()
    making.finish()
