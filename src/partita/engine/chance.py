"""Chance, injected: every draw follows from the seed, the request's number and the draw's place in it."""

from __future__ import annotations

_MASK = (1 << 64) - 1


def _mix(value: int) -> int:
    """The finaliser of SplitMix64: neighbouring inputs give unrelated outputs."""
    value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9 & _MASK
    value = (value ^ (value >> 27)) * 0x94D049BB133111EB & _MASK
    return value ^ (value >> 31)


class Chance:
    """The draws of one request (or of one change of the log: `stream` keeps the two apart)."""

    __slots__ = ("_state",)

    def __init__(self, seed: int, number: int, stream: int = 0) -> None:
        self._state = _mix(seed & _MASK) ^ _mix(number * 4 + stream + 1)

    def bits(self) -> int:
        """64 random bits."""
        self._state = (self._state + 0x9E3779B97F4A7C15) & _MASK
        return _mix(self._state)

    def fraction(self) -> float:
        """A number in [0, 1)."""
        return (self.bits() >> 11) / (1 << 53)

    def happens(self, chance: float) -> bool:
        """True with a chance from 0 to 1; draws nothing for 0."""
        return chance > 0 and self.fraction() < chance

    def between_us(self, milliseconds: tuple[int, int]) -> int:
        """A time within a pair of milliseconds, in µs."""
        low, high = milliseconds[0] * 1000, milliseconds[1] * 1000
        return low + self.bits() % (high - low + 1)
