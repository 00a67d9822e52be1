"""Keys of entities as they are declared, and conditions on them as they are asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from partita.model.errors import DeclarationError, KeyValueError, UnstorableValue
from partita.model.keys.templates import SHARD, Template
from partita.model.keys.terms import AttributeCondition, RangeKind, native_range, text_range
from partita.model.schema import AttributeValue, EntitySchema, Item, KeySchema
from partita.model.values.parameters import parameters_in

if TYPE_CHECKING:
    from partita.model.declaring.entity import Entity

E = TypeVar("E", bound="Entity")


class Key:
    """How an entity fills the key of its table (`key = Key(…)`) or of the index of the same name.

    `Key(partition, sort)` for a table or global index, `Key(sort)` for a local index, `Key()` for a
    multi-attribute index, which only tells type checkers about it. `when`: the entity is in the index only
    when this holds. `raw=True`: values are rendered as they are, for keys that exist already; whether keys
    can be confused is then judged as if no value held a `#`, and one with a `#` is refused unless it ends
    the key and no other entity of the table has such keys.
    """

    def __init__(
        self,
        partition: str | None = None,
        sort: str | None = None,
        *,
        when: Callable[[Any], bool] | None = None,
        raw: bool = False,
    ) -> None:
        self.partition = partition
        self.sort = sort
        self.when = when
        self.raw = raw
        self.name = ""

    @property
    def is_empty(self) -> bool:
        """Whether it has no template: the index's attributes are there without it."""
        return self.partition is None and self.sort is None

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, instance: object, owner: type[E]) -> BoundKey[E]:
        try:
            schema = owner.__schema__
        except AttributeError:
            # Not an AttributeError: pydantic's metaclass would hide its message.
            raise DeclarationError(
                f"{owner.__name__} has no primary key, so {self.name} is no key yet"
            ) from None
        return BoundKey(owner, schema, _key_named(schema, self.name))


def _key_named(schema: EntitySchema, name: str) -> KeySchema:
    return schema.key if name == "key" else schema.index_keys[name]


@dataclass(frozen=True, slots=True)
class BoundKey(Generic[E]):
    """`Order.gsi1`: called with the values of its placeholders it is a condition on the key."""

    entity: type[E]
    schema: EntitySchema
    key: KeySchema

    def __repr__(self) -> str:
        return f"{self.entity.__name__}.{self.key.name}"

    def __reduce__(self) -> Any:
        return _bound_again, (self.entity, self.key.name)

    def __call__(self, **values: Any) -> KeyCondition[E]:
        """All partition placeholders, then sort placeholders from the left. Raises KeyValueError."""
        condition = KeyCondition(self.entity, self.key, values)
        condition.check()
        return condition

    @property
    def partition_names(self) -> tuple[str, ...]:
        """The placeholders of the partition key, in order."""
        return names_of(self.key.partition)

    @property
    def sort_names(self) -> tuple[str, ...]:
        """The placeholders of the sort key that the partition key lacks, or has only a part of, in order."""
        known = set(self.partition_names) - self.key.parts
        return tuple(name for name in names_of(self.key.sort) if name not in known)


def names_of(templates: tuple[Template, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for template in templates for name in template.names))


