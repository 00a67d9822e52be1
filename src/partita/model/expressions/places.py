"""Places in items: what the declarations say is stored at a path, and what can stand beside it.

Each value is checked against the declared type and encoded by its codec.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from partita.model.errors import ExpressionError
from partita.model.expressions.conditions import (
    MOST_LEVELS,
    Condition,
    DocumentPath,
    FieldPath,
    Unbound,
    Value,
)
from partita.model.schema import AttributeValue, Codec, FieldSchema, Kind
from partita.model.values.annotations import unwrapped
from partita.model.values.codecs import codec_for
from partita.model.values.parameters import P
from partita.model.values.typed_values import (
    checked,
    dict_key,
    element_annotation,
    model_of,
    row_annotations,
    type_name,
    without_none,
)

_ORDERED: frozenset[Kind] = frozenset({"S", "N", "B"})
_SETS: frozenset[Kind] = frozenset({"SS", "NS", "BS"})


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Place:
    """Where a path leads. Raises ExpressionError for what cannot mean anything there."""

    spelling: str
    elements: DocumentPath
    codec: Codec
    annotation: Any
    is_optional: bool = False
    """None means "absent"."""
    is_required: bool = False
    """An item without it cannot be read."""
    is_element: bool = False
    """In a list or dict: there is no "absent" in it, NULL is stored instead."""
    changes: bool = True

    def __repr__(self) -> str:
        return self.spelling

    @property
    def kind(self) -> Kind:
        return self.codec.kind

    def field(self, name: str) -> Place:
        """The place of a field of a nested model."""
        if self.codec.fields is None:
            is_dict = self.kind == "M" and self.codec.element is not None
            step = f"write {self}[{name!r}]" if is_dict else f"there is no {name!r} in it"
            raise ExpressionError(f"{self} is {type_name(self.annotation)}: {step}")
        return self.part(name)

    def part(self, step: Any) -> Place:
        """The place of a field of a nested model, of an element of a list, or of a value of a dict."""
        codec = self.codec
        if len(self.elements) >= MOST_LEVELS:
            raise ExpressionError(f"{self} is {MOST_LEVELS} levels deep, which is the most")
        if codec.fields is not None and isinstance(step, str):
            return place_of_field(codec.fields, step, model_of(self.annotation), self.spelling, self.elements)
        if self.kind == "L" and isinstance(step, int) and not isinstance(step, bool):
            if step < 0:
                raise ExpressionError(f"{self}[{step}]: DynamoDB counts list elements from the front, from 0")
            if codec.element is not None:
                return self._stepped(step, step, codec.element, element_annotation(self.annotation))
            row = row_annotations(self.annotation)
            if step < len(row):
                return self._stepped(step, step, codec_for(row[step], f"{self}[{step}]"), row[step])
        if self.kind == "M" and codec.element is not None:
            name = dict_key(self.annotation, step, f"a key of {self}")
            return self._stepped(step, name, codec.element, element_annotation(self.annotation))
        raise ExpressionError(f"{self} is {type_name(self.annotation)}: there is no [{step!r}] in it")

    def _stepped(self, step: Any, element: str | int, codec: Codec, annotation: Any) -> Place:
        spelling = f"{self}[{step!r}]"
        return Place(spelling, _then(self.elements, element), codec, annotation, is_element=True)

    def encoded(self, value: Any, *, with_constraints: bool = False) -> AttributeValue:
        """As it is stored here; `with_constraints`: those of the annotation, as when it will be stored."""
        encoded = self.encoded_or_absent(value, with_constraints=with_constraints)
        if encoded is None:
            raise ExpressionError(f"{self}: {value!r} is stored as nothing; use .not_exists() or .remove()")
        return encoded

    def encoded_or_absent(self, value: Any, *, with_constraints: bool = False) -> AttributeValue | None:
        """As `encoded`; None for what is stored as nothing."""
        if value is None and self.is_optional:
            return None
        if isinstance(value, Condition):
            raise ExpressionError(f"{self} is compared with a condition; put each comparison in parentheses")
        annotation = self.annotation
        if not with_constraints:
            annotation = unwrapped(without_none(annotation) if self.is_optional else annotation)
        encoded = self.codec.encode(checked(annotation, value, repr(self)))
        return {"NULL": True} if encoded is None and self.is_element else encoded

    def operand_part(self, part: Any) -> Value | Unbound:
        """A part of the text or of the bytes here, or the parameter that will be one."""
        if isinstance(part, P):
            return Unbound(part.name, lambda given: self._whole_part(given).value)
        return self._whole_part(part)

    def _whole_part(self, part: Any) -> Value:
        expected: type[str] | type[bytes] = bytes if self.kind == "B" else str
        if not isinstance(part, expected) or not part:
            raise ExpressionError(
                f"{self} takes a part that is {expected.__name__} and not empty, not {part!r}"
            )
        return Value({self.kind: part})

    def element(self, codec: Codec) -> Place:
        """Any element of the list or set here."""
        annotation = element_annotation(self.annotation)
        return Place(f"an element of {self}", self.elements, codec, annotation, is_element=True)

    def _encoded_elements(self, elements: Iterable[Any], kinds: Iterable[Kind]) -> list[AttributeValue]:
        self.require_change()
        self.require_kind("this", kinds)
        codec = self.codec.element
        if codec is None:
            raise ExpressionError(
                f"{self} is {type_name(self.annotation)}: it has elements of no single type"
            )
        element = self.element(codec)
        encoded = [element.encoded(value, with_constraints=True) for value in elements]
        if not encoded:
            raise ExpressionError(f"{self}: there is no element to add or to take")
        return encoded

    def encoded_list(self, elements: Iterable[Any]) -> AttributeValue:
        """Elements to be added to the list here."""
        if isinstance(elements, str | bytes | Mapping) or not isinstance(elements, Iterable):
            raise ExpressionError(f"{self} takes a list of elements to add, not {elements!r}")
        return {"L": self._encoded_elements(elements, {"L"})}

    def encoded_members(self, members: Sequence[Any]) -> AttributeValue:
        """Members to be added to the set here, or taken from it."""
        encoded = self._encoded_elements(members, _SETS)
        return {self.kind: sorted({content for value in encoded for content in value.values()})}

    def require_order(self, operator: str) -> None:
        """That what is stored orders as the values do in Python."""
        self.require_kind(operator, _ORDERED)
        if not self.codec.sorts:
            raise ExpressionError(
                f"{self} does not order as it is stored ({self.kind} of {type_name(self.annotation)}): "
                f"{operator} would mean something else than in Python"
            )

    def require_kind(self, operation: str, kinds: Iterable[Kind]) -> None:
        if self.kind not in kinds:
            needed = ", ".join(sorted(kinds))
            raise ExpressionError(f"{self} is stored as {self.kind}: {operation} needs {needed}")

    def require_change(self) -> None:
        """That it is no part of the primary key."""
        if not self.changes:
            raise ExpressionError(f"{self} is part of the primary key, which cannot change")


def place_of_field(
    fields: Mapping[str, FieldSchema], name: str, model: Any, spelling: str, elements: DocumentPath
) -> Place:
    """The place of a field of an entity or of a nested model. Raises ExpressionError where there is none."""
    field = fields.get(name)
    if field is None:
        owner = model.__name__ if model is not None else spelling
        stored = next((one.name for one in fields.values() if one.attribute == name), None)
        hint = nearest(name, fields) if stored is None else f"; {stored!r} is stored so"
        raise ExpressionError(f"{owner} has no field {name!r}{hint}")
    declared = getattr(model, "model_fields", {}).get(name)
    is_required = declared is not None and declared.is_required() and field.codec.kind not in _SETS
    return Place(
        f"{spelling}.{name}",
        _then(elements, field.attribute),
        field.codec,
        field.annotation,
        is_optional=field.optional,
        is_required=is_required and not field.optional,
    )


def _then(path: DocumentPath, element: str | int) -> DocumentPath:
    return path.then(element) if isinstance(path, FieldPath) else (*path, element)


def nearest(name: str, known: Iterable[str]) -> str:
    """A hint at a known name that is spelled much alike, "" where there is none."""
    found = difflib.get_close_matches(name, list(known), 1, 0.5)
    return f"; did you mean {found[0]!r}?" if found else ""
