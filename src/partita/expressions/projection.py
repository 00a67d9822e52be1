"""Which parts of an item a read returns (section 10)."""

from __future__ import annotations

from collections.abc import Sequence

from partita.attributes import Item
from partita.expressions.paths import branches, fragment
from partita.expressions.tree import Path


class Projection:
    """The attributes and fragments that ProjectionExpression or AttributesToGet names."""

    __slots__ = ("_branches", "_top_level", "names")

    def __init__(self, paths: Sequence[Path]) -> None:
        self.names: frozenset[str] = frozenset(str(path[0]) for path in paths)
        """Names of the top-level attributes that it needs."""
        self._top_level = None if any(len(path) > 1 for path in paths) else tuple(self.names)
        self._branches = branches(paths)

    def apply(self, item: Item) -> Item:
        """A new item with what `item` has of the projection; shares the values."""
        if self._top_level is not None:
            return {name: item[name] for name in self._top_level if name in item}
        return fragment(item, self._branches)
