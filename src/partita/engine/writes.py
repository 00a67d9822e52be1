"""What a write does to an item: one plan, one effect and one decision for every operation that writes.

A request is planned without the store (`put_of`, `update_of`, …). Inside the store's transaction each plan
meets the item as it is (`effect_of`), and all effects together become one decision (`decide`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

import orjson

from partita.attributes import MAX_LEVELS, Item, depth, item_size, value_size
from partita.engine.indexes import IndexChange, index_changes, local_entries_bytes
from partita.engine.keys import Place, check_index_keys
from partita.engine.table import Index, Table
from partita.errors import items as errors
from partita.expressions import NOTHING, Path, Prepared, Update
from partita.storage import WRITE, Decide, Decision, Delete, LogRecord, Put, Row, Touch

MAX_ITEM_BYTES = 409_600

# What the class itself does to make one, without the call in between.
_new_decision = tuple.__new__


Kind = Literal["Put", "Update", "Delete", "ConditionCheck"]


class Write:
    """A planned write of one item; the request's part of it, checked against the table's schema."""

    __slots__ = (
        "condition",
        "item",
        "item_on_failure",
        "key",
        "kind",
        "needs_old",
        "place",
        "size",
        "table",
        "update",
    )

    def __init__(
        self,
        kind: Kind,
        table: Table,
        place: Place,
        prepared: Prepared,
        item_on_failure: bool,
        key: Item,
        item: Item | None = None,
        size: int = 0,
        update: Update | None = None,
    ) -> None:
        self.kind = kind
        self.table = table
        self.place = place
        self.condition = condition = prepared.condition
        self.needs_old = kind == "Update" or (
            condition is not None and not prepared.condition_names <= table.key_names
        )
        """Whether it looks at more of the item before than whether there is one."""
        self.item_on_failure = item_on_failure
        """Whether a failed condition shows the item (ReturnValuesOnConditionCheckFailure)."""
        self.key = key
        """Of a put, the item: what holds the key."""
        self.item = item
        self.size = size
        self.update = update


def put_of(
    table: Table,
    item: Item,
    size: int,
    place: Place,
    prepared: Prepared = NOTHING,
    item_on_failure: bool = False,
) -> Write:
    """Plans a put; `item` is normal, has `size` bytes and belongs at `place`."""
    if table.index_key_types:
        check_index_keys(table, item)
    if table.local_indexes and exceeds_local_limit(table, place, item, size):
        raise errors.item_too_large()
    return Write("Put", table, place, prepared, item_on_failure, item, item, size)


def exceeds_local_limit(table: Table, place: Place, item: Item, size: int) -> bool:
    """Fact 4.16: with its entries in local indexes an item may not have more bytes than one without any."""
    return (
        size * (1 + len(table.local_indexes)) > MAX_ITEM_BYTES
        and size + local_entries_bytes(table, place, item, size) > MAX_ITEM_BYTES
    )


def delete_of(
    table: Table, key: Item, place: Place, prepared: Prepared = NOTHING, item_on_failure: bool = False
) -> Write:
    """Plans a delete of the item with this key, which is at `place`."""
    return Write("Delete", table, place, prepared, item_on_failure, key)


def check_of(
    table: Table, key: Item, place: Place, prepared: Prepared = NOTHING, item_on_failure: bool = False
) -> Write:
    """Plans a ConditionCheck of a transaction."""
    return Write("ConditionCheck", table, place, prepared, item_on_failure, key)


def update_of(
    table: Table, key: Item, place: Place, prepared: Prepared, item_on_failure: bool = False
) -> Write:
    """Plans an update; without one the item is made if it is missing (fact 8.24)."""
    update = prepared.update
    if update is not None and not update.plan.top_names.isdisjoint(table.key_names):
        raise errors.update_of_key(_first_of(table.key_names, update.plan.paths))
    return Write("Update", table, place, prepared, item_on_failure, key, None, 0, update)


def _first_of(names: frozenset[str], paths: Sequence[Path]) -> str:
    return next(str(path[0]) for path in paths if path[0] in names)


Outcome = tuple[Item | None, bytes | None, int]
"""An item after a write, its stored bytes and its size."""

_NO_ITEM: Outcome = (None, None, 0)


class Effect:
    """What a write makes of the item that it met."""

    __slots__ = (
        "collection_bytes",
        "collection_growth",
        "index_changes",
        "is_change",
        "new",
        "new_size",
        "new_value",
        "old",
        "old_size",
        "row",
        "stamp",
        "write",
    )

    def __init__(
        self, write: Write, row: Row | None, old: Item | None, stamp: int, outcome: Outcome | None
    ) -> None:
        self.write = write
        self.row = row
        self.old = old
        """The item before, decoded; None if there was none or nothing needed to look inside."""
        self.stamp = stamp
        """The transaction's, in µs."""
        self.old_size = row[1] if row is not None else 0
        self.is_change = outcome is not None
        """Whether the row is to be written or deleted."""
        self.new: Item | None
        self.new_value: bytes | None
        """The stored bytes afterwards; None: no item."""
        if outcome is not None:
            self.new, self.new_value, self.new_size = outcome
        elif row is not None:
            self.new, (self.new_value, self.new_size, _) = old, row
        else:
            self.new, self.new_value, self.new_size = None, None, 0
        self.index_changes: Sequence[tuple[Index, IndexChange]] = ()
        self.collection_bytes = 0
        """Bytes of the item's collection afterwards, in a table with local indexes."""
        self.collection_growth = 0
        """What of them this effect adds."""

    @property
    def collection(self) -> tuple[int, bytes]:
        """Where the book of the item's collection stands: its space (0: there is none) and partition."""
        return self.write.table.collections_space, self.write.place[0]


