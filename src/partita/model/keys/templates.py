"""Key templates: `"TENANT#{tenant}#ORDER#{id}"`, rendered from values, and read back.

A placeholder is followed by `#` or ends the template, unless its values have a fixed width; so the values
of a rendered key can always be told apart.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from partita.model.errors import ExpressionError, KeyValueError
from partita.model.keys import formats
from partita.model.keys.formats import SEPARATOR, Format
from partita.model.keys.languages import ANY, Language, Many, common_text, exactly, joined
from partita.model.schema import AttributeValue, FieldSchema, KeyKind, TableSchema
from partita.model.values.annotations import bare_type
from partita.model.values.typed_values import checked, is_number, type_name

SHARD = "shard"
MAX_PARTITION_BYTES = 2048
MAX_SORT_BYTES = 1024
SURELY_SHORT = MAX_SORT_BYTES // formats.BYTES_PER_CHARACTER
"""Keys of so many characters are not too long, whatever these are."""
MARKER_PREFIX = "UNIQ#"
"""Partition keys of the markers of unique values begin with it."""


@dataclass(frozen=True, slots=True)
class Slot:
    """A placeholder: the field whose value stands here, and how it is written."""

    field: str
    format: Format


Segment = str | Slot


@dataclass(frozen=True, slots=True)
class Template:
    """How one key attribute is made of an entity's fields."""

    text: str
    """As declared."""
    attribute: str
    """The key attribute's name in DynamoDB."""
    kind: KeyKind
    segments: tuple[Segment, ...]
    raw: bool
    field: FieldSchema | None
    """The field whose stored value *is* the key attribute (multi-attribute keys, adopted tables), if any."""
    names: tuple[str, ...]
    """The fields that stand in it, in order, each once; without the shard."""
    shards: int | None
    pattern: re.Pattern[str]
    """What it can render, with a group for each placeholder."""
    form: str
    """For the % operator: the literals, and %s for each placeholder."""
    slots: tuple[tuple[str, Callable[[Any], str]], ...]
    """The field of each placeholder, and how its value is written."""
    limit: int = MAX_PARTITION_BYTES
    """In bytes: what DynamoDB takes for this attribute, wherever it is a key."""
    table: TableSchema | None = dataclasses.field(default=None, repr=False, compare=False)
    """The table it is a key of: other entities have keys there too."""

    @property
    def ends_raw(self) -> bool:
        """Whether it ends with a text that is written as it is, so that a separator can stand in it."""
        last = self.segments[-1] if self.segments else ""
        return self.raw and self.field is None and isinstance(last, Slot) and last.format.pattern == ".*"

    @property
    def max_bytes(self) -> int | None:
        """The longest key that it can render, None where a value is not bounded."""
        if self.field is not None:
            return self.field.max_bytes
        total = 0
        for segment in self.segments:
            size = len(segment.encode()) if isinstance(segment, str) else segment.format.max_bytes
            if size is None:
                return None
            total += size
        return total

    @property
    def language(self) -> Language:
        """Every text that it can render."""
        return language_of(self.segments)

    @property
    def open_language(self) -> Language:
        """As `language`, with separators where a text that is written as it is ends the key."""
        if self.field is not None:
            return (Many(ANY),)
        return (*language_of(self.segments[:-1]), Many(ANY)) if self.ends_raw else self.language

    @property
    def lossless(self) -> bool:
        """Whether the values can be read back from the key."""
        return not any(isinstance(s, Slot) and s.format.lossy for s in self.segments)

    @property
    def parts(self) -> frozenset[str]:
        """The fields of which only a part stands in it, such as the day of a time."""
        slots = [segment for segment in self.segments if isinstance(segment, Slot)]
        whole = {slot.field for slot in slots if not slot.format.lossy}
        return frozenset(slot.field for slot in slots if slot.format.lossy) - whole

    @property
    def sorts(self) -> bool:
        """Whether keys order as their values do."""
        if self.field is not None:
            return self.field.codec.sorts
        return all(isinstance(s, str) or s.format.sorts for s in self.segments)

    def render(self, values: Mapping[str, Any], shard: int | None = None) -> AttributeValue:
        """The key attribute's value, from values by field name.

        Raises KeyValueError: missing or unfit values.
        """
        if self.field is not None:
            value = key_value(self.field, _present(values, self.field.name))
            self.check_stored(value)
            return value
        pieces = [
            segment if isinstance(segment, str) else render_slot(segment, values, shard)
            for segment in self.segments
        ]
        text = "".join(pieces)
        if not text:
            raise self.empty()
        self.check_length(text)
        if self.ends_raw and SEPARATOR in pieces[-1]:
            self._check_told_apart(text, pieces)
        return {"S": text}

    def empty(self) -> KeyValueError:
        """The error that says which key would be empty, and what to do."""
        made = "" if self.field is not None else f', made of "{self.text}",'
        return KeyValueError(
            f"{self.attribute}{made} would be an empty key, which DynamoDB refuses: give "
            f"{' or '.join(self.names)} a value"
        )

    def check_stored(self, value: AttributeValue) -> None:
        """Raises KeyValueError for a value of `field` that is stored, and cannot be a key."""
        key = value[self.kind]
        if not key:
            raise self.empty()
        self.check_length(key)

    def check_length(self, key: str | bytes) -> None:
        """Raises KeyValueError for a key, or a bound of keys, that is longer than DynamoDB takes."""
        if len(key) <= SURELY_SHORT:
            return
        size = len(key.encode() if isinstance(key, str) else key)
        if size > self.limit:
            raise KeyValueError(
                f"{', '.join(self.names)}: {self.attribute} would be a key of {size:,} bytes, "
                f"and DynamoDB takes {self.limit:,}"
            )

    def _check_told_apart(self, text: str, pieces: list[str]) -> None:
        """Raises KeyValueError where the separator in a raw value makes the key one of something else."""
        match = self.pattern.fullmatch(text)
        own = [piece for piece, s in zip(pieces, self.segments, strict=True) if isinstance(s, Slot)]
        if match is None or list(match.groups()) != own or self._is_of_others(text):
            raise KeyValueError(
                f'{self.names[-1]}: with the "{SEPARATOR}" in {pieces[-1]!r} another item could have '
                f"the key {text!r}"
            )

    def _is_of_others(self, text: str) -> bool:
        """Whether another entity of the table can have this key attribute; asked for raw texts only."""
        if self.table is None:
            return False
        if self.attribute == self.table.partition.name and text.startswith(MARKER_PREFIX):
            return True
        keys = [entity.__schema__.key for entity in self.table.entities]
        keyed = [{template.attribute: template for template in key.templates} for key in keys]
        own = next((one for one in keyed if one.get(self.attribute) is self), {})
        return any(
            other[self.attribute].pattern.fullmatch(text) is not None
            and all(
                common_text(own[name].open_language, template.open_language) is not None
                for name, template in other.items()
                if name != self.attribute
            )
            for other in keyed
            if own
            and self.attribute in other
            and other[self.attribute].field is None
            and other[self.attribute].text != self.text
        )

    def parse(self, value: AttributeValue) -> dict[str, Any] | None:
        """The values by field name that render this key (a part of time: its text), None if it is no such
        key.
        """
        if self.field is not None:
            if self.kind not in value:
                return None
            return {self.field.name: self.field.codec.decode(value)}
        text = value.get("S")
        match = None if text is None else self.pattern.fullmatch(text)
        if match is None:
            return None
        if self.ends_raw and SEPARATOR in match.groups()[-1] and self._is_of_others(text or ""):
            return None
        values: dict[str, Any] = {}
        slots = [segment for segment in self.segments if isinstance(segment, Slot)]
        for slot, written in zip(slots, match.groups(), strict=True):
            if slot.field == SHARD and self.shards is not None:
                continue
            try:
                read = slot.format.parse(written)
            except (ValueError, KeyError):
                return None
            if values.setdefault(slot.field, read) != read:
                return None
        return values


