"""Key conditions against a key schema: which rows of a space a Query reads (facts 11.1–11.10, 17.5, 17.6)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from partita.attributes import Item, framed, normalise_item, partition_digest, sort_range
from partita.engine.keys import (
    MAX_HASH_BYTES,
    MAX_RANGE_BYTES,
    SHORT_TEXT,
    Place,
    index_place,
    key_bytes,
    request_place,
)
from partita.engine.table import Index, KeyAttribute, Table
from partita.errors import ValidationException
from partita.errors import items as errors
from partita.errors.legacy import not_indexable
from partita.expressions import INDEXABLE, KeyCondition


class KeyRange(NamedTuple):
    """Rows of one partition with low <= sort < high (None: no end)."""

    partition: bytes
    low: bytes
    high: bytes | None


def key_range(table: Table, index: Index | None, conditions: Sequence[KeyCondition]) -> KeyRange:
    """Checks the conditions against the key schema of the table or index, and finds the rows they mean."""
    hashes = (table.hash,) if index is None else index.hash
    ranges = ((table.range,) if table.range is not None else ()) if index is None else index.range
    rows = _quick_range(hashes, ranges, conditions, is_framed=index is not None)
    if rows is not None:
        return rows
    by_name = {condition.attribute: condition for condition in conditions}
    if len(conditions) > max(2, len(hashes) + len(ranges)):
        raise errors.condition_count()
    if len(hashes) == 1 and len(ranges) <= 1:
        range_conditions = _single(hashes[0], ranges, by_name)
    else:
        range_conditions = _several(hashes, ranges, by_name)
    for key in (*hashes, *ranges):
        if key.name in by_name:
            _check_not_empty(index, key, by_name[key.name])
    _check_lengths([by_name[key.name] for key in hashes], range_conditions)
    partition = partition_digest([by_name[key.name].operands[0] for key in hashes])
    if not range_conditions:
        return KeyRange(partition, b"", None)
    last = range_conditions[-1]
    prefix = b"".join(framed(condition.operands[0]) for condition in range_conditions[:-1])
    low, high = sort_range(last.operator, last.operands, is_framed=index is not None, prefix=prefix)
    return KeyRange(partition, low, high)


def _quick_range(
    hashes: Sequence[KeyAttribute],
    ranges: Sequence[KeyAttribute],
    conditions: Sequence[KeyCondition],
    *,
    is_framed: bool,
) -> KeyRange | None:
    """The range that `key_range` finds, for the common case: short texts, the partition key's first.

    None says nothing about the conditions: take the thorough way, which names what is wrong.
    """
    if len(hashes) != 1 or not conditions:
        return None
    of_hash = conditions[0]
    if of_hash.operator != "=" or not _is_short(hashes[0], of_hash):
        return None
    low, high = b"", None
    if len(conditions) > 1:
        if len(conditions) > 2 or not ranges or not _is_short(ranges[0], conditions[1]):
            return None
        _, operator, operands = conditions[1]
        if operator not in INDEXABLE:
            return None
        low, high = sort_range(operator, operands, is_framed=is_framed)
    return KeyRange(partition_digest(of_hash.operands), low, high)


def _is_short(key: KeyAttribute, condition: KeyCondition) -> bool:
    """Whether a condition is on this key attribute, with texts within every limit of a key."""
    if condition.attribute != key.name or key.type != "S":
        return False
    for operand in condition.operands:  # noqa: SIM110 - quicker than all()
        if not 0 < len(operand.get("S", "")) <= SHORT_TEXT:
            return False
    return True


def _single(
    hash_key: KeyAttribute, ranges: Sequence[KeyAttribute], by_name: dict[str, KeyCondition]
) -> list[KeyCondition]:
    """The condition on the RANGE attribute, if any, of a key of one HASH attribute and at most one RANGE."""
    if len(by_name) > 1 + len(ranges):
        raise errors.key_condition_not_supported()
    for key in (hash_key, *ranges):
        condition = by_name.get(key.name)
        if condition is None:
            if key is hash_key or len(by_name) > 1:
                raise errors.missed_key_condition(key.name)
            return []
        _check_operands(key, condition)
        if key is hash_key and condition.operator != "=":
            raise errors.key_condition_not_supported()
    return [by_name[key.name] for key in ranges]


def _several(
    hashes: Sequence[KeyAttribute], ranges: Sequence[KeyAttribute], by_name: dict[str, KeyCondition]
) -> list[KeyCondition]:
    """The conditions on the RANGE attributes of a longer key, in the schema's order (facts 17.5, 17.6)."""
    for key in hashes:
        if key.name not in by_name or by_name[key.name].operator != "=":
            raise errors.hash_equality_required(key.name)
    wanted = len(by_name) - len(hashes)
    found: list[KeyCondition] = []
    for key in ranges[:wanted]:
        condition = by_name.get(key.name)
        if condition is None:
            raise errors.range_equality_required(key.name)
        if found and found[-1].operator != "=":
            raise errors.range_equality_required(found[-1].attribute)
        found.append(condition)
    if len(found) < wanted:
        raise errors.key_condition_not_supported()
    for key in (*hashes, *ranges):
        if key.name in by_name:
            _check_operands(key, by_name[key.name])
    return found


