"""Terms of a key condition: each a condition on one key attribute, and how a range of values becomes one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

from partita.model.errors import KeyValueError
from partita.model.keys.formats import AFTER_SEPARATOR, SEPARATOR, encodable
from partita.model.keys.languages import HIGHEST
from partita.model.keys.templates import (
    MAX_SORT_BYTES,
    Segment,
    Slot,
    Template,
    fitting,
    key_value,
    render_slot,
)
from partita.model.schema import AttributeValue

Operator = Literal["=", "<", "<=", ">", ">=", "BETWEEN", "begins_with"]
RangeKind = Literal["between", "after", "at_least", "before", "at_most", "begins_with"]

_LAST = chr(HIGHEST)


@dataclass(frozen=True, slots=True)
class AttributeCondition:
    """A condition on one key attribute: a term of a KeyConditionExpression."""

    attribute: str
    operator: Operator
    operands: tuple[AttributeValue, ...]


_OPERATORS: dict[RangeKind, Operator] = {
    "between": "BETWEEN",
    "after": ">",
    "at_least": ">=",
    "before": "<",
    "at_most": "<=",
    "begins_with": "begins_with",
}
_WORDS = {
    "between": "between two empty ones",
    "before": "before an empty one",
    "at_most": "an empty one or before it",
}


def native_range(template: Template, kind: RangeKind, operands: tuple[Any, ...]) -> AttributeCondition | None:
    """The condition on an attribute of the entity's own; None: every value meets it."""
    field = template.field
    assert field is not None
    if kind == "begins_with":
        beginning = operands[0]
        if template.kind == "N" or not isinstance(beginning, bytes if template.kind == "B" else str):
            raise KeyValueError(
                f"{field.name}: begins_with takes a str of texts and bytes of bytes, not {beginning!r}"
            )
        if not beginning:
            return None
        template.check_length(beginning if isinstance(beginning, bytes) else encodable(beginning))
        return AttributeCondition(template.attribute, "begins_with", ({template.kind: beginning},))
    fit = [fitting(field, operand) for operand in operands]
    if kind == "between" and fit[0] > fit[1]:
        raise KeyValueError(f"{field.name}: nothing lies between {operands[0]!r} and {operands[1]!r}")
    if template.kind != "N" and fit[0] in ("", b""):
        # No key attribute is empty, and the service refuses an empty bound.
        if kind in ("at_least", "after"):
            return None
        if kind != "between" or fit[1] in ("", b""):
            raise KeyValueError(f"{field.name}: no key is empty, so none is {_WORDS[kind]}")
        kind, fit = "at_most", fit[1:]
    encoded = tuple(key_value(field, operand) for operand in fit)
    for value in encoded:
        template.check_stored(value)
    return AttributeCondition(template.attribute, _OPERATORS[kind], encoded)


def text_range(
    template: Template, values: Mapping[str, Any], kind: RangeKind | None, operands: tuple[Any, ...]
) -> AttributeCondition | None:
    """The one condition on a sort key that is rendered from a template, None for the whole collection."""
    start, rest = _bound(template, values)
    if not rest:
        return AttributeCondition(template.attribute, "=", (template.render(values),))
    slot = rest[0]
    assert isinstance(slot, Slot)
    term = partial(_term, template, slot.field, kind)
    if kind is None:
        return term("begins_with", start) if start else None
    if kind == "begins_with":
        if not isinstance(operands[0], str):
            raise KeyValueError(
                f"{slot.field}: begins_with takes the beginning as a str, not {operands[0]!r}"
            )
        return term("begins_with", start + slot.format.prefix(operands[0]))
    if not slot.format.sorts:
        raise KeyValueError(f"{slot.field}: its keys do not order as its values do")
    ends = [start + render_slot(slot, {slot.field: operand}) for operand in operands]
    # What follows a value in the key decides which key is the last one with that value.
    lasts = [end if len(rest) == 1 else _last_of(end, rest[1]) for end in ends]
    first, last = ends[0], lasts[-1]
    end = _end_of(start, template.segments[: -len(rest)]) if start else ""
    match kind:
        case "between":
            if ends[0] > ends[1]:
                raise KeyValueError(f"{slot.field}: nothing lies between {operands[0]!r} and {operands[1]!r}")
            return term("BETWEEN", first, last)
        case "after":
            if not start:
                return term(">", last)
            return term("BETWEEN", last + "\0" if last == first else last, end)
        case "at_least":
            return term("BETWEEN", first, end) if start else term(">=", first)
        case "before":
            if not start:
                return term("<", first)
            if first == start:
                raise KeyValueError(f"{slot.field}: nothing comes before {operands[0]!r}")
            return term("BETWEEN", start, _just_before(first))
        case "at_most":
            return term("BETWEEN", start, last) if start else term("<=", last)


def _term(
    template: Template, field: str, kind: RangeKind | None, operator: Operator, *texts: str
) -> AttributeCondition | None:
    """The condition with these texts; None where every key meets it."""
    if texts[0] == "":
        # The service refuses an empty bound, and every key lies above it.
        if operator in (">", ">=", "begins_with"):
            return None
        if operator != "BETWEEN" or not texts[1]:
            raise KeyValueError(f"{field}: no key is empty, so none is {_WORDS[kind or 'at_most']}")
        operator, texts = "<=", texts[1:]
    for text in texts:
        template.check_length(text)
    return AttributeCondition(template.attribute, operator, tuple({"S": text} for text in texts))


def _last_of(text: str, following: Segment) -> str:
    """Orders after every key that begins with `text` as a whole value, and before every other later key."""
    separated = isinstance(following, str) and following.startswith(SEPARATOR)
    return text + AFTER_SEPARATOR if separated else _filled(text)


def _bound(template: Template, values: Mapping[str, Any]) -> tuple[str, tuple[Segment, ...]]:
    """The rendered beginning, up to the first placeholder without a value, and the segments from there."""
    text = ""
    for position, segment in enumerate(template.segments):
        if isinstance(segment, Slot):
            if segment.field not in values:
                return text, template.segments[position:]
            text += render_slot(segment, values)
        else:
            text += segment
    return text, ()


def _end_of(start: str, rendered: tuple[Segment, ...]) -> str:
    """Orders after every key that begins with `start`, and is no key of the same template itself."""
    if isinstance(rendered[-1], Slot):
        return _filled(start)
    code = ord(start[-1]) + 1
    return start[:-1] + chr(0xE000 if code == 0xD800 else code)


def _just_before(text: str) -> str:
    """The greatest key before `text`, but for keys that are longer than keys can be."""
    code = ord(text[-1]) - 1
    if code < 0:
        return text[:-1]
    return _filled(text[:-1] + chr(0xD7FF if code == 0xDFFF else code))


def _filled(text: str) -> str:
    """The greatest key that begins with `text`."""
    room = MAX_SORT_BYTES - len(text.encode())
    return text + _LAST * max(room // len(_LAST.encode()), 0)
