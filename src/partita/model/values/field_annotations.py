"""What a declaration says about a field beyond its type, inside Annotated or through a field specifier."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Attribute:
    """The field is stored under this name: `total: Annotated[Decimal, Attribute("amount")]`."""

    name: str


@dataclass(frozen=True, slots=True)
class StoreNull:
    """None is stored as NULL; without this it is stored as nothing: `note: Annotated[str | None,
    StoreNull()]`.
    """


@dataclass(frozen=True, slots=True)
class Unique:
    """No two entities share the field's value: `email: Annotated[str, Unique(normalise=str.casefold)]`.

    `normalise` makes equal what counts as equal, `normaliser_version` counts its changes, `scope` names
    fields within whose values the rule holds, `when` says which entities it holds for.
    """

    normalise: Callable[..., Any] | None = None
    normaliser_version: int = 1
    scope: tuple[str, ...] = ()
    when: Callable[[Any], bool] | None = None


@dataclass(frozen=True, slots=True)
class VersionField:
    """The field counts writes."""


@dataclass(frozen=True, slots=True)
class CreatedField:
    """The field holds when the entity was created."""


@dataclass(frozen=True, slots=True)
class UpdatedField:
    """The field holds when the entity was last written."""


@dataclass(frozen=True, slots=True)
class ExpiryField:
    """The field holds when DynamoDB's TTL may delete the item; stored in whole seconds since 1970."""
