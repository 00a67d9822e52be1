"""Key templates as they are declared, checked against the fields of the entity, and made into `Template`s.

{name}            text (escaped), datetime, date, UUID, bool, Enum, Literal, bytes
{name:8}          int, zero-padded to 8 digits; negative or wider ones are refused
{name:+8}         int of either sign, in an order-preserving form
{name:8.2}        Decimal, float or int, 8 digits before the point and 2 after it (with + for either sign)
{placed:day}      the beginning of a datetime or date: year, month, day, hour, minute
{shard:4}         in a partition key: a digest of the primary key, modulo 4
"""

from __future__ import annotations

import enum
import itertools
import re
from collections.abc import Callable, Mapping
from datetime import date, datetime
from decimal import Decimal
from typing import Any, Literal, get_origin
from uuid import UUID

from partita.model.errors import DeclarationError, KeyValueError
from partita.model.keys import formats
from partita.model.keys.formats import SEPARATOR, Format
from partita.model.keys.templates import MAX_PARTITION_BYTES, SHARD, Segment, Slot, Template
from partita.model.schema import FieldSchema, KeyKind, TableSchema
from partita.model.values.annotations import bare_type, literal_values, longest
from partita.model.values.numbers import MAX_DIGITS
from partita.model.values.typed_values import type_name

_piece = re.compile(r"\{([^{}]*)\}|([{}])")
_slot = re.compile(r"([A-Za-z_]\w*)(?::(.+))?", re.DOTALL).fullmatch
_width = re.compile(r"(\+?)([1-9][0-9]?)(?:\.([1-9][0-9]?))?").fullmatch


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
        shards = next(_shard_count(s) for s in segments if isinstance(s, Slot) and s.field == SHARD)
    field = _only_field(segments, fields) if shards is None else None
    if kind == "S" and not (raw and field is not None and field.attribute == attribute):
        field = None
    elif field is None:
        raise DeclarationError(
            f'{where}: {attribute} is of kind {kind}: it takes one placeholder, not "{text}"'
        )
    elif field.codec.kind != kind:
        raise DeclarationError(
            f"{where}: {attribute} is a key of kind {kind}, {field.name} is stored as {field.codec.kind}"
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


def _only_field(segments: tuple[Segment, ...], fields: Mapping[str, FieldSchema]) -> FieldSchema | None:
    """The field that a template of one placeholder and nothing else is of."""
    if len(segments) != 1 or not isinstance(segments[0], Slot):
        return None
    return fields[segments[0].field]


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
        raise DeclarationError(f"{where}: {what} cannot stand in a key: {field.name} is {type_name(of)}")
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
