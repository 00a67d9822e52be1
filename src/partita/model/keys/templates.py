"""Key templates: `"TENANT#{tenant}#ORDER#{id}"`, checked when the class is made, then rendered and read back.

A placeholder is followed by `#` or ends the template, unless its values have a fixed width; so the values
of a rendered key can always be told apart.

    {name}            text (escaped), datetime, date, UUID, bool, Enum, Literal, bytes
    {name:8}          int, zero-padded to 8 digits; negative or wider ones are refused
    {name:+8}         int of either sign, in an order-preserving form
    {name:8.2}        Decimal, float or int, 8 digits before the point and 2 after it (with + for either sign)
    {placed:day}      the beginning of a datetime or date: year, month, day, hour, minute
    {shard:4}         in a partition key: a digest of the primary key, modulo 4
"""

from __future__ import annotations

import dataclasses
import enum
import itertools
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import Any, Literal, get_origin
from uuid import UUID

from partita.model.errors import DeclarationError, ExpressionError, KeyValueError
from partita.model.keys import formats
from partita.model.keys.formats import SEPARATOR, Format
from partita.model.keys.languages import ANY, Language, Many, common_text, exactly, joined
from partita.model.schema import AttributeValue, FieldSchema, KeyKind, TableSchema
from partita.model.values.annotations import bare_type, literal_values, longest
from partita.model.values.numbers import MAX_DIGITS
from partita.model.values.typed_values import checked, is_number

SHARD = "shard"
MAX_PARTITION_BYTES = 2048
MAX_SORT_BYTES = 1024
SURELY_SHORT = MAX_SORT_BYTES // formats.BYTES_PER_CHARACTER
"""Keys of so many characters are not too long, whatever these are."""
MARKER_PREFIX = "UNIQ#"
"""Partition keys of the markers of unique values begin with it."""

_piece = re.compile(r"\{([^{}]*)\}|([{}])")
_slot = re.compile(r"([A-Za-z_]\w*)(?::(.+))?", re.DOTALL).fullmatch
_width = re.compile(r"(\+?)([1-9][0-9]?)(?:\.([1-9][0-9]?))?").fullmatch


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
            self.check_length(next(iter(value.values())))
            return value
        pieces = [
            segment if isinstance(segment, str) else render_slot(segment, values, shard)
            for segment in self.segments
        ]
        text = "".join(pieces)
        if not text:
            raise KeyValueError(f'"{self.text}" renders an empty key')
        self.check_length(text)
        if self.ends_raw and SEPARATOR in pieces[-1]:
            self._check_told_apart(text, pieces)
        return {"S": text}

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
        keyed = [{template.attribute: template for template in (*key.partition, *key.sort)} for key in keys]
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
        raise KeyValueError(f"{field.name} is {_named(of)}, which does not hold {value!r} exactly")
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
    if encoded is None or encoded.get("S") == "" or encoded.get("B") == b"":
        raise KeyValueError(f"{field.name}: a key attribute cannot be empty")
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


def compile_template(
    text: str,
    *,
    attribute: str,
    kind: KeyKind,
    fields: Mapping[str, FieldSchema],
    raw: bool = False,
    may_shard: bool = False,
    limit: int = MAX_PARTITION_BYTES,
    table: TableSchema | None = None,
    where: str,
) -> Template:
    """Checks a template against the entity's fields; `where` begins the messages ("Order.key").

    Raises DeclarationError.
    """
    segments = _segments(text, fields, raw, may_shard, where)
    names = tuple(dict.fromkeys(s.field for s in segments if isinstance(s, Slot)))
    shards = None
    if SHARD in names and SHARD not in fields:
        names = tuple(name for name in names if name != SHARD)
        shards = next(
            s.format.max_bytes and _shard_count(s)
            for s in segments
            if isinstance(s, Slot) and s.field == SHARD
        )
    field = None
    only = (
        segments[0].field if len(segments) == 1 and isinstance(segments[0], Slot) and shards is None else None
    )
    if only is not None and (kind != "S" or (raw and fields[only].attribute == attribute)):
        field = fields[only]
        if field.codec.kind != kind:
            raise DeclarationError(
                f"{where}: {attribute} is a key of kind {kind}, {only} is stored as {field.codec.kind}"
            )
    elif kind != "S":
        raise DeclarationError(
            f'{where}: {attribute} is of kind {kind}: it takes one placeholder, not "{text}"'
        )
    pattern = "".join(re.escape(s) if isinstance(s, str) else f"({s.format.pattern})" for s in segments)
    return Template(
        text=text,
        attribute=attribute,
        kind=kind,
        segments=segments,
        raw=raw,
        field=field,
        names=names,
        shards=shards,
        pattern=re.compile(pattern, re.DOTALL),
        form="".join(s.replace("%", "%%") if isinstance(s, str) else "%s" for s in segments),
        slots=tuple((s.field, s.format.render) for s in segments if isinstance(s, Slot)),
        limit=limit,
        table=table,
    )


