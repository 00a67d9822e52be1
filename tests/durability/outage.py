"""Outages of a simulated disk."""

from __future__ import annotations

import random
from typing import Final

import apsw

ERRORS: Final = {
    "write": (apsw.FullError, apsw.IOError),
    "sync": (apsw.IOError,),
    "read": (apsw.IOError,),
    "truncate": (apsw.IOError,),
    "open": (apsw.CantOpenError,),
}
LENGTHS: Final = (1, 1, 2, 5, 20, 100)
LATEST: Final = 40


class Outage:
    """From the given call of some operations on, so many calls of them fail."""

    def __init__(self, operations: frozenset[str], begin: int, length: int, chance: random.Random) -> None:
        self._operations, self._chance = operations, chance
        self._begin, self._end = begin, begin + length
        self._calls = 0

    @classmethod
    def drawn(cls, chance: random.Random) -> Outage:
        operations = frozenset(chance.sample(sorted(ERRORS), chance.choice((1, 1, 2))))
        return cls(operations, chance.randrange(LATEST), chance.choice(LENGTHS), chance)

    @property
    def is_over(self) -> bool:
        return self._calls >= self._end

    def __call__(self, operation: str, name: str) -> None:
        if operation in self._operations:
            self._calls += 1
            if self._begin < self._calls <= self._end:
                raise self._chance.choice(ERRORS[operation])("on purpose")

    def __repr__(self) -> str:
        return f"{sorted(self._operations)} from {self._begin} to {self._end}, of {self._calls} calls"


def works(operation: str, name: str) -> None:
    """The fault of a disk that has none."""
