"""Writes as they are declared: what changes, how, and what was read to decide it.

REGISTER = Write("register", creates=[Account], how="transaction")
PLACE_ORDER = Write(
    "place order", creates={Order: 1, OrderLine: 20}, changes={Stock: 20}, how="transaction"
)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, get_args

from partita.design.given import given_counts, given_entities, given_name
from partita.design.patterns import PatternKind
from partita.design.reads import Read, is_read
from partita.model.declaring.entity import Entity
from partita.model.values.attribute_values import shortened
from partita.words import counted

How = Literal["put", "batch", "transaction"]
MOST_IN_BATCH = 25
"""Items of one BatchWriteItem."""
Entities = Iterable[type[Entity]] | Mapping[type[Entity], int]
"""Entity classes, one item of each; or with how many items of each at most."""


class Write(PatternKind):
    """A write with a name.

    - creates, changes, deletes: the entities, with how many items of each at most; markers of unique
      attributes and index entries are not named: they follow
    - checks: entities that the transaction only asks about (ConditionCheck)
    - how: "put" (one request that writes one item: put, update or delete), "batch" (many items, each for
      itself) or "transaction" (all or none)
    - together: several items must change together; a transaction always does that
    - decided_by: the reads whose result decides whether or what is written
    - guarded: the entities whose writes carry a condition (`when=`) on what was read; those with a version
      always do
    """

    def __init__(
        self,
        name: str,
        *,
        how: How,
        creates: Entities = (),
        changes: Entities = (),
        deletes: Entities = (),
        checks: Entities = (),
        together: bool = False,
        decided_by: Sequence[Read] = (),
        guarded: Sequence[type[Entity]] = (),
    ) -> None:
        if how not in get_args(How):
            raise ValueError(f"{name!r}: how is one of {', '.join(get_args(How))}, not {how!r}")
        self.name = given_name(name)
        self.how = how
        self.creates = _counted(name, creates)
        self.changes = _counted(name, changes)
        self.deletes = _counted(name, deletes)
        self.checks = _counted(name, checks)
        self.together = together or how == "transaction"
        if not isinstance(decided_by, Sequence) or not all(map(is_read, decided_by)):
            raise TypeError(f"{name!r}: decided_by is a list of declared reads, not {shortened(decided_by)}")
        self.decided_by = tuple(decided_by)
        self.guarded = frozenset(given_entities(name, guarded))
        self.of = tuple(dict.fromkeys((*self.creates, *self.changes, *self.deletes, *self.checks)))

    @property
    def items(self) -> int:
        """How many items of entities it writes at most."""
        return sum(sum(part.values()) for part in (self.creates, self.changes, self.deletes))

    @property
    def actions(self) -> int:
        """How many actions its transaction has at most, markers of unique attributes included."""
        return (
            sum(n * (1 + len(e.__schema__.uniques)) for e, n in self.creates.items())
            + sum(n * (1 + 2 * len(e.__schema__.uniques)) for e, n in self.changes.items())
            + sum(n * (1 + len(e.__schema__.uniques)) for e, n in self.deletes.items())
            + sum(self.checks.values())
        )

    @property
    def requests(self) -> int:
        """How many requests a run is at most."""
        return -(-self.items // MOST_IN_BATCH) if self.how == "batch" else 1

    @property
    def request(self) -> str:
        if self.how == "transaction":
            return f"TransactWriteItems (up to {counted(self.actions, 'action')})"
        if self.how == "batch":
            return "BatchWriteItem" if self.requests == 1 else f"BatchWriteItem × {self.requests}"
        return "UpdateItem" if self.changes else "DeleteItem" if self.deletes else "PutItem"

    @property
    def index_name(self) -> str:
        return ""

    @property
    def words(self) -> str:
        parts = (
            ("create", self.creates),
            ("change", self.changes),
            ("delete", self.deletes),
            ("check", self.checks),
        )
        return "; ".join(f"{verb} {_listed(part)}" for verb, part in parts if part)

    @property
    def consistency(self) -> str:
        return {"transaction": "all or none", "batch": "each for itself", "put": "one item"}[self.how]


def _listed(entities: Mapping[type[Entity], int]) -> str:
    return ", ".join(
        entity.__name__ if number == 1 else f"{number} {entity.__name__}"
        for entity, number in entities.items()
    )


def _counted(name: str, entities: Entities) -> dict[type[Entity], int]:
    classes = given_entities(name, entities)
    if not isinstance(entities, Mapping):
        return dict.fromkeys(classes, 1)
    given_counts(name, **{f"the number of {entity.__name__}": entities[entity] for entity in classes})
    return dict(entities)
