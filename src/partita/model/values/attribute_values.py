"""Attribute values as values: equality as DynamoDB has it, and a form that survives JSON."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from partita.model.errors import UnreadableItem
from partita.model.schema import AttributeValue, Item

NULL: AttributeValue = {"NULL": True}


def same_value(left: AttributeValue | None, right: AttributeValue | None) -> bool:
    """Whether two attribute values are equal to DynamoDB: 1.0 is 1, sets have no order. None: absent."""
    if left == right:
        return True
    if left is None or right is None:
        return False
    return bool(_comparable(left) == _comparable(right))


def require_item(given: object, what: str) -> None:
    """Raises UnreadableItem for what is no item: attribute values by name."""
    if not isinstance(given, Mapping) or not all(
        isinstance(name, str) and _is_attribute_value(value) for name, value in given.items()
    ):
        raise UnreadableItem(
            f'{what} is attribute values by name, such as {{"PK": {{"S": "x"}}}}, not {shortened(given)}'
        )


def _is_attribute_value(given: object) -> bool:
    if not isinstance(given, Mapping) or len(given) != 1:
        return False
    ((kind, content),) = given.items()
    match kind:
        case "S" | "N":
            return isinstance(content, str)
        case "B":
            return isinstance(content, str | bytes | bytearray)
        case "BOOL" | "NULL":
            return isinstance(content, bool)
        case "SS" | "NS" | "BS":
            element = kind[0]
            return isinstance(content, list | tuple | set | frozenset) and all(
                _is_attribute_value({element: member}) for member in content
            )
        case "L":
            return isinstance(content, list | tuple) and all(map(_is_attribute_value, content))
        case "M":
            return isinstance(content, Mapping) and all(
                isinstance(name, str) and _is_attribute_value(value) for name, value in content.items()
            )
    return False


def _comparable(value: AttributeValue) -> Any:
    ((kind, content),) = value.items()
    match kind:
        case "N":
            return kind, Decimal(content)
        case "NS":
            return kind, frozenset(map(Decimal, content))
        case "SS" | "BS":
            return kind, frozenset(content)
        case "L":
            return kind, [_comparable(element) for element in content]
        case "M":
            return kind, {name: _comparable(element) for name, element in content.items()}
    return kind, content


MOST_SHOWN = 60
_MOST_OF_KEY = 200


def shortened(value: object, most: int = MOST_SHOWN) -> str:
    """A value as messages show it: the `repr`, cut in the middle where it is long."""
    return cut(repr(value), most)


def cut(text: str, most: int) -> str:
    """A text without its middle where it is longer than that."""
    return text if len(text) <= most else f"{text[: most * 2 // 3]}…{text[-(most // 3) :]}"


def key_text(key: Mapping[str, AttributeValue]) -> str:
    """A key as messages show it: its values, cut where they are long."""
    parts = (str(next(iter(value.values()))) for value in key.values())
    return " / ".join(cut(part, _MOST_OF_KEY) for part in parts)


def to_plain(value: AttributeValue) -> AttributeValue:
    """The value with binary as base64 text, and sets in order: equal values give equal JSON."""
    ((kind, content),) = value.items()
    match kind:
        case "B":
            return {kind: base64.b64encode(content).decode()}
        case "BS":
            return {kind: sorted(base64.b64encode(member).decode() for member in content)}
        case "SS" | "NS":
            return {kind: sorted(content)}
        case "L":
            return {kind: [to_plain(element) for element in content]}
        case "M":
            return {kind: {name: to_plain(element) for name, element in content.items()}}
    return value


def from_plain(value: AttributeValue) -> AttributeValue:
    """The value of which `to_plain` made this."""
    ((kind, content),) = value.items()
    match kind:
        case "B":
            return {kind: base64.b64decode(content)}
        case "BS":
            return {kind: [base64.b64decode(member) for member in content]}
        case "L":
            return {kind: [from_plain(element) for element in content]}
        case "M":
            return {kind: {name: from_plain(element) for name, element in content.items()}}
    return value


def plain_item(item: Mapping[str, AttributeValue]) -> Item:
    return {name: to_plain(value) for name, value in item.items()}


def plain_key(key: Mapping[str, AttributeValue]) -> str:
    """A key as text: equal keys have equal texts, whatever the order of their attributes."""
    return json.dumps(
        {name: str(Decimal(v["N"]).normalize()) if "N" in v else to_plain(v) for name, v in key.items()},
        sort_keys=True,
    )
