"""The table that the declarations need: the request that creates it, and what a live table has different."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from partita.model.errors import DeclarationError
from partita.model.expressions.paths import key_attributes
from partita.model.schema import IndexSchema, KeyAttribute, TableSchema

if TYPE_CHECKING:
    from partita.model.declaring.table import Table

MOST_INCLUDED = 20
"""Attributes that one index may include beside keys."""
MOST_INCLUDED_IN_ALL = 100
"""The same for all indexes of a table together."""


def create_table_request(table: type[Table], name: str | None = None) -> dict[str, Any]:
    """The parameters of CreateTable, on demand, under the table's own or another name.

    TTL is switched on by a request of its own: `time_to_live_request`. Raises DeclarationError where an index
    projects too many attributes.
    """
    schema = table.__schema__
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
            for attribute in key_attributes(schema)
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
    schema = table.__schema__
    if schema.ttl is None:
        return None
    return {
        "TableName": name or schema.name,
        "TimeToLiveSpecification": {"AttributeName": schema.ttl, "Enabled": True},
    }


def drift(
    table: type[Table], described: Mapping[str, Any], time_to_live: Mapping[str, Any] | None = None
) -> list[str]:
    """What the live table has different from the declarations, one sentence each; empty where nothing has.

    `described` is the answer of DescribeTable, `time_to_live` that of DescribeTimeToLive (not given: TTL is
    not compared). Capacity, tags, streams and whatever else the declarations do not say is not compared.
    """
    schema = table.__schema__
    live = described.get("Table", described)
    declared = create_table_request(table)
    differences = list(_key_differences("the table", declared["KeySchema"], live["KeySchema"]))
    differences += _kind_differences(declared["AttributeDefinitions"], live["AttributeDefinitions"])
    differences += _index_differences(schema, declared, live)
    if time_to_live is not None:
        differences += _ttl_differences(schema.ttl, time_to_live)
    return differences


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


def _key_differences(
    what: str, declared: Sequence[Mapping[str, str]], live: Sequence[Mapping[str, str]]
) -> Iterator[str]:
    if _spelled_key(declared) != _spelled_key(live):
        yield f"{what} has the key {_spelled_key(live)}; declared is {_spelled_key(declared)}"


def _spelled_key(elements: Sequence[Mapping[str, str]]) -> str:
    return ", ".join(f"{element['AttributeName']} ({element['KeyType']})" for element in elements)


def _kind_differences(
    declared: Sequence[Mapping[str, str]], live: Sequence[Mapping[str, str]]
) -> Iterator[str]:
    kinds = {definition["AttributeName"]: definition["AttributeType"] for definition in live}
    for definition in declared:
        name, kind = definition["AttributeName"], definition["AttributeType"]
        if kinds.get(name, kind) != kind:
            yield f"the key attribute {name} is of type {kinds[name]}; declared is {kind}"


def _index_differences(
    schema: TableSchema, declared: Mapping[str, Any], live: Mapping[str, Any]
) -> Iterator[str]:
    ours, theirs = _indexes(declared), _indexes(live)
    for name, (scope, index) in ours.items():
        if name not in theirs:
            advice = "; a local one comes with a new table only" if scope == "local" else ""
            yield f"the table has no {scope} index {name}{advice}"
            continue
        live_scope, live_index = theirs[name]
        if live_scope != scope:
            yield f"the index {name} is {live_scope}; declared is {scope}"
            continue
        yield from _key_differences(f"the index {name}", index["KeySchema"], live_index["KeySchema"])
        wanted, has = _spelled_projection(index["Projection"]), _spelled_projection(live_index["Projection"])
        if wanted != has:
            yield f"the index {name} projects {has}; declared is {wanted}"
        status = live_index.get("IndexStatus", "ACTIVE")
        if status not in {"ACTIVE", "UPDATING"}:
            yield f"the index {name} is {status}, so that it cannot be queried"
    for name, (scope, _) in theirs.items():
        if name not in ours:
            yield f"the table has a {scope} index {name}, which {schema.cls.__name__} does not declare"


def _indexes(definition: Mapping[str, Any]) -> dict[str, tuple[str, Mapping[str, Any]]]:
    return {
        index["IndexName"]: (scope, index)
        for scope, parameter in (("global", "GlobalSecondaryIndexes"), ("local", "LocalSecondaryIndexes"))
        for index in definition.get(parameter, ())
    }


def _spelled_projection(projection: Mapping[str, Any]) -> str:
    included = ", ".join(sorted(projection.get("NonKeyAttributes", ())))
    return f"{projection['ProjectionType']} of {included}" if included else str(projection["ProjectionType"])


def _ttl_differences(declared: str | None, answer: Mapping[str, Any]) -> Iterator[str]:
    live = answer.get("TimeToLiveDescription", answer)
    status = live.get("TimeToLiveStatus", "DISABLED")
    attribute = live.get("AttributeName") if status in {"ENABLED", "ENABLING"} else None
    if attribute == declared:
        return
    if attribute is None:
        yield f"TTL is {status}; declared is the attribute {declared}"
    elif declared is None:
        yield f"TTL reads the attribute {attribute}; none is declared"
    else:
        yield f"TTL reads the attribute {attribute}; declared is {declared}"
