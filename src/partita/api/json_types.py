"""The JSON type of everything in a request, at any depth, in the order as sent (facts 1.25 to 1.29).

A null is an absent member. Members that the model does not know are not looked at (fact 1.30).
"""

from __future__ import annotations

from binascii import a2b_base64, b2a_base64
from collections.abc import Callable, Iterable, Iterator
from math import isfinite
from typing import Any

from partita.api.shapes import Shape
from partita.errors import SerializationException
from partita.errors import requests as errors

_Step = tuple[Shape, Any, bool]
"""A value of a shape, and whether it is an element of a list or map instead of a member."""

_NAMESPACE = "com.amazonaws.dynamodb.v20120810."
_JAVA_TYPES = {
    "string": "String",
    "boolean": "Boolean",
    "integer": "Integer",
    "long": "Long",
}
_COMMON = {"S": str, "N": str, "BOOL": bool, "NULL": bool}
_BITS = {"integer": 31, "long": 63}


def decode_shape(shape: Shape, request: Any) -> None:
    """Raises SerializationException for the first value whose JSON type is not that of the model.

    A number may have a fraction where a whole one belongs: the service cuts it off.
    """
    if not isinstance(request, dict):
        raise errors.serialization()
    # A stack of our own: attribute values nest deeper than Python calls may.
    pending = [_members(shape, request)]
    while pending:
        for inner, value, is_element in pending[-1]:
            contents = _CHECKS[inner.type](inner, value, is_element)
            if contents is not None:
                pending.append(contents)
                break
        else:
            pending.pop()


def _members(shape: Shape, structure: dict[str, Any]) -> Iterator[_Step]:
    members = shape.members
    for name, value in structure.items():
        member = members.get(name)
        if member is not None and value is not None:
            yield member.shape, value, False


def _structure(shape: Shape, value: Any, is_element: bool) -> Iterator[_Step]:
    if isinstance(value, dict):
        return _members(shape, value)
    if isinstance(value, list):
        raise errors.unexpected_list(f"class {_java_type(shape)}")
    raise errors.serialization(errors.BAD_VALUE if is_element else errors.BAD_FIELD)


def _list(shape: Shape, value: Any, is_element: bool) -> Iterator[_Step]:
    if isinstance(value, list):
        return _elements(shape, value)
    if isinstance(value, dict):
        raise errors.serialization(errors.START_OF_STRUCTURE)
    raise errors.serialization(errors.BAD_COLLECTION if is_element else errors.BAD_FIELD)


def _map(shape: Shape, value: Any, is_element: bool) -> Iterator[_Step]:
    if isinstance(value, dict):
        if not all(isinstance(name, str) for name in value):
            raise errors.serialization(errors.BAD_FIELD)
        return _elements(shape, value.values())
    if isinstance(value, list):
        raise errors.unexpected_list(_java_type(shape))
    raise errors.serialization(errors.BAD_COLLECTION if is_element else errors.BAD_FIELD)


def _elements(shape: Shape, values: Iterable[Any]) -> Iterator[_Step]:
    element = shape.element
    assert element is not None
    if not element.is_attribute_value:
        yield from ((element, value, True) for value in values if value is not None)
        return
    for value in values:
        # Most are one scalar, and these lines run for each attribute of a request that fails for any reason.
        if value.__class__ is dict and len(value) == 1:
            [(kind, content)] = value.items()
            if content.__class__ is _COMMON.get(kind):
                continue
        if value is not None:
            yield element, value, True


def _scalar(accepts: Callable[[Any], bool]) -> Callable[[Shape, Any, bool], None]:
    def check(shape: Shape, value: Any, is_element: bool) -> None:
        if not accepts(value):
            raise _bad_scalar(shape, value)

    return check


def _blob(shape: Shape, value: Any, is_element: bool) -> None:
    if not isinstance(value, str):
        raise _bad_scalar(shape, value)
    try:
        content = a2b_base64(value, strict_mode=True)
    except ValueError:
        raise _bad_base64(value) from None
    if b2a_base64(content, newline=False).decode() != value:
        # The decoder takes more padding than there is to pad, and bits that belong to no byte.
        raise _bad_base64(value)


def _number(shape: Shape, value: Any, is_element: bool) -> None:
    is_whole = isinstance(value, int) and not isinstance(value, bool)
    if not is_whole and not (isinstance(value, float) and isfinite(value)):
        raise _bad_scalar(shape, value)
    bound = 1 << _BITS[shape.type]
    if not -bound <= value < bound:
        raise _bad_scalar(shape, value)


def _bad_scalar(shape: Shape, value: Any) -> SerializationException:
    if isinstance(value, dict):
        return errors.serialization(errors.START_OF_STRUCTURE)
    if shape.type == "blob":
        if isinstance(value, list):
            return errors.unexpected_list("class java.nio.ByteBuffer")
        return errors.serialization(errors.NOT_BASE64)
    java_type = _JAVA_TYPES[shape.type]
    if isinstance(value, list):
        return errors.unexpected_list(f"class java.lang.{java_type}")
    if shape.type == "boolean" and isinstance(value, str):
        return errors.serialization(errors.BAD_TOKEN)
    return errors.not_convertible(_token(value), java_type)


def _bad_base64(text: str) -> SerializationException:
    if len(text) % 4:
        return errors.base64_length(len(text))
    padding = len(text) - len(text.rstrip("="))
    for character in text[: len(text) - min(padding, 2)]:
        if not (character.isascii() and character.isalnum()) and character not in "+/":
            return errors.base64_character(character)
    return errors.base64_end()


def _token(value: Any) -> str:
    """The parser's name of a scalar."""
    if isinstance(value, bool):
        return "TRUE_VALUE" if value else "FALSE_VALUE"
    if isinstance(value, int):
        return "NUMBER_VALUE"
    if isinstance(value, float):
        return "DECIMAL_VALUE"
    return "STRING_VALUE" if isinstance(value, str) else "VALUE_EMBEDDED_OBJECT"


def _java_type(shape: Shape) -> str:
    """The type of a shape, or of a map's or list's elements, in Java's words."""
    if shape.type == "structure":
        return _NAMESPACE + shape.name
    if shape.element is None:
        return f"java.lang.{_JAVA_TYPES[shape.type]}"
    element = _java_type(shape.element)
    return (
        f"java.util.List<{element}>"
        if shape.type == "list"
        else f"java.util.Map<java.lang.String, {element}>"
    )


_CHECKS: dict[str, Callable[[Shape, Any, bool], Iterator[_Step] | None]] = {
    "structure": _structure,
    "list": _list,
    "map": _map,
    "string": _scalar(lambda value: isinstance(value, str)),
    "boolean": _scalar(lambda value: isinstance(value, bool)),
    "blob": _blob,
    "integer": _number,
    "long": _number,
}
