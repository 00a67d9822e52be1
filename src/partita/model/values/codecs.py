"""The values of an annotation as attribute values and back, without loss; or a refusal.

str S, int Decimal float N, bool BOOL, bytes B, datetime date UUID S, Enum Literal as their values,
list tuple L, set frozenset SS NS BS, dict and pydantic models M, X | None absent
"""

from __future__ import annotations

import enum
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date, datetime
from decimal import Decimal
from typing import Annotated, Any, Literal, TypeVar, get_args, get_origin
from uuid import UUID

from pydantic import AwareDatetime, BaseModel, EncodedBytes, EncodedStr, Json, RootModel
from pydantic.fields import FieldInfo

from partita.model.errors import DeclarationError, UnstorableValue
from partita.model.schema import AttributeValue, Codec, FieldSchema, Item
from partita.model.values.annotations import (
    allows_none,
    bare_type,
    literal_values,
    longest,
    metadata_of,
    union_members,
    unwrapped,
)
from partita.model.values.attribute_values import NULL
from partita.model.values.collections import dict_of, row, sequence, set_of
from partita.model.values.field_annotations import Attribute, ExpiryField, StoreNull
from partita.model.values.scalars import EXPIRY, PLAIN, choices

_READS_ANOTHER_FORM = (EncodedBytes, EncodedStr, Json)


def _none() -> None:
    return None


def codec_for(annotation: Any, where: str) -> Codec:
    """The codec of an annotation; `where` begins the message ("Order.total"). Raises DeclarationError."""
    said = tuple(metadata_of(annotation))
    inner = unwrapped(annotation)
    if any(isinstance(one, _READS_ANOTHER_FORM) for one in said):
        raise DeclarationError(
            f"{where}: its validator takes another form than the value has, so what is stored cannot be read "
            f"back: declare it as {_shown(inner)}"
        )
    if any(isinstance(one, ExpiryField) for one in said):
        made = EXPIRY
        if not any(_is_datetime(member) for member in (inner, *union_members(inner))):
            raise DeclarationError(f"{where}: a time to live is a datetime")
    else:
        made = _codec(inner, annotation, where)
    if allows_none(annotation) and inner is not type(None):
        return _optional(made, any(isinstance(one, StoreNull) for one in said), where)
    return made


def _is_datetime(annotation: Any) -> bool:
    return unwrapped(annotation) in (datetime, AwareDatetime)


def _optional(codec: Codec, as_null: bool, where: str) -> Codec:
    encode, decode = codec.encode, codec.decode
    if not as_null:
        if codec.absent is not None and codec.absent() is not None:
            raise DeclarationError(
                f"{where}: None and the empty set would both be stored as nothing; "
                "leave out `| None`, or annotate it with StoreNull()"
            )
        return replace(
            codec,
            encode=lambda value: None if value is None else encode(value),
            decode=lambda value: None if "NULL" in value else decode(value),
            absent=_none,
        )
    return replace(
        codec,
        encode=lambda value: NULL if value is None else encode(value),
        decode=lambda value: None if "NULL" in value else decode(value),
    )


def _codec(inner: Any, annotation: Any, where: str) -> Codec:
    plain = PLAIN.get(inner) if not isinstance(inner, list | dict) else None
    if plain is not None:
        return plain
    if inner is Any or inner is object or isinstance(inner, TypeVar):
        raise DeclarationError(f"{where}: {_shown(inner)} says nothing of what is stored: name the type")
    members = union_members(inner)
    if members:
        return _union(members, annotation, where)
    origin, arguments = get_origin(inner), get_args(inner)
    if origin is Literal:
        return choices(literal_values(inner), where)
    if origin in (list, set, frozenset, dict, tuple):
        return _collection(origin, arguments, where)
    if isinstance(inner, type):
        if issubclass(inner, enum.Flag):
            raise DeclarationError(
                f"{where}: members of the Flag {inner.__name__} combine into values that are no members: "
                "declare a set of an Enum, or an int"
            )
        if issubclass(inner, enum.Enum):
            return choices(tuple(inner), where)
        if issubclass(inner, BaseModel):
            return _model(inner, where)
        if inner in (list, set, frozenset, dict, tuple):
            raise DeclarationError(
                f"{where}: say of what the {inner.__name__} is, such as {inner.__name__}[…]"
            )
    raise DeclarationError(f"{where}: {_shown(inner)} has no lossless form in DynamoDB")


