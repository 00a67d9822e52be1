"""Turns an entity's class into its schema, and refuses what cannot work, before anything runs."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from pydantic import AwareDatetime
from pydantic.fields import FieldInfo

from partita.model.declaring.compiled import compile_decode, compile_encode
from partita.model.declaring.field_specifiers import UniqueTogether
from partita.model.declaring.probe import probe
from partita.model.declaring.table import Table
from partita.model.declaring.upcasting import chain_of, upcast
from partita.model.errors import DeclarationError
from partita.model.keys.collisions import check_collisions, check_markers
from partita.model.keys.declared_templates import compile_template, native_template
from partita.model.keys.key_conditions import Key
from partita.model.keys.templates import (
    MAX_PARTITION_BYTES,
    MAX_SORT_BYTES,
    Template,
)
from partita.model.schema import (
    EntitySchema,
    FieldSchema,
    IndexSchema,
    KeyAttribute,
    KeySchema,
    TableSchema,
    UniqueRule,
)
from partita.model.values.annotations import bare_type
from partita.model.values.codecs import field_schema, refuse_configuration
from partita.model.values.field_annotations import (
    CreatedField,
    ExpiryField,
    Unique,
    UpdatedField,
    VersionField,
)

if TYPE_CHECKING:
    from partita.model.declaring.entity import Entity

RESERVED_TYPES = ("_Unique", "_Operation")
"""Of markers of unique values, and of what a transaction leaves to be recognised by."""


def declare(cls: type[Entity], table: type[Table], keys: Mapping[str, Key], type_name: str) -> None:
    """Gives the class its schema and registers it with its table. Raises DeclarationError."""
    of = table.__schema__
    if type_name in RESERVED_TYPES:
        raise DeclarationError(f"{cls.__name__}: items of the type {type_name!r} are the toolkit's own")
    if not isinstance(type_name, str):
        raise DeclarationError(f"{cls.__name__}: its type is a text, not {type_name!r}")
    for name, given in keys.items():
        _check_key(f"{cls.__name__}.{name}", given)
    if not cls.__pydantic_complete__:
        raise DeclarationError(f"{cls.__name__} names types that are not known yet: declare them before it")
    refuse_configuration(cls, f"class {cls.__name__}")
    fields = _fields(cls, of)
    maker = _KeyMaker(cls.__name__, of, fields)
    key = maker.primary(keys["key"])
    index_keys = {
        name: maker.index(name, given)
        for name, given in keys.items()
        if name != "key" and not maker.needs_no_template(name, given)
    }
    native, indexes = maker.native(keys)
    index_keys |= maker.inverted(index_keys) | native
    _check_attributes(cls.__name__, of, fields, maker.templates)
    for name, given in keys.items():
        if given.when is not None:
            probe(given.when, cls, fields, f"{cls.__name__}.{name}: when")
    chain = chain_of(cls, cls.__name__)
    for number, function in enumerate(chain, 1):
        if not _takes(function, 1):
            raise DeclarationError(
                f"{cls.__name__}: the upcaster of version {number} is given the stored item and nothing "
                "else: make it a function of one argument"
            )
    annotated = _annotated(cls)
    schema = EntitySchema(
        cls=cls,
        type_name=type_name,
        table=of,
        fields=fields,
        key=key,
        index_keys=index_keys,
        uniques=_uniques(cls, fields),
        version=annotated.get(VersionField),
        created=annotated.get(CreatedField),
        updated=annotated.get(UpdatedField),
        ttl=annotated.get(ExpiryField),
        schema_version=len(chain) + 1,
        encode=compile_encode(cls, of, type_name, fields, key, index_keys, len(chain) + 1),
        decode=compile_decode(cls, of, fields, key, index_keys, chain),
        upcast=lambda item: upcast(item, chain, of, cls.__name__),
    )
    _forget(_earlier(cls, type_name, of), of)
    check_collisions(schema)
    check_markers(schema)
    cls.__schema__ = schema
    of.indexes.update(indexes)
    of.entities.append(cls)
    of.by_type[type_name] = cls


def _check_key(where: str, key: Key) -> None:
    for template in (key.partition, key.sort):
        if not isinstance(template, str | None):
            raise DeclarationError(f'{where}: a template is a text such as "ORDER#{{id}}", not {template!r}')
    if key.when is not None and not _takes(key.when, 1):
        raise DeclarationError(f"{where}: when is a function of the entity, not {key.when!r}")


def _earlier(cls: type[Entity], type_name: str, table: TableSchema) -> type[Entity] | None:
    """The same class as it was declared before, as when a cell of a notebook is run again."""
    earlier = table.by_type.get(type_name)
    same = earlier is not None and (earlier.__module__, earlier.__qualname__) == (
        cls.__module__,
        cls.__qualname__,
    )
    return earlier if same and "<locals>" not in cls.__qualname__ else None


def _forget(entity: type[Entity] | None, table: TableSchema) -> None:
    """A class that is declared again takes the place of what it was before."""
    if entity is not None:
        table.entities.remove(entity)
        del table.by_type[entity.__schema__.type_name]


def _fields(cls: type[Entity], table: TableSchema) -> dict[str, FieldSchema]:
    fields: dict[str, FieldSchema] = {}
    for name, info in cls.model_fields.items():
        where = f"{cls.__name__}.{name}"
        field = field_schema(name, info, where)
        if any(isinstance(said, ExpiryField) for said in info.metadata):
            if table.ttl is None:
                raise DeclarationError(f"{where}: {table.cls.__name__} has no TTL attribute: give it ttl=…")
            field = replace(field, attribute=table.ttl)
        fields[name] = field
    return fields


def _annotated(cls: type[Entity]) -> dict[type, str]:
    """The field of each special kind, at most one."""
    found: dict[type, str] = {}
    for name, info in cls.model_fields.items():
        for said in info.metadata:
            if isinstance(said, VersionField | CreatedField | UpdatedField | ExpiryField):
                _check_annotated(f"{cls.__name__}.{name}", said, info)
                if type(said) in found:
                    raise DeclarationError(
                        f"{cls.__name__}.{name}: {found[type(said)]} is declared as the same already"
                    )
                found[type(said)] = name
    return found


def _check_annotated(where: str, said: object, info: FieldInfo) -> None:
    of = bare_type(info.annotation)
    if isinstance(said, VersionField):
        if of is not int:
            raise DeclarationError(f"{where}: a version is an int")
    elif of not in (datetime, AwareDatetime):
        raise DeclarationError(f"{where}: it holds a time: annotate it as a datetime")


def _check_attributes(
    where: str, table: TableSchema, fields: Mapping[str, FieldSchema], templates: Mapping[str, Template]
) -> None:
    reserved = {table.schema_version: "holds the schema version"}
    if table.discriminator is not None:
        reserved[table.discriminator] = "holds the entity's type"
    key_names = [table.partition.name, *([table.sort.name] if table.sort else [])]
    for index in table.indexes.values():
        if not index.native:
            key_names += [one.name for one in (*index.partition, *index.sort)]
    taken: dict[str, str] = {}
    for field in fields.values():
        name = field.attribute
        if name in taken:
            raise DeclarationError(f"{where}.{field.name}: {taken[name]} is stored as {name!r} too")
        taken[name] = field.name
        if name in reserved:
            raise DeclarationError(
                f"{where}.{field.name}: the attribute {name!r} {reserved[name]}; use attribute(…)"
            )
        template = templates.get(name)
        if name in key_names and (template is None or template.field is not field):
            raise DeclarationError(
                f"{where}.{field.name}: {name!r} is a key attribute of {table.cls.__name__}: store the field "
                f'under another name with attribute(…), or let the key be Key("{{{field.name}}}", raw=True)'
            )


class _KeyMaker:
    """Compiles an entity's keys; each key attribute has one template."""

    def __init__(self, where: str, table: TableSchema, fields: Mapping[str, FieldSchema]) -> None:
        self.where = where
        self.table = table
        self.fields = fields
        self.templates: dict[str, Template] = {}

    def primary(self, given: Key) -> KeySchema:
        where = f"{self.where}.key"
        if given.when is not None:
            raise DeclarationError(f"{where}: every item has a primary key; `when` is for indexes")
        partition = self._template(self.table.partition, given.partition, where, given.raw)
        sort = self._sort((self.table.sort,) if self.table.sort else (), given.sort, where, given.raw)
        for template in (partition, *sort):
            for name in template.names:
                if self.fields[name].optional:
                    raise DeclarationError(
                        f"{where}: {name} may be None, and every item needs its primary key"
                    )
            if not template.lossless:
                part = min(template.parts)
                raise DeclarationError(
                    f"{where}: a part of a time names several values, which a primary key must not: give "
                    f"{self.where} a field of its own for it, such as {part}_day: date, and write "
                    f"{{{part}_day}}"
                )
        return KeySchema(None, (partition,), sort, None, None)

    def index(self, name: str, given: Key) -> KeySchema:
        where = f"{self.where}.{name}"
        index = self._known(name)
        if index.scope == "local":
            if given.partition is not None and given.sort is not None:
                raise DeclarationError(
                    f"{where}: a local index has the table's partition key: write Key(sort)"
                )
            hashes: tuple[Template, ...] = (self.templates[self.table.partition.name],)
            sort = self._sort(index.sort, given.sort or given.partition, where, given.raw)
        else:
            hashes = (self._template(index.partition[0], given.partition, where, given.raw, may_shard=True),)
            sort = self._sort(index.sort, given.sort, where, given.raw)
        within = {name for template in sort for name in template.names}
        return KeySchema(index, hashes, sort, given.when, hashes[0].shards, hashes[0].parts & within)

    def needs_no_template(self, name: str, given: Key) -> bool:
        index = self._known(name)
        return index.native or (given.is_empty and self._is_inverted(index))

    def native(self, keys: Mapping[str, Key]) -> tuple[dict[str, KeySchema], dict[str, IndexSchema]]:
        """The keys of indexes on the entity's own attributes, and those indexes with their kinds."""
        made: dict[str, KeySchema] = {}
        indexes: dict[str, IndexSchema] = {}
        by_attribute = {field.attribute: field for field in self.fields.values()}
        for name, index in self.table.indexes.items():
            if not index.native:
                continue
            where = f"{self.where}.{name}"
            wanted = index.sort if index.scope == "local" else (*index.partition, *index.sort)
            present = {one.name: by_attribute[one.name] for one in wanted if one.name in by_attribute}
            for field in present.values():
                self._check_native(field, index, where)
            given = keys.get(name)
            if given is not None and (given.partition or given.sort or given.when):
                raise DeclarationError(f"{where}: its key is made of attributes: write {name} = Key()")
            if len(present) < len(wanted):
                if given is not None:
                    missing = ", ".join(one.name for one in wanted if one.name not in present)
                    raise DeclarationError(f"{where}: {self.where} has no attribute {missing}")
                continue
            indexes[name] = index = _with_kinds(index, present)
            sort = tuple(self._native(present[one.name]) for one in index.sort)
            if index.scope == "local":
                hashes: tuple[Template, ...] = (self.templates[self.table.partition.name],)
            else:
                hashes = tuple(self._native(present[one.name]) for one in index.partition)
            made[name] = KeySchema(index, hashes, sort, None, None)
        return made, indexes

    def inverted(self, declared: Mapping[str, KeySchema]) -> dict[str, KeySchema]:
        """The keys of indexes on key attributes that are rendered already, such as one of SK and PK."""
        made: dict[str, KeySchema] = {}
        for name, index in self.table.indexes.items():
            if self._is_inverted(index) and name not in declared:
                hashes = tuple(self.templates[one.name] for one in index.partition)
                sort = tuple(self.templates[one.name] for one in index.sort)
                made[name] = KeySchema(index, hashes, sort, None, None)
        return made

    def _is_inverted(self, index: IndexSchema) -> bool:
        primary = {self.table.partition.name, *([self.table.sort.name] if self.table.sort else [])}
        names = {one.name for one in (*index.partition, *index.sort)}
        return not index.native and index.scope == "global" and primary.issuperset(names)

    def _known(self, name: str) -> IndexSchema:
        index = self.table.indexes.get(name)
        if index is None:
            known = ", ".join(self.table.indexes) or "none"
            raise DeclarationError(
                f"{self.where}.{name}: {self.table.cls.__name__} has no index {name!r}; its indexes: {known}"
            )
        return index

    def _sort(
        self, attributes: tuple[KeyAttribute, ...], text: str | None, where: str, raw: bool
    ) -> tuple[Template, ...]:
        if not attributes:
            if text is not None:
                raise DeclarationError(f"{where}: there is no sort key, but a template for it")
            return ()
        return (self._template(attributes[0], text, where, raw),)

    def _template(
        self, attribute: KeyAttribute, text: str | None, where: str, raw: bool, may_shard: bool = False
    ) -> Template:
        if text is None:
            raise DeclarationError(f"{where}: a template for {attribute.name} is missing")
        template = compile_template(
            text,
            attribute=attribute.name,
            kind=attribute.kind,
            fields=self.fields,
            raw=raw,
            may_shard=may_shard,
            limit=self._limit(attribute.name),
            table=self.table,
            where=where,
        )
        other = self.templates.setdefault(attribute.name, template)
        if (other.text, other.raw) != (template.text, template.raw):
            raise DeclarationError(f'{where}: {attribute.name} is made of "{other.text}" already')
        return other

    def _native(self, field: FieldSchema) -> Template:
        return native_template(field, self._limit(field.attribute))

    def _limit(self, attribute: str) -> int:
        """In bytes; an attribute may be the partition key here and the sort key there."""
        sorts = [self.table.sort] if self.table.sort is not None else []
        sorts += [one for index in self.table.indexes.values() for one in index.sort]
        return MAX_SORT_BYTES if any(one.name == attribute for one in sorts) else MAX_PARTITION_BYTES

    def _check_native(self, field: FieldSchema, index: IndexSchema, where: str) -> None:
        codec: Any = field.codec
        if codec.kind not in ("S", "N", "B"):
            raise DeclarationError(
                f"{where}: {field.name} is stored as {codec.kind}, which cannot be a key attribute"
            )
        if any(one.name == field.attribute for one in index.sort) and not codec.sorts:
            raise DeclarationError(f"{where}: stored values of {field.name} do not order as the values do")
        for entity in self.table.entities:
            for other in entity.__schema__.fields.values():
                if other.attribute == field.attribute and other.codec.kind != codec.kind:
                    raise DeclarationError(
                        f"{where}: {field.attribute} is stored as {codec.kind}, "
                        f"and as {other.codec.kind} by {entity.__name__}"
                    )