def native_template(field: FieldSchema, limit: int) -> Template:
    """The template of a key attribute that is an entity's own attribute; `limit` in bytes."""
    kind: Any = field.codec.kind
    return Template(
        text=f"{{{field.name}}}",
        attribute=field.attribute,
        kind=kind,
        segments=(),
        raw=False,
        field=field,
        names=(field.name,),
        shards=None,
        pattern=re.compile(""),
        form="",
        slots=(),
        limit=limit,
    )


def _shard_count(slot: Slot) -> int:
    (part,) = slot.format.language
    return len(part.texts)  # type: ignore[union-attr]


def _segments(
    text: str, fields: Mapping[str, FieldSchema], raw: bool, may_shard: bool, where: str
) -> tuple[Segment, ...]:
    if not text:
        raise DeclarationError(f"{where}: an empty template renders an empty key")
    segments: list[Segment] = []
    at = 0
    for piece in _piece.finditer(text):
        if piece[2]:
            raise DeclarationError(f'{where}: "{text}" has a brace without its partner')
        if piece.start() > at:
            segments.append(text[at : piece.start()])
        last = piece.end() == len(text)
        segments.append(_slot_of(piece[1], fields, raw, may_shard, last, where))
        at = piece.end()
    if at < len(text):
        segments.append(text[at:])
    for slot, following in itertools.pairwise(segments):
        if isinstance(slot, str) or slot.format.width is not None:
            continue
        if isinstance(following, Slot) or not following.startswith(SEPARATOR):
            raise DeclarationError(
                f'{where}: in "{text}" {{{slot.field}}} can have any length: put "#" after it, or end there'
            )
    return tuple(segments)


def _slot_of(
    inside: str, fields: Mapping[str, FieldSchema], raw: bool, may_shard: bool, last: bool, where: str
) -> Slot:
    match = _slot(inside)
    if match is None:
        raise DeclarationError(f"{where}: {{{inside}}} is no placeholder: write {{field}} or {{field:width}}")
    name, spec = match[1], match[2]
    if name == SHARD and SHARD not in fields:
        return Slot(SHARD, _shard(spec, may_shard, where))
    if name not in fields:
        raise DeclarationError(f"{where}: there is no field {name!r}; the fields are {', '.join(fields)}")
    return Slot(name, _format(fields[name], spec, raw, last, where))


def _shard(spec: str | None, may_shard: bool, where: str) -> Format:
    if not may_shard:
        raise DeclarationError(
            f"{where}: {{shard:N}} stands only in the partition key of a global index, once"
        )
    if spec is None or not spec.isdecimal() or not 2 <= int(spec) <= 1000:
        raise DeclarationError(f"{where}: write {{shard:N}} with N from 2 to 1000")
    return formats.shard_format(int(spec))


def _format(field: FieldSchema, spec: str | None, raw: bool, last: bool, where: str) -> Format:
    of = bare_type(field.annotation)
    made = (
        _spec_format(of, field, spec, raw, where)
        if spec is not None
        else _plain_format(of, field, raw, last, where)
    )
    if made is None:
        what = f"{{{field.name}:{spec}}}" if spec is not None else f"{{{field.name}}}"
        raise DeclarationError(f"{where}: {what} cannot stand in a key: {field.name} is {_named(of)}")
    return made


