"""Capacity units of patterns, estimated before anything runs.

A read unit is 4 KB read strongly, or 8 KB eventually; a write unit is 1 KB written, twice that in a
transaction. Sizes are those of an example of each entity, unless the traffic says otherwise; a read is
estimated at its bound (limit, at_most).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil

from partita.design.prices import Traffic
from partita.design.reach import selects_one
from partita.design.reads import Collect, GetMany, Query, Read, Scan
from partita.design.sizes import stored_bytes, usual_bytes
from partita.design.transact_gets import TransactGet
from partita.design.writes import Write
from partita.model.declaring.entity import Entity
from partita.model.declaring.items import item_of
from partita.model.definition.table_requests import non_key_attributes
from partita.model.schema import EntitySchema, KeySchema

READ_BYTES = 4096
WRITE_BYTES = 1024


@dataclass(frozen=True, slots=True)
class Units:
    """Estimated capacity units of one run; None: it depends on the size of the table."""

    read: float | None = 0.0
    write: float = 0.0


@dataclass(frozen=True, slots=True)
class Amplification:
    """What one write of one item of an entity costs, in write units."""

    item_bytes: int
    indexes: tuple[tuple[str, int], ...]
    """Each index it is in, with the write units of its entry."""
    markers: int
    item: int
    """Write units of the item alone."""
    create: int
    """Of creating it: item, index entries, and markers, in a transaction where there are markers."""
    change: int
    """Of changing everything: index entries that move are deleted and put, as are markers."""
    delete: int
    create_in_transaction: int


def read_units(read: Read, traffic: Traffic) -> Units:
    """Of one run at its bound, or with as many items as the traffic says."""
    if isinstance(read, Scan):
        return Units(read=None)
    if isinstance(read, TransactGet):
        # Prepared and committed: each item is read twice, and rounded up by itself.
        units = sum(
            count * max(1, ceil(item_bytes(key.entity.__schema__, traffic) / READ_BYTES))
            for key, count in read.counted
        )
        share = traffic.items.get(read.name, read.items) / read.items if read.items else 0
        return Units(read=2 * units * share)
    sizes = [_read_bytes(entity.__schema__, read.key.key, traffic) for entity in read.of]
    number = traffic.items.get(read.name, _bound(read))
    shards = len(read.key.shards)
    # Each shard is asked for the whole page: any one of them may hold all of it.
    pieces = [number * max(sizes)] * shards
    factor = 1.0 if read.consistent else 0.5
    if isinstance(read, GetMany):
        # Each item of a batch is rounded up by itself.
        return Units(read=number * max(1, ceil(max(sizes) / READ_BYTES)) * factor)
    return Units(read=sum(max(1, ceil(piece / READ_BYTES)) * factor for piece in pieces))


def write_units(write: Write, traffic: Traffic) -> Units:
    """Of one run with as many items as it names at most."""
    total = 0
    transacted = write.how == "transaction"
    for part, kind in ((write.creates, "create"), (write.changes, "change"), (write.deletes, "delete")):
        for entity, number in part.items():
            total += number * _written(amplification(entity.__schema__, traffic), kind, transacted)
    for entity, number in write.checks.items():
        total += number * 2 * amplification(entity.__schema__, traffic).item
    return Units(write=total)


def amplification(schema: EntitySchema, traffic: Traffic) -> Amplification:
    """What writing one item of the entity costs."""
    size = item_bytes(schema, traffic)
    item = ceil(size / WRITE_BYTES)
    indexes = tuple(
        (name, ceil(_index_bytes(schema, key, size) / WRITE_BYTES)) for name, key in schema.index_keys.items()
    )
    entries = sum(units for _, units in indexes)
    markers = len(schema.uniques)
    factor = 2 if markers else 1
    return Amplification(
        item_bytes=size,
        indexes=indexes,
        markers=markers,
        item=item,
        create=factor * item + entries + 2 * markers,
        change=factor * item + 2 * entries + 4 * markers,
        delete=factor * item + entries + 2 * markers,
        create_in_transaction=2 * item + entries + 2 * markers,
    )


def _written(cost: Amplification, kind: str, transacted: bool) -> int:
    units: int = getattr(cost, kind)
    # With markers it counts as a transaction already.
    return units + cost.item if transacted and not cost.markers else units


def item_bytes(schema: EntitySchema, traffic: Traffic) -> int:
    """The usual size of an item, as the traffic says or as an example has it."""
    given = traffic.item_bytes.get(schema.cls.__name__)
    return usual_bytes(schema) if given is None else ceil(given)


def requests_of(write: Write) -> int:
    """How many requests a write is: batches take 25 items each."""
    return -(-write.items // 25) if write.how == "batch" else 1


def _bound(read: Read) -> float:
    if isinstance(read, Query):
        return 1 if selects_one(read.of, read.key) else read.limit or 1
    if isinstance(read, Collect | GetMany):
        return read.at_most or 1
    return 1


def _read_bytes(schema: EntitySchema, key: KeySchema, traffic: Traffic) -> int:
    size = item_bytes(schema, traffic)
    return size if key.index is None else _index_bytes(schema, key, size)


def _index_bytes(schema: EntitySchema, key: KeySchema, size: int) -> int:
    """The size of an index entry: what the index projects of an example, as a share of the usual item."""
    index = key.index
    if index is None or index.project == "all":
        return size
    item = _example(schema.cls)
    if item is None:
        return size
    primary = (schema.table.partition, schema.table.sort)
    names = {one.name for one in (*primary, *index.partition, *index.sort) if one is not None}
    names |= set(non_key_attributes(schema.table, index))
    whole = stored_bytes(item)
    entry = stored_bytes({name: value for name, value in item.items() if name in names})
    return ceil(size * entry / whole)


def _example(entity: type[Entity]) -> dict[str, dict[str, object]] | None:
    try:
        return item_of(entity.example())
    except ValueError:
        return None
