"""What a query asks of a key condition: checked against the declarations before anything is sent."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from pydantic import BaseModel

from partita.model.declaring.entity import Entity
from partita.model.declaring.items import has_keys_of, key_of, type_of
from partita.model.errors import ReadRefused
from partita.model.expressions.conditions import AttributeAt, Comparison, Condition, In, Value
from partita.model.expressions.rendering import attributes_of, render, require_fields_of
from partita.model.flows.context import Context
from partita.model.flows.written import Note
from partita.model.keys.collisions import common_key
from partita.model.keys.key_conditions import KeyCondition
from partita.model.keys.terms import AttributeCondition
from partita.model.reading.cursors import digest_of
from partita.model.reading.given import Included
from partita.model.reading.partitions import Question
from partita.model.reading.projections import decoder, projection_for
from partita.model.reading.ranges import Range, holds, primary_key_attributes
from partita.model.schema import Item, KeySchema, TableSchema

EntityClass = type[Entity]


@dataclass(frozen=True)
class QueryPlan:
    """A query that can be sent, how its items are read, and what its cursors belong to."""

    question: Question
    decode: Callable[[Item], Any]
    digest: bytes


def plan(
    context: Context,
    of: Sequence[EntityClass],
    condition: KeyCondition[Any],
    *,
    newest_first: bool = False,
    filter_: Condition | None = None,
    consistent: bool = False,
    view: type[BaseModel] | None = None,
    fetch: bool = False,
    including: bool | Iterable[Included] | None = None,
    strict: bool = False,
) -> QueryPlan:
    """The plan of a query. Raises ReadRefused with the reason why it cannot work.

    `strict`: items of no declared type are not passed over; reading one raises UnreadableItem.
    """
    schema = condition.entity.__schema__
    table, index = schema.table, condition.key.index
    check_entities(of, condition)
    if consistent and index is not None and index.scope == "global":
        raise ReadRefused(
            f"{index.attribute} is a global index, which follows the table later: no read of it is "
            "consistent; read by the table's key, or include what was written (including=True)"
        )
    if filter_ is not None:
        require_fields_of(of, filter_)
        check_filter(filter_, condition)
    terms = _sort_terms(of, condition)
    range_ = _range(context, condition, terms)
    projection = projection_for(tuple(of), index and index.attribute, view, fetch, range_.key_names)
    wanted = frozenset(of)
    question = Question(
        range_,
        newest_first=newest_first,
        consistent=consistent,
        filter_=filter_,
        types=None if strict else _types(wanted, condition.key, terms, projection.has_types),
        projection=projection.paths,
        select=projection.select,
        accept=None if strict else _accept(wanted, table),
        fetch=projection.fetch,
        recent=None if consistent else _notes(context, range_, condition, including),
    )
    digest = digest_of(
        range_.table,
        range_.index,
        range_.partitions,
        [(term.attribute, term.operator, term.operands) for term in terms],
        newest_first,
        sorted(entity.__schema__.type_name for entity in of),
        None if filter_ is None else render(filter=filter_),
    )
    return QueryPlan(question, decoder(tuple(of), view, strict=strict), digest)


def _range(context: Context, condition: KeyCondition[Any], terms: tuple[AttributeCondition, ...]) -> Range:
    table, index = condition.entity.__schema__.table, condition.key.index
    primary = primary_key_attributes(table)
    return Range(
        context.table_name(table),
        None if index is None else index.name,
        primary,
        (table.partition,) if index is None else index.partition,
        primary[1:] if index is None else index.sort,
        tuple(tuple(value for _, value in condition.partition(shard)) for shard in condition.shards),
        terms,
    )


def _accept(wanted: frozenset[EntityClass], table: TableSchema) -> Callable[[Item], bool]:
    """Whether an item is of one of the types; the usual way to tell is the cheap one."""
    attribute = None if table.type_of is not None else table.discriminator
    names = {entity.__schema__.type_name for entity in wanted}

    def accept(item: Item) -> bool:
        stored = item.get(attribute) if attribute is not None else None
        return type_of(item, table) in wanted if stored is None else stored.get("S") in names

    return accept


def check_entities(of: Sequence[EntityClass], condition: KeyCondition[Any]) -> None:
    """Raises ReadRefused unless all of them are in the table or index of the condition."""
    table, index = condition.entity.__schema__.table, condition.key.index
    if not of:
        raise ReadRefused("a query is of one entity or several")
    for entity in of:
        if entity.__schema__.table is not table:
            raise ReadRefused(
                f"{entity.__name__} is in another table than {condition.entity.__name__}, whose key it is"
            )
        if index is not None and index.attribute not in entity.__schema__.index_keys:
            raise ReadRefused(
                f"{entity.__name__} has no key for {index.attribute}, so it is never in that index"
            )


def check_filter(filter_: Condition, condition: KeyCondition[Any]) -> None:
    """Raises ReadRefused for a filter on key attributes, or on what the index does not project."""
    table, index = condition.entity.__schema__.table, condition.key.index
    keys = primary_key_attributes(table) if index is None else (*index.partition, *index.sort)
    used = attributes_of(filter_)
    for attribute in keys:
        if attribute.name in used:
            raise ReadRefused(
                f"{attribute.name} is a key attribute of what is read: it can stand in the key condition "
                "only, not in a filter"
            )
    if index is not None and index.project != "all":
        projected = {a.name for a in (*primary_key_attributes(table), *keys)} | set(
            index.project if isinstance(index.project, tuple) else ()
        )
        if missing := sorted(used - projected):
            raise ReadRefused(
                f"{index.attribute} does not project {', '.join(missing)}: a filter on it would find nothing"
            )


def _sort_terms(of: Sequence[EntityClass], condition: KeyCondition[Any]) -> tuple[AttributeCondition, ...]:
    """The conditions on the sort attributes.

    Where several entities are asked for by the partition alone, each has its own form of the sort key: all
    that they share is how it begins.
    """
    if not is_of_collection(of, condition):
        return condition.sort()
    beginnings = [literal_beginning(key_in(entity, condition.key)) for entity in of]
    shared = shared_beginning(beginnings)
    if not shared:
        return ()
    (sort,) = condition.key.sort
    return (AttributeCondition(sort.attribute, "begins_with", ({"S": shared},)),)


def is_of_collection(of: Sequence[EntityClass], condition: KeyCondition[Any]) -> bool:
    """Whether several entities are asked for by the partition alone."""
    partition = {name for template in condition.key.partition for name in template.names} | {"shard"}
    return len(of) > 1 and condition.range is None and partition.issuperset(condition.values)


def key_in(entity: EntityClass, key: KeySchema) -> KeySchema:
    """The entity's own key in the table or index that `key` is of."""
    schema = entity.__schema__
    return schema.key if key.index is None else schema.index_keys[key.index.attribute]


