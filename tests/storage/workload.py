"""A store driven beside a plain dict that says what it must hold."""

from __future__ import annotations

import random
from collections.abc import Coroutine
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any

from partita.storage import WRITE, Decision, LoggedChange, LogRecord, Row
from partita.storage.sqlite import SqliteStore

State = tuple[dict[int, dict[tuple[bytes, bytes], tuple[bytes, int]]], list[tuple[int, LogRecord]], int]
"""(space -> key -> (value, size), the log's changes, its last sequence): all that a store holds."""


def run(call: Coroutine[Any, Any, Any]) -> Any:
    """The result of an embedded store's coroutine, which never suspends."""
    try:
        call.send(None)
    except StopIteration as end:
        return end.value
    raise AssertionError("the store suspended")


def put(store: SqliteStore, space: int, partition: bytes, sort: bytes, value: bytes) -> Row | None:
    """Writes one row; gives the one that it replaces."""

    def decide(rows: Any, stamp: int) -> Decision:
        return Decision([(space, partition, sort, value, len(value))], [], [], rows[0])

    old: Row | None = run(store.transact([(space, partition, sort, WRITE)], decide))
    return old


def delete(store: SqliteStore, space: int, partition: bytes, sort: bytes) -> Row | None:
    """Deletes one row; gives it."""

    def decide(rows: Any, stamp: int) -> Decision:
        return Decision([], [(space, partition, sort)], [], rows[0])

    old: Row | None = run(store.transact([(space, partition, sort, WRITE)], decide))
    return old


def holds(store: SqliteStore, spaces: range) -> State:
    """All that the store holds."""
    rows = {
        space: {
            (partition, sort): (value, size)
            for partition, sort, value, size in run(store.walk(space, None, b"", None, limit=100_000))
        }
        for space in spaces
        if store.has_space(space)
    }
    log = [(change.sequence, change.record) for change in _whole_log(store)]
    last = store.log_last()
    store.commit()
    return rows, log, last


@dataclass
class Model:
    """What a store must hold after the turns that it acknowledged."""

    rows: dict[int, dict[tuple[bytes, bytes], tuple[bytes, int]]] = field(default_factory=dict)
    log: list[tuple[int, LogRecord]] = field(default_factory=list)
    last: int = 0

    def state(self) -> State:
        return deepcopy(self.rows), list(self.log), self.last


SPACES = range(1, 4)


def random_turn(store: SqliteStore, model: Model, chance: random.Random) -> None:
    """Some operations of all kinds in one turn, done to the store and to the model alike."""
    for _ in range(chance.randrange(1, 4)):
        space = chance.choice(SPACES)
        if not store.has_space(space):
            store.create_space(space)
            model.rows[space] = {}
        elif chance.random() < 0.05:
            if store.clear_space(space, 5):
                del model.rows[space]
            else:
                for key in sorted(model.rows[space])[:5]:
                    del model.rows[space][key]
        elif chance.random() < 0.1:
            upto = chance.randrange(model.last + 1)
            store.log_trim(upto, 1000)
            model.log = [change for change in model.log if change[0] > upto]
        else:
            _random_unit(store, model, chance, space)


def _random_unit(store: SqliteStore, model: Model, chance: random.Random, space: int) -> None:
    rows = model.rows[space]
    keys = [(b"p%d" % chance.randrange(3), b"s%d" % chance.randrange(8)) for _ in range(3)]
    size = chance.choice((0, 10, 700, 1800, 1900, 2500, 30_000))
    value = chance.randbytes(size)
    record = LogRecord(space, *keys[0], rows.get(keys[0], (None,))[0], value, 1, size)

    def decide(found: Any, stamp: int) -> Decision:
        assert [row and (row.value, row.size) for row in found] == [rows.get(key) for key in keys]
        return Decision(
            [(space, *keys[0], value, size), (space, *keys[1], b"small", 5)],
            [(space, *keys[2])],
            [record],
            None,
        )

    run(store.transact([(space, *key, WRITE) for key in keys], decide))
    rows[keys[0]] = (value, size)
    rows[keys[1]] = (b"small", 5)
    rows.pop(keys[2], None)
    model.last += 1
    model.log.append((model.last, record))


def changes(store: SqliteStore) -> list[LoggedChange]:
    """The whole log."""
    found = _whole_log(store)
    store.commit()
    return found


def _whole_log(store: SqliteStore) -> list[LoggedChange]:
    found: list[LoggedChange] = []
    while more := store.log_read(found[-1].sequence if found else 0, 1000):
        found += more
    return found
