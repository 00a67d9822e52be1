"""An entity's encoder and decoder, made once when its class is."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from partita.model.declaring.upcasting import upcast
from partita.model.errors import KeyValueError, UnreadableItem, UnstorableValue
from partita.model.keys.templates import SURELY_SHORT, Template
from partita.model.schema import AttributeValue, FieldSchema, Item, KeySchema, TableSchema
from partita.model.values.codecs import input_name

if TYPE_CHECKING:
    from partita.model.declaring.entity import Entity

Row = tuple[str, str, Callable[[Any], AttributeValue | None]]
"""A field's name, its attribute, and what stores it."""
Renderer = tuple[str, Callable[[Mapping[str, Any], int | None], AttributeValue]]
"""A key attribute, and its value of the fields' values and the shard."""
AddedKey = tuple[str, Callable[[Any], bool] | None, tuple[str, ...], int | None, list[Renderer]]
"""The key's name, whether an entity is in the index (None: yes), the fields that it needs for that, shards,
attributes.
"""
Source = tuple[str, str, Callable[[AttributeValue], Any], Callable[[], Any] | None, bool, str]
"""The name that the constructor takes, the attribute, what reads it, what stands for nothing stored (None:
it has to be there, or has a default), whether it is required, and the field's name.
"""


def compile_encode(
    cls: type[Entity],
    table: TableSchema,
    type_name: str,
    fields: Mapping[str, FieldSchema],
    key: KeySchema,
    index_keys: Mapping[str, KeySchema],
    schema_version: int,
) -> Callable[[Any], Item]:
    """The full stored item of an entity: fields, discriminator, schema version, primary key and index
    keys.
    """
    constants = _constants(table, type_name, schema_version)
    rows: list[Row] = [(field.name, field.attribute, field.codec.encode) for field in fields.values()]
    primary = key.templates
    rendered = [_renderer(template) for template in primary]
    groups = _added_keys(key, index_keys)
    natives = _native_templates(index_keys)
    where = cls.__name__

    def encode(entity: Any) -> Item:
        values = entity.__dict__
        item = constants.copy()
        name, made = "", key.name
        try:
            for attribute, render in rendered:
                item[attribute] = render(values, None)
            for name, attribute, to in rows:
                stored = to(values[name])
                if stored is not None:
                    item[attribute] = stored
        except KeyValueError as error:
            raise KeyValueError(f"{where}.{made}: {error}") from None
        except UnstorableValue as error:
            raise UnstorableValue(f"{where}.{name}: {error}") from None
        except (TypeError, AttributeError, ValueError, KeyError) as error:
            shown = repr(values.get(name, "nothing"))
            raise UnstorableValue(f"{where}.{name}: {shown} is not what it was declared to be") from error
        try:
            for label, when, names, shards, index in groups:
                made = label
                if when is not None and not when(entity):
                    continue
                for name in names:
                    if values[name] is None:
                        break
                else:
                    shard = None if shards is None else shard_of([item[t.attribute] for t in primary], shards)
                    for attribute, render in index:
                        item[attribute] = render(values, shard)
            for label, template in natives:
                made = label
                stored = item.get(template.attribute)
                if stored is not None:
                    template.check_stored(stored)
        except KeyValueError as error:
            raise KeyValueError(f"{where}.{made}: {error}") from None
        return item

    return encode


def _constants(table: TableSchema, type_name: str, schema_version: int) -> Item:
    """What every item of an entity has alike: its type, and which form it is in."""
    constants: Item = {}
    if table.discriminator is not None:
        constants[table.discriminator] = {"S": type_name}
    if schema_version > 1:
        constants[table.schema_version] = {"N": str(schema_version)}
    return constants


def _added_keys(primary: KeySchema, index_keys: Mapping[str, KeySchema]) -> list[AddedKey]:
    """The index keys that an item is given beside its fields."""
    return [
        (
            made.name,
            made.when,
            tuple({name: None for template in templates for name in template.names}),
            made.shards,
            [_renderer(template) for template in templates],
        )
        for made in index_keys.values()
        if (templates := added_templates(made, primary))
    ]


def _renderer(template: Template) -> Renderer:
    """A template's attribute, and its `render`, faster where nothing goes wrong."""
    if template.field is not None or template.shards is not None or template.ends_raw:
        return template.attribute, template.render
    form, slots, slow = template.form, template.slots, template.render

    def render(values: Mapping[str, Any], shard: int | None) -> AttributeValue:
        try:
            text = form % tuple([write(values[name]) for name, write in slots])
        except KeyValueError:
            return slow(values)
        return {"S": text} if 0 < len(text) <= SURELY_SHORT else slow(values)

    return template.attribute, render


def _native_templates(index_keys: Mapping[str, KeySchema]) -> tuple[tuple[str, Template], ...]:
    """Of attributes of the entity that are keys of an index, with its name: stored as fields, but neither
    empty nor longer than keys.
    """
    native = {
        template.attribute: (made.name, template)
        for made in index_keys.values()
        if made.index is not None and made.index.native
        for template in made.templates
        if template.field is not None and template.kind != "N"
    }
    return tuple(native.values())