def literal_beginning(key: KeySchema) -> str:
    """What every sort key of the entity begins with."""
    if len(key.sort) != 1 or not key.sort[0].segments:
        return ""
    first = key.sort[0].segments[0]
    return first if isinstance(first, str) else ""


def shared_beginning(texts: Sequence[str]) -> str:
    """What all of them begin with."""
    low, high = min(texts), max(texts)
    for position, character in enumerate(low):
        if character != high[position]:
            return low[:position]
    return low


def _types(
    wanted: frozenset[EntityClass],
    key: KeySchema,
    terms: tuple[AttributeCondition, ...],
    has_types: bool,
) -> Condition | None:
    """A filter on the type, where other entities can stand between those that are wanted."""
    table = next(iter(wanted)).__schema__.table
    if table.discriminator is None or not has_types:
        return None
    attribute = None if key.index is None else key.index.attribute
    others = _neighbours(wanted, attribute, len(table.entities))
    if not any(_meet(terms, beginning) for beginning in others):
        return None
    names = [Value({"S": name}) for name in sorted(entity.__schema__.type_name for entity in wanted)]
    at = AttributeAt((table.discriminator,))
    return Comparison(at, "=", names[0]) if len(names) == 1 else In(at, tuple(names))


@lru_cache(maxsize=1024)
def _neighbours(wanted: frozenset[EntityClass], attribute: str | None, entities: int) -> tuple[str, ...]:
    """How the sort keys of other entities begin that can have the same partition key.

    `entities` is how many the table has, so that the answer is worked out again when there are more.
    """
    table = next(iter(wanted)).__schema__.table
    keys = {}
    for entity in table.entities[:entities]:
        schema = entity.__schema__
        made = schema.key if attribute is None else schema.index_keys.get(attribute)
        if made is not None:
            keys[entity] = made
    return tuple(
        literal_beginning(key)
        for entity, key in keys.items()
        if entity not in wanted
        and any(
            all(
                common_key(*pair) is not None for pair in zip(keys[own].partition, key.partition, strict=True)
            )
            for own in wanted
        )
    )


def _meet(terms: tuple[AttributeCondition, ...], beginning: str) -> bool:
    """Whether keys that begin so can be among those that the conditions select."""
    if not terms:
        return True
    texts = [operand.get("S") for operand in terms[-1].operands]
    if any(text is None for text in texts):
        return True
    match terms[-1].operator:
        case "=" | "begins_with" | "BETWEEN":
            low = shared_beginning([text for text in texts if text is not None])
            return low.startswith(beginning) or beginning.startswith(low)
    return True


def _notes(
    context: Context,
    range_: Range,
    condition: KeyCondition[Any],
    including: bool | Iterable[Included] | None,
) -> list[Note] | None:
    table = condition.entity.__schema__.table
    if including is None or including is False:
        return None
    if including is True:
        written = context.written.of(range_.table)
        return [note for note in written if note.known or _may_stand(range_, condition, note.key)]
    notes = []
    for one in including:
        entity = one.entity if isinstance(one, KeyCondition) else type(one)
        if entity.__schema__.table is not table:
            raise ReadRefused(f"{entity.__name__} cannot be included: it is in another table")
        key = one.item_key() if isinstance(one, KeyCondition) else key_of(one)
        # Given is the name of an item, not what it holds: that is always read.
        notes.append(Note(key, None, known=False))
    return notes


def _may_stand(range_: Range, condition: KeyCondition[Any], key: Item) -> bool:
    """Whether an item of this primary key, of which nothing else is known, can be in the range."""
    index = condition.key.index
    if index is None:
        return holds(range_, key)
    schemas = [entity.__schema__ for entity in condition.entity.__schema__.table.entities]
    whose = [schema for schema in schemas if has_keys_of(key, schema)]
    return not whose or any(index.attribute in schema.index_keys for schema in whose)
