"""Attribute paths: `F(Order).address.city`, checked against the declarations as they are written.

A path builds conditions (`==`, `.between(…)`, `.exists()`, …) and updates (`.set(…)`, `.add(…)`, …). Its
names are those in Python; what it renders are the stored names. Each value is checked against the field's
type and encoded by the field's codec at once: what cannot mean anything raises ExpressionError where it is
written.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Any, NoReturn

from partita.model.errors import ExpressionError
from partita.model.expressions.conditions import (
    MOST_LEVELS,
    AttributeAt,
    Between,
    Comparator,
    Comparison,
    Condition,
    DocumentPath,
    FieldPath,
    Function,
    In,
    Operand,
    SizeOf,
    Unbound,
    Value,
)
from partita.model.expressions.updates import (
    AddToSet,
    Append,
    DeleteFromSet,
    Increase,
    Remove,
    SetDefault,
    SetTo,
)
from partita.model.schema import (
    AttributeValue,
    Codec,
    EntitySchema,
    FieldSchema,
    KeyAttribute,
    KeyKind,
    Kind,
    TableSchema,
)
from partita.model.values.annotations import bare_type, unwrapped
from partita.model.values.codecs import codec_for
from partita.model.values.parameters import P
from partita.model.values.typed_values import (
    base_type,
    checked,
    dict_key,
    element_annotation,
    is_number,
    model_of,
    row_annotations,
    type_name,
    without_none,
)

if TYPE_CHECKING:
    from partita.model.declaring.entity import Entity

MOST_OPTIONS = 100

_PLAIN_TYPES: Mapping[KeyKind, Any] = {"S": str, "N": Decimal, "B": bytes}

_ORDERED: frozenset[Kind] = frozenset({"S", "N", "B"})
_SIZED: frozenset[Kind] = frozenset({"S", "B", "SS", "NS", "BS", "L", "M"})
_SETS: frozenset[Kind] = frozenset({"SS", "NS", "BS"})
_KINDS: frozenset[Kind] = frozenset({"S", "N", "B", "BOOL", "NULL", "SS", "NS", "BS", "L", "M"})


def F(entity: type[Entity]) -> Fields:  # noqa: N802 (it reads as a name at the call site)
    """The fields of an entity, for conditions and updates: `F(Order).qty >= 2`."""
    schema = getattr(entity, "__schema__", None)
    if schema is None:
        raise ExpressionError(f"{entity.__name__} has no table, so nothing says how its fields are stored")
    return Fields(schema)


class Fields:
    """What `F(Order)` is: its fields as attributes; also as items, `F(Order)["qty"]`, for any name."""

    __slots__ = ("_schema",)

    def __init__(self, schema: EntitySchema) -> None:
        self._schema = schema

    def __getattr__(self, name: str) -> Path:
        if name.startswith("_"):
            raise AttributeError(name)
        return self[name]

    def __getitem__(self, name: str) -> Path:
        schema = self._schema
        spelling = f"F({schema.cls.__name__})"
        if name not in schema.fields and name in {key.name for key in key_attributes(schema.table)}:
            raise ExpressionError(f"{name} is a key attribute: write {spelling}.key_attribute({name!r})")
        return _of_field(schema.fields, name, schema.cls, spelling, FieldPath.of(schema.cls))

    def key_attribute(self, name: str) -> Path:
        """A key attribute of the table or of one of its indexes by its stored name: PK, GSI1SK, …

        Its values are the rendered ones. Raises ExpressionError for a name that is no key attribute.
        """
        table = self._schema.table
        known = {attribute.name: attribute for attribute in key_attributes(table)}
        if name not in known:
            raise ExpressionError(
                f"table {table.cls.__name__} has no key attribute {name!r}{_nearest(name, known)}"
            )
        primary = {table.partition.name, table.sort.name if table.sort else None}
        return attribute_path(name, known[name].kind, changes=name not in primary)


def key_attributes(table: TableSchema) -> tuple[KeyAttribute, ...]:
    """The key attributes of the table, then of its indexes, each once, in order of declaration."""
    found = {table.partition.name: table.partition}
    if table.sort is not None:
        found.setdefault(table.sort.name, table.sort)
    for index in table.indexes.values():
        for attribute in (*index.partition, *index.sort):
            found.setdefault(attribute.name, attribute)
    return tuple(found.values())


def attribute_path(name: str, kind: KeyKind = "S", *, changes: bool = True) -> Path:
    """A top-level attribute by its stored name, holding plain text, numbers or bytes, beyond any entity.

    `changes` False: updates of it are refused (a primary key cannot change).
    """
    return Path(
        name,
        (name,),
        codec_for(_PLAIN_TYPES[kind], name),
        _PLAIN_TYPES[kind],
        _is_optional=True,
        _changes=changes,
    )


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Path:
    """A path to a field or into it: `.name` in nested models, `["name"]` in dicts, `[0]` in lists.

    A field whose name is also that of a method here is reached as an item: `F(Order).parcel["size"]`.
    """

    _spelling: str
    _elements: DocumentPath
    _codec: Codec
    _annotation: Any
    _is_optional: bool = False
    """None means "absent"."""
    _is_required: bool = False
    """An item without it cannot be read."""
    _is_element: bool = False
    """In a list or dict: there is no "absent" in it, NULL is stored instead."""
    _changes: bool = True

    __hash__ = None  # type: ignore[assignment]
    __iter__ = None

    def __repr__(self) -> str:
        return self._spelling

    # Steps

    def __getattr__(self, name: str) -> Path:
        if name.startswith("_"):
            raise AttributeError(name)
        if self._codec.fields is None:
            is_dict = self._kind == "M" and self._codec.element is not None
            step = f"write {self}[{name!r}]" if is_dict else f"there is no {name!r} in it"
            raise ExpressionError(f"{self} is {type_name(self._annotation)}: {step}")
        return self[name]

    def __getitem__(self, step: Any) -> Path:
        codec = self._codec
        if len(self._elements) >= MOST_LEVELS:
            raise ExpressionError(f"{self} is {MOST_LEVELS} levels deep, which is the most")
        if codec.fields is not None and isinstance(step, str):
            return _of_field(codec.fields, step, model_of(self._annotation), self._spelling, self._elements)
        if self._kind == "L" and isinstance(step, int) and not isinstance(step, bool):
            if step < 0:
                raise ExpressionError(f"{self}[{step}]: DynamoDB counts list elements from the front, from 0")
            if codec.element is not None:
                return self._stepped(step, step, codec.element, element_annotation(self._annotation))
            row = row_annotations(self._annotation)
            if step < len(row):
                return self._stepped(step, step, codec_for(row[step], f"{self}[{step}]"), row[step])
        if self._kind == "M" and codec.element is not None:
            name = dict_key(self._annotation, step, f"a key of {self}")
            return self._stepped(step, name, codec.element, element_annotation(self._annotation))
        raise ExpressionError(f"{self} is {type_name(self._annotation)}: there is no [{step!r}] in it")

    def _stepped(self, step: Any, element: str | int, codec: Codec, annotation: Any) -> Path:
        spelling = f"{self}[{step!r}]"
        return Path(spelling, _then(self._elements, element), codec, annotation, _is_element=True)

    @property
    def _kind(self) -> Kind:
        return self._codec.kind

    # Conditions

    def __eq__(self, other: object) -> Condition:  # type: ignore[override]
        """Equal; to None (or an empty set): absent."""
        return self._equality("=", other)

    def __ne__(self, other: object) -> Condition:  # type: ignore[override]
        """Not equal, which what is absent is too; to None (or an empty set): present."""
        return self._equality("<>", other)

    def __lt__(self, other: Any) -> Condition:
        return self._ordering("<", other)

    def __le__(self, other: Any) -> Condition:
        return self._ordering("<=", other)

    def __gt__(self, other: Any) -> Condition:
        return self._ordering(">", other)

    def __ge__(self, other: Any) -> Condition:
        return self._ordering(">=", other)

    def between(self, low: Any, high: Any) -> Condition:
        """`low <= it <= high`, both ends included."""
        self._require_order("between")
        return Between(AttributeAt(self._elements), *_ends(self, self._operand(low), self._operand(high)))

    def is_in(self, options: Iterable[Any]) -> Condition:
        """Equal to one of 1 to 100 values."""
        return In(AttributeAt(self._elements), _options(self, options, self._operand))

    def begins_with(self, prefix: Any) -> Condition:
        """Text (also dates and others that are stored as text) or bytes that begin so."""
        if isinstance(prefix, Path):
            self._require_kind("begins_with", {"S", "B"}, prefix)
            return Function("begins_with", self._elements, self._operand(prefix))
        self._require_kind("begins_with", {"S", "B"})
        return Function("begins_with", self._elements, self._part(prefix))

    def contains(self, part: Any) -> Condition:
        """A list or set with this element, a text with this part."""
        self._require_kind("contains", {"S", "B", "SS", "NS", "BS", "L"})
        if isinstance(part, Path):
            return Function("contains", self._elements, AttributeAt(part._elements))
        if self._codec.element is not None:
            element = self._element(self._codec.element)
            return Function("contains", self._elements, element._operand(part))
        return Function("contains", self._elements, self._part(part))

    def exists(self) -> Condition:
        """Something is stored here (also NULL)."""
        return Function("attribute_exists", self._elements)

    def not_exists(self) -> Condition:
        """Nothing is stored here."""
        return Function("attribute_not_exists", self._elements)

    def is_type(self, kind: Kind) -> Condition:
        """What is stored is of this kind: S, N, B, BOOL, NULL, SS, NS, BS, L or M."""
        if kind not in _KINDS:
            raise ExpressionError(f"{self}.is_type({kind!r}): the kinds are {', '.join(sorted(_KINDS))}")
        return Function("attribute_type", self._elements, Value({"S": kind}))

    def size(self) -> Size:
        """Its size, to be compared with an int: the length of text or bytes, the number of elements."""
        self._require_kind("size", _SIZED)
        return Size(self)

    def __contains__(self, part: object) -> bool:
        raise ExpressionError(f"write {self}.contains({part!r}) instead of `in`")

    def __and__(self, other: object) -> NoReturn:
        raise ExpressionError(f"put each comparison in parentheses: ({self} == …) & (… == …)")

    __or__ = __rand__ = __ror__ = __and__

    def __bool__(self) -> NoReturn:
        raise ExpressionError(f"{self} has no truth value in Python: compare it, as in {self} == True")

    # Updates

    def set(self, value: Any) -> SetTo | Remove:
        """Stores a value; None removes.

        Another path of the same type stands for what was stored there before the update, which fails where
        nothing was.
        """
        self._require_change()
        if isinstance(value, Path):
            mine, other = bare_type(self._annotation), bare_type(value._annotation)
            if mine != other and not (is_number(base_type(mine)) and other is int):
                raise ExpressionError(f"{self} is {type_name(mine)}, {value} is {type_name(other)}")
            return SetTo(self._elements, _attribute(self._like(value)))
        encoded = self._encoded_or_absent(value, with_constraints=True)
        return self.remove() if encoded is None else SetTo(self._elements, Value(encoded))

    def set_default(self, value: Any) -> SetDefault:
        """Stores a value where nothing is stored."""
        self._require_change()
        return SetDefault(self._elements, self._encoded(value, with_constraints=True))

    def add(self, amount: int | Decimal | float, *, start: int | Decimal | float | None = 0) -> Increase:
        """Adds to a number, or takes away: `.add(-2)`.

        A missing number counts as `start`; with `start=None` the update fails there.
        """
        self._require_change()
        if not is_number(base_type(self._annotation)):
            raise ExpressionError(f"{self} is {type_name(self._annotation)}: only numbers can be added to")
        first = None if start is None else self._encoded(start)
        return Increase(self._elements, self._encoded(amount), first)

    def append(self, elements: Iterable[Any]) -> Append:
        """Adds elements at the end of a list; a missing list is made."""
        return Append(self._elements, self._list(elements))

    def prepend(self, elements: Iterable[Any]) -> Append:
        """Adds elements in front of a list, in their order; a missing list is made."""
        return Append(self._elements, self._list(elements), in_front=True)

    def remove(self) -> Remove:
        """Removes it; an element of a list makes those after it move up."""
        self._require_change()
        if self._is_required:
            raise ExpressionError(f"{self} is required: without it the item could not be read")
        return Remove(self._elements)

    def add_to_set(self, *members: Any) -> AddToSet:
        """Adds members to a set; a missing set is made."""
        return AddToSet(self._elements, self._members(members))

    def delete_from_set(self, *members: Any) -> DeleteFromSet:
        """Takes members out of a set, where they are in it."""
        return DeleteFromSet(self._elements, self._members(members))

    # Checks

    def _equality(self, operator: Comparator, other: object) -> Condition:
        if isinstance(other, Path | Size):
            return Comparison(AttributeAt(self._elements), operator, self._operand(other))
        if isinstance(other, P):
            return Comparison(AttributeAt(self._elements), operator, self._operand(other))
        encoded = self._encoded_or_absent(other)
        if encoded is None:
            return self.not_exists() if operator == "=" else self.exists()
        return Comparison(AttributeAt(self._elements), operator, Value(encoded))

    def _ordering(self, operator: Comparator, other: object) -> Condition:
        self._require_order(operator)
        return Comparison(AttributeAt(self._elements), operator, self._operand(other))

    def _operand(self, other: Any) -> Operand:
        if isinstance(other, Path):
            return _attribute(self._like(other))
        if isinstance(other, Size):
            self._require_kind("the comparison with a size", {"N"})
            return SizeOf(other.path)
        if isinstance(other, P):
            return Unbound(other.name, self._encoded)
        return Value(self._encoded(other))

    def _like(self, other: Path) -> Path:
        if other._elements == self._elements:
            raise ExpressionError(f"{self} against itself says nothing")
        if other._kind != self._kind:
            raise ExpressionError(f"{self} is stored as {self._kind}, {other} as {other._kind}")
        return other

    def _encoded(self, value: Any, *, with_constraints: bool = False) -> AttributeValue:
        encoded = self._encoded_or_absent(value, with_constraints=with_constraints)
        if encoded is None:
            raise ExpressionError(f"{self}: {value!r} is stored as nothing; use .not_exists() or .remove()")
        return encoded

    def _encoded_or_absent(self, value: Any, *, with_constraints: bool = False) -> AttributeValue | None:
        if value is None and self._is_optional:
            return None
        if isinstance(value, Condition):
            raise ExpressionError(f"{self} is compared with a condition; put each comparison in parentheses")
        annotation = self._annotation
        if not with_constraints:
            annotation = unwrapped(without_none(annotation) if self._is_optional else annotation)
        encoded = self._codec.encode(checked(annotation, value, repr(self)))
        return {"NULL": True} if encoded is None and self._is_element else encoded

    def _part(self, part: Any) -> Value | Unbound:
        if isinstance(part, P):
            return Unbound(part.name, lambda given: self._whole_part(given).value)
        return self._whole_part(part)

    def _whole_part(self, part: Any) -> Value:
        expected: type[str] | type[bytes] = bytes if self._kind == "B" else str
        if not isinstance(part, expected) or not part:
            raise ExpressionError(
                f"{self} takes a part that is {expected.__name__} and not empty, not {part!r}"
            )
        return Value({self._kind: part})

    def _element(self, codec: Codec) -> Path:
        annotation = element_annotation(self._annotation)
        return Path(f"an element of {self}", self._elements, codec, annotation, _is_element=True)

    def _encoded_elements(self, elements: Iterable[Any], kinds: Iterable[Kind]) -> list[AttributeValue]:
        self._require_change()
        self._require_kind("this", kinds)
        codec = self._codec.element
        if codec is None:
            raise ExpressionError(
                f"{self} is {type_name(self._annotation)}: it has elements of no single type"
            )
        element = self._element(codec)
        encoded = [element._encoded(value, with_constraints=True) for value in elements]
        if not encoded:
            raise ExpressionError(f"{self}: there is no element to add or to take")
        return encoded

    def _list(self, elements: Iterable[Any]) -> AttributeValue:
        if isinstance(elements, str | bytes | Mapping) or not isinstance(elements, Iterable):
            raise ExpressionError(f"{self} takes a list of elements to add, not {elements!r}")
        return {"L": self._encoded_elements(elements, {"L"})}

    def _members(self, members: Sequence[Any]) -> AttributeValue:
        encoded = self._encoded_elements(members, _SETS)
        return {self._kind: sorted({content for value in encoded for content in value.values()})}

    def _require_order(self, operator: str) -> None:
        self._require_kind(operator, _ORDERED)
        if not self._codec.sorts:
            raise ExpressionError(
                f"{self} does not order as it is stored ({self._kind} of {type_name(self._annotation)}): "
                f"{operator} would mean something else than in Python"
            )

    def _require_kind(self, operation: str, kinds: Iterable[Kind], other: Path | None = None) -> None:
        for path in (self, other):
            if path is not None and path._kind not in kinds:
                needed = ", ".join(sorted(kinds))
                raise ExpressionError(f"{path} is stored as {path._kind}: {operation} needs {needed}")

    def _require_change(self) -> None:
        if not self._changes:
            raise ExpressionError(f"{self} is part of the primary key, which cannot change")


class Size:
    """The size of what a path holds; compares with an int, with a number's path, or with another size."""

    __slots__ = ("_owner",)
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, owner: Path) -> None:
        self._owner = owner

    def __repr__(self) -> str:
        return f"{self._owner}.size()"

    @property
    def path(self) -> DocumentPath:
        """The path whose size it is."""
        return self._owner._elements

    def __eq__(self, other: object) -> Condition:  # type: ignore[override]
        return Comparison(SizeOf(self.path), "=", self._operand(other))

    def __ne__(self, other: object) -> Condition:  # type: ignore[override]
        return Comparison(SizeOf(self.path), "<>", self._operand(other))

    def __lt__(self, other: Any) -> Condition:
        return Comparison(SizeOf(self.path), "<", self._operand(other))

    def __le__(self, other: Any) -> Condition:
        return Comparison(SizeOf(self.path), "<=", self._operand(other))

    def __gt__(self, other: Any) -> Condition:
        return Comparison(SizeOf(self.path), ">", self._operand(other))

    def __ge__(self, other: Any) -> Condition:
        return Comparison(SizeOf(self.path), ">=", self._operand(other))

    def between(self, low: int, high: int) -> Condition:
        """`low <= size <= high`, both ends included."""
        return Between(SizeOf(self.path), *_ends(self, self._operand(low), self._operand(high)))

    def is_in(self, options: Iterable[int]) -> Condition:
        """Equal to one of 1 to 100 sizes."""
        return In(SizeOf(self.path), _options(self, options, self._operand))

    def _operand(self, other: Any) -> Operand:
        if isinstance(other, Size):
            return SizeOf(other.path)
        if isinstance(other, Path):
            other._require_kind("the comparison with a size", {"N"})
            return AttributeAt(other._elements)
        if not isinstance(other, int) or isinstance(other, bool):
            raise ExpressionError(f"{self} is an int, not {other!r}")
        return Value({"N": str(other)})


