"""How these tests ask for one expression, and what they get: a result, or the text of the error."""

from __future__ import annotations

from typing import Any

import pytest

from partita.errors import ValidationException
from partita.expressions import GET, PUT, QUERY, SCAN, UPDATE, Prepared, Takes, prepare

KINDS: dict[str, Takes] = {
    "ConditionExpression": PUT,
    "FilterExpression": SCAN,
    "KeyConditionExpression": QUERY,
    "ProjectionExpression": GET,
    "UpdateExpression": UPDATE,
}
OPERATIONS = {PUT: "PutItem", SCAN: "Scan", QUERY: "Query", GET: "GetItem", UPDATE: "UpdateItem"}


def s(text: str) -> dict[str, str]:
    return {"S": text}


def n(number: object) -> dict[str, str]:
    return {"N": str(number)}


def placeholders(names: dict[str, str] | None = None, values: dict[str, Any] | None = None) -> dict[str, Any]:
    given: dict[str, Any] = {}
    if names:
        given["ExpressionAttributeNames"] = names
    if values:
        given["ExpressionAttributeValues"] = values
    return given


def ask(
    kind: str, text: str, values: dict[str, Any] | None = None, names: dict[str, str] | None = None
) -> Prepared:
    """Prepares one expression."""
    return prepare({kind: text, **placeholders(names, values)}, KINDS[kind])


def holds(
    text: str,
    item: dict[str, Any],
    values: dict[str, Any] | None = None,
    names: dict[str, str] | None = None,
) -> bool:
    """Whether the condition `text` holds for `item`."""
    condition = ask("ConditionExpression", text, values, names).condition
    assert condition is not None
    return condition(item)


def updated(
    text: str,
    item: dict[str, Any],
    values: dict[str, Any] | None = None,
    names: dict[str, str] | None = None,
) -> dict[str, Any]:
    """`item` after the update `text`."""
    update = ask("UpdateExpression", text, values, names).update
    assert update is not None
    return update.apply(item)


def projected(text: str, item: dict[str, Any], names: dict[str, str] | None = None) -> dict[str, Any]:
    projection = ask("ProjectionExpression", text, None, names).projection
    assert projection is not None
    return projection.apply(item)


def refusal(takes: Takes, parameters: dict[str, Any]) -> ValidationException:
    """The error that `parameters` end in."""
    with pytest.raises(ValidationException) as raised:
        prepare(parameters, takes)
    return raised.value


def refused(
    kind: str, text: str, values: dict[str, Any] | None = None, names: dict[str, str] | None = None
) -> str:
    """What follows `Invalid <Kind>: ` in the error that the expression `text` ends in."""
    message = refusal(KINDS[kind], {kind: text, **placeholders(names, values)}).message
    assert message is not None
    start = f"Invalid {kind}: "
    assert message.startswith(start)
    return message.removeprefix(start)
