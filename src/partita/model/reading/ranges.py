"""A key range: the items that one key condition selects in a table or an index, in one or several partitions.

A *position* is where an item stands in a range: the values of its sort attributes and of its table key, as
plain Python values (S and N as str, B as bytes). The partition is not in it: the range knows it, so a cursor
made of positions can never lead into another partition. A *rank* is the part of a position that orders.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from partita.model.keys.terms import AttributeCondition
from partita.model.schema import AttributeValue, Item, KeyAttribute, TableSchema

Position = tuple[str | bytes, ...]
Rank = tuple[Any, ...]


@dataclass(frozen=True)
class Range:
    """Equality on every partition attribute and on leading sort attributes, at most one bound on the next."""

    table: str
    """The table's real name."""
    index: str | None
    table_key: tuple[KeyAttribute, ...]
    partition: tuple[KeyAttribute, ...]
    sort: tuple[KeyAttribute, ...]
    partitions: tuple[tuple[AttributeValue, ...], ...]
    """One, or one for each shard; each has a value for each partition attribute."""
    terms: tuple[AttributeCondition, ...] = ()
    """On the sort attributes: equality on leading ones, and at most one other on the next."""
    position: tuple[KeyAttribute, ...] = field(init=False)
    """The attributes whose values make a position; the sort attributes come first."""

    def __post_init__(self) -> None:
        known = {attribute.name for attribute in self.partition}
        position: dict[str, KeyAttribute] = {}
        for attribute in (*self.sort, *self.table_key):
            if attribute.name not in known:
                position.setdefault(attribute.name, attribute)
        object.__setattr__(self, "position", tuple(position.values()))

    @property
    def key_names(self) -> frozenset[str]:
        """Every attribute that a start key needs: the index's and the table's."""
        return frozenset(a.name for a in (*self.partition, *self.position))


def key_terms(range_: Range, partition: int) -> tuple[AttributeCondition, ...]:
    """The terms of the KeyConditionExpression for one partition."""
    values = zip(range_.partition, range_.partitions[partition], strict=True)
    return (*(AttributeCondition(a.name, "=", (value,)) for a, value in values), *range_.terms)


def holds(range_: Range, item: Item) -> bool:
    """Whether an item with these attributes is in the range."""
    if not all(_has(item, attribute) for attribute in (*range_.partition, *range_.sort)):
        return False
    if not all(_meets(term, item[term.attribute]) for term in range_.terms):
        return False
    own = tuple(_comparable(item[attribute.name]) for attribute in range_.partition)
    return any(own == tuple(map(_comparable, partition)) for partition in range_.partitions)


def position_of(range_: Range, item: Item) -> Position:
    """The position of an item, or of a LastEvaluatedKey: both hold the attributes it is made of."""
    return tuple(item[attribute.name][attribute.kind] for attribute in range_.position)


def start_key(range_: Range, shard: int, position: Position) -> Item:
    """The ExclusiveStartKey of a position; no item has to stand there."""
    key = {
        attribute.name: value
        for attribute, value in zip(range_.partition, range_.partitions[shard], strict=True)
    }
    for attribute, part in zip(range_.position, position, strict=True):
        key[attribute.name] = {attribute.kind: part}
    return key


def rank_of(range_: Range, item: Item) -> Rank:
    """What orders an item among those of other partitions: its sort attributes, compared as DynamoDB does."""
    # No generator: this is done for each item that is merged.
    rank: list[Any] = []
    for attribute in range_.sort:
        value = item[attribute.name][attribute.kind]
        rank.append(Decimal(value) if attribute.kind == "N" else value)
    return tuple(rank)


def position_rank(range_: Range, position: Position) -> Rank:
    """The rank of the item that stood at a position."""
    return tuple(
        Decimal(str(part)) if attribute.kind == "N" else part
        for attribute, part in zip(range_.sort, position, strict=False)
    )


def table_key_of(table_key: Sequence[KeyAttribute], item: Item) -> Position:
    """The table's primary key of an item as plain values that can be compared and hashed."""
    return tuple(
        format(Decimal(item[a.name]["N"]).normalize(), "f") if a.kind == "N" else item[a.name][a.kind]
        for a in table_key
    )


def primary_key_attributes(table: TableSchema) -> tuple[KeyAttribute, ...]:
    """The partition key of a table, and its sort key if it has one."""
    return (table.partition,) if table.sort is None else (table.partition, table.sort)


def key_item_of(table_key: Sequence[KeyAttribute], key: Position) -> Item:
    """The primary key in the form that requests take."""
    return {attribute.name: {attribute.kind: part} for attribute, part in zip(table_key, key, strict=True)}


def _has(item: Mapping[str, AttributeValue], attribute: KeyAttribute) -> bool:
    value = item.get(attribute.name)
    return value is not None and attribute.kind in value


def _comparable(value: AttributeValue) -> Any:
    ((kind, inner),) = value.items()
    return Decimal(inner) if kind == "N" else inner


def _meets(term: AttributeCondition, value: AttributeValue) -> bool:
    own = _comparable(value)
    first = _comparable(term.operands[0])
    match term.operator:
        case "=":
            return bool(own == first)
        case "<":
            return bool(own < first)
        case "<=":
            return bool(own <= first)
        case ">":
            return bool(own > first)
        case ">=":
            return bool(own >= first)
        case "BETWEEN":
            return bool(first <= own <= _comparable(term.operands[1]))
        case "begins_with":
            return bool(own.startswith(first))