def _shown(annotation: Any) -> str:
    return annotation.__name__ if isinstance(annotation, type) else str(annotation)


def _collection(origin: type, arguments: tuple[Any, ...], where: str) -> Codec:
    if origin is dict:
        keys = codec_for(arguments[0], f"{where} (its keys)")
        return dict_of(keys, codec_for(arguments[1], f"{where}[…]"), where)
    if origin is tuple and not (len(arguments) == 2 and arguments[1] is Ellipsis):
        return row([codec_for(one, f"{where}[{n}]") for n, one in enumerate(arguments)])
    element = codec_for(arguments[0], f"{where}[…]")
    if origin in (set, frozenset):
        return set_of(origin, element, where)
    return sequence(origin, element)


def _union(members: tuple[Any, ...], annotation: Any, where: str) -> Codec:
    present = [member for member in members if unwrapped(member) is not type(None)]
    if len(present) == 1:
        return codec_for(present[0], where)
    tag = next((d for one in metadata_of(annotation) if (d := getattr(one, "discriminator", None))), None)
    codecs = [codec_for(member, where) for member in present]
    if isinstance(tag, str):
        return _tagged(tag, [unwrapped(member) for member in present], codecs, where)
    by_kind = {codec.kind: codec for codec in codecs}
    by_type: dict[type, Codec] = {of: codec for codec in codecs for of in codec.python}
    if len(by_kind) != len(codecs) or any(codec.absent for codec in codecs):
        raise DeclarationError(
            f"{where}: {' | '.join(map(_shown, present))} are stored alike and cannot be told apart; "
            "use one of them, or models with a Literal field and Field(discriminator=…)"
        )

    def encode(value: Any) -> AttributeValue | None:
        for of in type(value).__mro__:
            if of in by_type:
                return by_type[of].encode(value)
        raise UnstorableValue(f"{value!r} is none of {', '.join(of.__name__ for of in by_type)}")

    def decode(value: AttributeValue) -> Any:
        ((kind, _),) = value.items()
        return by_kind[kind].decode(value)  # type: ignore[index]

    kinds = list(by_kind)
    return Codec(kinds[0], False, encode, decode, python=tuple(by_type))


def _tagged(tag: str, models: list[Any], codecs: list[Codec], where: str) -> Codec:
    by_model: dict[type[BaseModel], Codec] = dict(zip(models, codecs, strict=True))
    by_tag: dict[Any, Codec] = {}
    attributes: set[str] = set()
    for model, codec in by_model.items():
        field = (codec.fields or {}).get(tag)
        values = literal_values(unwrapped(model.model_fields[tag].annotation)) if field is not None else ()
        if not values or field is None:
            raise DeclarationError(
                f"{where}: {_shown(model)} has no Literal field {tag!r} to tell it apart by"
            )
        attributes.add(field.attribute)
        by_tag.update(dict.fromkeys(values, codec))
    if len(attributes) != 1:
        raise DeclarationError(f"{where}: {tag!r} is stored under several names")
    (attribute,) = attributes

    def encode(value: Any) -> AttributeValue | None:
        return by_model[type(value)].encode(value)

    def decode(value: AttributeValue) -> Any:
        ((_, stored),) = value["M"][attribute].items()
        return by_tag[stored].decode(value)

    return Codec("M", False, encode, decode, python=tuple(models))


_made: dict[type[BaseModel], Codec] = {}


def _model(model: type[BaseModel], where: str) -> Codec:
    """Of a pydantic model: a map of its fields. A model may hold itself: its codec is there before them."""
    made = _made.get(model)
    if made is not None:
        return made
    _require_declared(model, where)
    fields: dict[str, FieldSchema] = {}
    rows: list[tuple[str, str, Callable[[Any], AttributeValue | None]]] = []
    readers: list[tuple[str, str, Callable[[AttributeValue], Any], Callable[[], Any] | None]] = []

    def encode(value: Any) -> AttributeValue:
        if type(value) is not model:
            raise UnstorableValue(
                f"{value!r} is not a {model.__name__} itself, and would be read back as one"
                if isinstance(value, model)
                else f"{value!r} is not a {model.__name__}"
            )
        values = value.__dict__
        stored: Item = {}
        for name, attribute, to in rows:
            encoded = to(values[name])
            if encoded is not None:
                stored[attribute] = encoded
        return {"M": stored}

    def decode(value: AttributeValue) -> Any:
        item = value["M"]
        values: dict[str, Any] = {}
        for name, attribute, back, absent in readers:
            stored = item.get(attribute)
            if stored is not None:
                values[name] = back(stored)
            elif absent is not None:
                values[name] = absent()
        return model.__pydantic_validator__.validate_python(values)

    made = Codec("M", False, encode, decode, fields=fields, python=(model,))
    _made[model] = made
    try:
        for name, info in model.model_fields.items():
            field = field_schema(name, info, f"{model.__name__}.{name}")
            if any(field.attribute == other.attribute for other in fields.values()):
                raise DeclarationError(
                    f"{model.__name__}.{name}: another field is stored as {field.attribute!r} too"
                )
            fields[name] = field
            codec: Any = field.codec
            rows.append((name, field.attribute, codec.encode))
            readers.append((input_name(name, info, model), field.attribute, codec.decode, codec.absent))
    except DeclarationError:
        del _made[model]
        raise
    return made


