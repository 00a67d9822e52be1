"""Keys of entities as they are declared, and conditions on them as they are asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar

from partita.model.errors import DeclarationError, KeyValueError, UnstorableValue
from partita.model.keys.formats import AFTER_SEPARATOR, SEPARATOR, encodable
from partita.model.keys.languages import HIGHEST
from partita.model.keys.templates import (
    MAX_SORT_BYTES,
    SHARD,
    Segment,
    Slot,
    Template,
    fitting,
    key_value,
    render_slot,
)
from partita.model.schema import AttributeValue, EntitySchema, Item, KeySchema
from partita.model.values.parameters import parameters_in

if TYPE_CHECKING:
    from partita.model.declaring.entity import Entity

E = TypeVar("E", bound="Entity")

Operator = Literal["=", "<", "<=", ">", ">=", "BETWEEN", "begins_with"]
RangeKind = Literal["between", "after", "at_least", "before", "at_most", "begins_with"]

_LAST = chr(HIGHEST)


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


@dataclass(frozen=True, slots=True)
class AttributeCondition:
    """A condition on one key attribute: a term of a KeyConditionExpression."""

    attribute: str
    operator: Operator
    operands: tuple[AttributeValue, ...]


def _key_named(schema: EntitySchema, name: str) -> KeySchema:
    return schema.key if name == "key" else schema.index_keys[name]


@dataclass(frozen=True, slots=True)
class BoundKey(Generic[E]):
    """`Order.gsi1`: called with the values of its placeholders it is a condition on the key."""

    entity: type[E]
    schema: EntitySchema
    key: KeySchema

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
        """The placeholders of the sort key that the partition key does not have, in order."""
        partition = self.partition_names
        return tuple(name for name in names_of(self.key.sort) if name not in partition)


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
    """Values of the first sort placeholder that `values` leaves open."""

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
    def is_item(self) -> bool:
        """Whether it names one item: a full primary key."""
        return self.key.index is None and self.range is None and self._open_names() == ()

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
        condition = _text_condition(template, self.values, self.range, self.operands)
        return () if condition is None else (condition,)

    def conditions(self, shard: int | None = None) -> tuple[AttributeCondition, ...]:
        """The terms of the KeyConditionExpression, of one of `shards`."""
        equal = tuple(AttributeCondition(name, "=", (value,)) for name, value in self.partition(shard))
        return equal + self.sort()

    def item_key(self) -> Item:
        """The item's primary key. Raises KeyValueError unless it names one item."""
        if not self.is_item:
            missing = ", ".join(self._open_names()) or "no index and no range"
            raise KeyValueError(f"{self.entity.__name__}: the key of one item needs {missing}")
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
                raise KeyValueError(
                    f"{where} has no {name!r}: it takes {_listed(partition)}, then {_listed(sort)}"
                )
        for name in partition:
            if name not in self.values:
                raise KeyValueError(
                    f"{where}: {name} is missing; the partition key needs {_listed(partition)}"
                )
        given = [name in self.values for name in sort]
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

    def _open_names(self) -> tuple[str, ...]:
        return tuple(name for name in names_of(self.key.sort) if name not in self.values)

    def _ranged(self, kind: RangeKind, *operands: Any) -> KeyCondition[E]:
        if self.range is not None:
            raise KeyValueError(f"{self.entity.__name__}: a key condition has one range")
        if not self._open_names():
            raise KeyValueError(f"{self.entity.__name__}: the sort key has no placeholder left for a range")
        condition = replace(self, range=kind, operands=operands)
        condition._check_values()
        return condition

    def _native_sort(self) -> tuple[AttributeCondition, ...]:
        terms: list[AttributeCondition] = []
        for template in self.key.sort:
            field = template.field
            assert field is not None
            if field.name in self.values:
                terms.append(AttributeCondition(template.attribute, "=", (template.render(self.values),)))
                continue
            if self.range is not None:
                term = _native_range(template, self.range, self.operands)
                terms += [] if term is None else [term]
            break
        return tuple(terms)


def _bound_again(entity: type[E], name: str) -> BoundKey[E]:
    return BoundKey(entity, entity.__schema__, _key_named(entity.__schema__, name))


def _condition_again(
    entity: type[E], name: str, values: dict[str, Any], range_: RangeKind | None, operands: tuple[Any, ...]
) -> KeyCondition[E]:
    return KeyCondition(entity, _key_named(entity.__schema__, name), values, range_, operands)


_OPERATORS: dict[RangeKind, Operator] = {
    "between": "BETWEEN",
    "after": ">",
    "at_least": ">=",
    "before": "<",
    "at_most": "<=",
    "begins_with": "begins_with",
}
_WORDS = {
    "between": "between two empty ones",
    "before": "before an empty one",
    "at_most": "an empty one or before it",
}