def _plain_format(of: Any, field: FieldSchema, raw: bool, last: bool, where: str) -> Format | None:
    choices = _choices(of)
    if choices is not None:
        if not all(isinstance(stored, str) for stored in choices):
            if raw:
                return formats.raw_number_format(field_number(field))
            raise _without_width(field, where)
        return _choice_format(choices, raw)
    if of is str:
        length = longest(field.annotation)
        return formats.raw_text_format(length, last) if raw else formats.text_format(length)
    if of is bool:
        return formats.BOOL
    if of in (int, Decimal, float):
        if raw:
            return formats.raw_number_format(of)
        raise _without_width(field, where)
    if of is bytes:
        return formats.bytes_format(longest(field.annotation))
    return {datetime: formats.DATETIME, date: formats.DATE, UUID: formats.UUID_FORMAT}.get(of)


def field_number(field: FieldSchema) -> Callable[[str], Any]:
    decode = field.codec.decode
    return lambda text: decode({"N": text})


def _without_width(field: FieldSchema, where: str) -> DeclarationError:
    example = f"{{{field.name}:8}}" if bare_type(field.annotation) is not Decimal else f"{{{field.name}:8.2}}"
    return DeclarationError(
        f"{where}: {field.name} is a number, which orders in a key only with a width: write {example}"
    )


def _spec_format(of: Any, field: FieldSchema, spec: str, raw: bool, where: str) -> Format | None:
    if of in (datetime, date) and spec in formats.PARTS_OF_TIME:
        if of is date and formats.PARTS_OF_TIME[spec] >= formats.PARTS_OF_TIME["day"]:
            return None
        return formats.part_of_time_format(formats.DATETIME if of is datetime else formats.DATE, spec)
    width = _width(spec)
    if width is None:
        return None
    choices = _choices(of)
    numeric = of in (int, Decimal, float)
    if choices is not None:
        numeric = all(isinstance(stored, int) and not isinstance(stored, bool) for stored in choices)
    if not numeric:
        return None
    signed, digits, scale = bool(width[1]), int(width[2]), int(width[3] or 0)
    if digits + scale > MAX_DIGITS:
        raise DeclarationError(f"{where}: {{{field.name}:{spec}}} has more than {MAX_DIGITS} digits")
    if choices is not None:
        inner = formats.number_format(digits, 0, signed, int, int)
        return _numbered_choice(choices, inner) if not scale else None
    if of is int:
        return None if scale else formats.number_format(digits, 0, signed, int, int)
    accepts = (int, Decimal) if of is Decimal else (int, float, Decimal)
    return formats.number_format(digits, scale, signed, of, accepts)


def _numbered_choice(choices: Mapping[Any, Any], inner: Format) -> Format:
    stored = {value: key for key, value in choices.items()}

    def render(value: Any) -> str:
        if value not in stored:
            value = choices.get(value, value)
        if value not in stored:
            raise KeyValueError(f"{value!r} is not one of {list(choices)}")
        return inner.render(stored[value])

    return formats.choice_format({inner.render(key): value for key, value in choices.items()}, render)


def _choices(of: Any) -> dict[Any, Any] | None:
    """The values of a Literal or an Enum by what is stored of them."""
    if get_origin(of) is Literal:
        return {(v.value if isinstance(v, enum.Enum) else v): v for v in literal_values(of)}
    if isinstance(of, type) and issubclass(of, enum.Enum):
        return {member.value: member for member in of}
    return None


def _choice_format(choices: Mapping[str, Any], raw: bool) -> Format:
    written = {(key if raw else formats.escape(key)): value for key, value in choices.items()}
    texts = {value: text for text, value in written.items()}

    def render(value: Any) -> str:
        text = texts.get(value)
        if text is None:
            text = texts.get(choices.get(value))
        if text is None:
            raise KeyValueError(f"{value!r} is not one of {', '.join(map(repr, choices))}")
        return text

    return formats.choice_format(written, render)


def _named(of: Any) -> str:
    return of.__name__ if isinstance(of, type) else str(of)
