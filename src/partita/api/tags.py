"""Tags, whose faults the service tells one by one (fact 20.5)."""

from __future__ import annotations

from typing import Any

from partita.api.shapes import SHAPES
from partita.errors import ValidationException
from partita.errors import tables as errors

_KEY = SHAPES["Tag"].members["Key"].rule
_VALUE = SHAPES["Tag"].members["Value"].rule


def tag_fault(request: dict[str, Any]) -> ValidationException | None:
    """The error of the first tag, or key of a tag to remove, that is missing, too short or too long."""
    for tag in request.get("Tags") or ():
        fault = _key_fault(tag.get("Key"))
        if fault is not None:
            return fault
        value = tag.get("Value")
        if value is None or not _VALUE.fits(len(value)):
            return errors.invalid_tag_value(_echo(value))
    for key in request.get("TagKeys") or ():
        fault = _key_fault(key)
        if fault is not None:
            return fault
    return None


def _key_fault(key: str | None) -> ValidationException | None:
    if key is None or not _KEY.fits(len(key)):
        return errors.invalid_tag_key(_echo(key))
    return None


def _echo(text: str | None) -> str:
    return "null" if text is None else text
