"""What stands to the right of a field, or beside the fields, in an entity's class."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime
from typing import Any, TypedDict, Unpack

from pydantic import AfterValidator, Field
from pydantic.fields import FieldInfo

from partita.model.values.field_annotations import (
    Attribute,
    CreatedField,
    ExpiryField,
    Unique,
    UpdatedField,
    VersionField,
)

Version = int
"""The annotation of a version field: `version: Version = version()`."""


class FieldArguments(TypedDict, total=False):
    """What `attribute` and `unique` hand on to pydantic's `Field`, which takes any name without a word."""

    alias: str | None
    validation_alias: str | None
    serialization_alias: str | None
    title: str | None
    description: str | None
    examples: list[Any] | None
    json_schema_extra: Any
    deprecated: str | bool | None
    discriminator: str | None
    exclude: bool | None
    frozen: bool | None
    repr: bool
    validate_default: bool | None
    strict: bool | None
    pattern: str | re.Pattern[str] | None
    min_length: int | None
    max_length: int | None
    gt: Any
    ge: Any
    lt: Any
    le: Any
    multiple_of: Any
    allow_inf_nan: bool | None
    max_digits: int | None
    decimal_places: int | None


def attribute(
    name: str,
    *,
    default: Any = ...,
    default_factory: Callable[[], Any] | None = None,
    **field: Unpack[FieldArguments],
) -> Any:
    """A field that is stored under another name; further arguments are those of pydantic's `Field`.

    Raises TypeError for names that are none of its arguments.
    """
    if not isinstance(name, str) or not name:
        raise TypeError(f"attribute() begins with the stored name, a text, not {name!r}")
    return _annotated(Attribute(name), default, default_factory, field)


def unique(
    *,
    normalise: Callable[..., Any] | None = None,
    normaliser_version: int = 1,
    scope: tuple[str, ...] = (),
    when: Callable[[Any], bool] | None = None,
    default: Any = ...,
    default_factory: Callable[[], Any] | None = None,
    **field: Unpack[FieldArguments],
) -> Any:
    """A field whose value no two entities share; see `Unique` for the arguments, the others are those of
    `Field`. Raises TypeError for names that are none of either.
    """
    return _annotated(Unique(normalise, normaliser_version, scope, when), default, default_factory, field)


def version() -> Any:
    """An int that counts the writes of the entity: 0 before the first. Each write checks it."""
    return _annotated(VersionField(), 0, None, {})


def created() -> Any:
    """A datetime that the first write sets; None before it."""
    return _annotated(CreatedField(), None, None, {})


def updated() -> Any:
    """A datetime that every write sets; None before the first."""
    return _annotated(UpdatedField(), None, None, {})


def ttl() -> Any:
    """A datetime after which DynamoDB may delete the item, None for never; kept in whole seconds."""
    field = _annotated(ExpiryField(), None, None, {})
    # What an index key is made of must be what the item keeps.
    field.metadata.append(AfterValidator(_whole_second))
    return field


def _whole_second(value: object) -> object:
    return value.replace(microsecond=0) if isinstance(value, datetime) else value


class UniqueTogether:
    """Several fields whose values together no two entities share: `sku_once = UniqueTogether("tenant",
    "sku")`.
    """

    def __init__(
        self,
        *fields: str,
        normalise: Callable[..., Any] | None = None,
        normaliser_version: int = 1,
        scope: tuple[str, ...] = (),
        when: Callable[[Any], bool] | None = None,
    ) -> None:
        self.fields = fields
        self.rule = Unique(normalise, normaliser_version, scope, when)


def _annotated(
    annotation: object, default: Any, default_factory: Callable[[], Any] | None, arguments: FieldArguments
) -> FieldInfo:
    if unknown := sorted(arguments.keys() - FieldArguments.__annotations__.keys()):
        raise TypeError(f"a field has no argument {unknown[0]!r}")
    said: dict[str, Any] = {**arguments}
    if default_factory is not None:
        info: FieldInfo = Field(default_factory=default_factory, **said)
    else:
        info = Field(default, **said)
    info.metadata.append(annotation)
    return info
