"""Attribute paths: `F(Order).address.city`, checked against the declarations as they are written.

A path builds conditions (`==`, `.between(…)`, `.exists()`, …) and updates (`.set(…)`, `.add(…)`, …). Its
names are those in Python; what it renders are the stored names. Each value is checked against the field's
type and encoded by the field's codec at once: what cannot mean anything raises ExpressionError where it is
written.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, NoReturn, get_args

from partita.model.errors import ExpressionError
from partita.model.expressions.conditions import (
    AttributeAt,
    Between,
    Comparator,
    Comparison,
    Condition,
    DocumentPath,
    Function,
    In,
    Operand,
    SizeOf,
    Unbound,
    Value,
)
from partita.model.expressions.places import Place
from partita.model.expressions.updates import (
    AddToSet,
    Append,
    DeleteFromSet,
    Increase,
    Remove,
    SetDefault,
    SetTo,
)
from partita.model.schema import AttributeValue, KeyKind, Kind
from partita.model.values.annotations import bare_type
from partita.model.values.attribute_values import shortened
from partita.model.values.codecs import codec_for
from partita.model.values.parameters import P
from partita.model.values.typed_values import base_type, is_number, type_name

MOST_OPTIONS = 100

_PLAIN_TYPES: Mapping[KeyKind, Any] = {"S": str, "N": Decimal, "B": bytes}

_SIZED: frozenset[Kind] = frozenset({"S", "B", "SS", "NS", "BS", "L", "M"})
_KINDS: frozenset[Kind] = frozenset({"S", "N", "B", "BOOL", "NULL", "SS", "NS", "BS", "L", "M"})


def attribute_path(name: str, kind: KeyKind = "S", *, changes: bool = True) -> Path:
    """A top-level attribute by its stored name, holding plain text, numbers or bytes, beyond any entity.

    `changes` False: updates of it are refused (a primary key cannot change).
    """
    if not isinstance(name, str) or not name:
        raise ExpressionError(f"an attribute has a name, not {shortened(name)}")
    if kind not in get_args(KeyKind):
        raise ExpressionError(f"a key attribute is of kind S, N or B, not {shortened(kind)}")
    place = Place(
        name,
        (name,),
        codec_for(_PLAIN_TYPES[kind], name),
        _PLAIN_TYPES[kind],
        is_optional=True,
        changes=changes,
    )
    return Path(place)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Path:
    """A path to a field or into it: `.name` in nested models, `["name"]` in dicts, `[0]` in lists.

    A field whose name is also that of a method here is reached as an item: `F(Order).parcel["size"]`.
    """

    _place: Place

    __hash__ = None  # type: ignore[assignment]
    __iter__ = None

    def __repr__(self) -> str:
        return self._place.spelling

    # Steps

    def __getattr__(self, name: str) -> Path:
        if name.startswith("_"):
            raise AttributeError(name)
        return Path(self._place.field(name))

    def __getitem__(self, step: Any) -> Path:
        return Path(self._place.part(step))

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
        self._place.require_order("between")
        return Between(
            AttributeAt(self._place.elements), *_ends(self, self._operand(low), self._operand(high))
        )

    def is_in(self, options: Iterable[Any]) -> Condition:
        """Equal to one of 1 to 100 values."""
        return In(AttributeAt(self._place.elements), _options(self, options, self._operand))

    def begins_with(self, prefix: Any) -> Condition:
        """Text (also dates and others that are stored as text) or bytes that begin so."""
        self._place.require_kind("begins_with", {"S", "B"})
        if isinstance(prefix, Path):
            prefix._place.require_kind("begins_with", {"S", "B"})
            return Function("begins_with", self._place.elements, self._operand(prefix))
        return Function("begins_with", self._place.elements, self._place.operand_part(prefix))

    def contains(self, part: Any) -> Condition:
        """A list or set with this element, a text with this part."""
        self._place.require_kind("contains", {"S", "B", "SS", "NS", "BS", "L"})
        if isinstance(part, Path):
            return Function("contains", self._place.elements, AttributeAt(part._place.elements))
        if self._place.codec.element is not None:
            element = Path(self._place.element(self._place.codec.element))
            return Function("contains", self._place.elements, element._operand(part))
        return Function("contains", self._place.elements, self._place.operand_part(part))

    def exists(self) -> Condition:
        """Something is stored here (also NULL)."""
        return Function("attribute_exists", self._place.elements)

    def not_exists(self) -> Condition:
        """Nothing is stored here."""
        return Function("attribute_not_exists", self._place.elements)

    def is_type(self, kind: Kind) -> Condition:
        """What is stored is of this kind: S, N, B, BOOL, NULL, SS, NS, BS, L or M."""
        if not isinstance(kind, str) or kind not in _KINDS:
            raise ExpressionError(f"{self}.is_type({kind!r}): the kinds are {', '.join(sorted(_KINDS))}")
        return Function("attribute_type", self._place.elements, Value({"S": kind}))

    def size(self) -> Size:
        """Its size, to be compared with an int: the length of text or bytes, the number of elements."""
        self._place.require_kind("size", _SIZED)
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
        self._place.require_change()
        if isinstance(value, Path):
            mine, other = bare_type(self._place.annotation), bare_type(value._place.annotation)
            if mine != other and not (is_number(base_type(mine)) and other is int):
                raise ExpressionError(f"{self} is {type_name(mine)}, {value} is {type_name(other)}")
            return SetTo(self._place.elements, _attribute(self._like(value)))
        encoded = self._place.encoded_or_absent(value, with_constraints=True)
        return self.remove() if encoded is None else SetTo(self._place.elements, Value(encoded))

    def set_default(self, value: Any) -> SetDefault:
        """Stores a value where nothing is stored."""
        self._place.require_change()
        return SetDefault(self._place.elements, self._place.encoded(value, with_constraints=True))

    def add(self, amount: int | Decimal | float, *, start: int | Decimal | float | None = 0) -> Increase:
        """Adds to a number, or takes away: `.add(-2)`.

        A missing number counts as `start`; with `start=None` the update fails there.
        """
        self._place.require_change()
        if not is_number(base_type(self._place.annotation)):
            raise ExpressionError(
                f"{self} is {type_name(self._place.annotation)}: only numbers can be added to"
            )
        first = None if start is None else self._place.encoded(start)
        return Increase(self._place.elements, self._place.encoded(amount), first)

    def append(self, elements: Iterable[Any]) -> Append:
        """Adds elements at the end of a list; a missing list is made."""
        return Append(self._place.elements, self._place.encoded_list(elements))

    def prepend(self, elements: Iterable[Any]) -> Append:
        """Adds elements in front of a list, in their order; a missing list is made."""
        return Append(self._place.elements, self._place.encoded_list(elements), in_front=True)

    def remove(self) -> Remove:
        """Removes it; an element of a list makes those after it move up."""
        self._place.require_change()
        if self._place.is_required:
            raise ExpressionError(f"{self} is required: without it the item could not be read")
        return Remove(self._place.elements)

    def add_to_set(self, *members: Any) -> AddToSet:
        """Adds members to a set; a missing set is made."""
        return AddToSet(self._place.elements, self._place.encoded_members(members))

    def delete_from_set(self, *members: Any) -> DeleteFromSet:
        """Takes members out of a set, where they are in it."""
        return DeleteFromSet(self._place.elements, self._place.encoded_members(members))

    # Operands

    def _equality(self, operator: Comparator, other: object) -> Condition:
        if isinstance(other, Path | Size):
            return Comparison(AttributeAt(self._place.elements), operator, self._operand(other))
        if isinstance(other, P):
            return Comparison(AttributeAt(self._place.elements), operator, self._operand(other))
        encoded = self._place.encoded_or_absent(other)
        if encoded is None:
            return self.not_exists() if operator == "=" else self.exists()
        return Comparison(AttributeAt(self._place.elements), operator, Value(encoded))

    def _ordering(self, operator: Comparator, other: object) -> Condition:
        self._place.require_order(operator)
        return Comparison(AttributeAt(self._place.elements), operator, self._operand(other))

    def _operand(self, other: Any) -> Operand:
        if isinstance(other, Path):
            return _attribute(self._like(other))
        if isinstance(other, Size):
            self._place.require_kind("the comparison with a size", {"N"})
            return SizeOf(other.path)
        if isinstance(other, P):
            return Unbound(other.name, self._place.encoded)
        return Value(self._place.encoded(other))

    def _like(self, other: Path) -> Path:
        if other._place.elements == self._place.elements:
            raise ExpressionError(f"{self} against itself says nothing")
        if other._place.kind != self._place.kind:
            raise ExpressionError(f"{self} is stored as {self._place.kind}, {other} as {other._place.kind}")
        return other


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
        return elements_of(self._owner)

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
            other._place.require_kind("the comparison with a size", {"N"})
            return AttributeAt(other._place.elements)
        if not isinstance(other, int) or isinstance(other, bool):
            raise ExpressionError(f"{self} is an int, not {other!r}")
        return Value({"N": str(other)})


def elements_of(path: Path) -> DocumentPath:
    """The stored names and indexes that the path consists of."""
    return path._place.elements


def _attribute(path: Path) -> AttributeAt:
    return AttributeAt(path._place.elements)


def _ends(subject: object, low: Operand, high: Operand) -> tuple[Operand, Operand]:
    if isinstance(low, Value) and isinstance(high, Value):
        first, last = (_ordered(end.value) for end in (low, high))
        if first > last:
            shown = [next(iter(end.value.values())) for end in (low, high)]
            raise ExpressionError(f"{subject}.between: {shown[0]!r} comes after {shown[1]!r}")
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
