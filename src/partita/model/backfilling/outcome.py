"""What a backfill has done so far: its counts, and the items that need a look."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Literal

from partita.model.flows.consumption import Consumed
from partita.model.schema import Item
from partita.model.values.attribute_values import key_text

MOST_PROBLEMS = 1000

ProblemKind = Literal["unreadable", "primary key", "contended", "refused"]


@dataclass(frozen=True, slots=True)
class Unmended:
    """An item that was left as it is.

    - unreadable: it cannot be read as the entity whose type it has
    - primary key: the model writes it under another key, which an item cannot change to
    - contended: others wrote it each time that it was to be written; run the backfill again
    - refused: the service, or a rule of the model, does not take it as it would become
    """

    kind: ProblemKind
    entity: str
    key: Item
    """Its primary key."""
    text: str

    def __str__(self) -> str:
        return f"{self.kind}: {self.entity} {key_text(self.key)}: {self.text}"


@dataclass(frozen=True, slots=True)
class Mended:
    """An item that was written, or in a dry run would be."""

    entity: str
    key: Item
    attributes: tuple[str, ...]
    """The stored attributes that are set or removed."""

    def __str__(self) -> str:
        return f"{self.entity} {key_text(self.key)}: {', '.join(self.attributes)}"


@dataclass
class Backfill:
    """The outcome of a backfill; one that was resumed counts on from its checkpoint.

    An item that was read again after a kill is counted again.
    """

    table: str
    """The table's name in DynamoDB."""
    dry_run: bool = False
    items: int = 0
    """Items read."""
    right: int = 0
    """Entities that were right already, or that others put right meanwhile."""
    written: int = 0
    """Entities written; in a dry run those that would be."""
    gone: int = 0
    """Entities that others deleted meanwhile."""
    others: int = 0
    """Items that are none of these entities: other types, markers of unique values, records of operations."""
    attributes: Counter[str] = field(default_factory=Counter)
    """How often each attribute was set or removed, as `Order.GSI1PK`."""
    unmended: Counter[str] = field(default_factory=Counter)
    """Items left as they are, by kind of problem."""
    problems: list[Unmended] = field(default_factory=list)
    """The first ones of them that this run met."""
    examples: list[Mended] = field(default_factory=list)
    """The first items that this run wrote, or would write."""
    consumed: Consumed = field(default_factory=Consumed)
    checkpoint: str | None = None
    """Where to go on (`resume=`); None at the end."""

    @property
    def is_complete(self) -> bool:
        """Whether every item was met and none was left as it should not be."""
        return self.checkpoint is None and not self.unmended

    def mended(self, one: Mended) -> None:
        self.written += 1
        self.attributes.update(f"{one.entity}.{name}" for name in one.attributes)
        if len(self.examples) < MOST_PROBLEMS:
            self.examples.append(one)

    def left(self, problem: Unmended) -> None:
        self.unmended[problem.kind] += 1
        if len(self.problems) < MOST_PROBLEMS:
            self.problems.append(problem)
