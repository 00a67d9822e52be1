"""Keys of items and indexes: the checks of facts section 5, and where a row stands in its space."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

from partita.attributes import (
    AttributeValue,
    Item,
    binary_size,
    framed,
    normalise_item,
    partition_digest,
    sort_bytes,
    text_digest,
)
from partita.engine.table import Index, KeyAttribute, Scope, Table
from partita.errors import items as errors
from partita.expressions import Prepared

if TYPE_CHECKING:
    from partita.engine.catalogue import Catalogue

Place = tuple[bytes, bytes]
"""(partition, sort): where a row stands in its space."""

MAX_HASH_BYTES = 2048
MAX_RANGE_BYTES = 1024


def kind_of(value: AttributeValue) -> str:
    """The type letter of a normal value, e.g. `S`."""
    return next(iter(value))


def _long(text: str, kind: str, limit: int) -> bool:
    """Whether a key value in wire form has more than `limit` bytes."""
    if kind == "S":
        return len(text) > limit or (len(text) * 4 > limit and len(text.encode()) > limit)
    if kind == "B":
        return binary_size(text) > limit
    return False


def check_key_values(table: Table, key: Mapping[str, AttributeValue]) -> None:
    """Facts 5.5–5.8: an empty or too long value of a table key whose type is right."""
    check_keys_not_empty(table, key)
    check_key_lengths(table, key)


def _check_not_empty(attribute: KeyAttribute, value: AttributeValue) -> None:
    for kind in ("S", "B"):
        if value.get(kind) == "":
            raise errors.empty_key(attribute.name, kind)


def check_keys_not_empty(table: Table, key: Mapping[str, AttributeValue]) -> None:
    """Facts 5.5 and 5.6, by themselves: a transaction reports them before all else (fact 13.9)."""
    for attribute in (table.hash, table.range):
        if attribute is not None:
            value = key.get(attribute.name)
            if value is not None and "" in value.values():
                _check_not_empty(attribute, value)


def check_key_lengths(table: Table, key: Mapping[str, AttributeValue]) -> None:
    """Facts 5.7 and 5.8."""
    hash_name, hash_type = table.hash
    if hash_type != "N" and _long(key[hash_name][hash_type], hash_type, MAX_HASH_BYTES):
        raise errors.hash_key_too_long()
    if table.range is not None:
        range_name, range_type = table.range
        if range_type != "N" and _long(key[range_name][range_type], range_type, MAX_RANGE_BYTES):
            raise errors.range_key_too_long()


def place_of(table: Table, key: Mapping[str, AttributeValue]) -> Place:
    """Where the item with these (right and normal) key attributes stands in its table's space."""
    partition = partition_digest((key[table.hash.name],))
    if table.range is None:
        return partition, b""
    return partition, sort_bytes(key[table.range.name])


def request_place(table: Table, key: Mapping[str, AttributeValue]) -> Place:
    """Checks the `Key` of a request (facts 5.1, 5.5–5.8); the values are normal already."""
    place = quick_place(table, key, len(table.key_names))
    if place is not None:
        return place
    hash_name, hash_type = table.hash
    hash_value = key.get(hash_name)
    if hash_value is None or hash_type not in hash_value:
        raise errors.key_schema_mismatch()
    if table.range is None:
        if len(key) != 1:
            raise errors.key_schema_mismatch()
    else:
        range_name, range_type = table.range
        range_value = key.get(range_name)
        if range_value is None or range_type not in range_value or len(key) != 2:
            raise errors.key_schema_mismatch()
    check_key_values(table, key)
    return place_of(table, key)


SHORT_TEXT = MAX_RANGE_BYTES // 4
"""A text of so many characters is within every limit of a key, however long its encoding."""


def quick_place(table: Table, key: Mapping[str, Any], count: int) -> Place | None:
    """The place that `request_place` gives, for the common case: `count` attributes, keys short texts.

    None says nothing about the key: take the thorough way, which names what is wrong.
    """
    if table.text_keys is None or len(key) != count:
        return None
    hash_name, range_name = table.text_keys
    try:
        value = key[hash_name]
        text = value["S"]
        if not 0 < len(text) <= SHORT_TEXT or len(value) != 1:
            return None
        if range_name is None:
            return text_digest(text), b""
        value = key[range_name]
        range_text = value["S"]
        if not 0 < len(range_text) <= SHORT_TEXT or len(value) != 1:
            return None
        return text_digest(text), range_text.encode()
    except (AttributeError, KeyError, TypeError, UnicodeEncodeError):
        return None


def locate(catalogue: Catalogue, scope: Scope, request: Mapping[str, Any]) -> tuple[Table, Item, Place]:
    """Table, key (in normal form) and place of a request on one item; raises what is wrong with them.

    Checks come in the service's order: the key's values, the table, the key against its schema.
    """
    key: Item = request["Key"]
    table = catalogue.serving(scope, request["TableName"])
    place = quick_place(table, key, len(table.key_names)) if table is not None else None
    if table is None or place is None:
        key, _ = normalise_item(key)
        table = catalogue.table(scope, request["TableName"])
        place = request_place(table, key)
    return table, key, place


