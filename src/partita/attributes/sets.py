"""Sets: never empty, no member twice (facts 3.15 to 3.21)."""

from __future__ import annotations

from binascii import a2b_base64
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from partita.attributes.binary import normal_binary
from partita.attributes.numbers import normal_number_and_size
from partita.errors import SerializationException, values

Key = TypeVar("Key", str, bytes)


def string_set(members: Any) -> tuple[list[str], int]:
    """The members as sent, and their size."""
    _check_members(members, values.empty_string_set, values.null_in_string_set)
    joined = "".join(members)
    size = len(joined) if joined.isascii() else len(joined.encode())
    if len(set(members)) != len(members):
        raise values.duplicate_strings(members, _as_reported(members, members))
    return members, size


def number_set(members: Any) -> tuple[list[str], int]:
    """The members in normal form, and their size; duplicates are judged by value (fact 3.15)."""
    _check_members(members, values.empty_number_set, values.null_in_number_set)
    size = 0
    normal = []
    for member in members:
        text, member_size = normal_number_and_size(member)
        normal.append(text)
        size += member_size
    if len(set(normal)) != len(normal):
        raise values.duplicate_numbers()
    return members if normal == members else normal, size


def binary_set(members: Any) -> tuple[list[str], int]:
    """The members in canonical base64, and their size."""
    _check_members(members, values.empty_binary_set, values.null_in_binary_set)
    size = 0
    normal = []
    for member in members:
        text, member_size = normal_binary(member)
        normal.append(text)
        size += member_size
    if len(set(normal)) != len(normal):
        raise values.duplicate_binaries(normal, _as_reported(normal, [a2b_base64(text) for text in normal]))
    return members if normal == members else normal, size


def _check_members(
    members: Any, empty: Callable[[], Exception], null_member: Callable[[], Exception]
) -> None:
    if not isinstance(members, list):
        raise SerializationException()
    if not members:
        raise empty()
    has_null = False
    for member in members:
        if member is None:
            has_null = True
        elif not isinstance(member, str):
            raise SerializationException()
    if has_null:
        raise null_member()


def _as_reported(members: Sequence[str], keys: Sequence[Key]) -> list[str]:
    """Members before the first repeat by the order of their keys, then the others as sent (fact 3.19)."""
    seen: dict[Key, str] = {}
    for member, key in zip(members, keys, strict=True):
        if key in seen:
            break
        seen[key] = member
    return [seen[key] for key in sorted(seen)] + list(members[len(seen) :])
