"""Checks of attribute values, their normal form and their size, in one pass.

`normalise_item` is on the way of every write. The types that most attributes have are therefore handled
where the loop is, and what is normal already is handed back as it is, not copied.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from partita.attributes.binary import normal_binary
from partita.attributes.depth import FAR_TOO_DEEP_LEVELS, MAX_LEVELS, depth
from partita.attributes.numbers import normal_number_and_size, plain_integer
from partita.attributes.sets import binary_set, number_set, string_set
from partita.attributes.types import AttributeValue, Item
from partita.errors import SerializationException, ValidationException
from partita.errors import values as faults

MAX_NAME_BYTES = 65_535


def normalise(value: Any) -> tuple[AttributeValue, int]:
    """The normal form of one attribute value, and its size in bytes.

    Raises ValidationException by section 3 of docs/behaviours.md, and SerializationException (with no
    message) for a wrong JSON type. Hands back the same dict if it was normal.
    """
    try:
        return _normalise(value, 1)
    except UnicodeEncodeError:
        raise SerializationException() from None


def normalise_item(item: Any) -> tuple[Item, int]:
    """The normal form of an item, and its size in bytes, names included (section 4).

    Raises what `normalise` raises. Hands back the same dict if it was normal.
    """
    if not isinstance(item, dict):
        raise SerializationException()
    try:
        return _named_values(item, 1)
    except UnicodeEncodeError:
        raise SerializationException() from None


def _named_values(named: dict[str, Any], level: int) -> tuple[Item, int]:
    """The normal form of values under names, at `level`, and the size of names and values."""
    changed: Item | None = None
    try:
        size = _names_size(named)
        for name, value in named.items():
            if len(value) == 1:
                if "S" in value:
                    text = value["S"]
                    if text.__class__ is str:
                        size += len(text) if text.isascii() else len(text.encode())
                        continue
                elif "N" in value:
                    text = value["N"]
                    if plain_integer(text):
                        size += (len(text.rstrip("0")) + 3) // 2
                        continue
                elif "BOOL" in value and value["BOOL"].__class__ is bool:
                    size += 1
                    continue
            normal, value_size = _normalise(value, level)
            size += value_size
            if normal is not value:
                if changed is None:
                    changed = dict(named)
                changed[name] = normal
    except TypeError:
        # Something is not the type that it was taken for; the careful way says which error that is.
        for value in named.values():
            _normalise(value, level)
        raise SerializationException() from None
    return named if changed is None else changed, size


def _names_size(named: dict[str, Any]) -> int:
    """Bytes of all names together (facts 3.29 and 3.30). TypeError if one is not a string."""
    joined = "".join(named)
    if "" in named:
        raise faults.empty_name()
    size = len(joined) if joined.isascii() else len(joined.encode())
    if size > MAX_NAME_BYTES and any(len(name.encode()) > MAX_NAME_BYTES for name in named):
        raise faults.name_too_large()
    return size


def _normalise(value: Any, level: int) -> tuple[AttributeValue, int]:
    if value.__class__ is dict and len(value) == 1:
        for kind, content in value.items():
            if content is not None and kind in _TYPES:
                normal, size = _normal_content(kind, content, level)
                return value if normal is content else {kind: normal}, size
    kind, content = _only_member(value)
    normal, size = _normal_content(kind, content, level)
    return {kind: normal}, size


def _normal_content(kind: str, content: Any, level: int) -> tuple[Any, int]:
    flat = _FLAT.get(kind)
    if flat is not None:
        return flat(content)
    return _map(content, level) if kind == "M" else _list(content, level)


def _only_member(value: Any) -> tuple[str, Any]:
    """The one member of a value that is a type and not null; unknown members count for nothing."""
    if value is None:
        raise faults.empty_value()
    if not isinstance(value, dict):
        raise SerializationException()
    members = [(kind, value[kind]) for kind in _TYPES if value.get(kind) is not None]
    if not members:
        raise faults.empty_value()
    if len(members) > 1:
        raise faults.several_types()
    return members[0]


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
    size = 3 + len(content)
    changed: list[AttributeValue] | None = None
    for index, element in enumerate(content):
        normal, element_size = _normalise(element, level + 1)
        size += element_size
        if normal is not element:
            if changed is None:
                changed = list(content)
            changed[index] = normal
    return content if changed is None else changed, size


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
_TYPES = frozenset({*_FLAT, "L", "M"})