def language_of(segments: tuple[Segment, ...]) -> Language:
    return joined([(exactly(s) if s else ()) if isinstance(s, str) else s.format.language for s in segments])


def render_slot(slot: Slot, values: Mapping[str, Any], shard: int | None = None) -> str:
    if slot.field == SHARD and SHARD not in values:
        if shard is None:
            raise KeyValueError("the shard is not known yet")
        return slot.format.render(shard)
    try:
        return slot.format.render(_present(values, slot.field))
    except KeyValueError as error:
        raise KeyValueError(f"{slot.field}: {error}") from None
    except (TypeError, AttributeError, ValueError) as error:
        raise KeyValueError(f"{slot.field}: {values[slot.field]!r} does not fit: {error}") from None


def fitting(field: FieldSchema, value: Any) -> Any:
    """The value as the field's type has it: numbers convert where nothing is lost. Raises KeyValueError."""
    if type(value) in field.codec.python:
        return value
    of = bare_type(field.annotation)
    try:
        fit = checked(of, value, field.name)
    except ExpressionError as error:
        raise KeyValueError(str(error)) from None
    if is_number(type(value)) and fit != value:
        raise KeyValueError(f"{field.name} is {type_name(of)}, which does not hold {value!r} exactly")
    return fit


def key_value(field: FieldSchema, value: Any) -> AttributeValue:
    """A field's value as a key attribute of its own. Raises KeyValueError."""
    value = fitting(field, value)
    try:
        encoded = field.codec.encode(value)
    except KeyValueError:
        raise
    except (ValueError, TypeError, AttributeError) as error:
        raise KeyValueError(f"{field.name}: {value!r} cannot be stored: {error}") from None
    if encoded is None:
        raise KeyValueError(f"{field.name}: a key attribute cannot be absent")
    ((kind, stored),) = encoded.items()
    if kind != field.codec.kind or not isinstance(stored, bytes if kind == "B" else str):
        raise KeyValueError(
            f"{field.name}: {value!r} does not fit a key attribute of kind {field.codec.kind}"
        )
    return encoded


def _present(values: Mapping[str, Any], name: str) -> Any:
    value = values.get(name)
    if value is None:
        raise KeyValueError(f"{name} is missing, and the key needs it")
    return value
