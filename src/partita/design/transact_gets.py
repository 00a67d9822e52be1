"""Items read as they were at one moment, as they are declared."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Generic, TypeVar, overload

from partita.design.binding import bound_key, require_values, several_of
from partita.design.given import given_counts, given_key, given_name
from partita.design.patterns import ByKey
from partita.model.declaring.entity import Entity
from partita.model.errors import ReadRefused
from partita.model.flows.context import Context
from partita.model.flows.flow import Flow
from partita.model.keys.key_conditions import KeyCondition
from partita.model.writing.transact_get import transact_get
from partita.words import counted

A = TypeVar("A", bound=Entity)
B = TypeVar("B", bound=Entity)
C = TypeVar("C", bound=Entity)
D = TypeVar("D", bound=Entity)
R = TypeVar("R")


class TransactGet(ByKey, Generic[R]):
    """Up to 100 items by their full primary keys, as they were at one moment: one TransactGetItems.

        TRANSFER = TransactGet("both accounts", Account.key(id=P("source")), Account.key(id=P("target")))
        source, target = session.run(TRANSFER, source="1", target="2")

    It gives a tuple, by position, None where nothing is stored. It costs twice what strong reads do: where
    items need not fit together, `GetMany` reads them. With `each`, a parameter of one of the keys, a run
    gives several values, `at_most` that many, and gets a list; it raises ReadRefused for more.
    """

    operation = "TransactGetItems"

    @overload
    def __init__(self: TransactGet[tuple[A | None]], name: str, first: KeyCondition[A], /) -> None: ...
    @overload
    def __init__(
        self: TransactGet[tuple[A | None, B | None]],
        name: str,
        first: KeyCondition[A],
        second: KeyCondition[B],
        /,
    ) -> None: ...
    @overload
    def __init__(
        self: TransactGet[tuple[A | None, B | None, C | None]],
        name: str,
        first: KeyCondition[A],
        second: KeyCondition[B],
        third: KeyCondition[C],
        /,
    ) -> None: ...
    @overload
    def __init__(
        self: TransactGet[tuple[A | None, B | None, C | None, D | None]],
        name: str,
        first: KeyCondition[A],
        second: KeyCondition[B],
        third: KeyCondition[C],
        fourth: KeyCondition[D],
        /,
    ) -> None: ...
    @overload
    def __init__(
        self: TransactGet[list[A | None]], name: str, /, *keys: KeyCondition[A], each: str, at_most: int
    ) -> None: ...
    @overload
    def __init__(self: TransactGet[tuple[Any, ...]], name: str, /, *keys: KeyCondition[Any]) -> None: ...
    def __init__(
        self, name: str, /, *keys: KeyCondition[Any], each: str | None = None, at_most: int = 1
    ) -> None:
        self.name = given_name(name)
        self.keys = tuple(given_key(name, key) for key in keys)
        self.each = each
        given_counts(name, at_most=at_most)
        self.at_most = at_most
        self.of = tuple(dict.fromkeys(key.entity for key in keys))

    @property
    def parameters(self) -> tuple[str, ...]:
        """The names that a run gives values for."""
        return tuple(dict.fromkeys(name for key in self.keys for name in key.parameters))

    @property
    def counted(self) -> tuple[tuple[KeyCondition[Any], int], ...]:
        return tuple((key, self.at_most if self.each in key.parameters else 1) for key in self.keys)

    @property
    def request(self) -> str:
        return f"{self.operation} (up to {counted(self.items, 'item')})"

    @property
    def index_name(self) -> str:
        return "table"

    @property
    def consistency(self) -> str:
        return "one moment"

    @property
    def words(self) -> str:
        return "; ".join(dict.fromkeys(self._key_words(key, number) for key, number in self.counted))

    def flow(self, context: Context, values: Mapping[str, Any]) -> Flow[R]:
        require_values(self.name, self.parameters, values)
        refs: list[KeyCondition[Any]] = []
        for key in self.keys:
            if self.each is None or self.each not in key.parameters:
                refs.append(bound_key(key, values))
                continue
            several = several_of(self.name, self.each, values[self.each])
            if len(several) > self.at_most:
                raise ReadRefused(
                    f"{self.name!r} reads at most {counted(self.at_most, 'item')}, not {len(several)}"
                )
            refs += [bound_key(key, {**values, self.each: value}) for value in several]
        found = yield from transact_get(context, refs)
        result: Any = found if self.each is not None else tuple(found)
        return result  # type: ignore[no-any-return]

    def _key_words(self, key: KeyCondition[Any], number: int) -> str:
        text = ", ".join(f"{template.attribute} = {template.text}" for template in key.key.templates)
        return text if number == 1 else f"{text}, at most {number} of {self.each}"
