"""Checks of attribute values, their normal form and their size, in one pass.

`normalise_item` is on the way of every write. The types that most attributes have are therefore handled
where the loop is, and what is normal already is handed back as it is, not copied.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import suppress
from typing import Any

from partita.attributes.binary import normal_binary
from partita.attributes.depth import FAR_TOO_DEEP_LEVELS, MAX_LEVELS, depth
from partita.attributes.numbers import known_size, normal_number_and_size
from partita.attributes.sets import binary_set, number_set, string_set
from partita.attributes.types import AttributeValue, Item
from partita.errors import DynamoDBError, SerializationException, ValidationException
from partita.errors import values as faults

MAX_NAME_BYTES = 65_535


def normalise(value: Any, most_levels: int = MAX_LEVELS) -> tuple[AttributeValue, int]:
    """The normal form of one attribute value, at most so many levels deep, and its size in bytes.

    Raises ValidationException by section 3 of docs/behaviours.md, and SerializationException (with no
    message) for a wrong JSON type. Hands back the same dict if it was normal.
    """
    try:
        return _normalise(value, 1 + MAX_LEVELS - most_levels)
    except UnicodeEncodeError:
        raise SerializationException() from None


def normalise_item(item: Any, most_levels: int = MAX_LEVELS) -> tuple[Item, int]:
    """The normal form of an item, and its size in bytes, names included (section 4).

    No value may be more than `most_levels` deep.

    Raises what `normalise` raises. Hands back the same dict if it was normal.
    """
    if not isinstance(item, dict):
        raise SerializationException()
    try:
        return _named_values(item, 1 + MAX_LEVELS - most_levels)
    except UnicodeEncodeError:
        raise SerializationException() from None


def _named_values(named: dict[str, Any], level: int) -> tuple[Item, int]:
    """The normal form of values under names, at `level`, and the size of names and values."""
    if "" in named:
        raise faults.empty_name()
    try:
        size, changed = _measured(named.values(), [*named], level)
    except DynamoDBError:
        with suppress(TypeError):
            _check_name_sizes(named)
        raise
    if size > MAX_NAME_BYTES:
        _check_name_sizes(named)
    return named if changed is None else _replaced(named, changed), size


def _check_name_sizes(named: dict[str, Any]) -> None:
    """Fact 3.30. TypeError if a name is not a string."""
    size = len("".join(named).encode())
    if size > MAX_NAME_BYTES and any(len(name.encode()) > MAX_NAME_BYTES for name in named):
        raise faults.name_too_large()


def _replaced(named: dict[str, Any], changed: Mapping[int, AttributeValue]) -> Item:
    return {name: changed.get(id(value), value) for name, value in named.items()}


def _measured(
    values: Collection[Any], texts: list[str], level: int
) -> tuple[int, dict[int, AttributeValue] | None]:
    """The size of `texts` and of the values at `level`; by id, the normal forms of those that were not."""
    size = 0
    changed: dict[int, AttributeValue] | None = None
    try:
        for value in values:
            if len(value) == 1:
                text = value.get("S")
                if text is not None:
                    # Strings are measured together, and joining them finds what is no string.
                    texts.append(text)
                    continue
                number_size = known_size(value.get("N"))
                if number_size is not None:
                    size += number_size
                    continue
                if value.get("BOOL").__class__ is bool:
                    size += 1
                    continue
            normal, value_size = _normalise(value, level)
            size += value_size
            if normal is not value:
                if changed is None:
                    changed = {}
                changed[id(value)] = normal
        joined = "".join(texts)
    except (TypeError, AttributeError):
        # Something is not the type that it was taken for; the careful way says which error that is.
        for suspect in values:
            _normalise(suspect, level)
        raise SerializationException() from None
    return size + (len(joined) if joined.isascii() else len(joined.encode())), changed


def _normalise(value: Any, level: int) -> tuple[AttributeValue, int]:
    """`level` counts from 1, or from below where values may be deeper than MAX_LEVELS."""
    if value.__class__ is dict and len(value) == 1:
        (kind,) = value
        content = value[kind]
        normal: Any
        if content is not None and kind in _TYPES:
            if kind == "M":
                normal, size = _map(content, level)
            elif kind == "L":
                normal, size = _list(content, level)
            else:
                normal, size = _FLAT[kind](content)
            return value if normal is content else {kind: normal}, size
    normal_members = [_normalise(member, level) for member in _members(value)]
    if len(normal_members) > 1:
        raise faults.several_types()
    return normal_members[0]


def _members(value: Any) -> list[dict[str, Any]]:
    """The members of a value that are types and not null; unknown members count for nothing."""
    if value is None:
        raise faults.empty_value()
    if not isinstance(value, dict):
        raise SerializationException()
    members = [{kind: value[kind]} for kind in _KINDS if value.get(kind) is not None]
    if not members:
        raise faults.empty_value()
    return members


def _too_deep(inner: Iterable[Any], level: int) -> ValidationException:
    """The error for what is in a list or map at `level`."""
    levels = level + max(depth(value, FAR_TOO_DEEP_LEVELS - level) for value in inner)
    return faults.nested_too_deep(far=levels >= FAR_TOO_DEEP_LEVELS)


def _string(content: Any) -> tuple[str, int]:
    if not isinstance(content, str):
        raise SerializationException()
    return content, len(content) if content.isascii() else len(content.encode())


def _number(content: Any) -> tuple[str, int]:
    if not isinstance(content, str):
        raise SerializationException()
    return normal_number_and_size(content)


def _boolean(content: Any) -> tuple[bool, int]:
    if not isinstance(content, bool):
        raise SerializationException()
    return content, 1


def _null(content: Any) -> tuple[bool, int]:
    if not isinstance(content, bool):
        raise SerializationException()
    if not content:
        raise faults.null_false()
    return content, 1


def _list(content: Any, level: int) -> tuple[list[AttributeValue], int]:
    if not isinstance(content, list):
        raise SerializationException()
    if not content:
        return content, 3
    if level >= MAX_LEVELS:
        raise _too_deep(content, level)
    size, changed = _measured(content, [], level + 1)
    size += 3 + len(content)
    if changed is not None:
        content = [changed.get(id(element), element) for element in content]
    return content, size


def _map(content: Any, level: int) -> tuple[Item, int]:
    if not isinstance(content, dict):
        raise SerializationException()
    if not content:
        return content, 3
    if level >= MAX_LEVELS:
        raise _too_deep(content.values(), level)
    normal, size = _named_values(content, level + 1)
    return normal, 3 + len(content) + size


_FLAT: dict[str, Callable[[Any], tuple[Any, int]]] = {
    "S": _string,
    "N": _number,
    "B": normal_binary,
    "BOOL": _boolean,
    "NULL": _null,
    "SS": string_set,
    "NS": number_set,
    "BS": binary_set,
}
_KINDS = (*_FLAT, "L", "M")
_TYPES = frozenset(_KINDS)
