"""Rules of keys: apart from each other, short enough, in order, and spread over partitions."""

from __future__ import annotations

import enum
import itertools
from collections.abc import Iterator, Sequence
from datetime import date
from typing import Any, Literal, get_origin

from partita.design.findings import Finding, refused, warning
from partita.design.sizes import MOST_ITEM_BYTES, most_bytes
from partita.design.writes import Write
from partita.model.keys.collisions import can_collide
from partita.model.keys.templates import Slot, Template
from partita.model.schema import EntitySchema, FieldSchema, KeySchema
from partita.model.values.annotations import bare_type, longest

MOST_PARTITION_BYTES = 2048
MOST_SORT_BYTES = 1024


def check_keys(schema: EntitySchema, writes: Sequence[Write]) -> Iterator[Finding]:
    """Everything that is wrong with the keys of one entity."""
    lengths: set[str] = set()
    for name, key in keys_of(schema).items():
        for template, most in _limits(key):
            if template.attribute not in lengths:
                lengths.add(template.attribute)
                yield from _length(schema, name, template, most)
        yield from _spread(schema, name, key, writes)
        yield from _sorting(schema, name, key)
    yield from _raw(schema)
    size = most_bytes(schema)
    if size is not None and size > MOST_ITEM_BYTES:
        yield warning(
            "item-size",
            schema.cls,
            f"an item can be {size:,} bytes by its declared lengths, and DynamoDB takes {MOST_ITEM_BYTES:,}: "
            "declare shorter ones, or keep what is large elsewhere (S3) and its name here",
        )


def check_pair(one: EntitySchema, other: EntitySchema) -> Iterator[Finding]:
    """Whether two entities that are stored in one table of DynamoDB can have the same primary key."""
    witness = can_collide(one.key, other.key)
    if witness is not None:
        yield refused(
            "collision",
            one.cls,
            f"it and {other.cls.__name__} can have the same primary key, such as {witness!r}, and then one "
            "overwrites the other: begin their keys with different words",
        )


def keys_of(schema: EntitySchema) -> dict[str, KeySchema]:
    """The primary key as "key", and those of the indexes."""
    return {"key": schema.key, **schema.index_keys}


def pairs(schemas: Sequence[EntitySchema]) -> Iterator[tuple[EntitySchema, EntitySchema]]:
    """Entities of tables that are the same table in DynamoDB."""
    for one, other in itertools.combinations(schemas, 2):
        if one.table.name == other.table.name:
            yield one, other


def _limits(key: KeySchema) -> Iterator[tuple[Template, int]]:
    for template in key.partition:
        yield template, MOST_PARTITION_BYTES
    for template in key.sort:
        yield template, MOST_SORT_BYTES


def _length(schema: EntitySchema, name: str, template: Template, most: int) -> Iterator[Finding]:
    if template.max_bytes is None:
        loose = ", ".join(field.name for field in fields_in(schema, template) if not _is_bounded(field))
        yield warning(
            "key-length",
            schema.cls,
            f"nothing bounds {loose} in {name}, and {template.attribute} takes {most} bytes: a longer value "
            "is refused when it is written; declare a max_length",
        )
    elif template.max_bytes > most:
        yield refused(
            "key-length",
            schema.cls,
            f'"{template.text}" of {name} can be {template.max_bytes} bytes by its declared lengths (a '
            f"character is up to 4 bytes), and {template.attribute} takes {most}: declare shorter ones",
        )


def _sorting(schema: EntitySchema, name: str, key: KeySchema) -> Iterator[Finding]:
    for template in key.sort:
        if not template.sorts:
            yield warning(
                "sorting",
                schema.cls,
                f'"{template.text}" of {name} holds a number without a width, so that 10 comes before 9: '
                "fine as long as no pattern reads a range or a page in its order",
            )


def _raw(schema: EntitySchema) -> Iterator[Finding]:
    for template in schema.key.templates:
        texts = [
            f.name for f in fields_in(schema, template) if template.raw and bare_type(f.annotation) is str
        ]
        if texts and len(template.segments) > 1:
            yield warning(
                "raw-key",
                schema.cls,
                f'"{template.text}" is raw: a "#" in {", ".join(texts)} can make two items one; forbid it '
                "with a constraint on the field (pattern=)",
            )


def _spread(schema: EntitySchema, name: str, key: KeySchema, writes: Sequence[Write]) -> Iterator[Finding]:
    if key.shards is not None or (key.index is not None and key.index.scope == "local"):
        return
    fields = [field for template in key.partition for field in fields_in(schema, template)]
    if any(_is_many(field, template) for template in key.partition for field in fields_in(schema, template)):
        return
    text = " + ".join(template.text for template in key.partition)
    if fields:
        timed = any(_is_time(field) for field in fields)
        what = (
            "all items of one day or hour go" if timed else f"there are few values of {_named(fields)}, so "
        )
        what += " to one partition" if timed else "that all items go to a few partitions"
        advice = (
            "put what spreads them (a tenant, a customer) before it"
            if key.index is None
            else "put a tenant before it, or spread it with {shard:N}"
        )
        yield refused("hot-partition", schema.cls, f'"{text}" of {name} is hot: {what}; {advice}')
    elif key.index is None and not any(fields_in(schema, template) for template in key.sort):
        counted = [write for write in writes if schema.cls in write.changes]
        if counted:
            yield refused(
                "hot-partition",
                schema.cls,
                f'there is one item, "{text}", and "{counted[0].name}" changes it every time: an item takes '
                "about 1,000 writes a second, and transactions on it conflict; count in shards "
                "(partita.model.recipes), or from the stream",
            )
    else:
        advice = (
            "put what spreads them into it"
            if key.index is None
            else "put what spreads them before it, or {shard:N}; a sparse index (when=) is hot too"
        )
        yield refused(
            "hot-partition",
            schema.cls,
            f'every {schema.cls.__name__} has the same partition key "{text}" in {name}, and one partition '
            f"takes about 1,000 writes and 3,000 reads a second: {advice}",
        )


def fields_in(schema: EntitySchema, template: Template) -> list[FieldSchema]:
    """The fields that stand in a key attribute, in order."""
    return [schema.fields[name] for name in template.names]


def _is_many(field: FieldSchema, template: Template) -> bool:
    """Whether its values spread: texts, numbers, identifiers, moments; not days, choices and flags."""
    of = bare_type(field.annotation)
    if of is bool or of is date or get_origin(of) is Literal:
        return False
    if isinstance(of, type) and issubclass(of, enum.Enum):
        return False
    slots: list[Any] = [s for s in template.segments if isinstance(s, Slot) and s.field == field.name]
    return not any(slot.format.lossy for slot in slots) or template.field is not None


def _is_time(field: FieldSchema) -> bool:
    of = bare_type(field.annotation)
    return isinstance(of, type) and issubclass(of, date)


def _is_bounded(field: FieldSchema) -> bool:
    return field.max_bytes is not None or longest(field.annotation) is not None


def _named(fields: Sequence[FieldSchema]) -> str:
    return ", ".join(field.name for field in fields)
