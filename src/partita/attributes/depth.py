"""How deep values nest (facts 3.27 and 3.28). An attribute's own value is level 1."""

from __future__ import annotations

from typing import Any

MAX_LEVELS = 32

FAR_TOO_DEEP_LEVELS = 64
"""A scalar in 63 lists or maps."""


def depth(value: Any, limit: int = FAR_TOO_DEEP_LEVELS) -> int:
    """Levels of a value, checked or not: 1 for a scalar, a set, and an empty list or map.

    Not recursive, and stops at `limit`, so that it ends for whatever it is given.
    """
    levels = 0
    at_this_level: dict[int, Any] = {0: value}
    while at_this_level and levels < limit:
        levels += 1
        below: dict[int, Any] = {}
        for outer in at_this_level.values():
            if not isinstance(outer, dict):
                continue
            elements, pairs = outer.get("L"), outer.get("M")
            if isinstance(elements, list):
                below.update((id(inner), inner) for inner in elements)
            if isinstance(pairs, dict):
                below.update((id(inner), inner) for inner in pairs.values())
        at_this_level = below
    return levels
