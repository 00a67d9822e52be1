"""Random calls, done to a store and to plain dicts alike: both always answer the same."""

from __future__ import annotations

import tempfile
from copy import deepcopy
from pathlib import Path
from typing import Any

import hypothesis.strategies as st
import pytest
from hypothesis import HealthCheck, settings
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from partita.storage import WRITE, Decision, LogRecord, StoreFailed
from partita.storage.sqlite import SqliteStore

from .workload import Model, holds, run

SPACES = range(1, 3)
ANY_SPACE = st.sampled_from(SPACES)
PARTITION = st.sampled_from([b"", b"a", b"a\0", b"b", b"\xff"])
SORT = st.one_of(
    st.binary(max_size=2),
    st.sampled_from([b"", b"a", b"ab", b"ab\0", b"b", b"\xff", b"\xff\xff", b"long" * 600]),
)
KEY = st.tuples(PARTITION, SORT)
BYTES = st.sampled_from([0, 1, 500, 1890, 1891, 1930, 1931, 1932, 1990, 2500, 9000, 40_000])
LIMIT = st.sampled_from([1, 2, 3, 1000])
SIZE_LIMIT = st.sampled_from([None, 0, 1, 600, 2000, 100_000])


class StoreAgainstADict(RuleBasedStateMachine):
    """Turns of all calls, with reopening, snapshots and forks between them."""

    path: str
    store: SqliteStore

    @initialize(in_memory=st.booleans())
    def open(self, in_memory: bool) -> None:
        self.folder = tempfile.TemporaryDirectory(prefix="partita-")
        self.path = ":memory:" if in_memory else str(Path(self.folder.name) / "partita.db")
        self.now = 1_000
        self.stamps: dict[tuple[int, bytes, bytes], int] = {}
        self.store = SqliteStore(self.path, lambda: self.now, "relaxed")
        self.model = Model()
        self.committed = self.model.state()
        self.snapshots: list[tuple[object, Any]] = []
        self.serial = 0

    def teardown(self) -> None:
        if hasattr(self, "store"):
            self.store.close()
            self.folder.cleanup()

    # -- writing

    @rule(space=ANY_SPACE)
    def create_space(self, space: int) -> None:
        if space in self.model.rows:
            with pytest.raises(ValueError, match="exists"):
                self.store.create_space(space)
            return
        self.store.create_space(space)
        self.model.rows[space] = {}

    @rule(space=ANY_SPACE, limit=LIMIT)
    def clear_space(self, space: int, limit: int) -> None:
        rows = self.model.rows.get(space)
        is_removed = self.store.clear_space(space, limit)
        if rows is None:
            assert is_removed
            return
        for key in sorted(rows)[:limit]:
            del rows[key]
        if is_removed:
            assert not rows
            del self.model.rows[space]

    @rule(
        space=ANY_SPACE,
        puts=st.lists(st.tuples(KEY, BYTES), max_size=4, unique_by=lambda put: put[0]),
        deletes=st.lists(KEY, max_size=3, unique=True),
        touched=st.lists(KEY, max_size=3),
        is_logged=st.booleans(),
        step_us=st.integers(-5, 5),
    )
    def transact(
        self,
        space: int,
        puts: list[tuple[tuple[bytes, bytes], int]],
        deletes: list[tuple[bytes, bytes]],
        touched: list[tuple[bytes, bytes]],
        is_logged: bool,
        step_us: int,
    ) -> None:
        rows = self.model.rows.get(space)
        if rows is None:
            return
        self.now += step_us
        self.serial += 1
        values = [(key, (b"%d," % self.serial * (size // 2 + 1))[:size]) for key, size in puts]
        deletes = [key for key in deletes if key not in dict(puts)]
        records = [LogRecord(space, b"p", b"s", None, b"new" * 500, 0, self.serial)] if is_logged else []
        given: list[int] = []

        def decide(found: Any, stamp: int) -> Decision:
            assert [row and (row.value, row.size) for row in found] == [rows.get(key) for key in touched]
            assert all(row is None or row.stamp < stamp for row in found)
            given.append(stamp)
            return Decision(
                [(space, *key, value, len(value)) for key, value in values],
                [(space, *key) for key in deletes],
                records,
                "answer",
            )

        assert run(self.store.transact([(space, *key, WRITE) for key in touched], decide)) == "answer"
        assert given[0] >= self.now
        for key, value in values:
            rows[key] = (value, len(value))
            row = run(self.store.get(space, *key))
            assert row == (value, len(value), given[0])
        for key in deletes:
            rows.pop(key, None)
        for record in records:
            self.model.last += 1
            self.model.log.append((self.model.last, record))

    @rule(space=ANY_SPACE, key=KEY)
    def each_answers_or_raises(self, space: int, key: tuple[bytes, bytes]) -> None:
        rows = self.model.rows.get(space)
        if rows is None:
            return

        def refuse(found: Any, stamp: int) -> Decision:
            raise LookupError(found[0] and found[0].value)

        def accept(found: Any, stamp: int) -> Decision:
            return Decision([(space, *key, b"accepted", 8)], [], [], found[0] and found[0].value)

        touches = [(space, *key, WRITE)]
        old = rows.get(key, (None,))[0]
        refused, accepted, again = run(
            self.store.transact_each([(touches, refuse), (touches, accept), (touches, accept)])
        )
        assert isinstance(refused, LookupError)
        assert refused.args == (old,)
        assert (accepted, again) == (old, b"accepted")
        rows[key] = (b"accepted", 8)

    @rule(portion=st.floats(0, 1), limit=LIMIT)
    def log_trim(self, portion: float, limit: int) -> None:
        upto = round(self.model.last * portion)
        below = [sequence for sequence, _ in self.model.log if sequence <= upto]
        is_end = self.store.log_trim(upto, limit)
        assert not (is_end and len(below) > limit)
        gone = set(below[:limit])
        self.model.log = [change for change in self.model.log if change[0] not in gone]

    # -- reading

    @rule(
        space=ANY_SPACE,
        partition=PARTITION,
        low=SORT,
        high=st.none() | SORT,
        reverse=st.booleans(),
        limit=LIMIT,
        size_limit=SIZE_LIMIT,
    )
    def range(
        self,
        space: int,
        partition: bytes,
        low: bytes,
        high: bytes | None,
        reverse: bool,
        limit: int,
        size_limit: int | None,
    ) -> None:
        rows = self.model.rows.get(space)
        if rows is None:
            with pytest.raises(KeyError):
                run(self.store.range(space, partition, low, high, limit=limit))
            return
        keys = sorted(
            (
                key
                for key in rows
                if key[0] == partition and low <= key[1] and (high is None or key[1] < high)
            ),
            reverse=reverse,
        )
        found = run(
            self.store.range(space, partition, low, high, reverse=reverse, limit=limit, size_limit=size_limit)
        )
        assert [(partition, *entry) for entry in found] == _first(rows, keys, limit, size_limit)
        gathered = run(self.store.gather(space, partition, low, high, reverse=reverse, limit=limit))
        if gathered is None:
            assert self.store._held.spaces[space].has_large
            return
        expected = _first(rows, keys, limit, None)
        assert gathered == (
            len(expected),
            sum(size for *_, size in expected),
            expected[-1][1] if len(expected) == limit else None,
            b",".join(value for _, _, value, _ in expected),
        )

    @rule(
        space=ANY_SPACE,
        after=st.none() | KEY,
        low=PARTITION,
        high=st.none() | PARTITION,
        limit=LIMIT,
        size_limit=SIZE_LIMIT,
    )
    def walk(
        self,
        space: int,
        after: tuple[bytes, bytes] | None,
        low: bytes,
        high: bytes | None,
        limit: int,
        size_limit: int | None,
    ) -> None:
        rows = self.model.rows.get(space, {})
        if space not in self.model.rows:
            return
        keys = [
            key
            for key in sorted(rows)
            if low <= key[0] and (high is None or key[0] < high) and (after is None or after < key)
        ]
        found = run(self.store.walk(space, after, low, high, limit=limit, size_limit=size_limit))
        assert list(found) == _first(rows, keys, limit, size_limit)

    @rule(portion=st.floats(0, 1), limit=LIMIT)
    def log_read(self, portion: float, limit: int) -> None:
        after = round(self.model.last * portion)
        found = self.store.log_read(after, limit)
        assert [(change.sequence, change.record) for change in found] == [
            change for change in self.model.log if change[0] > after
        ][:limit]

    @rule(space=ANY_SPACE, key=KEY)
    def get(self, space: int, key: tuple[bytes, bytes]) -> None:
        if space not in self.model.rows:
            with pytest.raises(KeyError):
                run(self.store.get(space, *key))
            return
        row = run(self.store.get(space, *key))
        assert (row and (row.value, row.size)) == self.model.rows[space].get(key)

    # -- turns

    @rule()
    def commit(self) -> None:
        self.store.commit()
        self.committed = self.model.state()

    @rule()
    def rollback(self) -> None:
        self.store.rollback()
        self.model = Model(*deepcopy(self.committed))

    @rule(space=ANY_SPACE)
    def a_defect_undoes_the_turn(self, space: int) -> None:
        if space not in self.model.rows:
            return

        def decide(found: Any, stamp: int) -> Decision:
            return Decision([(space, b"a", b"a", b"v", 1), (space, b"a", b"b", None, 1)], [], [], None)  # type: ignore[list-item]

        with pytest.raises(StoreFailed):
            run(self.store.transact([], decide))
        with pytest.raises(StoreFailed):
            run(self.store.get(space, b"a", b"a"))
        with pytest.raises(StoreFailed):
            self.store.commit()
        self.model = Model(*deepcopy(self.committed))

    @precondition(lambda self: self.path != ":memory:")
    @rule(is_closed=st.booleans())
    def reopen(self, is_closed: bool) -> None:
        """Closed, or forgotten with its turn open."""
        if not is_closed:
            self.store._connection.close()
        else:
            self.store.close()
        self.store = SqliteStore(self.path, lambda: self.now, "relaxed")
        self.model = Model(*deepcopy(self.committed))

    # -- whole databases

    @rule()
    def snapshot(self) -> None:
        self.commit()
        self.snapshots.append((self.store.snapshot(), self.model.state()))

    @precondition(lambda self: self.snapshots)
    @rule(choice=st.randoms(use_true_random=False))
    def restore(self, choice: Any) -> None:
        self.commit()
        snapshot, state = choice.choice(self.snapshots)
        self.store.restore(snapshot)
        self.model = Model(*deepcopy(state))
        self.committed = self.model.state()

    @precondition(lambda self: self.snapshots)
    @rule(choice=st.randoms(use_true_random=False))
    def fork(self, choice: Any) -> None:
        snapshot, state = choice.choice(self.snapshots)
        store = self.store.fork(snapshot, lambda: self.now)
        assert holds(store, SPACES) == state
        store.create_space(99)
        store.commit()
        store.close()
        assert not self.store.has_space(99)

    @invariant()
    def agree(self) -> None:
        if not hasattr(self, "store"):
            return
        assert [self.store.has_space(space) for space in SPACES] == [
            space in self.model.rows for space in SPACES
        ]
        assert self.store.log_last() == self.model.last
        if not self.store.in_turn:
            assert self.store.turn_writes == 0
            assert self.store.check() == []
            assert holds(self.store, SPACES) == self.model.state()


def _first(
    rows: dict[tuple[bytes, bytes], tuple[bytes, int]],
    keys: list[tuple[bytes, bytes]],
    limit: int,
    size_limit: int | None,
) -> list[tuple[bytes, bytes, bytes, int]]:
    first: list[tuple[bytes, bytes, bytes, int]] = []
    total = 0
    for key in keys[:limit]:
        value, size = rows[key]
        first.append((*key, value, size))
        total += size
        if size_limit is not None and total >= size_limit:
            break
    return first


TestStoreAgainstADict = StoreAgainstADict.TestCase
TestStoreAgainstADict.settings = settings(
    max_examples=25,
    stateful_step_count=30,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
