"""Keys as bytes: digests of partition keys, and sort bytes that order as DynamoDB does.

All functions take key values (S, N or B) in normal form.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from partita.attributes.binary import decoded
from partita.attributes.numbers import number_bytes
from partita.attributes.types import AttributeValue

DIGEST_BYTES = 16

_digest = hashlib.blake2b(digest_size=DIGEST_BYTES).copy
_digest_of_text = hashlib.blake2b(b"S", digest_size=DIGEST_BYTES).copy


def partition_digest(values: Sequence[AttributeValue]) -> bytes:
    """16 bytes that stand for the values of a partition key, types included."""
    if len(values) == 1:
        value = values[0]
        if "S" in value:
            return text_digest(value["S"])
        content = _type(value) + sort_bytes(value)
    else:
        content = b"".join([_type(value) + framed(value) for value in values])
    digest = _digest()
    digest.update(content)
    return digest.digest()


def text_digest(text: str) -> bytes:
    """The `partition_digest` of a key that is one string."""
    digest = _digest_of_text()
    digest.update(text.encode())
    return digest.digest()


def sort_bytes(value: AttributeValue) -> bytes:
    """Bytes of a key value that sort as the values do: S as UTF-8, B as it is, N as `number_bytes`."""
    if "S" in value:
        text: str = value["S"]
        return text.encode()
    if "N" in value:
        return number_bytes(value["N"])
    return decoded(value["B"])


def framed(value: AttributeValue) -> bytes:
    """Sort bytes that end by themselves, so that more may follow: none is the beginning of another."""
    if "N" in value:
        return number_bytes(value["N"])
    return escaped(sort_bytes(value)) + b"\x00\x01"


def escaped(content: bytes) -> bytes:
    """The bytes of S or B within a frame, without its end: a zero byte is followed by FF."""
    return content.replace(b"\x00", b"\x00\xff")


def successor(prefix: bytes) -> bytes | None:
    """The least bytes greater than everything that begins with `prefix`; None if there are none."""
    stem = prefix.rstrip(b"\xff")
    return stem[:-1] + bytes((stem[-1] + 1,)) if stem else None


def _type(value: AttributeValue) -> bytes:
    return b"S" if "S" in value else b"N" if "N" in value else b"B"
