"""Progress: told to a callback, or shown as a bar in a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TextIO

Progress = Callable[[int, int], object]
"""Called with how many are done, and how many there are in all."""

_WIDTH = 40


def progress_of(wanted: Progress | bool, stream: TextIO | None = None) -> Progress:
    """The callback itself; for True a bar on `stream` (stderr), if that is a terminal; else nothing."""
    if callable(wanted):
        return wanted
    shown: TextIO | None = sys.stderr if stream is None else stream
    # A program without a console, such as pythonw, has no stderr.
    return Bar(shown) if wanted and shown is not None and shown.isatty() else _nothing


class Bar:
    """One line that is drawn over itself, whenever another hundredth is done."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._drawn = -1

    def __call__(self, done: int, total: int) -> None:
        hundredths = 100 * done // total if total else 100
        if hundredths == self._drawn:
            return
        self._drawn = hundredths
        filled = _WIDTH * hundredths // 100
        bar = "#" * filled + "." * (_WIDTH - filled)
        end = "\n" if done >= total else ""
        self._stream.write(f"\r[{bar}] {hundredths:3}% {done:,} / {total:,}{end}")
        self._stream.flush()


def _nothing(done: int, total: int) -> None:
    return None
