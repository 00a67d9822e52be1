"""Runs a `when` before there is any entity, to find names that do not exist, and choices that are none.

The probe stands for an entity. It checks each attribute that is read, and lets every comparison turn out both
ways, up to a limit of runs. What it cannot follow (`is`, membership in a set) is simply not explored.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from partita.model.errors import DeclarationError
from partita.model.schema import FieldSchema
from partita.model.values.annotations import bare_type, choices_of

MAX_RUNS = 64
_MAX_DECISIONS = 200
_MOST_LENGTHS = 12
_MANY = 1000
"""The first length that what is not empty is taken to have."""


def probe(when: Callable[[Any], bool], cls: type, fields: Mapping[str, FieldSchema], where: str) -> None:
    """Raises DeclarationError if `when` reads an attribute that entities of `cls` do not have, or compares a
    Literal or an Enum with what is none of its values.
    """
    ahead: list[list[bool]] = [[]]
    lengths = _lengths(when)
    for _ in range(MAX_RUNS):
        if not ahead:
            return
        run = _Run(ahead.pop(), where, lengths)
        try:
            bool(when(_Value(run, cls.__name__, cls, fields)))
        except _Unknown as unknown:
            raise DeclarationError(str(unknown)) from None
        except Exception:
            pass  # The stand-in is not of the declared type: other errors say nothing.
        for position in range(len(run.given), len(run.taken)):
            ahead.append([*run.taken[:position], not run.taken[position]])


def _lengths(when: Callable[[Any], bool]) -> tuple[int, ...]:
    """Those that comparisons with the numbers in its code can tell apart; `len` gives no stand-in."""
    constants = getattr(getattr(when, "__code__", None), "co_consts", ())
    numbers = [one for one in constants if type(one) is int and 0 < one < _MANY]
    near = {number + step for number in numbers for step in (-1, 0, 1)} - {0}
    return (_MANY, *sorted(near)[:_MOST_LENGTHS])


class _Unknown(BaseException):
    """An attribute or a choice that does not exist; no `except Exception` of a `when` hides it."""


class _Run:
    """One run: the outcomes given to it, then True for each further comparison."""

    def __init__(self, given: list[bool], where: str, lengths: tuple[int, ...]) -> None:
        self.given = given
        self.taken: list[bool] = []
        self.where = where
        self.lengths = lengths

    def decide(self) -> bool:
        if len(self.taken) >= _MAX_DECISIONS:
            raise RuntimeError("too many comparisons to follow")
        outcome = self.given[len(self.taken)] if len(self.taken) < len(self.given) else True
        self.taken.append(outcome)
        return outcome


class _Value:
    """Stands for a value: of a model with `fields`, of the type `of`, or of no known type (None); where
    there are `choices`, one of them.
    """

    def __init__(
        self,
        run: _Run,
        path: str,
        of: Any,
        fields: Mapping[str, FieldSchema] | None,
        choices: tuple[Any, ...] = (),
    ) -> None:
        self.__dict__.update(_run=run, _path=path, _of=of, _fields=fields, _choices=choices)

    def __getattr__(self, name: str) -> Any:
        if self._fields is not None and name in self._fields:
            field = self._fields[name]
            inner = bare_type(field.annotation)
            nested: Any = field.codec
            return _Value(
                self._run,
                f"{self._path}.{name}",
                inner if isinstance(inner, type) else None,
                nested.fields,
                choices_of(inner),
            )
        # Members of an Enum have attributes that their class has not.
        if self._of is None or hasattr(self._of, name) or any(hasattr(one, name) for one in self._choices):
            return self._unknown_value()
        raise _Unknown(f"{self._run.where}: {self._path} has no attribute {name!r}")

    def _unknown_value(self) -> _Value:
        return _Value(self._run, self._path, None, None)

    def __setattr__(self, name: str, value: Any) -> None:
        raise _Unknown(f"{self._run.where}: it may not change {self._path}.{name}")

    def _compared(self, other: Any) -> Any:
        return self._unknown_value()

    def _equal(self, other: Any) -> Any:
        if self._choices and not (other is None or isinstance(other, _Value) or other in self._choices):
            raise _Unknown(
                f"{self._run.where}: {self._path} is never {other!r}, but one of "
                f"{', '.join(map(repr, self._choices))}"
            )
        return self._unknown_value()

    __lt__ = __le__ = __gt__ = __ge__ = _compared
    __eq__ = __ne__ = _equal
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __mod__ = __rmod__ = _compared
    __truediv__ = __rtruediv__ = __floordiv__ = __rfloordiv__ = __and__ = __rand__ = __or__ = __ror__ = (
        _compared
    )
    __getitem__ = _compared

    def __hash__(self) -> int:
        return id(self)

    def __bool__(self) -> bool:
        return bool(self._run.decide())

    def __len__(self) -> int:
        return next((length for length in self._run.lengths if self._run.decide()), 0)

    def __contains__(self, member: Any) -> bool:
        return bool(self._run.decide())

    def __iter__(self) -> Iterator[Any]:
        if self._run.decide():
            yield self._unknown_value()

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        return self._unknown_value()