def effect_of(write: Write, row: Row | None, stamp: int) -> Effect:
    """Applies a plan to the item in `row`. Raises what the operation answers if it cannot be done."""
    has_indexes = bool(write.table.indexes)
    old: Item | None = None
    if row is not None and (write.needs_old or has_indexes):
        old = orjson.loads(row.value)
    condition = write.condition
    if condition is not None:
        # Where the condition looks at the key alone, the request's says all of the item's.
        item: Item = {} if row is None else write.key if old is None else old
        if not condition(item):
            shown = orjson.Fragment(row.value) if row is not None and write.item_on_failure else None
            raise errors.condition_failed(shown)
    kind = write.kind
    outcome: Outcome | None = None
    if kind == "Put":
        outcome = write.item, orjson.dumps(write.item), write.size
    elif kind == "Update":
        outcome = _updated(write, old, row.size if row is not None else 0)
    elif kind == "Delete" and row is not None:
        outcome = _NO_ITEM
    effect = Effect(write, row, old, stamp, outcome)
    if has_indexes and outcome is not None:
        _index(effect)
    return effect


def _updated(write: Write, old: Item | None, old_size: int) -> Outcome | None:
    """What an update makes of the item `old`; None: nothing changes."""
    update, table = write.update, write.table
    if old is None:
        if update is not None and not update.plan.creates:
            return None
        base, size = write.key, item_size(write.key)
    else:
        base, size = old, old_size
    if update is None:
        return (base, orjson.dumps(base), size) if old is None else None
    plan = update.plan
    new = update.apply(base)
    for name in plan.top_names:
        before, after = base.get(name), new.get(name)
        if after is before:
            continue
        if before is None:
            size += len(name.encode())
        else:
            size -= value_size(before)
        if after is None:
            size -= len(name.encode())
        else:
            size += value_size(after)
            if ("M" in after or "L" in after) and depth(after) > MAX_LEVELS:
                raise errors.updated_item_too_deep()
    if size + plan.size_bytes > MAX_ITEM_BYTES and (
        size > MAX_ITEM_BYTES or size - item_size(write.key) + plan.size_bytes > MAX_ITEM_BYTES
    ):
        raise errors.updated_item_too_large()
    if table.index_key_types:
        faults = errors.IN_ITEM if plan.is_legacy else errors.IN_UPDATE_EXPRESSION
        check_index_keys(table, new, plan.top_names, faults)
    if table.local_indexes and exceeds_local_limit(table, write.place, new, size):
        raise errors.updated_item_too_large()
    return new, orjson.dumps(new), size


def _index(effect: Effect) -> None:
    write = effect.write
    changes: list[tuple[Index, IndexChange]] = []
    for index in write.table.indexes.values():
        if index.status == "DELETING":
            continue
        change = index_changes(
            index, write.place, effect.old, effect.new, new_value=effect.new_value, new_size=effect.new_size
        )
        if change.puts or change.deletes:
            changes.append((index, change))
    effect.index_changes = changes


def _log_record(effect: Effect) -> LogRecord:
    write, row = effect.write, effect.row
    old_value = row.value if row is not None else None
    partition, sort = write.place
    return LogRecord(
        write.table.space, partition, sort, old_value, effect.new_value, effect.old_size, effect.new_size
    )


