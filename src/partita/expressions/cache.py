"""Plans by the texts, names and placeholders they are made from: a bounded cache, shared by all databases."""

from __future__ import annotations

from threading import Lock
from typing import Any

from partita.expressions.plan import Plan

_MOST_PLANS = 1024
_MOST_CHARACTERS = 128 * 1024
"""Of all texts and names together; a plan takes some hundred bytes for each of its operators."""


class PlanCache:
    """Drops the oldest plans when it is full. Safe from threads."""

    def __init__(self, most_plans: int = _MOST_PLANS, most_characters: int = _MOST_CHARACTERS) -> None:
        self._most_plans = most_plans
        self._most_characters = most_characters
        self._plans: dict[tuple[Any, ...], Plan] = {}
        self._characters = 0
        self._lock = Lock()
        self.get = self._plans.get
        """The plan of a key, or None."""

    def put(self, key: tuple[Any, ...], plan: Plan) -> None:
        """Keeps a plan, unless its texts would take up an eighth of the cache."""
        characters = _characters(key)
        if characters > self._most_characters // 8:
            return
        with self._lock:
            if key in self._plans:
                return
            self._plans[key] = plan
            self._characters += characters
            while len(self._plans) > self._most_plans or self._characters > self._most_characters:
                oldest = next(iter(self._plans))
                del self._plans[oldest]
                self._characters -= _characters(oldest)


def _characters(key: Any) -> int:
    if isinstance(key, str):
        return len(key)
    return sum(map(_characters, key)) if isinstance(key, tuple) else 0
