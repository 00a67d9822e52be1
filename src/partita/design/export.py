"""A design as JSON: what `diff` compares, so that the version in production can be kept beside the code.

{"format": 1, "name": …, "tables": {name in DynamoDB: {"definition", "ttl", "discriminator", "entities"}},
 "patterns": {name: {"request", "index", "key"}}}
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ValidationError

from partita.design.designs import Design, Pattern
from partita.design.prices import FileRefused
from partita.model.definition.table_requests import create_table_request
from partita.model.schema import EntitySchema, FieldSchema, KeySchema, TableSchema, UniqueRule
from partita.model.values.attribute_values import shortened

FORMAT = 1
Exported = dict[str, Any]


def exported(design: Design) -> Exported:
    """The design as values of JSON. Raises TypeError for what is none."""
    if not isinstance(design, Design):
        raise TypeError(f"a design is what design_of gives, not {shortened(design)}")
    tables: Exported = {}
    for table in design.tables:
        made = _table(table)
        known = tables.setdefault(table.name, made)
        # Two contexts can share a table.
        known["entities"] |= made["entities"]
    return {
        "format": FORMAT,
        "name": design.name,
        "tables": tables,
        "patterns": {pattern.name: _pattern(pattern) for pattern in design.patterns},
    }


def required_export(given: object) -> None:
    """Raises TypeError for what is no export at all, such as the design itself."""
    if not isinstance(given, dict) or given.get("format") != FORMAT:
        raise TypeError(f"what exported() or read_exported() gives is needed, not {shortened(given)}")


def read_exported(path: str) -> Exported:
    """What an earlier export wrote. Raises FileRefused."""
    try:
        given = json.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise FileRefused(f"{path} cannot be read: {error.strerror}") from None
    except ValueError as error:
        raise FileRefused(f"{path} is no JSON: {error}") from None
    if not isinstance(given, dict) or given.get("format") != FORMAT:
        raise FileRefused(f"{path} is no export of a design in format {FORMAT}")
    try:
        _Export.model_validate(given)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(map(str, first["loc"]))
        raise FileRefused(f"{path} is no export of a design: {where}: {first['msg']}") from None
    return given


class _KeyForm(BaseModel):
    partition: list[str]
    sort: list[str]
    raw: bool
    shards: int | None
    sparse: bool


class _FieldForm(BaseModel):
    attribute: str
    kind: str
    required: bool
    default: bool


class _RuleForm(BaseModel):
    fields: list[str]
    scope: list[str]
    normaliser_version: int
    sparse: bool


class _EntityForm(BaseModel):
    name: str
    schema_version: int
    fields: dict[str, _FieldForm]
    key: _KeyForm
    indexes: dict[str, _KeyForm]
    uniques: dict[str, _RuleForm]


class _KeyElement(BaseModel):
    AttributeName: str
    KeyType: str


class _AttributeDefinition(BaseModel):
    AttributeName: str
    AttributeType: str


class _IndexForm(BaseModel):
    IndexName: str
    KeySchema: list[_KeyElement]
    Projection: dict[str, Any]


class _Definition(BaseModel):
    KeySchema: list[_KeyElement]
    AttributeDefinitions: list[_AttributeDefinition]
    GlobalSecondaryIndexes: list[_IndexForm] = []
    LocalSecondaryIndexes: list[_IndexForm] = []


class _TableForm(BaseModel):
    definition: _Definition
    ttl: str | None
    discriminator: str | None
    entities: dict[str, _EntityForm]


class _PatternForm(BaseModel):
    request: str
    index: str | None
    key: str


class _Export(BaseModel):
    """What a file must hold, so that `diff` can go through it."""

    name: str
    tables: dict[str, _TableForm]
    patterns: dict[str, _PatternForm]


def _table(table: TableSchema) -> Exported:
    return {
        "definition": create_table_request(table.cls),
        "ttl": table.ttl,
        "discriminator": table.discriminator,
        "entities": {entity.__schema__.type_name: _entity(entity.__schema__) for entity in table.entities},
    }


def _entity(schema: EntitySchema) -> Exported:
    return {
        "name": schema.cls.__name__,
        "schema_version": schema.schema_version,
        "fields": {name: _field(schema, field) for name, field in schema.fields.items()},
        "key": _key(schema.key),
        "indexes": {
            schema.table.indexes[name].name: _key(key) for name, key in sorted(schema.index_keys.items())
        },
        "uniques": {rule.name: _rule(rule) for rule in schema.uniques},
    }


def _field(schema: EntitySchema, field: FieldSchema) -> Exported:
    required = schema.cls.model_fields[field.name].is_required()
    stored = field.codec.absent is None
    return {
        "attribute": field.attribute,
        "kind": field.codec.kind,
        "required": required and stored,
        # Whether an item that lacks it is read with a value that new items hold.
        "default": not required and stored and field.name != schema.version,
    }


def _key(key: KeySchema) -> Exported:
    return {
        "partition": [template.text for template in key.partition],
        "sort": [template.text for template in key.sort],
        "raw": any(template.raw for template in key.templates),
        "shards": key.shards,
        "sparse": key.when is not None,
    }


def _rule(rule: UniqueRule) -> Exported:
    return {
        "fields": list(rule.fields),
        "scope": list(rule.scope),
        "normaliser_version": rule.normaliser_version,
        "sparse": rule.when is not None,
    }


def _pattern(pattern: Pattern) -> Exported:
    return {"request": pattern.request, "index": pattern.index_name, "key": pattern.words}