def item_place(table: Table, item: Item) -> Place:
    """Checks the keys of an item to put (facts 5.2, 5.3, 5.5–5.8)."""
    place = quick_place(table, item, len(item))
    if place is not None:
        return place
    for name, kind in (table.hash, table.range) if table.range is not None else (table.hash,):
        value = item.get(name)
        if value is None:
            raise errors.missing_key(name)
        if kind not in value:
            raise errors.key_type_mismatch(name, kind, kind_of(value))
    check_key_values(table, item)
    return place_of(table, item)


_SHORT_INDEX_TEXT = MAX_RANGE_BYTES // 16
"""Four texts of so many characters together are within the limits of an index key."""


def check_paths(table: Table, prepared: Prepared) -> None:
    """Facts 5.22 and 5.25: no expression may look inside a key, whether of the table or of an index."""
    entered_names = prepared.entered_names
    if not entered_names:
        return
    for key in (table.hash, table.range):
        if key is not None and key.name in entered_names:
            raise errors.path_into_key(key.name)
    for name in table.index_key_types:
        if name in entered_names:
            raise errors.path_into_index_key(name)


def check_index_keys(
    table: Table,
    item: Item,
    names: frozenset[str] | None = None,
    faults: errors.IndexKeyFaults = errors.IN_ITEM,
) -> None:
    """Facts 5.11–5.16, 5.20: index keys in an item to write; `names` limits it to those an update touches."""
    for name, kind in table.index_key_types.items():
        if name in table.key_names or (names is not None and name not in names):
            continue
        value = item.get(name)
        if value is None:
            continue
        if kind not in value:
            index = _first_index_with(table, name)
            raise faults.type_mismatch(index.name, name, kind, kind_of(value))
        if kind == "N":
            continue
        if value[kind] == "":
            raise faults.empty(_first_index_with(table, name).name, name, kind)
        if len(value[kind]) > _SHORT_INDEX_TEXT:
            _check_index_key_lengths(table, name, item, faults)


def _first_index_with(table: Table, name: str) -> Index:
    """Fact 5.15: of several indexes that use the attribute, the alphabetically first is named."""
    return next(index for index in table.local_indexes + table.global_indexes if name in index.key_names)


def _check_index_key_lengths(table: Table, name: str, item: Item, faults: errors.IndexKeyFaults) -> None:
    """Fact 5.20: a key of several attributes may have as many bytes as one of a single attribute."""
    for index in table.local_indexes + table.global_indexes:
        for attributes, most in ((index.hash, MAX_HASH_BYTES), (index.range, MAX_RANGE_BYTES)):
            if any(name == attribute.name for attribute in attributes):
                size = _key_bytes_of(attributes, item)
                if size > most:
                    raise faults.too_long(index.name, name, size, most)


def key_bytes(value: AttributeValue) -> int:
    """Bytes of a key value of type S or B in wire form; a number never counts as long."""
    kind, text = next(iter(value.items()))
    if kind == "S":
        return len(text.encode())
    return binary_size(text) if kind == "B" else 0


def _key_bytes_of(attributes: Sequence[KeyAttribute], item: Item) -> int:
    return sum(key_bytes(item[a.name]) for a in attributes if a.name in item)


def index_place(index: Index, item: Item, base: Place) -> Place | None:
    """Where the item's entry stands; None if the index does not hold it (facts 5.17, 5.20, 5.21)."""
    hash_values = []
    for name, kind in index.hash:
        value = item.get(name)
        if value is None or kind not in value:
            return None
        hash_values.append(value)
    sort = b""
    for name, kind in index.range:
        value = item.get(name)
        if value is None or kind not in value:
            return None
        sort += framed(value)
    if len(sort) > 2 * MAX_RANGE_BYTES // 4 and _key_bytes_of(index.range, item) > MAX_RANGE_BYTES:
        return None
    if index.is_global:
        if (
            any(
                len(v.get(k.type, "")) > MAX_HASH_BYTES // 4
                for v, k in zip(hash_values, index.hash, strict=True)
            )
            and _key_bytes_of(index.hash, item) > MAX_HASH_BYTES
        ):
            return None
        if any(value[kind_of(value)] == "" for value in hash_values):
            return None
        partition = partition_digest(hash_values)
    else:
        partition = base[0]
    if any(item[name][kind] == "" for name, kind in index.range):
        return None
    return partition, sort + entry_digest(base)


def entry_digest(base: Place) -> bytes:
    """16 bytes that make an index entry's sort bytes unique: a digest of the table's primary key."""
    return blake2b(base[0] + base[1], digest_size=16).digest()


def keys_of(names: frozenset[str], item: Mapping[str, Any]) -> Item:
    """The attributes with these names, as a key of the API."""
    return {name: item[name] for name in names if name in item}
