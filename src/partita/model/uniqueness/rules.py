"""The markers that an entity's unique rules ask for.

A marker's partition key is `UNIQ#<entity type>#<rule>#<scope values>#<values>`, each value escaped as in
any other key; its sort key is `LOCK`. In a key that would be longer than DynamoDB allows the values are empty
and a digest of them follows: no other marker has that many parts. The marker carries its owner's primary key,
the rule, the values as the entity has them, and the version of the normaliser.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from partita.model.errors import ModelError, UnstorableValue
from partita.model.keys.collisions import MARKER_SORT
from partita.model.keys.formats import SEPARATOR, escape, unescape
from partita.model.keys.templates import MARKER_PREFIX, MAX_PARTITION_BYTES
from partita.model.schema import AttributeValue, EntitySchema, FieldSchema, Item, TableSchema, UniqueRule
from partita.model.values.numbers import decimal_text, integer_text

if TYPE_CHECKING:
    from partita.model.declaring.entity import Entity

TYPE = "_Unique"
"""The discriminator's value in markers."""

OWNER, ENTITY, RULE, VALUES, NORMALISER = "owner", "entity", "rule", "values", "normaliser"


@dataclass(frozen=True, slots=True)
class Marker:
    """What reserves one value of one rule."""

    schema: EntitySchema
    rule: UniqueRule
    key: Item
    """Its primary key."""
    values: Item
    """The values as the entity has them, by field."""


def markers_of(schema: EntitySchema, entity: Entity) -> dict[str, Marker]:
    """The markers that must be there for an entity, by the rules' names.

    A rule holds for an entity where its `when` does and none of its fields is None.
    """
    markers: dict[str, Marker] = {}
    for rule in schema.uniques:
        try:
            marker = _marker(schema, rule, entity)
        except ModelError:
            raise
        except Exception as error:
            raise UnstorableValue(
                f"{schema.cls.__name__}: the normaliser or the condition of unique {rule.name} raised "
                f"{type(error).__name__}: {error}"
            ) from error
        if marker is not None:
            markers[rule.name] = marker
    return markers


def marker_item(marker: Marker, owner: Item, expiry: AttributeValue | None) -> Item:
    """The stored marker of the entity with this primary key; it expires with its owner."""
    table = marker.schema.table
    item: Item = {
        **marker.key,
        OWNER: {"M": owner},
        ENTITY: {"S": marker.schema.type_name},
        RULE: {"S": marker.rule.name},
        VALUES: {"M": marker.values},
        NORMALISER: {"N": str(marker.rule.normaliser_version)},
    }
    if table.discriminator is not None:
        item[table.discriminator] = {"S": TYPE}
    if expiry is not None and table.ttl is not None:
        item[table.ttl] = expiry
    return item


def is_marker(table: TableSchema, item: Item) -> bool:
    """Whether a stored item is a marker of any rule, or stands where only markers do.

    Where no entity has unique values, one may have such keys: there a marker is known by what it says.
    """
    if not item[table.partition.name].get("S", "").startswith(MARKER_PREFIX):
        return False
    if OWNER in item and RULE in item:
        return True
    is_at_lock = table.sort is None or item[table.sort.name].get("S") == MARKER_SORT
    return is_at_lock and any(entity.__schema__.uniques for entity in table.entities)


def rule_of(table: TableSchema, marker: Item) -> tuple[str, str]:
    """The entity type and the name of the rule whose value a stored marker reserves, as its key says; empty
    where it is the key of none.
    """
    names = marker[table.partition.name]["S"].removeprefix(MARKER_PREFIX).split(SEPARATOR, 2)
    try:
        entity, rule = map(unescape, names[:2])
    except ValueError:
        return "", ""
    return entity, rule


def owner_of(table: TableSchema, marker: Item) -> Item | None:
    """The primary key of the entity that a stored marker is of; None where it holds no key of the table.

    Other programs write markers too, and what they hold is sent back to the service as a key.
    """
    owner = marker.get(OWNER, {}).get("M")
    parts = [table.partition] if table.sort is None else [table.partition, table.sort]
    if owner is None or owner.keys() != {part.name for part in parts}:
        return None
    return owner if all(owner[part.name].get(part.kind) for part in parts) else None


def is_marker_key(key: Item) -> bool:
    """Whether a primary key is one that markers have."""
    return any(value.get("S", "").startswith(MARKER_PREFIX) for value in key.values())


def _marker(schema: EntitySchema, rule: UniqueRule, entity: Entity) -> Marker | None:
    values = {name: getattr(entity, name) for name in (*rule.scope, *rule.fields)}
    if any(value is None for value in values.values()) or not (rule.when is None or rule.when(entity)):
        return None
    normal = _normalised(rule, [values[name] for name in rule.fields])
    if any(value is None for value in normal):
        return None
    parts = [_text(schema, schema.fields[name], values[name]) for name in rule.scope]
    parts += [
        _text(schema, schema.fields[name], value) for name, value in zip(rule.fields, normal, strict=True)
    ]
    encoded = {name: schema.fields[name].codec.encode(value) for name, value in values.items()}
    stored: Item = {name: value for name, value in encoded.items() if value is not None}
    return Marker(schema, rule, _key(schema.table, [schema.type_name, rule.name], parts), stored)


def _normalised(rule: UniqueRule, values: list[Any]) -> list[Any]:
    """One field's normaliser takes and gives its value; that of several takes them all and gives as many."""
    if rule.normalise is None:
        return values
    if len(values) == 1:
        return [rule.normalise(values[0])]
    normal = list(rule.normalise(*values))
    if len(normal) != len(values):
        raise UnstorableValue(f"the normaliser of {rule.name} gave {len(normal)} values for {len(values)}")
    return normal


def _key(table: TableSchema, names: list[str], parts: list[str]) -> Item:
    head = MARKER_PREFIX + SEPARATOR.join(map(escape, names))
    text = SEPARATOR.join((head, *parts))
    if len(text.encode()) > MAX_PARTITION_BYTES:
        digest = hashlib.sha256(SEPARATOR.join(parts).encode()).hexdigest()
        text = SEPARATOR.join((head, *("" for _ in parts), digest))
    key: Item = {table.partition.name: {"S": text}}
    if table.sort is not None:
        key[table.sort.name] = {"S": MARKER_SORT}
    return key


def _text(schema: EntitySchema, field: FieldSchema, value: Any) -> str:
    """A value inside a marker's key: by its own type where that is plain, else as the field is stored."""
    if isinstance(value, str) and type(value) is str:
        return escape(value)
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, int) and not isinstance(value, bool):
        return integer_text(value)
    if isinstance(value, Decimal):
        return decimal_text(value)
    if not isinstance(value, field.codec.python):
        raise UnstorableValue(
            f"{schema.cls.__name__}.{field.name}: the normaliser's {value!r} is no text, number, bytes or "
            "value of the field"
        )
    stored = field.codec.encode(value)
    assert stored is not None
    ((kind, content),) = stored.items()
    if kind == "S":
        return escape(content)
    return decimal_text(Decimal(content)) if kind == "N" else bytes(content).hex()
