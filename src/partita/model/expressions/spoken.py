"""Conditions in words, from the request that asked them: with the fields' names and the values themselves."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from partita.model.expressions.rendering import is_enclosed
from partita.model.schema import AttributeValue, EntitySchema, Item
from partita.model.values.attribute_values import cut, shortened

_MOST_CHARACTERS = 300
_PLACEHOLDER = re.compile(r"(?P<inside>\.)?(?P<name>#\w+)|(?P<value>:\w+)")


def spoken_condition(schema: EntitySchema, asked: Mapping[str, Any]) -> str:
    """`qty >= 2`, of the parameters of a request; without what the toolkit itself asks of every write."""
    names: Mapping[str, str] = asked.get("ExpressionAttributeNames", {})
    values: Mapping[str, AttributeValue] = asked.get("ExpressionAttributeValues", {})
    fields = _fields(schema)

    def word(match: re.Match[str]) -> str:
        if match["value"] is not None:
            value = values.get(match["value"])
            return match["value"] if value is None else shown(value)
        name = names.get(match["name"], match["name"])
        return f".{name}" if match["inside"] else fields.get(name, name)

    text = _PLACEHOLDER.sub(word, str(asked.get("ConditionExpression", "")))
    text = text.removeprefix(f"attribute_exists({schema.table.partition.name}) AND ")
    if schema.version is not None:
        # It was at its version, or the failure would be another one.
        text = re.sub(rf"^{re.escape(schema.version)} = \d+ AND ", "", text)
    return cut(text[1:-1] if is_enclosed(text) else text, _MOST_CHARACTERS)


def stored_words(schema: EntitySchema, asked: Mapping[str, Any], item: Item) -> str:
    """`qty = 1, note is absent`: what is stored of the fields that the condition speaks of."""
    names: Mapping[str, str] = asked.get("ExpressionAttributeNames", {})
    fields = _fields(schema)
    spoken = spoken_condition(schema, asked)
    words = []
    for match in _PLACEHOLDER.finditer(str(asked.get("ConditionExpression", ""))):
        name = names.get(match["name"] or "")
        if name is None or match["inside"]:
            continue
        field = fields.get(name, name)
        if re.search(rf"\b{re.escape(field)}\b", spoken):
            words.append(f"{field} = {shown(item[name])}" if name in item else f"{field} is absent")
    return cut(", ".join(dict.fromkeys(words)), _MOST_CHARACTERS)


def shown(value: AttributeValue) -> str:
    """An attribute value as messages show it: numbers plain, everything else as in Python."""
    ((kind, content),) = value.items()
    return str(content) if kind == "N" else shortened(_plain(value))


def _plain(value: AttributeValue) -> Any:
    ((kind, content),) = value.items()
    match kind:
        case "L":
            return [_plain(element) for element in content]
        case "M":
            return {name: _plain(element) for name, element in content.items()}
        case "NULL":
            return None
    return content


def _fields(schema: EntitySchema) -> dict[str, str]:
    return {field.attribute: field.name for field in schema.fields.values()}
