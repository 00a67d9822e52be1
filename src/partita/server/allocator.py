"""Large buffers go back to the system as soon as they are free, so that one burst does not last for ever."""

from __future__ import annotations

from typing import Final

_TRIM_THRESHOLD: Final = -1
_MMAP_THRESHOLD: Final = -3
"""Parameters of mallopt(3), as GNU's C library numbers them."""
_LARGE_BYTES: Final = 4 << 20
_KEPT_BYTES: Final = 4 << 20


def return_large_buffers() -> None:
    """Where the C library is GNU's: left to itself, it takes a block as large as the largest that was ever
    freed from the heap, and a small one above it keeps the heap from shrinking. Elsewhere, nothing.
    """
    try:
        import ctypes

        mallopt = ctypes.CDLL(None).mallopt
    except (ImportError, OSError, TypeError, AttributeError):
        return
    mallopt(_MMAP_THRESHOLD, _LARGE_BYTES)
    mallopt(_TRIM_THRESHOLD, _KEPT_BYTES)