def _check_operands(key: KeyAttribute, condition: KeyCondition) -> None:
    if condition.operator not in INDEXABLE:
        raise not_indexable()
    if any(key.type not in operand for operand in condition.operands):
        raise errors.condition_type_mismatch()


def _check_not_empty(index: Index | None, key: KeyAttribute, condition: KeyCondition) -> None:
    """Facts 5.5, 5.6 and 5.26."""
    for operand in condition.operands:
        if operand[key.type] == "":
            if index is None:
                raise errors.empty_key(key.name, key.type)
            raise errors.empty_index_key(index.name, key.name, key.type)


def _check_lengths(hash_conditions: Sequence[KeyCondition], range_conditions: Sequence[KeyCondition]) -> None:
    """Fact 5.9: values that no key can have."""
    if _longest(hash_conditions) > MAX_HASH_BYTES:
        raise errors.hash_key_too_long()
    if _longest(range_conditions) > MAX_RANGE_BYTES:
        raise errors.range_key_too_long()


def _longest(conditions: Sequence[KeyCondition]) -> int:
    """Bytes of the values of a key, counted together; of the two of BETWEEN the longer."""
    return sum(max(map(key_bytes, condition.operands)) for condition in conditions)


def query_start(start: Place, rows: KeyRange, *, forward: bool) -> KeyRange:
    """The part of the rows that comes after the place of an ExclusiveStartKey (facts 11.21, 11.22)."""
    partition, sort = start
    if sort < rows.low or (rows.high is not None and sort >= rows.high):
        raise errors.start_key_against_range()
    if partition != rows.partition:
        raise errors.start_key_outside()
    if forward:
        return KeyRange(partition, sort + b"\0", rows.high)
    return KeyRange(partition, rows.low, sort)


def normal_start(start: Item) -> Item:
    """An ExclusiveStartKey in normal form, after the checks of its values (fact 11.47)."""
    try:
        return normalise_item(start)[0]
    except ValidationException as fault:
        raise errors.start_key_invalid_because(fault) from None


def start_place(table: Table, index: Index | None, start: Item) -> Place:
    """Where the row with these keys stands in its space; says only that they do not fit (fact 11.24)."""
    try:
        if index is None:
            return request_place(table, start)
        if start.keys() != index.key_names | table.key_names:
            raise errors.start_key_invalid()
        base = request_place(table, {name: start[name] for name in table.key_names})
    except ValidationException:
        raise errors.start_key_invalid() from None
    place = index_place(index, start, base)
    if place is None:
        raise errors.start_key_invalid()
    return place


def scan_start(table: Table, index: Index | None, start: Item) -> Place:
    """The same for a Scan, which of a table's own key says what is wrong with it (facts 11.23, 11.47)."""
    if index is not None:
        return start_place(table, index, start)
    try:
        return request_place(table, start)
    except ValidationException as fault:
        raise errors.start_key_invalid_because(fault) from None