def added_templates(made: KeySchema, primary: KeySchema) -> tuple[Template, ...]:
    """The key attributes that the index adds to the item."""
    present = {template.attribute for template in primary.templates}
    if made.index is not None and made.index.native:
        return ()
    return tuple(t for t in made.templates if t.attribute not in present)


def shard_of(primary: list[AttributeValue], shards: int) -> int:
    """The shard of an item: BLAKE2b (8 bytes, big-endian) of its key values joined by NUL, modulo `shards`.

    Texts are UTF-8, numbers their plain digits. The rule is fixed for ever: stored keys hold its outcome.
    """
    parts = [
        part if isinstance(part, bytes) else part.encode() for value in primary for part in value.values()
    ]
    return int.from_bytes(hashlib.blake2b(b"\0".join(parts), digest_size=8).digest()) % shards


def compile_decode(
    cls: type[Entity],
    table: TableSchema,
    fields: Mapping[str, FieldSchema],
    key: KeySchema,
    index_keys: Mapping[str, KeySchema],
    chain: tuple[Callable[[Item], Item], ...],
) -> Callable[[Item], Any]:
    """The entity of a stored item; it remembers the item (`_stored`).

    Fields missing in it are read from its keys.
    """
    rows = [_source(cls, field) for field in fields.values()]
    templates = [key, *index_keys.values()]
    validate = cls.__pydantic_validator__.validate_python
    where = cls.__name__
    told = open_templates(key)
    hook = cls.after_read if "after_read" in _overridden(cls) else None

    def decode(item: Item) -> Any:
        source = upcast(item, chain, table, where) if chain else item
        values: dict[str, Any] = {}
        from_keys: dict[str, Any] | None = None
        attribute = ""
        try:
            for name, attribute, back, absent, required, field_name in rows:
                stored = source.get(attribute)
                if stored is not None:
                    values[name] = back(stored)
                elif absent is not None:
                    values[name] = absent()
                elif required:
                    if from_keys is None:
                        from_keys = values_in_keys(templates, source)
                    if field_name not in from_keys:
                        raise UnreadableItem(f"{where}: the item has no attribute {attribute!r}")
                    values[name] = from_keys[field_name]
        except (KeyError, ValueError, TypeError, ArithmeticError, AttributeError) as error:
            raise UnreadableItem(
                f"{where}: the attribute {attribute!r} is not what it was declared to be: {error}"
            ) from error
        try:
            entity = validate(values)
        except ValidationError as error:
            raise UnreadableItem(f"{where}: {_first(error)}") from error
        if told:
            check_keys(told, item, entity.__dict__, where)
        entity.__dict__["_stored"] = item
        if hook is not None:
            hook(entity)
        return entity

    return decode


def _source(cls: type[Entity], field: FieldSchema) -> Source:
    info = cls.model_fields[field.name]
    codec: Any = field.codec
    name = input_name(field.name, info, cls)
    return name, field.attribute, codec.decode, codec.absent, info.is_required(), field.name


def open_templates(key: KeySchema) -> tuple[Template, ...]:
    """Those with values as they are, separators too: what a key says must be compared with the fields."""
    return tuple(
        template for template in key.templates if template.raw and template.field is None and template.names
    )


def check_keys(templates: tuple[Template, ...], item: Item, values: Mapping[str, Any], where: str) -> None:
    """Raises UnreadableItem where a key of raw values says otherwise than the fields.

    A separator inside such a value leaves it open where the next one begins: the item is another's.
    """
    for template in templates:
        stored = item.get(template.attribute)
        said = None if stored is None else template.parse(stored)
        for name, value in (said or {}).items():
            if name in values and values[name] != value:
                raise UnreadableItem(
                    f"{where}: the item's {name} is {values[name]!r}, its key {template.attribute} stands "
                    f"for {value!r}"
                )


def values_in_keys(keys: Sequence[KeySchema], item: Item) -> dict[str, Any]:
    """The field values that stand in the keys of an item, as far as it has those keys."""
    found: dict[str, Any] = {}
    for key in keys:
        for template in key.templates:
            stored = item.get(template.attribute)
            if stored is not None and template.lossless:
                found |= template.parse(stored) or {}
    return found


def _overridden(cls: type[Entity]) -> set[str]:
    """The hooks that a class or one of its bases below Entity defines."""
    bases = cls.__mro__[: [base.__name__ for base in cls.__mro__].index("Entity")]
    return {name for base in bases for name in ("before_write", "after_read") if name in vars(base)}


def _first(error: ValidationError) -> str:
    first = error.errors(include_url=False)[0]
    place = ".".join(str(step) for step in first["loc"])
    return f"{place}: {first['msg']}" if place else str(first["msg"])
