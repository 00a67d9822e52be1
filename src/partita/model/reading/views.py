"""Views: pydantic models whose fields are some of an entity's, read without the rest of the item.

    class OrderLabel(BaseModel):
        id: str
        amount: Decimal = Field(alias="total")                    # the entity's field of that name
        city: str = Field(alias="address.city")                   # a path into nested models
        first: str = Field(validation_alias=AliasPath("lines", 0, "sku"))

A field reads the entity's field of its own name, or of its alias. A nested model may itself have only some of
the fields of the entity's.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeVar

from pydantic import AliasPath, BaseModel, ValidationError

from partita.model.declaring.entity import Entity
from partita.model.declaring.items import values_in_keys
from partita.model.errors import DeclarationError, UnreadableItem
from partita.model.expressions.conditions import DocumentPath
from partita.model.schema import AttributeValue, Codec, EntitySchema, FieldSchema, Item
from partita.model.values.codecs import annotation_of, codec_for

V = TypeVar("V", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class _Column:
    """One field of the view: where it is stored, and how it is read."""

    name: str
    path: DocumentPath
    field: str
    """The entity's field at the beginning of the path."""
    encode: Callable[[Any], AttributeValue | None]
    """The stored value of the entity's: for one that is read from a key."""
    decode: Callable[[AttributeValue], Any]
    """The view's value of what is stored."""
    absent: Callable[[], Any] | None


@dataclass(frozen=True)
class View:
    """How a view reads items of one entity."""

    model: type[BaseModel]
    columns: tuple[_Column, ...]
    paths: tuple[DocumentPath, ...]
    """What has to be read: nested models of the view down to their fields."""
    decode: Callable[[Item], Any]
    """The view of a stored item. Raises UnreadableItem."""

    @property
    def fields(self) -> Mapping[str, str]:
        """The stored attributes that it needs, each with the name of the entity's field."""
        return {str(column.path[0]): column.field for column in self.columns}


@lru_cache(maxsize=1024)
def view_of(entity: type[Entity], model: type[BaseModel]) -> View:
    """How `model` reads items of the entity. Raises DeclarationError for fields that it does not have."""
    schema = entity.__schema__
    columns: list[_Column] = []
    paths: list[DocumentPath] = []
    for name, info in model.model_fields.items():
        where = f"{model.__name__}.{name}"
        steps = _steps(
            name, info.validation_alias if info.validation_alias is not None else info.alias, where
        )
        path, field, entity_codec = _followed(schema, steps, where)
        annotation = annotation_of(info)
        codec = codec_for(annotation, where)
        if codec.kind != entity_codec.kind:
            if codec.python != entity_codec.python:
                raise DeclarationError(
                    f"{where}: {schema.cls.__name__} stores it as {entity_codec.kind}, not as {codec.kind}"
                )
            codec = entity_codec
        absent = codec.absent or entity_codec.absent
        columns.append(_Column(name, path, field.name, entity_codec.encode, codec.decode, absent))
        paths.extend(_narrowed(path, codec, entity_codec))
    return View(model, tuple(columns), tuple(dict.fromkeys(paths)), _decoder(schema, model, columns))


def _steps(name: str, alias: Any, where: str) -> list[str | int]:
    match alias:
        case None:
            return [name]
        case str():
            return list(alias.split("."))
        case AliasPath(path=path):
            return list(path)
    raise DeclarationError(f"{where}: a view's alias is a name or one path, not a choice")


def _followed(
    schema: EntitySchema, steps: list[str | int], where: str
) -> tuple[DocumentPath, FieldSchema, Codec]:
    """The stored path of a path of fields, the field at its beginning, and the codec of what stands there."""
    first = schema.fields.get(str(steps[0]))
    if first is None:
        known = ", ".join(schema.fields)
        raise DeclarationError(f"{where}: {schema.cls.__name__} has no field {steps[0]!r}; it has {known}")
    path: list[str | int] = [first.attribute]
    codec = first.codec
    for step in steps[1:]:
        fields = codec.fields
        if fields is not None and isinstance(step, str) and step in fields:
            path.append(fields[step].attribute)
            codec = fields[step].codec
        elif fields is None and codec.element is not None and codec.kind in ("L", "M"):
            path.append(step)
            codec = codec.element
        else:
            raise DeclarationError(f"{where}: there is no {step!r} in {path[-1]!r} of {schema.cls.__name__}")
    return tuple(path), first, codec


def _narrowed(path: DocumentPath, codec: Codec, entity_codec: Codec) -> list[DocumentPath]:
    """The path itself, or the paths of the fields that a nested model of the view has.

    A list is read whole: a projection gives its chosen elements without their places.
    """
    whole = next((n for n, step in enumerate(path) if isinstance(step, int)), None)
    if whole is not None:
        return [path[:whole]]
    if codec.fields is None or entity_codec.fields is None:
        return [path]
    if codec.python == entity_codec.python:
        return [path]
    found: list[DocumentPath] = []
    for field in codec.fields.values():
        counterpart = next((f for f in entity_codec.fields.values() if f.attribute == field.attribute), None)
        if counterpart is None:
            raise DeclarationError(
                f"{codec.python[0].__name__}.{field.name}: nothing is stored as {field.attribute!r}"
            )
        found.extend(_narrowed((*path, field.attribute), field.codec, counterpart.codec))
    return found


def _decoder(schema: EntitySchema, model: type[BaseModel], columns: list[_Column]) -> Callable[[Item], Any]:
    validate = model.__pydantic_validator__.validate_python
    plain = [(c.name, str(c.path[0]), c.decode, c.absent, c) for c in columns if len(c.path) == 1]
    nested = [column for column in columns if len(column.path) > 1]
    where = f"{model.__name__} of {schema.cls.__name__}"

    def decode(item: Item) -> Any:
        values: dict[str, Any] = {}
        from_keys: Mapping[str, Any] | None = None
        try:
            for name, attribute, back, absent, column in plain:
                stored = item.get(attribute)
                if stored is not None:
                    values[name] = back(stored)
                    continue
                if from_keys is None:
                    from_keys = values_in_keys(schema, item)
                if column.field in from_keys:
                    stored = column.encode(from_keys[column.field])
                if stored is not None:
                    values[name] = back(stored)
                elif absent is not None:
                    values[name] = absent()
            for column in nested:
                stored = _at(item, column.path)
                if stored is not None:
                    values[column.name] = column.decode(stored)
                elif column.absent is not None:
                    values[column.name] = column.absent()
        except (KeyError, ValueError, TypeError, ArithmeticError, AttributeError) as error:
            raise UnreadableItem(
                f"{where}: an attribute is not what it was declared to be: {error}"
            ) from error
        try:
            return validate(values, by_name=True, by_alias=False)
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            raise UnreadableItem(f"{where}: {'.'.join(map(str, first['loc']))}: {first['msg']}") from error

    return decode


def _at(item: Item, path: DocumentPath) -> AttributeValue | None:
    value: AttributeValue | None = item.get(str(path[0]))
    for step in path[1:]:
        if value is None:
            return None
        if isinstance(step, int):
            elements = value["L"]
            value = elements[step] if step < len(elements) else None
        else:
            value = value.get("M", {}).get(step)
    return value