def _require_declared(model: type[BaseModel], where: str) -> None:
    """Raises DeclarationError for a model whose fields are not all known, or not all that it holds."""
    if not model.__pydantic_complete__:
        model.model_rebuild(raise_errors=False)
    if not model.__pydantic_complete__:
        raise DeclarationError(
            f"{where}: {model.__name__} names types that are not known yet: declare them first"
        )
    refuse_configuration(model, where)
    if issubclass(model, RootModel):
        raise DeclarationError(f"{where}: {model.__name__} is a RootModel: declare what it holds")


def refuse_configuration(model: type[BaseModel], where: str) -> None:
    """Raises DeclarationError where a model's configuration keeps other values than its fields declare."""
    if model.model_config.get("extra") == "allow":
        raise DeclarationError(f"{where}: {model.__name__} takes extra values, whose types nobody declared")
    if model.model_config.get("use_enum_values"):
        raise DeclarationError(
            f"{where}: {model.__name__} has use_enum_values, which keeps values in the place of members: "
            "leave it out, or declare a Literal"
        )


def input_name(name: str, info: FieldInfo, model: type[BaseModel]) -> str:
    """The name under which the model's constructor takes the field."""
    if model.model_config.get("populate_by_name") or model.model_config.get("validate_by_name"):
        return name
    alias = info.validation_alias if info.validation_alias is not None else info.alias
    if alias is None:
        return name
    if not isinstance(alias, str):
        raise DeclarationError(
            f"{model.__name__}.{name}: an alias that is a path or a choice cannot be read back"
        )
    return alias


def field_schema(name: str, info: FieldInfo, where: str) -> FieldSchema:
    """How a field of a model is stored. Raises DeclarationError."""
    annotation = annotation_of(info)
    codec = codec_for(annotation, where)
    renamed = next((one for one in info.metadata if isinstance(one, Attribute)), None)
    if codec.absent is _none and not info.is_required() and info.get_default() is not None:
        default = (
            "that default_factory makes" if info.default_factory is not None else repr(info.get_default())
        )
        raise DeclarationError(
            f"{where}: None is stored as nothing, which reads back as the default {default}; "
            "annotate it with StoreNull(), or let the default be None"
        )
    return FieldSchema(
        name=name,
        attribute=name if renamed is None else renamed.name,
        codec=codec,
        annotation=annotation,
        optional=codec.absent is _none,
        max_bytes=_max_bytes(annotation),
    )


def annotation_of(info: FieldInfo) -> Any:
    """The field's annotation with all that pydantic gathered about it."""
    said = list(info.metadata)
    if isinstance(info.discriminator, str):
        said.append(_Tag(info.discriminator))
    return Annotated[(info.annotation, *said)] if said else info.annotation


@dataclass(frozen=True, slots=True)
class _Tag:
    discriminator: str


def _max_bytes(annotation: Any) -> int | None:
    inner = bare_type(annotation)
    fixed = {datetime: 27, AwareDatetime: 27, date: 10, UUID: 36, bool: 5, int: 21, Decimal: 21, float: 21}
    if isinstance(inner, type) and inner in fixed:
        return fixed[inner]
    values = literal_values(inner) if get_origin(inner) is Literal else ()
    if isinstance(inner, type) and issubclass(inner, enum.Enum):
        values = tuple(inner)
    if values:
        stored = [value.value if isinstance(value, enum.Enum) else value for value in values]
        return max(len(str(one).encode()) for one in stored)
    length = longest(annotation)
    if length is None:
        return None
    return length * (4 if inner is str else 1) if inner in (str, bytes) else None
