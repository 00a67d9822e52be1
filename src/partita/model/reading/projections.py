"""What has to be read of items, whether an index has it, and how the items are decoded."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from pydantic import BaseModel

from partita.model.declaring.compiled import check_keys, open_templates
from partita.model.declaring.entity import Entity
from partita.model.declaring.items import entity_of, type_of
from partita.model.errors import ReadRefused, UnreadableItem
from partita.model.expressions.conditions import DocumentPath
from partita.model.reading.views import view_of
from partita.model.schema import FieldSchema, IndexSchema, Item

EntityClass = type[Entity]


@dataclass(frozen=True, slots=True)
class Projection:
    """How a query gets what is to be read."""

    paths: tuple[DocumentPath, ...] | None
    """For a ProjectionExpression; None: all that the index or table has."""
    select: str | None
    """ALL_ATTRIBUTES of a local index, which then reads the table by itself."""
    fetch: bool
    """The index has too little: the items are read from the table afterwards."""
    has_types: bool
    """The discriminator can be filtered by."""


@lru_cache(maxsize=1024)
def projection_for(
    of: tuple[EntityClass, ...],
    attribute: str | None,
    view: type[BaseModel] | None,
    fetch: bool,
    key_names: frozenset[str],
) -> Projection:
    """How to read entities, or a view of them, from the table (None) or the index of that name in Python.

    Raises ReadRefused where an index has too little.
    """
    table = of[0].__schema__.table
    index = None if attribute is None else table.indexes[attribute]
    paths = None if view is None else view_paths(of, view, key_names)
    if index is None or index.project == "all":
        return Projection(paths, None, False, True)
    projected = key_names | (set(index.project) if isinstance(index.project, tuple) else set())
    has_types = table.discriminator in projected
    missing = sorted({name for entity in of for name in _missing(entity, index, view, projected)})
    if not missing:
        # To ask an index for what it has not is an error, or costs a read of the table.
        narrowed = None if paths is None else tuple(path for path in paths if path[0] in projected)
        return Projection(narrowed, None, False, has_types)
    if not fetch:
        what = "the whole item" if view is None else view.__name__
        raise ReadRefused(
            f"{index.attribute} does not project {', '.join(missing)}, which {what} needs: pass view= with "
            "what it has, or fetch=True to read the items from the table afterwards, which costs those reads"
        )
    if index.scope == "local":
        return Projection(paths, None if paths else "ALL_ATTRIBUTES", False, has_types)
    return Projection(None, None, True, has_types)


def view_paths(
    of: tuple[EntityClass, ...], view: type[BaseModel], key_names: Collection[str]
) -> tuple[DocumentPath, ...] | None:
    """What a view reads of items, with the keys and what tells the type; None: it needs whole items."""
    table = of[0].__schema__.table
    if table.type_of is not None or any(entity.__schema__.schema_version > 1 for entity in of):
        # The table's own function may look at anything, an upcaster too.
        return None
    paths: list[DocumentPath] = [(name,) for name in sorted(key_names)]
    if table.discriminator is not None:
        paths.append((table.discriminator,))
    for entity in of:
        paths.extend(view_of(entity, view).paths)
        paths.extend((field.attribute,) for field in _in_open_keys(entity))
    return tuple(dict.fromkeys(paths))


def _missing(
    entity: EntityClass, index: IndexSchema, view: type[BaseModel] | None, projected: Collection[str]
) -> list[str]:
    """The attributes that are needed and neither projected nor readable from the keys."""
    schema = entity.__schema__
    own = schema.index_keys[index.attribute]
    in_keys = {
        name
        for template in (*schema.key.partition, *schema.key.sort, *own.partition, *own.sort)
        if template.lossless
        for name in template.names
    }
    if view is None:
        needed = {field.attribute: field.name for field in schema.fields.values()}
    else:
        needed = dict(view_of(entity, view).fields)
    return [a for a, name in needed.items() if a not in projected and name not in in_keys]


def decoder(
    of: tuple[EntityClass, ...], view: type[BaseModel] | None = None, *, strict: bool = False
) -> Callable[[Item], Any]:
    """Reads stored items as entities, or as a view of them. The reader raises UnreadableItem.

    Unless `strict`, the items are known to be of the entities' types.
    """
    table = of[0].__schema__.table
    if view is None:
        if strict:
            return lambda item: entity_of(item, of)
        return of[0].__schema__.decode if len(of) == 1 else lambda item: entity_of(item, table.cls)
    readers = {entity: _view_reader(entity, view) for entity in of}
    if len(of) == 1 and not strict:
        return readers[of[0]]

    def read(item: Item) -> Any:
        reader = readers.get(type_of(item, table))  # type: ignore[arg-type]
        if reader is None:
            raise UnreadableItem(f"the item is none of {', '.join(entity.__name__ for entity in of)}")
        return reader(item)

    return read


def _in_open_keys(entity: EntityClass) -> list[FieldSchema]:
    """The fields that are compared with the item's key: raw values in it leave open where they end."""
    schema = entity.__schema__
    names = {name for template in open_templates(schema.key) for name in template.names}
    return [schema.fields[name] for name in sorted(names)]


def _view_reader(entity: EntityClass, view: type[BaseModel]) -> Callable[[Item], Any]:
    schema = entity.__schema__
    read = view_of(entity, view).decode
    templates, fields = open_templates(schema.key), _in_open_keys(entity)
    version, now = schema.table.schema_version, {"N": str(schema.schema_version)}

    def decode(item: Item) -> Any:
        # What an index does not project cannot be compared.
        stored = [field for field in fields if field.attribute in item]
        try:
            values = {field.name: field.codec.decode(item[field.attribute]) for field in stored}
        except (KeyError, ValueError, TypeError, ArithmeticError, AttributeError) as error:
            raise UnreadableItem(
                f"{entity.__name__}: a field of its key is of another kind: {error}"
            ) from error
        check_keys(templates, item, values, entity.__name__)
        return read(item)

    def upcast_first(item: Item) -> Any:
        return read(item if item.get(version) == now else schema.encode(schema.decode(item)))

    if schema.schema_version > 1:
        return upcast_first
    return decode if templates else read
