"""Entities as stored items, and stored items as entities."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar, overload

from partita.model.declaring.compiled import values_in_keys as values_in
from partita.model.declaring.entity import Entity, kind_of, required_class
from partita.model.declaring.table import Table, required_table
from partita.model.errors import UnreadableItem
from partita.model.keys.key_conditions import key_item
from partita.model.schema import EntitySchema, Item, KeySchema, TableSchema
from partita.model.values.attribute_values import require_item

E = TypeVar("E", bound=Entity)


def item_of(entity: Entity) -> Item:
    """The full stored item: fields, type, primary key, keys of the indexes it is in.

    Raises UnstorableValue or KeyValueError for values that cannot be stored without loss or do not fit a key.
    """
    if not isinstance(entity, Entity) or not hasattr(entity, "__schema__"):
        raise TypeError(f"an entity that has a key is needed, not {kind_of(entity)}")
    return entity.__schema__.encode(entity)


@overload
def entity_of(item: Item, of: type[E]) -> E: ...
@overload
def entity_of(item: Item, of: type[Table] | Sequence[type[Entity]]) -> Entity: ...
def entity_of(item: Item, of: type[Any] | Sequence[type[Entity]]) -> Entity:
    """The entity that an item is: one of a table's, of several classes, or of one class.

    Raises UnreadableItem.
    """
    try:
        return _entity_of(item, of)
    except (AttributeError, LookupError, TypeError, ValueError):
        # Looked at only now, so that items cost nothing more: theirs are right.
        _require_classes(of)
        require_item(item, "an item")
        raise


def _require_classes(given: object) -> None:
    """Raises TypeError for what is neither a table nor entities."""
    if isinstance(given, type) and not issubclass(given, Entity):
        required_table(given)
        return
    listed = isinstance(given, Sequence) and not isinstance(given, str | bytes)
    for one in given if listed else (given,):  # type: ignore[attr-defined]
        required_class(one)


def _entity_of(item: Item, of: type[Any] | Sequence[type[Entity]]) -> Entity:
    if isinstance(of, type) and issubclass(of, Entity):
        schema = of.__schema__
        if _is_of(item, schema):
            return schema.decode(item)  # type: ignore[no-any-return]
        raise UnreadableItem(f"{of.__name__}: the item is not one{_said(item, schema.table)}")
    if isinstance(of, type):
        table: TableSchema = of.__schema__
        found = type_of(item, table)
        if found is None:
            raise UnreadableItem(f"{of.__name__} has no entity for the item{_said(item, table)}")
        return found.__schema__.decode(item)  # type: ignore[no-any-return]
    for entity in of:
        if _is_of(item, entity.__schema__):
            return entity.__schema__.decode(item)  # type: ignore[no-any-return]
    names = ", ".join(entity.__name__ for entity in of)
    raise UnreadableItem(f"the item is none of {names}{_said(item, of[0].__schema__.table) if of else ''}")


def type_of(item: Item, table: TableSchema) -> type[Entity] | None:
    """The entity class of a stored item, None if no entity of the table is stored like it."""
    name = _type_name(item, table)
    if name is not None:
        return table.by_type.get(name)
    return next((entity for entity in table.entities if has_keys_of(item, entity.__schema__)), None)


def has_keys_of(item: Item, schema: EntitySchema) -> bool:
    """Whether the item's primary key is one that the entity renders."""
    for template in schema.key.templates:
        stored = item.get(template.attribute)
        if stored is None or template.parse(stored) is None:
            return False
    return True


def values_in_keys(schema: EntitySchema, item: Item) -> dict[str, Any]:
    """The field values that stand in an item's keys: what a keys-only projection says about the entity."""
    return values_in(schema.keys, item)


def is_in(key: KeySchema, item: Item) -> bool:
    """Whether a stored item is in the index: it has all its key attributes."""
    return all(template.attribute in item for template in key.templates)


def primary_key(table: TableSchema, item: Item) -> Item:
    """The primary key of a stored item."""
    names = (table.partition.name,) if table.sort is None else (table.partition.name, table.sort.name)
    return {name: item[name] for name in names}


def key_of(entity: Entity) -> Item:
    """The entity's primary key as an item. Raises KeyValueError."""
    values: Mapping[str, Any] = entity.__dict__
    return key_item(entity.__schema__, values)


def _is_of(item: Item, schema: EntitySchema) -> bool:
    name = _type_name(item, schema.table)
    return name == schema.type_name if name is not None else has_keys_of(item, schema)


def _type_name(item: Item, table: TableSchema) -> str | None:
    if table.type_of is not None:
        try:
            return table.type_of(item)
        except Exception:
            # Written for the application's own items; those of others tell it nothing, and are of no type.
            return None
    stored = None if table.discriminator is None else item.get(table.discriminator)
    return None if stored is None else str(stored.get("S"))


def _said(item: Item, table: TableSchema) -> str:
    name = _type_name(item, table)
    return "" if name is None else f" (its type is {name!r})"
