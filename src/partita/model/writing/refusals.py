"""What the failed conditions of this package's writes mean, as data: it survives freezing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from partita.model.declaring.items import entity_of
from partita.model.declaring.upcasting import is_older
from partita.model.errors import (
    AlreadyExists,
    ConditionFailed,
    ModelError,
    NotStored,
    OlderForm,
    OperationReused,
    StaleVersion,
)
from partita.model.expressions.spoken import spoken_condition, stored_words
from partita.model.schema import Item

if TYPE_CHECKING:
    from partita.model.declaring.entity import Entity


@dataclass(frozen=True, slots=True)
class Exists:
    """There must have been no item of this key."""

    entity: type[Entity]

    def __call__(self, subject: str, item: Item | None, asked: Mapping[str, Any]) -> AlreadyExists:
        return AlreadyExists(f"{subject} exists already", _current(self.entity, item))


@dataclass(frozen=True, slots=True)
class Changed:
    """There must have been an item of this version (None: of any), and a condition must hold for it."""

    entity: type[Entity]
    version: int | None
    in_this_form: bool = False
    """It must have been in the form that the class writes."""

    def __call__(self, subject: str, item: Item | None, asked: Mapping[str, Any]) -> ModelError:
        if item is None and self.version != 0:
            return NotStored(f"{subject} is not stored")
        current = _current(self.entity, item)
        if self.version is not None and item is not None:
            stored = stored_version(self.entity, item)
            if stored != self.version:
                return StaleVersion(f"{subject} is of version {stored} by now, not {self.version}", current)
        schema = self.entity.__schema__
        if self.in_this_form and item is not None:
            try:
                current = entity_of(item, self.entity)
            except ModelError as unreadable:
                return unreadable
            if is_older(schema, item):
                return OlderForm(_older(subject, self.entity), current)
        text = f"{subject}: the condition {spoken_condition(schema, asked)} does not hold"
        if item is not None and (words := stored_words(schema, asked, item)):
            text += f"; stored: {words}"
        return ConditionFailed(text, current)


@dataclass(frozen=True, slots=True)
class Done:
    """The operation must not have been recorded; `commit` takes its failure for the success that it is."""

    def __call__(self, subject: str, item: Item | None, asked: Mapping[str, Any]) -> ModelError:
        return OperationReused(f"{subject}: the operation was another one")


def _older(subject: str, entity: type[Entity]) -> str:
    name = entity.__name__
    return (
        f"{subject} is stored in an older form, of other attributes than {name} writes: update it as it was "
        f"read (update(error.current)), or bring all over with session.backfill({name}), and try again"
    )


def stored_version(entity: type[Entity], item: Item) -> int:
    """The version that a stored item has; 0 where it has none."""
    schema = entity.__schema__
    assert schema.version is not None
    value: Any = item.get(schema.fields[schema.version].attribute, {})
    return int(value.get("N", 0))


def _current(entity: type[Entity], item: Item | None) -> Entity | None:
    """The stored entity; None where there is none, or what is stored under the key is something else."""
    if item is None:
        return None
    try:
        return entity_of(item, entity)
    except ModelError:
        return None
