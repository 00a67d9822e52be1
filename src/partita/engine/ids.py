"""Ids that follow from what they name, so that a replay gives the same ones."""

from __future__ import annotations

from hashlib import blake2b
from uuid import UUID


def uuid_of(*parts: str) -> str:
    """A UUID in text, always the same for the same parts."""
    seed = "\0".join(parts)
    return str(UUID(bytes=blake2b(seed.encode(), digest_size=16).digest(), version=4))
