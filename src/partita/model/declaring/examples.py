"""Entities for tests, made of what their annotations allow: the same arguments give the same entity."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any, Literal, get_args, get_origin
from uuid import UUID

from pydantic import AwareDatetime, BaseModel, EmailStr, ValidationError

from partita.model.values.annotations import bare_type, literal_values, metadata_of, union_members

FIRST_DAY = datetime(2026, 1, 1, tzinfo=UTC)
_MAX_DEPTH = 3


def example(model: type[BaseModel], number: int, overrides: Mapping[str, Any]) -> Any:
    """The `number`th example of a model, from 1: required fields are made up, others have their defaults.

    Raises ValueError if a validator refuses a made-up value: then give that field. TypeError for a field that
    there is none of.
    """
    if not isinstance(number, int):
        raise TypeError(f"{model.__name__}.example() takes a number, not {number!r}")
    known = {
        said
        for name, info in model.model_fields.items()
        for said in (name, info.alias, info.validation_alias)
        if isinstance(said, str)
    }
    if unknown := sorted(overrides.keys() - known):
        raise TypeError(f"{model.__name__} has no field {unknown[0]!r}")
    return _example(model, number, overrides, 0)


def _example(model: type[BaseModel], number: int, overrides: Mapping[str, Any], depth: int) -> Any:
    values: dict[str, Any] = {}
    for name, info in model.model_fields.items():
        given = (
            info.alias if info.alias is not None and not model.model_config.get("populate_by_name") else name
        )
        if name in overrides or given in overrides or not info.is_required():
            continue
        said = (*info.metadata, *metadata_of(info.annotation))
        values[given] = _value(info.annotation, _Limits(said), name, number, depth)
    try:
        return model(**values, **overrides)
    except ValidationError as error:
        problem = error.errors(include_url=False)[0]
        place = ".".join(str(step) for step in problem["loc"]) or "some fields"
        raise ValueError(
            f"{model.__name__}.example() cannot make up {place} ({problem['msg']}): give it"
        ) from None


class _Limits:
    """What constraints leave free: lengths and bounds."""

    def __init__(self, said: tuple[Any, ...]) -> None:
        self.least = self._strictest(max, said, "ge")
        self.above = self._strictest(max, said, "gt")
        self.most = self._strictest(min, said, "le")
        self.below = self._strictest(min, said, "lt")
        self.step = self._strictest(max, said, "multiple_of")
        self.shortest = self._strictest(max, said, "min_length") or 0
        self.longest = self._strictest(min, said, "max_length")

    @staticmethod
    def _strictest(choose: Any, said: tuple[Any, ...], name: str) -> Any:
        found = [limit for one in said if (limit := getattr(one, name, None)) is not None]
        return choose(found) if found else None

    def text(self, text: str, end: str) -> str:
        """Keeps the end, which tells examples apart, and cuts or fills the text before it."""
        if self.longest is not None:
            text = text[: max(self.longest - len(end), 0)]
            end = end[-self.longest :] if self.longest else ""
        return text + "x" * (self.shortest - len(text) - len(end)) + end

    def number(self, number: int, kind: Any) -> Any:
        value = kind(number)
        if self.step is not None:
            value = kind(self.step) * number
        unit = kind(self.step) if self.step is not None else kind(1)
        if self.least is not None and value < self.least:
            value += kind(self.least)
        if self.above is not None and value <= self.above:
            value += kind(self.above)
        if self.most is not None and value > self.most:
            value = kind(self.most)
        if self.below is not None and value >= self.below:
            value = kind(self.below) - unit
        return value


def _value(annotation: Any, limits: _Limits, name: str, number: int, depth: int) -> Any:
    of = bare_type(annotation)
    members = [member for member in union_members(of) if member is not type(None)]
    if members:
        return _member(members[0], name, number, depth)
    if get_origin(of) is Literal:
        values = literal_values(of)
        return values[(number - 1) % len(values)]
    if isinstance(of, type) and issubclass(of, enum.Enum):
        return list(of)[(number - 1) % len(of)]
    if isinstance(of, type) and issubclass(of, BaseModel):
        return _example(of, number, {}, depth + 1)
    if get_origin(of) is not None:
        return _collection(get_origin(of), get_args(of), limits, name, number, depth)
    if of in (int, Decimal, float):
        return limits.number(number, of)
    if of in (datetime, AwareDatetime):
        return FIRST_DAY + timedelta(days=number - 1)
    if of is date:
        return FIRST_DAY.date() + timedelta(days=number - 1)
    made: dict[Any, Any] = {
        str: lambda: limits.text(name, f"-{number}"),
        EmailStr: lambda: f"{name}-{number}@example.com",
        bytes: lambda: limits.text(name, f"-{number}").encode(),
        bool: lambda: False,
        UUID: lambda: UUID(int=number),
    }
    return made[of]()


def _member(annotation: Any, name: str, number: int, depth: int) -> Any:
    return _value(annotation, _Limits(tuple(metadata_of(annotation))), name, number, depth)


def _collection(
    of: Any, arguments: tuple[Any, ...], limits: _Limits, name: str, number: int, depth: int
) -> Any:
    if of is tuple and not (len(arguments) == 2 and arguments[1] is Ellipsis):
        return tuple(_member(one, f"{name}-{place}", number, depth) for place, one in enumerate(arguments))
    # A model that holds itself ends somewhere.
    size = max(limits.shortest, 0 if depth >= _MAX_DEPTH or limits.longest == 0 else 1)
    numbers = range(number, number + size)
    if of is dict:
        keys, values = arguments
        return {_member(keys, name, n, depth): _member(values, name, n, depth) for n in numbers}
    return of(_member(arguments[0], name, n, depth) for n in numbers)
