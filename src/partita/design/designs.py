"""A design: the patterns of a module, with the tables and entities that they speak of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from partita.design.findings import Accept
from partita.design.patterns import PatternKind
from partita.design.reads import Read, is_read
from partita.design.writes import Write
from partita.model.declaring.entity import Entity
from partita.model.declaring.table import Table
from partita.model.schema import EntitySchema, TableSchema

Pattern = Read | Write


@dataclass(frozen=True)
class Design:
    """What is checked, reported and compared; tables in order of first mention, with all their entities."""

    name: str
    reads: tuple[Read, ...]
    writes: tuple[Write, ...]
    tables: tuple[TableSchema, ...]
    accepted: tuple[Accept, ...] = ()

    @property
    def patterns(self) -> tuple[Pattern, ...]:
        return (*self.reads, *self.writes)

    @property
    def entities(self) -> tuple[EntitySchema, ...]:
        return tuple(entity.__schema__ for table in self.tables for entity in table.entities)


Source = ModuleType | Iterable[Any]
"""A module, or patterns, tables and entities themselves."""


def design_of(source: Source, name: str | None = None) -> Design:
    """The design that a module declares, or that consists of the given patterns, tables and entities.

    Patterns in lists, tuples and dicts of the module count as well.
    """
    if isinstance(source, ModuleType):
        declared: Iterable[Any] = vars(source).values()
        name = name or source.__name__
    else:
        declared = _only_declared(source)
    found: list[Any] = list(dict.fromkeys(_declared(declared)))
    reads = tuple(one for one in found if is_read(one))
    writes = tuple(one for one in found if isinstance(one, Write))
    tables: dict[type[Table], TableSchema] = {}
    for one in found:
        if isinstance(one, type):
            declared_by: Any = one
            schema: TableSchema = one.__schema__ if issubclass(one, Table) else declared_by.__schema__.table
            tables.setdefault(schema.cls, schema)
    for pattern in (*reads, *writes):
        for entity in pattern.of:
            tables.setdefault(entity.__schema__.table.cls, entity.__schema__.table)
    accepted = tuple(one for one in found if isinstance(one, Accept))
    return Design(name or "design", reads, writes, tuple(tables.values()), accepted)


def _only_declared(source: Any) -> Sequence[Any]:
    """Raises TypeError for what is no part of a design: nothing would be said of it."""
    if not isinstance(source, Iterable) or isinstance(source, str | type):
        raise TypeError(f"a design is a module, or a list of patterns and entities, not {source!r}")
    values = list(source)
    for value in values:
        if isinstance(value, list | tuple | dict):
            _only_declared(value.values() if isinstance(value, dict) else value)
        elif not (isinstance(value, PatternKind | Accept) or _is_declaring_class(value)):
            raise TypeError(f"a design has patterns, entities, tables and Accept in it, not {value!r}")
    return values


def _declared(values: Iterable[Any]) -> Iterator[Any]:
    for value in values:
        if isinstance(value, PatternKind | Accept) or _is_declaring_class(value):
            yield value
        elif isinstance(value, list | tuple):
            yield from _declared(value)
        elif isinstance(value, dict):
            yield from _declared(value.values())


def _is_declaring_class(value: Any) -> bool:
    return isinstance(value, type) and issubclass(value, Entity | Table) and hasattr(value, "__schema__")
