"""A write before it is sent: its actions, and what is known about sending them twice.

What becomes of a single write whose answer was lost ("unknown" is OutcomeUnknown):

- create: sent again. If an item is there then, it is another's (AlreadyExists) if it bears another
  `created()` time or, being different, a first version; ours if it bears our time and is equal, or of a later
  version; else unknown.
- put without a version: sent again; applied twice is applied once.
- put or update with a version: sent again. If its condition fails then, the next version is ours if it is
  equal and bears our `updated()` time, another's (StaleVersion) if it is different; else unknown.
- update without a version, change without `when`: sent again if it only sets and removes whole attributes or
  entries of maps; a failed condition then says nothing: unknown.
- any other change (numbers added to, lists appended to, `when`, a version raised): unknown at once.
- delete: sent again. If its condition fails then, no item is unknown, an item is another's.
- several actions (unique attributes): sent again with the same token; the service knows its own.

So an item is not told from one deleted and made anew in the meantime. To be certain, write in a transaction
with an operation id.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from partita.model.flows.actions import Action
from partita.model.schema import Item

Verdict = bool | None
"""Whether a stored item shows that a write was applied whose answer was lost; None: it does not tell."""


def _cannot_tell(item: Item | None) -> Verdict:
    return None


def _nothing(item: Item | None) -> None:
    return None


@dataclass(frozen=True, slots=True)
class WritePlan:
    """One write of an entity."""

    actions: tuple[Action, ...]
    repeats: bool = True
    """Whether it may be sent again after a lost answer."""
    applied: Callable[[Item | None], Verdict] = _cannot_tell
    """Given the item on which the condition of a second sending failed."""
    settle: Callable[[Item | None], None] = _nothing
    """Takes note of the success in the entity; given the item as the answer has it, if it does."""
    item: Item | None = None
    """The item as an update leaves it, unless others write at the same time; None: not known."""
