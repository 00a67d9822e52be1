"""What a write has to be sure of: what it was worked out from is stored as it was read.

Markers of unique values, keys of indexes and positions in lists follow from the stored item. Who writes
by them without a version asks that the item is still so; else two writers leave a key that fits neither.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from partita.model.declaring.compiled import added_templates
from partita.model.declaring.upcasting import is_older
from partita.model.declaring.when import read_by
from partita.model.errors import WriteRefused
from partita.model.expressions.conditions import (
    AttributeAt,
    Comparison,
    Condition,
    DocumentPath,
    Function,
    Value,
)
from partita.model.expressions.updates import Remove, SetTo, Update
from partita.model.keys.templates import Template
from partita.model.schema import AttributeValue, EntitySchema, Item, KeySchema
from partita.model.values.attribute_values import key_text, same_value


def decisive(schema: EntitySchema, stored: Item, fields: Iterable[str], when: Any) -> set[str]:
    """The stored attributes that decide about what is made of these fields where `when` holds."""
    older = is_older(schema, stored)
    read = read_by(schema, when)
    if older or read is None:
        # Upcasters, or a `when` that cannot be seen through, may make a value of anything.
        changing = {schema.version, schema.created, schema.updated}
        names = {field.attribute for field in schema.fields.values() if field.name not in changing}
        names |= {schema.fields[name].attribute for name in fields}
        return names | ({schema.table.schema_version} if older else set())
    return {schema.fields[name].attribute for name in {*fields, *(read & schema.fields.keys())}}


def differs(stored: Item, item: Item, attributes: Iterable[str]) -> bool:
    """Whether one of these attributes is another in the item to be than in the stored one."""
    return any(not same_value(stored.get(name), item.get(name)) for name in attributes)


def unchanged(stored: Item, paths: Iterable[DocumentPath]) -> Condition | None:
    """That at each of these paths is what was there in the item as it was read; None for no paths."""
    wanted = set(paths)
    whole: Condition | None = None
    for path in sorted(wanted):
        if any(path[:length] in wanted for length in range(1, len(path))):
            continue
        value = _at(stored, path)
        term: Condition
        if value is None:
            term = Function("attribute_not_exists", path)
        else:
            term = Comparison(AttributeAt(path), "=", Value(value))
        whole = term if whole is None else whole & term
    return whole


def require_same_key(schema: EntitySchema, stored: Item, key: Item) -> None:
    """Raises WriteRefused where an entity has another primary key than the item that it was read from."""
    if any(stored.get(name) != value for name, value in key.items()):
        raise WriteRefused(
            f"{schema.cls.__name__}: its primary key is {key_text(key)}, and it was read from "
            f"{key_text({name: stored[name] for name in key if name in stored})}: to move it, delete the old "
            "key and create it under the new one, both in one transaction; to copy it, create it"
        )


def guard_of_update(schema: EntitySchema, stored: Item, updates: Sequence[Update]) -> Condition | None:
    """What an update has to ask that was worked out from an item as it was read.

    Of each index key that it touches, by the key's attributes or what they are made of: whatever it does not
    write itself. Of each list that it changes by position: all of it. Of an item in an older form: all of
    it, since an upcaster may make anything of anything.
    """
    table = schema.table
    if is_older(schema, stored):
        names = {table.schema_version, *stored} - {table.partition.name, table.sort and table.sort.name}
        return unchanged(stored, [(name,) for name in names])
    return unchanged(stored, [*_of_index_keys(schema, stored, updates), *_lists(updates)])


def own_templates(schema: EntitySchema, key: KeySchema) -> list[Template]:
    """The key attributes that an index adds to items: none for one on attributes that are there anyway."""
    fields = {field.attribute for field in schema.fields.values()}
    return [one for one in added_templates(key, schema.key) if one.attribute not in fields]


def _of_index_keys(schema: EntitySchema, stored: Item, updates: Sequence[Update]) -> Iterable[DocumentPath]:
    touched = {str(update.path[0]) for update in updates}
    written = {str(update.path[0]) for update in updates if _is_whole(update)}
    for key in schema.index_keys.values():
        templates = own_templates(schema, key)
        names = {name for template in templates for name in template.names}
        bound = decisive(schema, stored, names, key.when) | {template.attribute for template in templates}
        if templates and touched & bound:
            yield from ((name,) for name in bound - written)


def _is_whole(update: Update) -> bool:
    """Whether an update leaves nothing of what was stored in its attribute."""
    if len(update.path) > 1:
        return False
    return isinstance(update, Remove) or (isinstance(update, SetTo) and isinstance(update.operand, Value))


def _lists(updates: Sequence[Update]) -> Iterable[DocumentPath]:
    for update in updates:
        position = next((n for n, step in enumerate(update.path) if isinstance(step, int)), None)
        if position is not None:
            yield update.path[:position]


def _at(stored: Item, path: DocumentPath) -> AttributeValue | None:
    found: AttributeValue | None = stored.get(str(path[0]))
    for step in path[1:]:
        found = None if found is None else found.get("M", {}).get(step)
    return found
