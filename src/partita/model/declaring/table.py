"""Tables and their indexes, as classes: `class App(Table): gsi1 = Index()`."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Sequence
from types import EllipsisType
from typing import Any, ClassVar, Literal

from partita.model.errors import DeclarationError
from partita.model.schema import IndexSchema, Item, KeyAttribute, TableSchema
from partita.model.values.attribute_values import shortened

MAX_LOCAL_INDEXES = 5
MAX_NATIVE_ATTRIBUTES = 4

_name = re.compile(r"[a-zA-Z0-9_.-]{3,255}").fullmatch
_numbered = re.compile(r"(gsi|lsi)_?\d*").fullmatch

Projection = Literal["all", "keys"] | Sequence[str]


def required_table(given: Any) -> type[Table]:
    """Raises TypeError for what is no table."""
    if isinstance(given, type) and issubclass(given, Table) and hasattr(given, "__schema__"):
        return given
    raise TypeError(f"a table is a class such as App(Table), not {shortened(given)}")


class CollectionLimitWarning(UserWarning):
    """A local index limits each item collection to 10 GB, for as long as the table exists."""


class _AnyIndex:
    """What global and local indexes share: what they project, and their name in DynamoDB."""

    scope: Literal["global", "local"]

    def __init__(self, project: Projection, name: str | None) -> None:
        self.project = project
        self.name = name

    def schema(self, attribute: str, table: str, partition: KeyAttribute) -> IndexSchema:
        raise NotImplementedError

    def named(self, attribute: str) -> str:
        return self.name or (attribute.upper() if _numbered(attribute) else attribute)

    def projected(self, where: str) -> Literal["all", "keys"] | tuple[str, ...]:
        if self.project == "all" or self.project == "keys":
            return self.project
        if isinstance(self.project, str):
            raise DeclarationError(f'{where}: project is "all", "keys" or a list of stored attributes')
        return tuple(self.project)


class Index(_AnyIndex):
    """A global secondary index.

    Without `partition` and `sort` its keys are the attributes GSI1PK and GSI1SK (for `gsi1`), which
    entities fill through key templates. A KeyAttribute gives them other names, `sort=None` leaves the sort
    key out. A list of stored attributes (1 to 4, and up to 4 to sort by) makes a multi-attribute key:
    entities that have all of them are in the index.
    """

    scope = "global"

    def __init__(
        self,
        *,
        project: Projection = "all",
        name: str | None = None,
        partition: KeyAttribute | Sequence[str] | None = None,
        sort: KeyAttribute | Sequence[str] | EllipsisType | None = ...,
    ) -> None:
        super().__init__(project, name)
        self.partition = partition
        self.sort = sort

    def schema(self, attribute: str, table: str, partition: KeyAttribute) -> IndexSchema:
        where, name = f"{table}.{attribute}", self.named(attribute)
        native = self.partition is not None and not isinstance(self.partition, KeyAttribute)
        if native:
            hash_attributes = _attributes(self.partition, 1, where)
            sort_attributes = () if self.sort is ... else _attributes(self.sort, 0, where)
        else:
            hash_attributes = (
                self.partition if isinstance(self.partition, KeyAttribute) else KeyAttribute(f"{name}PK"),
            )
            if self.sort is ...:
                sort_attributes = (KeyAttribute(f"{name}SK"),)
            elif self.sort is None or isinstance(self.sort, KeyAttribute):
                sort_attributes = () if self.sort is None else (self.sort,)
            else:
                raise DeclarationError(
                    f"{where}: a list of sort attributes needs a list of partition attributes"
                )
        return IndexSchema(
            attribute, name, "global", hash_attributes, sort_attributes, self.projected(where), native
        )


class LocalIndex(_AnyIndex):
    """A local secondary index: the table's partition key with another sort key, LSI1SK for `lsi1`.

    `sort` is a KeyAttribute, or the name of a stored attribute. It limits every item collection of the
    table to 10 GB and can never be added or dropped later, hence a CollectionLimitWarning; `bounded=True`
    says that the collections cannot grow that far.
    """

    scope = "local"

    def __init__(
        self,
        *,
        project: Projection = "all",
        name: str | None = None,
        sort: KeyAttribute | str | None = None,
        bounded: bool = False,
    ) -> None:
        super().__init__(project, name)
        self.sort = sort
        self.bounded = bounded

    def schema(self, attribute: str, table: str, partition: KeyAttribute) -> IndexSchema:
        where, name = f"{table}.{attribute}", self.named(attribute)
        native = isinstance(self.sort, str)
        sort = self.sort if isinstance(self.sort, KeyAttribute) else KeyAttribute(self.sort or f"{name}SK")
        return IndexSchema(attribute, name, "local", (partition,), (sort,), self.projected(where), native)


class Table:
    """A table of one application; entities name it: `class Order(Entity, table=App)`.

    Class arguments: `name` in DynamoDB (else the class's name; a session can map it to another),
    `partition_key` and `sort_key` ("PK", "SK"; a KeyAttribute for another kind; `sort_key=None` for none),
    `discriminator` (the attribute that holds an entity's type, "_type"; a function from the stored item to
    the type for tables that have their own way; None: by the form of the key), `ttl` (the attribute that
    DynamoDB's TTL reads), `schema_version` (the attribute that upcasters go by).
    """

    __schema__: ClassVar[TableSchema]

    def __init_subclass__(
        cls,
        *,
        name: str | None = None,
        partition_key: str | KeyAttribute = "PK",
        sort_key: str | KeyAttribute | None = "SK",
        discriminator: str | Callable[[Item], str | None] | None = "_type",
        ttl: str | None = "ttl",
        schema_version: str = "_v",
    ) -> None:
        super().__init_subclass__()
        for option, given, kind in (
            ("partition_key", partition_key, str | KeyAttribute),
            ("sort_key", sort_key, str | KeyAttribute | None),
            ("ttl", ttl, str | None),
            ("schema_version", schema_version, str),
            ("discriminator", None if callable(discriminator) else discriminator, str | None),
        ):
            if not isinstance(given, kind) or given == "":
                raise DeclarationError(f"{cls.__name__}: {option} is the name of an attribute, not {given!r}")
        partition = _key_attribute(partition_key)
        indexes = {
            attribute: value.schema(attribute, cls.__name__, partition)
            for attribute, value in vars(cls).items()
            if isinstance(value, _AnyIndex)
        }
        cls.__schema__ = TableSchema(
            cls=cls,
            name=name or cls.__name__,
            partition=partition,
            sort=None if sort_key is None else _key_attribute(sort_key),
            indexes=indexes,
            discriminator=discriminator if isinstance(discriminator, str) else None,
            type_of=discriminator if callable(discriminator) else None,
            ttl=ttl,
            schema_version=schema_version,
        )
        _check(cls.__schema__)
        for attribute, value in vars(cls).items():
            if isinstance(value, LocalIndex) and not value.bounded:
                warnings.warn(
                    f"{cls.__name__}.{attribute}: a local index limits each item collection (items of one "
                    "partition key, with their index entries) to 10 GB for as long as the table exists; say "
                    "LocalIndex(bounded=True) if they stay small, or take an Index",
                    CollectionLimitWarning,
                    stacklevel=2,
                )


def _key_attribute(given: str | KeyAttribute) -> KeyAttribute:
    return given if isinstance(given, KeyAttribute) else KeyAttribute(given)


def _attributes(given: Any, least: int, where: str) -> tuple[KeyAttribute, ...]:
    names = () if given is None else given
    if isinstance(names, KeyAttribute | str):
        raise DeclarationError(
            f"{where}: a multi-attribute key is a list of stored attributes; one key attribute, filled by a "
            f"template, is KeyAttribute({getattr(names, 'name', names)!r})"
        )
    if not least <= len(names) <= MAX_NATIVE_ATTRIBUTES or len(set(names)) != len(names):
        raise DeclarationError(
            f"{where}: a multi-attribute key has 1 to 4 partition and up to 4 sort attributes, each once"
        )
    return tuple(KeyAttribute(name) for name in names)


def _check_name(name: object, where: str) -> None:
    if not isinstance(name, str) or _name(name) is None:
        raise DeclarationError(
            f"{where}: {name!r} is no name in DynamoDB: 3 to 255 letters, digits, and _ . - (give it name=…)"
        )


def _check(table: TableSchema) -> None:
    where = table.cls.__name__
    if table.sort is not None and table.sort.name == table.partition.name:
        raise DeclarationError(f"{where}: the partition key and the sort key are both {table.sort.name}")
    kinds = {table.partition.name: table.partition.kind}
    if table.sort is not None:
        kinds[table.sort.name] = table.sort.kind
    names: set[str] = set()
    for index in table.indexes.values():
        if index.name in names:
            raise DeclarationError(f"{where}.{index.attribute}: another index is called {index.name}")
        names.add(index.name)
        if {one.name for one in index.partition} & {one.name for one in index.sort}:
            raise DeclarationError(
                f"{where}.{index.attribute}: an attribute is in its partition and its sort key"
            )
        for one in (*index.partition, *index.sort):
            if not index.native and kinds.setdefault(one.name, one.kind) != one.kind:
                raise DeclarationError(f"{where}.{index.attribute}: {one.name} is declared with two kinds")
    local = [index for index in table.indexes.values() if index.scope == "local"]
    if local and table.sort is None:
        raise DeclarationError(f"{where}.{local[0].attribute}: a local index needs a table with a sort key")
    if len(local) > MAX_LOCAL_INDEXES:
        raise DeclarationError(f"{where}: a table has at most {MAX_LOCAL_INDEXES} local indexes")
    _check_name(table.name, where)
    for index in table.indexes.values():
        _check_name(index.name, f"{where}.{index.attribute}")