def _with_kinds(index: IndexSchema, fields: Mapping[str, FieldSchema]) -> IndexSchema:
    def kinded(attributes: tuple[KeyAttribute, ...]) -> tuple[KeyAttribute, ...]:
        kinds: dict[str, Any] = {name: field.codec.kind for name, field in fields.items()}
        return tuple(KeyAttribute(one.name, kinds.get(one.name, one.kind)) for one in attributes)

    return replace(index, partition=kinded(index.partition), sort=kinded(index.sort))


def _uniques(cls: type[Entity], fields: Mapping[str, FieldSchema]) -> tuple[UniqueRule, ...]:
    rules: list[UniqueRule] = []
    for name, info in cls.model_fields.items():
        rules += [_rule(cls, (name,), said, fields) for said in info.metadata if isinstance(said, Unique)]
    for base in reversed(cls.__mro__):
        for value in vars(base).values():
            if isinstance(value, UniqueTogether):
                rules.append(_rule(cls, value.fields, value.rule, fields))
    names = [rule.name for rule in rules]
    for name in names:
        if names.count(name) > 1:
            raise DeclarationError(f"{cls.__name__}: {name} is declared unique twice")
    return tuple(rules)


def _takes(function: Callable[..., Any], arguments: int) -> bool:
    """Whether it can be called with so many, as far as can be seen."""
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return callable(function)
    try:
        signature.bind(*range(arguments))
    except TypeError:
        return False
    return True