class Writer:
    """Decides writes as the engine's settings say: which indexes at once, whether the log is kept."""

    def __init__(self, *, global_indexes_lag: bool, keeps_log: bool, collection_limit_bytes: int) -> None:
        self._global_indexes_lag = global_indexes_lag
        self._keeps_log = keeps_log
        self._collection_limit_bytes = collection_limit_bytes

    def touches(self, writes: Sequence[Write]) -> list[Touch]:
        """The rows that the writes depend on: first one for each write, then the item collections' books."""
        touches: list[Touch] = []
        books: dict[Touch, None] = {}
        for write in writes:
            table, (partition, sort) = write.table, write.place
            touches.append((table.space, partition, sort, WRITE))
            if table.collections_space:
                books[table.collections_space, partition, b"", WRITE] = None
        touches.extend(books)
        return touches

    def decide(
        self,
        writes: Sequence[Write],
        effects: Sequence[Effect],
        touches: Sequence[Touch],
        rows: Sequence[Row | None],
    ) -> tuple[list[Put], list[Delete], list[LogRecord]]:
        """Puts, deletes and log records of effects that all happen together.

        Raises ItemCollectionSizeLimitExceededException if together they make an item collection too large.
        """
        puts: list[Put] = []
        deletes: list[Delete] = []
        records: list[LogRecord] = []
        books: dict[tuple[int, bytes], int] = {}
        if len(touches) > len(writes):
            for touch, row in zip(touches[len(writes) :], rows[len(writes) :], strict=True):
                books[touch[0], touch[1]] = row.size if row is not None else 0
        for effect in effects:
            table, (partition, sort) = effect.write.table, effect.write.place
            grown = effect.new_size - effect.old_size
            if effect.is_change:
                if effect.new_value is None:
                    deletes.append((table.space, partition, sort))
                else:
                    puts.append((table.space, partition, sort, effect.new_value, effect.new_size))
                for index, change in effect.index_changes:
                    if index.is_global and self._global_indexes_lag:
                        continue
                    puts.extend(change.puts)
                    deletes.extend(change.deletes)
                    if not index.is_global:
                        grown += change.bytes_gained
                if self._keeps_log:
                    records.append(_log_record(effect))
            if table.collections_space:
                books[effect.collection] += grown
                effect.collection_growth = grown
        if books:
            self._balance(books, effects)
            for (space, partition), size in books.items():
                if size:
                    puts.append((space, partition, b"", b"", size))
                else:
                    deletes.append((space, partition, b""))
        return puts, deletes, records

    def _balance(self, books: Mapping[tuple[int, bytes], int], effects: Sequence[Effect]) -> None:
        """Tells each effect how large its item collection has become; see `decide` for what it raises."""
        for effect in effects:
            effect.collection_bytes = books.get(effect.collection, 0)
        if self.overgrowing(effects) is not None:
            raise errors.collection_too_large()

    def overgrowing(self, effects: Sequence[Effect]) -> int | None:
        """The position of the effect by which its item collection exceeds the limit; None: none does.

        What counts is what all effects together make of a collection, and only if they make it grow.
        """
        limit = self._collection_limit_bytes
        if all(effect.collection_bytes <= limit for effect in effects):
            return None
        growth: dict[tuple[int, bytes], int] = {}
        for effect in effects:
            growth[effect.collection] = growth.get(effect.collection, 0) + effect.collection_growth
        reached: dict[tuple[int, bytes], int] = {}
        for at, effect in enumerate(effects):
            book, grown = effect.collection, effect.collection_growth
            reached[book] = reached.get(book, effect.collection_bytes - growth[book]) + grown
            is_too_large = effect.collection_bytes > limit and growth[book] > 0
            if is_too_large and grown > 0 and reached[book] > limit:
                return at
        return None

    def one(self, write: Write) -> tuple[Sequence[Touch], Decide]:
        """Touches and decision of a write by itself; the decision's answer is its Effect."""
        if not write.table.indexes and not self._keeps_log:
            return self._plain(write)
        writes = (write,)
        touches = self.touches(writes)

        def decide(rows: Sequence[Row | None], stamp: int) -> Decision:
            effect = effect_of(write, rows[0], stamp)
            puts, deletes, records = self.decide(writes, (effect,), touches, rows)
            return Decision(puts, deletes, records, effect)

        return touches, decide

    @staticmethod
    def _plain(write: Write) -> tuple[tuple[Touch, ...], Decide]:
        """The same for a table without indexes whose changes nothing follows: one row."""
        space, (partition, sort) = write.table.space, write.place

        def decide(rows: Sequence[Row | None], stamp: int) -> Decision:
            effect = effect_of(write, rows[0], stamp)
            if not effect.is_change:
                return Decision((), (), (), effect)
            if effect.new_value is None:
                return Decision((), ((space, partition, sort),), (), effect)
            put = (space, partition, sort, effect.new_value, effect.new_size)
            return _new_decision(Decision, ((put,), (), (), effect))

        return ((space, partition, sort, WRITE),), decide
