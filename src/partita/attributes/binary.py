"""Binary values, which go as base64 with padding."""

from __future__ import annotations

from binascii import a2b_base64, b2a_base64
from typing import Any

from partita.errors import SerializationException


def normal_binary(text: Any) -> tuple[str, int]:
    """A binary as sent, and the number of its bytes.

    Raises SerializationException if it is not base64 with its padding, or if its last character holds bits
    that belong to no byte (fact 1.29): so every binary has just one text.
    """
    if not isinstance(text, str):
        raise SerializationException()
    try:
        decoded = a2b_base64(text, strict_mode=True)
    except ValueError:
        raise SerializationException() from None
    if len(text) != (len(decoded) + 2) // 3 * 4:
        # More padding than there is to pad, which the decoder takes.
        raise SerializationException()
    if text.endswith("="):
        tail = b2a_base64(decoded[-(len(decoded) % 3) :], newline=False).decode()
        if not text.endswith(tail):
            raise SerializationException()
    return text, len(decoded)


def binary_size(text: str) -> int:
    """The number of bytes of a binary in base64."""
    return len(text) // 4 * 3 - text.count("=", -2)


def decoded(text: str) -> bytes:
    """The bytes of a binary in base64."""
    return a2b_base64(text)
