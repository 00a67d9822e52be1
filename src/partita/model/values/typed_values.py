"""Values in conditions and updates, checked against the declared types of what they are compared with."""

from __future__ import annotations

from decimal import Decimal
from enum import Enum
from functools import lru_cache
from typing import Any, Union, get_args, get_origin

from pydantic import BaseModel, TypeAdapter, ValidationError

from partita.model.errors import ExpressionError
from partita.model.values.annotations import bare_type, union_members, unwrapped
from partita.model.values.codecs import codec_for


def checked(annotation: Any, value: Any, what: str) -> Any:
    """`value`, if it is of the type without conversion; of numbers, any that the type holds without loss.

    Raises ExpressionError, naming `what` the value was meant for.
    """
    adapter = _adapter(annotation)
    try:
        return adapter.validate_python(value, strict=True)
    except ValidationError as error:
        refused = error
    if is_number(base_type(annotation)) and is_number(type(value)):
        try:
            return adapter.validate_python(value)
        except ValidationError as error:
            refused = error
    reason = refused.errors(include_url=False)[0]["msg"]
    raise ExpressionError(f"{what} is {type_name(annotation)}, not {value!r}: {reason}")


def _adapter(annotation: Any) -> TypeAdapter[Any]:
    try:
        return _kept_adapter(annotation)
    except TypeError:  # metadata that cannot be hashed
        return TypeAdapter(annotation)


@lru_cache(maxsize=1024, typed=True)
def _kept_adapter(annotation: Any) -> TypeAdapter[Any]:
    return TypeAdapter(annotation)


def without_none(annotation: Any) -> Any:
    """`X` of `X | None`, with what Annotated says about the whole taken off."""
    bare = unwrapped(annotation)
    members = union_members(bare)
    present = tuple(member for member in members if member is not type(None))
    return Union[present] if len(present) < len(members) else annotation  # noqa: UP007


def base_type(annotation: Any) -> type | None:
    """The class of a plain annotation: int of `Annotated[int | None, …]`; None for unions and literals."""
    bare = bare_type(annotation)
    bare = get_origin(bare) or bare
    return bare if isinstance(bare, type) else None


def is_number(base: type | None) -> bool:
    """Whether it is int, Decimal or float (or a kind of them); bool and enums are not."""
    return base is not None and issubclass(base, int | Decimal | float) and not issubclass(base, bool | Enum)


def element_annotation(annotation: Any) -> Any:
    """The type of the members of a list, a tuple of any length, a set, or of a dict's values."""
    arguments = [one for one in get_args(bare_type(annotation)) if one is not ...]
    return arguments[-1]


def row_annotations(annotation: Any) -> tuple[Any, ...]:
    """The types of the members of a tuple of fixed length, () of anything else."""
    bare = bare_type(annotation)
    arguments = get_args(bare) if get_origin(bare) is tuple else ()
    return () if ... in arguments else arguments


def dict_key(annotation: Any, key: Any, what: str) -> str:
    """The name under which a dict of this annotation stores what it has at `key`. Raises ExpressionError."""
    of_keys = get_args(bare_type(annotation))[0]
    encoded = codec_for(of_keys, what).encode(checked(unwrapped(of_keys), key, what))
    (text,) = (encoded or {}).values()
    return str(text)


def model_of(annotation: Any) -> type[BaseModel] | None:
    """The pydantic model that the annotation names."""
    base = base_type(annotation)
    return base if base is not None and issubclass(base, BaseModel) else None


def type_name(annotation: Any) -> str:
    """As a reader would write it: `int`, `list[str]`."""
    bare = unwrapped(annotation)
    return bare.__name__ if isinstance(bare, type) and not get_args(bare) else str(bare)
