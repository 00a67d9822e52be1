"""How much one slice of background work may take on."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

SLICE_BYTES: Final = 512 << 10
"""The most bytes of large values that one slice frees or reads: less than 1 ms of work."""


def slice_length(weights: Iterable[int]) -> int:
    """How many of the things that weigh so many bytes one slice may take: at least one, if there is one."""
    total = count = 0
    for weight in weights:
        count += 1
        total += weight
        if total >= SLICE_BYTES:
            break
    return count