def _rule(
    cls: type[Entity], names: tuple[str, ...], said: Unique, fields: Mapping[str, FieldSchema]
) -> UniqueRule:
    where = f"{cls.__name__}: unique {'+'.join(names)}"
    if isinstance(said.scope, str):
        raise DeclarationError(f"{where}: scope is a tuple of field names")
    if len(names) == 0 or len(set(names)) != len(names):
        raise DeclarationError(f"{where}: name the fields, each once")
    for name in (*names, *said.scope):
        if name not in fields:
            raise DeclarationError(f"{where}: there is no field {name!r}")
        if fields[name].codec.kind in ("L", "M", "SS", "NS", "BS", "BOOL"):
            raise DeclarationError(f"{where}: {name} is not one text, number or bytes")
    if not isinstance(said.normaliser_version, int) or said.normaliser_version < 1:
        raise DeclarationError(f"{where}: normaliser_version counts from 1")
    if said.normalise is not None and not _takes(said.normalise, len(names)):
        raise DeclarationError(f"{where}: its normaliser is given {len(names)} values, one for each field")
    if said.when is not None and not _takes(said.when, 1):
        raise DeclarationError(f"{where}: when is a function of the entity, not {said.when!r}")
    if said.when is not None:
        probe(said.when, cls, fields, f"{where}: when")
    return UniqueRule(
        "+".join(names), names, said.normalise, said.normaliser_version, tuple(said.scope), said.when
    )
