"""Content codings of bodies: gzip in both directions, with a limit on what comes out."""

from __future__ import annotations

import zlib
from functools import lru_cache

_MEMBERS = 8
"""Of one gzip body; a body of nothing but empty members would take minutes to unpack."""


class BodyTooLarge(Exception):
    """The body is over the limit once decompressed."""


def decompress(body: bytes | bytearray, limit_bytes: int) -> bytes:
    """A gzip body of one or a few members, unpacked. Raises BodyTooLarge, or ValueError if malformed.

    Never holds more than `limit_bytes` of output, whatever the body claims.
    """
    pieces: list[bytes] = []
    left = limit_bytes
    for _ in range(_MEMBERS):
        inflater = zlib.decompressobj(wbits=31)
        try:
            piece = inflater.decompress(body, left + 1)
        except zlib.error as error:
            raise ValueError("malformed gzip body") from error
        if len(piece) > left:
            raise BodyTooLarge
        if not inflater.eof:
            raise ValueError("truncated gzip body")
        left -= len(piece)
        pieces.append(piece)
        body = inflater.unused_data
        if not body:
            return b"".join(pieces)
    raise ValueError("too many members in a gzip body")


def compress(body: bytes) -> bytes:
    """The body as gzip; the fastest level, since the network is usually the loopback."""
    packer = zlib.compressobj(1, zlib.DEFLATED, 31)
    return packer.compress(body) + packer.flush()


@lru_cache(maxsize=256)
def offers_gzip(accept_encoding: bytes) -> bool:
    """Whether an Accept-Encoding header takes gzip."""
    for part in accept_encoding.lower().split(b","):
        coding, _, parameters = part.partition(b";")
        if coding.strip() in (b"gzip", b"x-gzip"):
            weight = parameters.replace(b" ", b"")
            return not (weight.startswith(b"q=0") and not weight.strip(b"q=0."))
    return False
