"""Writes as they are declared: what changes, how, and what was read to decide it.

REGISTER = Write("register", creates=[Account], how="transaction")
PLACE_ORDER = Write(
    "place order", creates={Order: 1, OrderLine: 20}, changes={Stock: 20}, how="transaction"
)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, get_args

from partita.design.reads import Read
from partita.model.declaring.entity import Entity

How = Literal["put", "batch", "transaction"]
Entities = Iterable[type[Entity]] | Mapping[type[Entity], int]
"""Entity classes, one item of each; or with how many items of each at most."""


class Write:
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
        self.name = name
        self.how = how
        self.creates = _counted(creates)
        self.changes = _counted(changes)
        self.deletes = _counted(deletes)
        self.checks = _counted(checks)
        self.together = together or how == "transaction"
        self.decided_by = tuple(decided_by)
        self.guarded = frozenset(guarded)

    @property
    def of(self) -> tuple[type[Entity], ...]:
        """Every entity that it writes or asks about, each once."""
        return tuple(dict.fromkeys((*self.creates, *self.changes, *self.deletes, *self.checks)))

    @property
    def items(self) -> int:
        """How many items of entities it writes at most."""
        return sum(sum(part.values()) for part in (self.creates, self.changes, self.deletes))

    def __repr__(self) -> str:
        return f"Write({self.name!r})"


def _counted(entities: Entities) -> dict[type[Entity], int]:
    return dict(entities) if isinstance(entities, Mapping) else dict.fromkeys(entities, 1)
