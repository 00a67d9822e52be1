"""What the failed conditions of markers mean, as data: it survives freezing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from partita.model.errors import Clash, ForeignMarker, UniqueViolation
from partita.model.schema import Item
from partita.model.uniqueness.rules import owner_of
from partita.model.values.attribute_values import from_plain, key_text, shortened

if TYPE_CHECKING:
    from partita.model.declaring.entity import Entity


@dataclass(frozen=True, slots=True)
class Taken:
    """The value must have been free."""

    entity: type[Entity]
    rule: str
    values: Mapping[str, Any]
    """By field, as plain attribute values."""

    def __call__(self, subject: str, item: Item | None, asked: Mapping[str, Any]) -> UniqueViolation:
        schema = self.entity.__schema__
        rule = next(rule for rule in schema.uniques if rule.name == self.rule)
        found = [schema.fields[name].codec.decode(from_plain(self.values[name])) for name in rule.fields]
        value = found[0] if len(found) == 1 else tuple(found)
        owner = None if item is None else owner_of(schema.table, item)
        shown = "somebody" if owner is None else key_text(owner)
        return UniqueViolation(
            f"{subject}: {shortened(value)} is taken by {shown}", [Clash(self.rule, value, owner)]
        )


@dataclass(frozen=True, slots=True)
class NotOurs:
    """The marker of a value that the entity gives up must have been its own."""

    entity: type[Entity]
    rule: str

    def __call__(self, subject: str, item: Item | None, asked: Mapping[str, Any]) -> ForeignMarker:
        return ForeignMarker(
            f"{subject}: the marker of the old value belongs to another item; write the entity by itself, "
            "outside a transaction, which leaves that marker alone, and audit the table",
            asked["Key"],
        )
