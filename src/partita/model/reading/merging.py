"""Partitions read side by side and merged into one order, each remembering how far it was given out."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from operator import itemgetter

from partita.model.reading.cursors import Place, Places
from partita.model.reading.ranges import (
    Position,
    Range,
    Rank,
    position_of,
    position_rank,
    rank_of,
    table_key_of,
)
from partita.model.schema import Item

Entry = tuple[Rank, "Partition | None", Item | None]
"""What orders it, whence it is (None: included), and the item (None: here a request is needed first)."""

_Standing = tuple[Rank, Position]


class Partition:
    """One partition of a range: what was fetched of it and not yet given out, and where to ask on."""

    __slots__ = ("_at", "_items", "ahead", "number", "place")

    def __init__(self, number: int, place: Place) -> None:
        self.number = number
        self.place = place
        """After the last item that was given out."""
        self.ahead = place
        """After the last item that the service looked at."""
        self._items: list[Item] = []
        self._at = 0

    @property
    def dry(self) -> bool:
        """Nothing fetched is left, and there is more to ask for."""
        return self._at == len(self._items) and self.ahead != "end"

    @property
    def fetched(self) -> int:
        return len(self._items) - self._at

    def give(self, items: Sequence[Item], ahead: Place) -> None:
        """Takes the next items that the service gave, and where it stopped."""
        self._items = [*islice(self._items, self._at, None), *items]
        self._at = 0
        self.ahead = ahead
        if not self._items:
            self.place = ahead

    def waiting(self) -> Iterator[Item]:
        return islice(self._items, self._at, None)

    def take(self, range_: Range, count: int) -> list[Item]:
        """Gives out the next `count` items."""
        taken = self._items[self._at : self._at + count]
        self._at += len(taken)
        if self._at == len(self._items):
            self.place = self.ahead
        elif taken:
            self.place = position_of(range_, taken[-1])
        return taken


class Merge:
    """The items of all partitions of a range in the order of their sort attributes.

    Included items (strong reads of what was just written) are one more source. What the partitions bring of
    the same table keys is to be left out by who fetches (`excluded`), so that each stands once, where its
    strong read puts it. Equal ranks: included items come first, by table key; then partitions by number;
    within a partition the order is the service's.
    """

    def __init__(
        self,
        range_: Range,
        newest_first: bool,
        places: Places | None = None,
        *,
        including: bool = False,
    ) -> None:
        self._range = range_
        self._newest_first = newest_first
        places = places or Places(tuple("start" for _ in range_.partitions))
        self.partitions = [Partition(number, place) for number, place in enumerate(places.places)]
        self._including = including
        self._last = places.last
        self._inside = places.inside
        self._passed = list(places.passed)
        self.excluded: set[Position] = set(self._passed)
        self._included: list[tuple[_Standing, Item]] = []

    @property
    def exhausted(self) -> bool:
        return not self._included and all(p.ahead == "end" and not p.fetched for p in self.partitions)

    def dry(self) -> list[Partition]:
        """The partitions that have to be asked before anything behind them in the order can be given out."""
        return [partition for partition in self.partitions if partition.dry]

    def include(self, items: Iterable[Item]) -> None:
        """Adds items of the range that were read strongly; those whose place is behind us are left out."""
        for item in items:
            standing = (rank_of(self._range, item), table_key_of(self._range.table_key, item))
            if not self._behind(standing):
                self._included.append((standing, item))
        # In reverse, so that the next one is popped from the end.
        self._included.sort(key=itemgetter(0), reverse=not self._newest_first)

    def take(self, count: int) -> list[Item]:
        """The next items in order, at most `count`; fewer where a partition has to be asked first."""
        if len(self.partitions) == 1 and not self._included:
            taken = self.partitions[0].take(self._range, count)
            if taken and self._including:
                self._gave([(rank_of(self._range, taken[-1]), taken[-1], False)])
            return taken
        merged: list[tuple[Rank, Item, bool]] = []
        given = [0] * len(self.partitions)
        sources = [iter(self._waiting_included()), *map(self._waiting, self.partitions)]
        for rank, partition, item in heapq.merge(*sources, key=itemgetter(0), reverse=self._newest_first):
            if item is None:
                break
            if partition is None:
                self._included.pop()
            else:
                given[partition.number] += 1
            merged.append((rank, item, partition is None))
            if len(merged) == count:
                break
        for partition in self.partitions:
            partition.take(self._range, given[partition.number])
        if self._including:
            self._gave(merged)
        return [item for _, item, _ in merged]

    def places(self) -> Places | None:
        """Where to go on; None: there is nothing more."""
        if self.exhausted:
            return None
        return Places(tuple(p.place for p in self.partitions), self._last, self._inside, tuple(self._passed))

    def _waiting_included(self) -> list[Entry]:
        return [(standing[0], None, item) for standing, item in reversed(self._included)]

    def _waiting(self, partition: Partition) -> Iterator[Entry]:
        for item in partition.waiting():
            yield rank_of(self._range, item), partition, item
        if isinstance(partition.ahead, tuple):
            yield position_rank(self._range, partition.ahead), partition, None

    def _gave(self, merged: Sequence[tuple[Rank, Item, bool]]) -> None:
        """Remembers the last item that was given out, and which included ones stood at its rank."""
        if not merged:
            return
        last, item, self._inside = merged[-1]
        if self._last is None or position_rank(self._range, self._last) != last:
            self._passed.clear()
        self._last = position_of(self._range, item)
        self._passed.extend(
            table_key_of(self._range.table_key, item)
            for rank, item, inside in merged
            if inside and rank == last
        )

    def _behind(self, standing: _Standing) -> bool:
        if self._last is None:
            return False
        rank, key = standing
        last = position_rank(self._range, self._last)
        if rank != last:
            return (rank > last) if self._newest_first else (rank < last)
        if not self._inside:
            return True
        return (key >= self._passed[-1]) if self._newest_first else (key <= self._passed[-1])
