"""Capacity units of patterns, estimated before anything runs.

A read unit is 4 KB read strongly, or 8 KB eventually; a write unit is 1 KB written, twice that in a
transaction. Sizes are those of an example of each entity, unless the traffic says otherwise; a read is
estimated at its bound (limit, at_most).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil
from typing import assert_never

from partita.design.patterns import ByKey, Ranged
from partita.design.prices import Traffic
from partita.design.reads import Read, Scan
from partita.design.sizes import stored_bytes, usual_bytes
from partita.design.writes import Write
from partita.model.declaring.entity import Entity
from partita.model.declaring.items import item_of
from partita.model.definition.table_requests import non_key_attributes
from partita.model.schema import EntitySchema, KeySchema

READ_BYTES = 4096
WRITE_BYTES = 1024
# An item of one moment is prepared and committed: it is read twice.
_UNITS_A_PIECE = {"eventual": 0.5, "strong": 1.0, "one moment": 2.0}


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


def units_of(pattern: Read | Write, traffic: Traffic) -> Units:
    """Of one run at its bound, or with as many items as the traffic says."""
    match pattern:
        case Write():
            return write_units(pattern, traffic)
        case ByKey():
            return _units_by_key(pattern, traffic)
        case Ranged():
            return _units_of_ranges(pattern, traffic)
        case Scan():
            return Units(read=None)
        case _:
            assert_never(pattern)


def _units_by_key(read: ByKey, traffic: Traffic) -> Units:
    """Each item is rounded up by itself."""
    units = sum(
        number * _read_pieces(_read_bytes(key.entity.__schema__, key.key, traffic))
        for key, number in read.counted
    )
    share = traffic.items.get(read.name, read.items) / read.items if read.items else 0
    return Units(read=units * share * _UNITS_A_PIECE[read.consistency])


def _units_of_ranges(read: Ranged, traffic: Traffic) -> Units:
    """What one request reads is rounded up as a whole."""
    largest = max(_read_bytes(entity.__schema__, read.key.key, traffic) for entity in read.of)
    number = traffic.items.get(read.name, read.most or 1)
    # Each shard is asked for the whole page: any one of them may hold all of it.
    pieces = read.requests * _read_pieces(number * largest)
    return Units(read=pieces * _UNITS_A_PIECE[read.consistency])


def _read_pieces(size_bytes: float) -> int:
    return max(1, ceil(size_bytes / READ_BYTES))


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
