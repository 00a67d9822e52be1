"""What stands to the right of a field, or beside the fields, in an entity's class."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

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


def attribute(
    name: str, *, default: Any = ..., default_factory: Callable[[], Any] | None = None, **field: Any
) -> Any:
    """A field that is stored under another name; further arguments are those of pydantic's `Field`."""
    return _annotated(Attribute(name), default, default_factory, field)


def unique(
    *,
    normalise: Callable[..., Any] | None = None,
    normaliser_version: int = 1,
    scope: tuple[str, ...] = (),
    when: Callable[[Any], bool] | None = None,
    default: Any = ...,
    default_factory: Callable[[], Any] | None = None,
    **field: Any,
) -> Any:
    """A field whose value no two entities share; see `Unique` for the arguments, the others are those of
    `Field`.
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
    annotation: object, default: Any, default_factory: Callable[[], Any] | None, arguments: dict[str, Any]
) -> FieldInfo:
    if default_factory is not None:
        info: FieldInfo = Field(default_factory=default_factory, **arguments)
    else:
        info = Field(default, **arguments)
    info.metadata.append(annotation)
    return info
