"""Which keys a read can find: what else stands among them?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from partita.model.declaring.entity import Entity
from partita.model.keys.collisions import ANYTHING, common_key, key_among, texts_of
from partita.model.keys.key_conditions import KeyCondition
from partita.model.keys.languages import HIGHEST, AnyOf, Language, Many, One, exactly
from partita.model.keys.templates import Segment, Slot, Template, language_of
from partita.model.reading.queries import is_of_collection, key_in, literal_beginning, shared_beginning
from partita.model.schema import KeySchema
from partita.model.values.parameters import P

EntityClass = type[Entity]


def selects_one(of: Sequence[EntityClass], condition: KeyCondition[Any]) -> bool:
    """Whether the read is of one item: a full primary key, and of one entity."""
    return condition.is_item and not is_of_collection(of, condition)


def sort_texts(of: Sequence[EntityClass], condition: KeyCondition[Any]) -> tuple[Language, ...]:
    """Every sort key that the read can find, whatever its parameters are: in one of these languages.

    Of a range only the first character is bounded, by those of the values that it can be asked with; so there
    may be somewhat more in them than it finds.
    """
    if is_of_collection(of, condition):
        beginnings = [literal_beginning(key_in(entity, condition.key)) for entity in of]
        return (exactly(shared_beginning(beginnings)) + ANYTHING,)
    if len(condition.key.sort) != 1:
        return (ANYTHING,)
    (template,) = condition.key.sort
    if template.field is not None:
        return (texts_of(template) if template.field.name in condition.sort_values else ANYTHING,)
    bound, rest = _bound(template, condition)
    if not rest:
        return (bound,)
    if condition.range is None or condition.range == "begins_with":
        return (bound + ANYTHING,)
    slot = rest[0]
    assert isinstance(slot, Slot)
    low, high = _first_characters(slot)
    if condition.range in ("after", "at_least"):
        high = HIGHEST
    from_start = condition.range in ("before", "at_most")
    ranged = (*bound, One(((0 if from_start or low is None else low, high),)), *ANYTHING)
    # An empty value is the lowest: the range begins where all keys of the partition do.
    return (ranged, bound) if from_start or low is None else (ranged,)


def neighbours(of: Sequence[EntityClass], condition: KeyCondition[Any]) -> list[tuple[EntityClass, str]]:
    """Other entities that the read also finds, each with such a sort key ("" where there is none)."""
    schema = condition.entity.__schema__
    wanted = sort_texts(of, condition)
    found: list[tuple[EntityClass, str]] = []
    for entity in schema.table.entities:
        key = _key_of(entity, condition.key)
        if entity in of or key is None or not any(shares_partition(o, key, condition.key) for o in of):
            continue
        witness = sort_witness(wanted, key)
        if witness is not None:
            found.append((entity, witness))
    return found


def sort_witness(wanted: tuple[Language, ...], key: KeySchema) -> str | None:
    """A sort key of an entity that is among those wanted, None where there is none."""
    if len(key.sort) != 1:
        return ""
    found = (key_among(language, key.sort[0]) for language in wanted)
    return next((text for text in found if text is not None), None)


def shares_partition(of: EntityClass, key: KeySchema, asked: KeySchema) -> bool:
    """Whether a partition of the entity in what is asked can also hold items with the key `key`."""
    own = _key_of(of, asked)
    return own is not None and all(
        common_key(*pair) is not None for pair in zip(own.partition, key.partition, strict=True)
    )


def _key_of(entity: EntityClass, asked: KeySchema) -> KeySchema | None:
    schema = entity.__schema__
    return schema.key if asked.index is None else schema.index_keys.get(asked.index.attribute)


def _bound(template: Template, condition: KeyCondition[Any]) -> tuple[Language, tuple[Segment, ...]]:
    """The beginning up to the first placeholder without a value, and the segments from there."""
    language: Language = ()
    for position, segment in enumerate(template.segments):
        if isinstance(segment, Slot):
            if segment.field not in condition.sort_values:
                return language, template.segments[position:]
            value = condition.sort_values[segment.field]
            if not isinstance(value, P):
                text = segment.format.render(value)
                language += exactly(text) if text else ()
                continue
        language += language_of((segment,))
    return language, ()


def _first_characters(slot: Slot) -> tuple[int | None, int]:
    """The lowest and the highest first character of its values; None: a value can be empty."""
    match slot.format.language[0]:
        case One(ranges):
            return ranges[0][0], ranges[-1][1]
        case Many(ranges):
            return None, ranges[-1][1]
        case AnyOf(texts):
            firsts = [ord(text[0]) for text in texts if text]
            low = min(firsts) if firsts and "" not in texts else None
            return low, max(firsts, default=HIGHEST)
