"""What the declarations say, as plain frozen values: everything else in this package reads these.

Attribute values are in the form that boto3's low-level client takes and gives: {"S": "x"}, {"N": "1"},
{"B": b"…"}, {"SS": […]}, {"L": […]}, {"M": {…}}, {"BOOL": True}, {"NULL": True}.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from partita.model.declaring.entity import Entity
    from partita.model.keys.templates import Template

AttributeValue = dict[str, Any]
Item = dict[str, AttributeValue]
Kind = Literal["S", "N", "B", "BOOL", "NULL", "SS", "NS", "BS", "L", "M"]
KeyKind = Literal["S", "N", "B"]


@dataclass(frozen=True, slots=True)
class Codec:
    """Turns the Python values of one annotation into attribute values and back, without loss."""

    kind: Kind
    sorts: bool
    """Whether encoded values order as the Python values do: the attribute can be a native sort key."""
    encode: Callable[[Any], AttributeValue | None]
    """The attribute value; None for "absent" (an empty set, None of `X | None`). Raises UnstorableValue."""
    decode: Callable[[AttributeValue], Any]
    absent: Callable[[], Any] | None = None
    """Makes what a missing attribute reads as (None, an empty set); None where it may not be missing."""
    element: Codec | None = None
    """Of the members of a list (L), a dict (M) or a set; a set's encodes a member as it is alone: {"S":
    "x"}.
    """
    fields: Mapping[str, FieldSchema] | None = None
    """Of a nested model (M), by their names in Python: paths step into them."""
    python: tuple[type, ...] = ()
    """The types of the values: they tell the members of a union apart."""
    scalar: bool = False
    """A value of one piece (S, N, B), which can be in a set or a key."""


@dataclass(frozen=True, slots=True)
class KeyAttribute:
    """A key attribute of a table or an index: its name in DynamoDB and its kind."""

    name: str
    kind: KeyKind = "S"


@dataclass(frozen=True, slots=True)
class IndexSchema:
    """A secondary index: up to four partition attributes (a local one: the table's), up to four sort."""

    attribute: str
    """The name in Python: `gsi1` of `class App(Table): gsi1 = Index()`."""
    name: str
    """The name in DynamoDB."""
    scope: Literal["global", "local"]
    partition: tuple[KeyAttribute, ...]
    sort: tuple[KeyAttribute, ...]
    project: Literal["all", "keys"] | tuple[str, ...]
    """ALL, KEYS_ONLY, or INCLUDE of these stored attribute names."""
    native: bool
    """The key attributes are the entities' own attributes (multi-attribute keys), not templates."""


@dataclass(frozen=True)
class TableSchema:
    """A table: its primary key, its indexes and its entities (added as their classes are made)."""

    cls: type
    name: str
    """The default name in DynamoDB; a session can map it to another."""
    partition: KeyAttribute
    sort: KeyAttribute | None
    indexes: dict[str, IndexSchema]
    """By their names in Python.

    The kinds of a multi-attribute key are known once an entity has its attributes.
    """
    discriminator: str | None
    """The stored attribute that tells the entities apart; None: `type_of`, or else the form of the keys
    does.
    """
    type_of: Callable[[Item], str | None] | None
    """A table's own way to tell the type of a stored item, which the toolkit then does not write."""
    ttl: str | None
    """The stored attribute that DynamoDB's TTL reads."""
    schema_version: str
    """The stored attribute that says which upcasters an item needs; only entities with upcasters write it."""
    entities: list[type[Entity]] = field(default_factory=list)
    by_type: dict[str, type[Entity]] = field(default_factory=dict)

    @property
    def key_attributes(self) -> tuple[KeyAttribute, ...]:
        """Those of the table, then of its indexes, each once, in order of declaration."""
        found = {self.partition.name: self.partition}
        if self.sort is not None:
            found.setdefault(self.sort.name, self.sort)
        for index in self.indexes.values():
            for attribute in (*index.partition, *index.sort):
                found.setdefault(attribute.name, attribute)
        return tuple(found.values())


@dataclass(frozen=True, slots=True)
class FieldSchema:
    """One field of an entity."""

    name: str
    attribute: str
    """The stored attribute's name: the field's own, or its alias."""
    codec: Codec
    annotation: Any
    optional: bool
    """None is allowed and means "absent"."""
    max_bytes: int | None
    """The longest key form that the declaration allows (max_length, Literal, Enum); None: undeclared."""


@dataclass(frozen=True, slots=True)
class KeySchema:
    """How an entity fills the keys of its table or of one index."""

    index: IndexSchema | None
    """None: the table's primary key."""
    partition: tuple[Template, ...]
    sort: tuple[Template, ...]
    when: Callable[[Any], bool] | None
    """Sparse: the entity is in the index only when this holds."""
    shards: int | None
    """The N of a `{shard:N}` placeholder in the partition."""
    parts: frozenset[str] = frozenset()
    """Fields of which the partition holds a part only, such as the day, and the sort key more: a value of
    one is a value of the partition, and leaves the sort key open.
    """

    @property
    def name(self) -> str:
        """Of the class attribute: `key`, or the index's."""
        return "key" if self.index is None else self.index.attribute

    @property
    def templates(self) -> tuple[Template, ...]:
        """Of all its attributes, those of the partition key first."""
        return (*self.partition, *self.sort)


@dataclass(frozen=True, slots=True)
class UniqueRule:
    """Values of `fields` (one or several) that no two entities of this kind may share."""

    name: str
    """Fields joined by '+'."""
    fields: tuple[str, ...]
    normalise: Callable[..., Any] | None
    normaliser_version: int
    scope: tuple[str, ...]
    """Fields whose values bound the rule: unique within equal values of them."""
    when: Callable[[Any], bool] | None


@dataclass(frozen=True)
class EntitySchema:
    """An entity: everything that its class declares."""

    cls: type[Entity]
    type_name: str
    """The discriminator's value."""
    table: TableSchema
    fields: Mapping[str, FieldSchema]
    """By their names in Python."""
    key: KeySchema
    index_keys: Mapping[str, KeySchema]
    """By the index's name in Python; holds native indexes too, where the entity has all their attributes."""
    uniques: tuple[UniqueRule, ...]
    version: str | None
    """The field that counts writes."""
    created: str | None
    updated: str | None
    ttl: str | None
    """The field that holds the expiry."""
    schema_version: int
    """How items are written now: one more than the last upcaster takes."""
    encode: Callable[[Any], Item]
    """The full stored item of an entity, index keys included. Raises UnstorableValue, KeyValueError."""
    decode: Callable[[Item], Any]
    """The entity of a stored item of this type. Raises UnreadableItem."""
    upcast: Callable[[Item], Item]
    """What the upcasters make of an item that an earlier version wrote. Raises UnreadableItem."""

    @property
    def keys(self) -> tuple[KeySchema, ...]:
        """The primary key, then those of the indexes that the entity is in."""
        return (self.key, *self.index_keys.values())

    @cached_property
    def attributes(self) -> frozenset[str]:
        """All stored attributes that are the entity's own; another program may keep others beside them."""
        names = {field.attribute for field in self.fields.values()}
        names |= {template.attribute for key in self.keys for template in key.templates}
        if self.table.discriminator is not None:
            names.add(self.table.discriminator)
        return frozenset(names | {self.table.schema_version})
