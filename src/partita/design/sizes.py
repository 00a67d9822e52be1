"""How large items are: at most by their declarations, and usually by an example."""

from __future__ import annotations

import base64
from typing import Any

from partita.attributes import normalise_item
from partita.model.declaring.items import item_of
from partita.model.schema import EntitySchema, FieldSchema, Item

MOST_ITEM_BYTES = 400 * 1024
PAGE_BYTES = 1024 * 1024
"""What one Query or Scan looks at."""
MOST_TRANSACTION_BYTES = 4 * 1024 * 1024
USUAL_BYTES = 1024
"""What an item is taken to be where not even an example can be made."""

_FIXED = {"BOOL": 1, "NULL": 1}


def most_bytes(schema: EntitySchema) -> int | None:
    """The largest item that the declarations allow, index keys included; None for one without bounds."""
    total = 0
    for field in schema.fields.values():
        size = _most_field_bytes(field)
        if size is None:
            return None
        total += len(field.attribute.encode()) + size
    own = {field.attribute for field in schema.fields.values()}
    for name, longest in _rendered(schema).items():
        if name in own:
            continue
        if longest is None:
            return None
        total += len(name.encode()) + longest
    if schema.table.discriminator is not None:
        total += len((schema.table.discriminator + schema.type_name).encode())
    return total


def usual_bytes(schema: EntitySchema) -> int:
    """The size of an example of the entity, from which costs are estimated."""
    try:
        item = item_of(schema.cls.example())
    except ValueError:
        return USUAL_BYTES
    return stored_bytes(item)


def stored_bytes(item: Item) -> int:
    """The size of an item as DynamoDB counts it."""
    return normalise_item({name: _as_json(value) for name, value in item.items()})[1]


def _as_json(value: Any) -> Any:
    """Bytes as base64, the form in which they travel."""
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    if isinstance(value, dict):
        return {name: _as_json(one) for name, one in value.items()}
    return [_as_json(one) for one in value] if isinstance(value, list) else value


def _most_field_bytes(field: FieldSchema) -> int | None:
    fixed = _FIXED.get(field.codec.kind)
    if fixed is not None:
        return fixed
    return field.max_bytes if field.codec.scalar or field.max_bytes is not None else None


def _rendered(schema: EntitySchema) -> dict[str, int | None]:
    return {template.attribute: template.max_bytes for key in schema.keys for template in key.templates}
