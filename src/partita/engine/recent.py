"""The previous versions of items changed within the read lag: what an eventually consistent read may see.

A cache of the change log's tail. With T drawn for a read, an item whose last change came after T shows its
previous version; an item is never more than one version behind, and never in a state that did not exist.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from partita.engine.keys import Place
from partita.engine.writes import Effect
from partita.storage import Row, Store

Key = tuple[int, Place]


class Recent:
    def __init__(self, lag_us: int) -> None:
        self._lag_us = lag_us
        self._previous: dict[Key, tuple[int, Row | None]] = {}
        self._order: deque[tuple[int, int, Key]] = deque()
        """(stamp, sequence, key), oldest first."""

    def note(self, effects: Sequence[Effect], last_sequence: int) -> None:
        """Takes the effects of one decision, whose last change got `last_sequence` in the log."""
        if not self._lag_us:
            return
        for number, effect in enumerate(effects, last_sequence - len(effects) + 1):
            self._add(effect.stamp, number, (effect.write.table.space, effect.write.place), effect.row)

    def _add(self, stamp: int, sequence: int, key: Key, old: Row | None) -> None:
        self._previous[key] = (stamp, old)
        self._order.append((stamp, sequence, key))

    def forget(self, now_us: int, most: int | None = None) -> int | None:
        """Drops what no read can see any more; the sequence of the oldest change that is kept.

        `most`: how many changes to drop at most.
        """
        limit = now_us - self._lag_us
        left = len(self._order) if most is None else most
        while left and self._order and self._order[0][0] <= limit:
            left -= 1
            stamp, _, key = self._order.popleft()
            kept = self._previous.get(key)
            if kept is not None and kept[0] == stamp:
                del self._previous[key]
        return self._order[0][1] if self._order else None

    def before(self, space: int, place: Place, as_of_us: int) -> tuple[Row | None] | None:
        """The row (or none) that the item had as of a time; None if it has not changed since."""
        kept = self._previous.get((space, place))
        if kept is None or kept[0] <= as_of_us:
            return None
        return (kept[1],)

    def changed_since(self, space: int, as_of_us: int) -> dict[Place, Row | None]:
        """Every item of the space that has changed since, with the row (or none) that it had."""
        changed: dict[Place, Row | None] = {}
        for stamp, _, (of_space, place) in reversed(self._order):
            if stamp <= as_of_us:
                break
            if of_space == space and place not in changed:
                changed[place] = self._previous[of_space, place][1]
        return changed

    def load(self, store: Store, now_us: int) -> None:
        """Fills the cache from the log."""
        self._previous.clear()
        self._order.clear()
        if not self._lag_us:
            return
        after = 0
        while changes := store.log_read(after, 1000):
            for change in changes:
                record = change.record
                if record.origin:
                    # The touch of a backfill changes nothing.
                    continue
                old = Row(record.old, record.old_size, 0) if record.old is not None else None
                self._add(change.stamp, change.sequence, (record.space, (record.partition, record.sort)), old)
            after = changes[-1].sequence
        self.forget(now_us)
