"""What a query gives: a page of typed items, or a whole collection of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from partita.model.errors import ModelError, ReadRefused
from partita.model.flows.consumption import Consumed

T = TypeVar("T")
E = TypeVar("E")


@dataclass(frozen=True, slots=True)
class Page(Generic[T]):
    """Some of the items that a query selects, in order, and how to go on."""

    items: list[T]
    cursor: str | None
    """Where the next page begins; None: this was the last one. A last page can be empty."""
    consumed: Consumed
    """All that the page cost: requests and read units, with those of `extra`."""
    extra: Consumed
    """What the strong reads of single items cost, of those to be included or fetched."""
    evaluated: int
    """Items that the service looked at; with a filter more than it gave."""
    stopped: bool
    """`max_requests` ended the search before `limit` items were found; behind the cursor may be more."""

    @property
    def requests(self) -> int:
        return self.consumed.requests

    def __iter__(self) -> Iterator[T]:
        return iter(self.items)


def require_count(name: str, value: object) -> None:
    """Raises ReadRefused unless it is a whole number from 1."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise ReadRefused(f"{name} is a whole number, not {value!r}")
    if value < 1:
        raise ReadRefused(f"{name} is at least 1, not {value}")


class MoreItems(ModelError):
    """A collection holds more items than the caller allowed; none of them is given."""


class NotOne(ModelError, LookupError):
    """A collection was asked for its one item of a type, and has none or several."""


@dataclass(frozen=True, slots=True)
class Collection:
    """Everything that was read of one item collection, in the order of its sort keys."""

    items: list[Any]
    consumed: Consumed

    def of(self, entity: type[E]) -> list[E]:
        """The items of one type."""
        return [item for item in self.items if isinstance(item, entity)]

    def one(self, entity: type[E]) -> E:
        """The only item of a type. Raises NotOne."""
        found = self.of(entity)
        if len(found) != 1:
            raise NotOne(f"the collection holds {len(found)} {entity.__name__}, not one")
        return found[0]

    def one_or_none(self, entity: type[E]) -> E | None:
        """The only item of a type, None where there is none. Raises NotOne for several."""
        return self.one(entity) if self.of(entity) else None

    def __iter__(self) -> Iterator[Any]:
        return iter(self.items)

    def __len__(self) -> int:
        return len(self.items)
