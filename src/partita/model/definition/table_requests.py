"""The requests that make the table that the declarations need, and that turn its TTL on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from partita.model.declaring.table import Table, required_table
from partita.model.errors import DeclarationError
from partita.model.schema import IndexSchema, KeyAttribute, TableSchema
from partita.model.values.attribute_values import shortened

MOST_INCLUDED = 20
"""Attributes that one index may include beside keys."""
MOST_INCLUDED_IN_ALL = 100
"""The same for all indexes of a table together."""


def create_table_request(table: type[Table], name: str | None = None) -> dict[str, Any]:
    """The parameters of CreateTable, on demand, under the table's own or another name.

    TTL is switched on by a request of its own: `time_to_live_request`. Raises DeclarationError where an index
    projects too many attributes.
    """
    schema = required_table(table).__schema__
    _require_name(name)
    in_all = sum(len(non_key_attributes(schema, index)) for index in schema.indexes.values())
    if in_all > MOST_INCLUDED_IN_ALL:
        raise DeclarationError(
            f"the indexes of {table.__name__} include {in_all} attributes together, of which DynamoDB takes "
            f"{MOST_INCLUDED_IN_ALL}: let one of them project all"
        )
    request: dict[str, Any] = {
        "TableName": name or schema.name,
        "BillingMode": "PAY_PER_REQUEST",
        "KeySchema": key_schema((schema.partition,), (schema.sort,) if schema.sort else ()),
        "AttributeDefinitions": [
            {"AttributeName": attribute.name, "AttributeType": attribute.kind}
            for attribute in schema.key_attributes
        ],
    }
    for parameter, scope in (("GlobalSecondaryIndexes", "global"), ("LocalSecondaryIndexes", "local")):
        indexes = [
            {
                "IndexName": index.name,
                "KeySchema": key_schema(index.partition, index.sort),
                "Projection": projection(schema, index),
            }
            for index in schema.indexes.values()
            if index.scope == scope
        ]
        if indexes:
            request[parameter] = indexes
    return request


def time_to_live_request(table: type[Table], name: str | None = None) -> dict[str, Any] | None:
    """The parameters of UpdateTimeToLive, or None for a table without TTL."""
    schema = required_table(table).__schema__
    _require_name(name)
    if schema.ttl is None:
        return None
    return {
        "TableName": name or schema.name,
        "TimeToLiveSpecification": {"AttributeName": schema.ttl, "Enabled": True},
    }


def _require_name(given: object) -> None:
    if not isinstance(given, str | None):
        raise TypeError(f"a table's name is text, not {shortened(given)}")


def key_schema(partition: Sequence[KeyAttribute], sort: Sequence[KeyAttribute]) -> list[dict[str, str]]:
    """KeySchema: each partition attribute as HASH, then each sort attribute as RANGE."""
    return [
        *({"AttributeName": attribute.name, "KeyType": "HASH"} for attribute in partition),
        *({"AttributeName": attribute.name, "KeyType": "RANGE"} for attribute in sort),
    ]


def projection(schema: TableSchema, index: IndexSchema) -> dict[str, Any]:
    """Projection of an index; INCLUDE brings the discriminator too, since items are read back by it."""
    if index.project == "all":
        return {"ProjectionType": "ALL"}
    if index.project == "keys":
        return {"ProjectionType": "KEYS_ONLY"}
    included = non_key_attributes(schema, index)
    if not included:
        return {"ProjectionType": "KEYS_ONLY"}
    if len(included) > MOST_INCLUDED:
        raise DeclarationError(
            f"index {index.name} includes {len(included)} attributes, of which DynamoDB takes "
            f"{MOST_INCLUDED}: project all instead of {', '.join(included)}"
        )
    return {"ProjectionType": "INCLUDE", "NonKeyAttributes": list(included)}


def non_key_attributes(schema: TableSchema, index: IndexSchema) -> tuple[str, ...]:
    """The stored attributes that an INCLUDE index has beside keys: what it projects, and what reading needs.

    Reading needs the discriminator and, where an entity has upcasters, the schema version. A field's name
    stands for the attributes that it is stored as. Empty for other projections.
    """
    if isinstance(index.project, str):
        return ()
    keys = {key.name for key in (schema.partition, schema.sort, *index.partition, *index.sort) if key}
    versioned = any(entity.__schema__.schema_version > 1 for entity in schema.entities)
    reading = (schema.discriminator, schema.schema_version if versioned else None)
    names = dict.fromkeys(name for name in reading if name is not None)
    for name in index.project:
        aliases = [
            entity.__schema__.fields[name].attribute
            for entity in schema.entities
            if name in entity.__schema__.fields
        ]
        names.update(dict.fromkeys(aliases or (name,)))
    return tuple(name for name in names if name not in keys)
