"""The sets of texts that keys can be, as small automata: can two of them hold the same text?"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

Ranges = tuple[tuple[int, int], ...]
"""Code points, as inclusive ranges."""

HIGHEST = 0x10FFFF
ANY: Ranges = ((0, HIGHEST),)
DIGITS: Ranges = ((0x30, 0x39),)
HEX: Ranges = ((0x30, 0x39), (0x61, 0x66))


@dataclass(frozen=True, slots=True)
class One:
    """One character of `ranges`."""

    ranges: Ranges


@dataclass(frozen=True, slots=True)
class Many:
    """Any number of characters of `ranges`, none included."""

    ranges: Ranges


@dataclass(frozen=True, slots=True)
class AnyOf:
    """One of these texts."""

    texts: tuple[str, ...]


Part = One | Many | AnyOf
Language = tuple[Part, ...]
"""Texts made of one text of each part, in order."""


def exactly(text: str) -> Language:
    return (AnyOf((text,)),)


def shape(pattern: str, **classes: Ranges) -> Language:
    """One character for each of `pattern`: a letter named in `classes` stands for its ranges, others for
    themselves.
    """
    return tuple(One(classes.get(c, ((ord(c), ord(c)),))) for c in pattern)


_State = tuple[int, int, bool]
"""Of both automata, and whether a character was read."""


def common_text(a: Language, b: Language, *, empty: bool = True) -> str | None:
    """A shortest text that is in both, or None where there is none; `empty` False: the empty one is none."""
    first, second = _Automaton(a), _Automaton(b)
    start = (0, 0, empty)
    came_from: dict[_State, tuple[_State, str]] = {}
    seen = {start}
    queue = deque([start])
    while queue:
        state = queue.popleft()
        if first.ends(state[0]) and second.ends(state[1]) and state[2]:
            return _spelled(state, came_from)
        moves = [((i, *state[1:]), "") for i in first.silent[state[0]]]
        moves += [((state[0], j, state[2]), "") for j in second.silent[state[1]]]
        for ranges, i in first.moves[state[0]]:
            for others, j in second.moves[state[1]]:
                character = _shared(ranges, others)
                if character is not None:
                    moves.append(((i, j, True), character))
        for target, character in moves:
            if target not in seen:
                seen.add(target)
                came_from[target] = (state, character)
                if character:
                    queue.append(target)
                else:
                    queue.appendleft(target)
    return None


def _spelled(state: _State, came_from: dict[_State, tuple[_State, str]]) -> str:
    characters = []
    while state in came_from:
        state, character = came_from[state]
        characters.append(character)
    return "".join(reversed(characters))


class _Automaton:
    """States are numbers, 0 the first and `last` the accepting one."""

    def __init__(self, language: Language) -> None:
        self.moves: list[list[tuple[Ranges, int]]] = [[]]
        self.silent: list[list[int]] = [[]]
        state = 0
        for part in language:
            state = self._append(state, part)
        self.last = state

    def ends(self, state: int) -> bool:
        return state == self.last

    def _append(self, state: int, part: Part) -> int:
        match part:
            case One(ranges):
                end = self._new()
                self.moves[state].append((ranges, end))
            case Many(ranges):
                end = self._new()
                self.silent[state].append(end)
                self.moves[end].append((ranges, end))
            case AnyOf(texts):
                ends = [self._spell(state, text) for text in texts]
                end = self._new()
                for one in ends:
                    self.silent[one].append(end)
        return end

    def _spell(self, state: int, text: str) -> int:
        for character in text:
            following = self._new()
            code = ord(character)
            self.moves[state].append((((code, code),), following))
            state = following
        return state

    def _new(self) -> int:
        self.moves.append([])
        self.silent.append([])
        return len(self.moves) - 1


def _shared(a: Ranges, b: Ranges) -> str | None:
    """A character of both, a letter or digit where there is one."""
    both = [
        (max(low, other_low), min(high, other_high))
        for low, high in a
        for other_low, other_high in b
        if max(low, other_low) <= min(high, other_high)
    ]
    if not both:
        return None
    for wanted in (0x41, 0x30):
        if any(low <= wanted <= high for low, high in both):
            return chr(wanted)
    return chr(both[0][0])


def joined(languages: Sequence[Language]) -> Language:
    return tuple(part for language in languages for part in language)
