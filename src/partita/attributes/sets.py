"""Sets: never empty, no member twice (facts 3.15 to 3.21)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from partita.attributes.binary import decoded, normal_binary
from partita.attributes.numbers import normal_number_and_size
from partita.errors import DynamoDBError, SerializationException, values

Key = TypeVar("Key", str, bytes)


def string_set(members: Any) -> tuple[list[str], int]:
    """The members as sent, and their size."""
    joined = _joined(members, values.empty_string_set, values.null_in_string_set)
    size = len(joined) if joined.isascii() else len(joined.encode())
    if len(set(members)) != len(members):
        raise values.duplicate_strings(members, _as_reported(members, members))
    return members, size


def number_set(members: Any) -> tuple[list[str], int]:
    """The members in normal form, and their size; duplicates are judged by value (fact 3.15)."""
    _joined(members, values.empty_number_set, values.null_in_number_set)
    normal, sizes = zip(*map(normal_number_and_size, members), strict=True)
    if len(set(normal)) != len(normal):
        raise values.duplicate_numbers()
    return _unless_same(normal, members), sum(sizes)


def binary_set(members: Any) -> tuple[list[str], int]:
    """The members as sent, and their size."""
    _joined(members, values.empty_binary_set, values.null_in_binary_set)
    size = sum(normal_binary(member)[1] for member in members)
    if len(set(members)) != len(members):
        raise values.duplicate_binaries(members, _as_reported(members, list(map(decoded, members))))
    return members, size


def _joined(
    members: Any, empty: Callable[[], DynamoDBError], null_member: Callable[[], DynamoDBError]
) -> str:
    """All members in one text, if they are a list of strings and there are any."""
    if not isinstance(members, list):
        raise SerializationException()
    if not members:
        raise empty()
    try:
        return "".join(members)
    except TypeError:
        are_known_types = all(member is None or isinstance(member, str) for member in members)
        raise (null_member() if are_known_types else SerializationException()) from None


def _unless_same(normal: Sequence[str], members: list[str]) -> list[str]:
    as_list = list(normal)
    return members if as_list == members else as_list


def _as_reported(members: Sequence[str], keys: Sequence[Key]) -> list[str]:
    """Members before the first repeat by the order of their keys, then the others as sent (fact 3.19)."""
    seen: dict[Key, str] = {}
    for member, key in zip(members, keys, strict=True):
        if key in seen:
            break
        seen[key] = member
    return [seen[key] for key in sorted(seen)] + list(members[len(seen) :])