@dataclass(frozen=True, slots=True)
class KeyCondition(Generic[E]):
    """Equality on the partition key and a range of the sort key; with a full primary key, the name of one
    item.
    """

    entity: type[E]
    key: KeySchema
    values: Mapping[str, Any]
    """By field name; `shard` too, where one shard is asked for."""
    range: RangeKind | None = None
    operands: tuple[Any, ...] = ()
    """Values of the first of `open_names`."""

    def __repr__(self) -> str:
        given = ", ".join(f"{name}={value!r}" for name, value in self.values.items())
        bound = "" if self.range is None else f".{self.range}({', '.join(map(repr, self.operands))})"
        return f"{self._where}({given}){bound}"

    def __reduce__(self) -> Any:
        # What was compiled holds functions: by its class and the key's name it is found again.
        return _condition_again, (self.entity, self.key.name, dict(self.values), self.range, self.operands)

    @property
    def parameters(self) -> tuple[str, ...]:
        """The parameters that stand for values, of a declared access pattern."""
        return parameters_in((*self.values.values(), *self.operands))

    def between(self, low: Any, high: Any) -> KeyCondition[E]:
        """From `low` to `high`, both included."""
        return self._ranged("between", low, high)

    def after(self, value: Any) -> KeyCondition[E]:
        """Greater than `value`."""
        return self._ranged("after", value)

    def at_least(self, value: Any) -> KeyCondition[E]:
        """`value` or greater."""
        return self._ranged("at_least", value)

    def before(self, value: Any) -> KeyCondition[E]:
        """Less than `value`."""
        return self._ranged("before", value)

    def at_most(self, value: Any) -> KeyCondition[E]:
        """`value` or less."""
        return self._ranged("at_most", value)

    def begins_with(self, beginning: str) -> KeyCondition[E]:
        """Texts that begin like this."""
        return self._ranged("begins_with", beginning)

    @property
    def shards(self) -> tuple[int | None, ...]:
        """The shards it has to ask, (None,) where the key has none or one is given."""
        if self.key.shards is None or SHARD in self.values:
            return (None,)
        return tuple(range(self.key.shards))

    @property
    def sort_values(self) -> Mapping[str, Any]:
        """The values that stand in the sort key: not one of which the partition holds a part only."""
        parts = self.key.parts
        return {n: v for n, v in self.values.items() if n not in parts} if parts else self.values

    @property
    def open_names(self) -> tuple[str, ...]:
        """The sort placeholders without a value, in order."""
        bound = self.sort_values
        return tuple(name for name in names_of(self.key.sort) if name not in bound)

    @property
    def is_item(self) -> bool:
        """Whether it names one item: a full primary key."""
        return self.key.index is None and self.range is None and self.open_names == ()

    def partition(self, shard: int | None = None) -> tuple[tuple[str, AttributeValue], ...]:
        """The partition attributes with their values, of one of `shards`."""
        return tuple((t.attribute, t.render(self.values, shard)) for t in self.key.partition)

    def sort(self) -> tuple[AttributeCondition, ...]:
        """The conditions on the sort attributes: none, one, or for a multi-attribute key one for each
        bound.
        """
        if self.key.index is not None and self.key.index.native:
            return self._native_sort()
        if not self.key.sort:
            return ()
        (template,) = self.key.sort
        if template.field is not None:
            return self._native_sort()
        condition = text_range(template, self.sort_values, self.range, self.operands)
        return () if condition is None else (condition,)

    def conditions(self, shard: int | None = None) -> tuple[AttributeCondition, ...]:
        """The terms of the KeyConditionExpression, of one of `shards`."""
        equal = tuple(AttributeCondition(name, "=", (value,)) for name, value in self.partition(shard))
        return equal + self.sort()

    def item_key(self) -> Item:
        """The item's primary key. Raises KeyValueError unless it names one item."""
        if not self.is_item:
            missing = ", ".join(self.open_names)
            wanted = "as in " + self.entity.__name__ + ".key(…), without a range"
            if self.key.index is None and self.range is None:
                wanted = f"with {missing} too"
            raise KeyValueError(f"{self._where}: one item is named by its full primary key, {wanted}")
        return key_item(self.entity.__schema__, self.values)

    def check(self) -> None:
        """Raises KeyValueError for wrong names, missing ones, and values that do not fit.

        Where parameters stand for values only the names are checked.
        """
        bound = BoundKey(self.entity, self.entity.__schema__, self.key)
        partition, sort = bound.partition_names, bound.sort_names
        where = self._where
        allowed = (*partition, *sort, SHARD) if self.key.shards is not None else (*partition, *sort)
        for name in self.values:
            if name not in allowed:
                raise KeyValueError(f"{where} has no {name!r}: it takes {_listed(partition, sort)}")
        for name in partition:
            if name not in self.values:
                raise KeyValueError(
                    f"{where}: {name} is missing; the partition key needs {_listed(partition)}"
                )
        bound_in_sort = self.sort_values
        given = [name in bound_in_sort for name in sort]
        if given != sorted(given, reverse=True):
            raise KeyValueError(f"{where}: the sort key is bound from the left: {_listed(sort)}")
        self._check_values()

    @property
    def _where(self) -> str:
        return f"{self.entity.__name__}.{self.key.name}"

    def _check_values(self) -> None:
        """Whether all can be rendered."""
        if self.parameters:
            return
        try:
            self.partition(0)
            self.sort()
        except (KeyValueError, UnstorableValue) as error:
            raise KeyValueError(f"{self._where}: {error}") from None

    def _ranged(self, kind: RangeKind, *operands: Any) -> KeyCondition[E]:
        if self.range is not None:
            raise KeyValueError(f"{self.entity.__name__}: a key condition has one range")
        if not self.open_names:
            raise KeyValueError(f"{self.entity.__name__}: the sort key has no placeholder left for a range")
        condition = replace(self, range=kind, operands=operands)
        condition._check_values()
        return condition

    def _native_sort(self) -> tuple[AttributeCondition, ...]:
        terms: list[AttributeCondition] = []
        for template in self.key.sort:
            field = template.field
            assert field is not None
            if field.name in self.sort_values:
                terms.append(AttributeCondition(template.attribute, "=", (template.render(self.values),)))
                continue
            if self.range is not None:
                term = native_range(template, self.range, self.operands)
                terms += [] if term is None else [term]
            break
        return tuple(terms)


def _bound_again(entity: type[E], name: str) -> BoundKey[E]:
    return BoundKey(entity, entity.__schema__, _key_named(entity.__schema__, name))


def _condition_again(
    entity: type[E], name: str, values: dict[str, Any], range_: RangeKind | None, operands: tuple[Any, ...]
) -> KeyCondition[E]:
    return KeyCondition(entity, _key_named(entity.__schema__, name), values, range_, operands)


def _listed(*parts: tuple[str, ...]) -> str:
    """What a key takes: all of its partition, then of its sort key from the left."""
    return ", then ".join(", ".join(names) for names in parts if names) or "nothing"


def key_item(schema: EntitySchema, values: Mapping[str, Any]) -> Item:
    """The primary key as an item, from values by field name. Raises KeyValueError."""
    return {t.attribute: t.render(values) for t in schema.key.templates}
