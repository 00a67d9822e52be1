"""What can be wrong between entities and their markers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from partita.model.schema import Item
from partita.model.values.attribute_values import key_text

FaultKind = Literal["orphaned marker", "marker of another value", "missing marker", "shared value"]

KINDS: Mapping[FaultKind, str] = {
    "orphaned marker": "a marker whose owner does not exist: nobody can take the value",
    "marker of another value": "a marker whose owner exists, but does not hold the value (any more)",
    "missing marker": "an entity whose value no marker reserves: another one can take it",
    "shared value": "a value that several entities hold",
}


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault, as strong reads of everything it is about showed it."""

    kind: FaultKind
    entity: str
    """The entity type's name."""
    rule: str
    marker: Item
    """The primary key of the marker that is, or should be."""
    owners: tuple[Item, ...]
    """Primary keys: of the marker's owner, of the entity without a marker, of those that share a value (the
    first 9)."""

    def __str__(self) -> str:
        owners = ", ".join(map(key_text, self.owners))
        return f"{self.kind}: {self.entity}.{self.rule}, {key_text(self.marker)}, owned by {owners}"