def _native_range(
    template: Template, kind: RangeKind, operands: tuple[Any, ...]
) -> AttributeCondition | None:
    """The condition on an attribute of the entity's own; None: every value meets it."""
    field = template.field
    assert field is not None
    if kind == "begins_with":
        beginning = operands[0]
        if template.kind == "N" or not isinstance(beginning, bytes if template.kind == "B" else str):
            raise KeyValueError(
                f"{field.name}: begins_with takes a str of texts and bytes of bytes, not {beginning!r}"
            )
        if not beginning:
            return None
        template.check_length(beginning if isinstance(beginning, bytes) else encodable(beginning))
        return AttributeCondition(template.attribute, "begins_with", ({template.kind: beginning},))
    fit = [fitting(field, operand) for operand in operands]
    if kind == "between" and fit[0] > fit[1]:
        raise KeyValueError(f"{field.name}: nothing lies between {operands[0]!r} and {operands[1]!r}")
    if template.kind != "N" and fit[0] in ("", b""):
        # No key attribute is empty, and the service refuses an empty bound.
        if kind in ("at_least", "after"):
            return None
        if kind != "between" or fit[1] in ("", b""):
            raise KeyValueError(f"{field.name}: no key is empty, so none is {_WORDS[kind]}")
        kind, fit = "at_most", fit[1:]
    encoded = tuple(key_value(field, operand) for operand in fit)
    for value in encoded:
        template.check_length(next(iter(value.values())))
    return AttributeCondition(template.attribute, _OPERATORS[kind], encoded)


def _text_condition(
    template: Template, values: Mapping[str, Any], kind: RangeKind | None, operands: tuple[Any, ...]
) -> AttributeCondition | None:
    """The one condition on a sort key that is rendered from a template, None for the whole collection."""
    start, rest = _bound(template, values)

    def term(operator: Operator, *texts: str) -> AttributeCondition | None:
        if texts[0] == "":
            return bare_term(operator, *texts[1:])
        for text in texts:
            template.check_length(text)
        return AttributeCondition(template.attribute, operator, tuple({"S": text} for text in texts))

    def bare_term(operator: Operator, *others: str) -> AttributeCondition | None:
        """With an empty first bound, which the service refuses: every key lies above it."""
        if operator == "BETWEEN" and others[0]:
            return term("<=", *others)
        if operator in (">", ">=", "begins_with"):
            return None
        raise KeyValueError(f"{name}: no key is empty, so none is {_WORDS[kind or 'at_most']}")

    if not rest:
        return AttributeCondition(template.attribute, "=", (template.render(values),))
    slot = rest[0]
    assert isinstance(slot, Slot)
    name = slot.field
    if kind is None:
        return term("begins_with", start) if start else None
    if kind == "begins_with":
        if not isinstance(operands[0], str):
            raise KeyValueError(
                f"{slot.field}: begins_with takes the beginning as a str, not {operands[0]!r}"
            )
        return term("begins_with", start + slot.format.prefix(operands[0]))
    if not slot.format.sorts:
        raise KeyValueError(f"{slot.field}: its keys do not order as its values do")
    ends = [start + render_slot(slot, {slot.field: operand}) for operand in operands]
    # What follows a value in the key decides which key is the last one with that value.
    lasts = [end if len(rest) == 1 else _last_of(end, rest[1]) for end in ends]
    first, last = ends[0], lasts[-1]
    end = _end_of(start, template.segments[: -len(rest)]) if start else ""
    match kind:
        case "between":
            if ends[0] > ends[1]:
                raise KeyValueError(f"{slot.field}: nothing lies between {operands[0]!r} and {operands[1]!r}")
            return term("BETWEEN", first, last)
        case "after":
            if not start:
                return term(">", last)
            return term("BETWEEN", last + "\0" if last == first else last, end)
        case "at_least":
            return term("BETWEEN", first, end) if start else term(">=", first)
        case "before":
            if not start:
                return term("<", first)
            if first == start:
                raise KeyValueError(f"{slot.field}: nothing comes before {operands[0]!r}")
            return term("BETWEEN", start, _just_before(first))
        case "at_most":
            return term("BETWEEN", start, last) if start else term("<=", last)


def _last_of(text: str, following: Segment) -> str:
    """Orders after every key that begins with `text` as a whole value, and before every other later key."""
    separated = isinstance(following, str) and following.startswith(SEPARATOR)
    return text + AFTER_SEPARATOR if separated else _filled(text)


def _bound(template: Template, values: Mapping[str, Any]) -> tuple[str, tuple[Segment, ...]]:
    """The rendered beginning, up to the first placeholder without a value, and the segments from there."""
    text = ""
    for position, segment in enumerate(template.segments):
        if isinstance(segment, Slot):
            if segment.field not in values:
                return text, template.segments[position:]
            text += render_slot(segment, values)
        else:
            text += segment
    return text, ()


def _end_of(start: str, rendered: tuple[Segment, ...]) -> str:
    """Orders after every key that begins with `start`, and is no key of the same template itself."""
    if isinstance(rendered[-1], Slot):
        return _filled(start)
    code = ord(start[-1]) + 1
    return start[:-1] + chr(0xE000 if code == 0xD800 else code)


def _just_before(text: str) -> str:
    """The greatest key before `text`, but for keys that are longer than keys can be."""
    code = ord(text[-1]) - 1
    if code < 0:
        return text[:-1]
    return _filled(text[:-1] + chr(0xD7FF if code == 0xDFFF else code))


def _filled(text: str) -> str:
    """The greatest key that begins with `text`."""
    room = MAX_SORT_BYTES - len(text.encode())
    return text + _LAST * max(room // len(_LAST.encode()), 0)


def _listed(names: tuple[str, ...]) -> str:
    return ", ".join(names) or "nothing"


def key_item(schema: EntitySchema, values: Mapping[str, Any]) -> Item:
    """The primary key as an item, from values by field name. Raises KeyValueError."""
    return {t.attribute: t.render(values) for t in (*schema.key.partition, *schema.key.sort)}