def elements_of(path: Path) -> DocumentPath:
    """The stored names and indexes that the path consists of."""
    return path._elements


def _then(path: DocumentPath, element: str | int) -> DocumentPath:
    return path.then(element) if isinstance(path, FieldPath) else (*path, element)


def _attribute(path: Path) -> AttributeAt:
    return AttributeAt(path._elements)


def _ends(subject: object, low: Operand, high: Operand) -> tuple[Operand, Operand]:
    if isinstance(low, Value) and isinstance(high, Value):
        first, last = (_ordered(end.value) for end in (low, high))
        if first > last:
            raise ExpressionError(f"{subject}.between: {low.value} comes after {high.value}")
    return low, high


def _ordered(value: AttributeValue) -> Any:
    ((kind, content),) = value.items()
    return Decimal(content) if kind == "N" else content.encode() if kind == "S" else content


def _options(subject: object, options: Iterable[Any], encode: Any) -> tuple[Operand, ...]:
    if isinstance(options, str | bytes | Mapping | Path) or not isinstance(options, Iterable):
        raise ExpressionError(f"{subject}.is_in takes a list of values, not {options!r}")
    encoded = tuple(encode(option) for option in options)
    if isinstance(options, set | frozenset):
        encoded = tuple(sorted(encoded, key=repr))
    if not 1 <= len(encoded) <= MOST_OPTIONS:
        raise ExpressionError(f"{subject}.is_in takes 1 to {MOST_OPTIONS} values, not {len(encoded)}")
    return encoded


def _of_field(
    fields: Mapping[str, FieldSchema], name: str, model: Any, spelling: str, elements: DocumentPath
) -> Path:
    field = fields.get(name)
    if field is None:
        owner = model.__name__ if model is not None else spelling
        stored = next((one.name for one in fields.values() if one.attribute == name), None)
        hint = _nearest(name, fields) if stored is None else f"; {stored!r} is stored so"
        raise ExpressionError(f"{owner} has no field {name!r}{hint}")
    declared = getattr(model, "model_fields", {}).get(name)
    is_required = declared is not None and declared.is_required() and field.codec.kind not in _SETS
    return Path(
        f"{spelling}.{name}",
        _then(elements, field.attribute),
        field.codec,
        field.annotation,
        _is_optional=field.optional,
        _is_required=is_required and not field.optional,
    )


def _nearest(name: str, known: Iterable[str]) -> str:
    found = difflib.get_close_matches(name, list(known), 1, 0.5)
    return f"; did you mean {found[0]!r}?" if found else ""
