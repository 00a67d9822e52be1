"""Items that running transactions hold, and their tokens. In memory: a hold ends with the process."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from partita.engine.keys import Place


class Holds:
    """What running transactions hold. None of it is taken twice: who finds it held gives up."""

    def __init__(self) -> None:
        self._items: set[tuple[int, Place]] = set()
        self._tokens: set[bytes] = set()

    def is_held(self, space: int, place: Place) -> bool:
        return bool(self._items) and (space, place) in self._items

    def held_among(self, items: Sequence[tuple[int, Place]]) -> list[int]:
        """The positions of those that are held."""
        if not self._items:
            return []
        return [at for at, item in enumerate(items) if item in self._items]

    def is_running(self, token: bytes) -> bool:
        """Whether a transaction with this token is under way."""
        return token in self._tokens

    def take(self, items: Iterable[tuple[int, Place]], token: bytes | None) -> None:
        """Holds items, by space and place, and the token, until they are released."""
        self._items.update(items)
        if token is not None:
            self._tokens.add(token)

    def release(self, items: Iterable[tuple[int, Place]], token: bytes | None) -> None:
        self._items.difference_update(items)
        if token is not None:
            self._tokens.discard(token)
