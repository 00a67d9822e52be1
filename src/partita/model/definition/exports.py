"""The table's definition for the tools that make tables: CreateTable JSON, CloudFormation, Terraform.

Each export says what it leaves out.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from partita.model.declaring.table import Table, required_table
from partita.model.definition.table_requests import create_table_request
from partita.model.schema import TableSchema

ExportFormat = Literal["json", "cloudformation", "terraform"]


@dataclass(frozen=True, slots=True)
class Export:
    """A definition as text, and what it leaves out, one sentence each."""

    text: str
    left_out: list[str]


def export(table: type[Table], format: ExportFormat = "json", name: str | None = None) -> Export:
    """The definition of the table, under its own name or another.

    `json` is the parameters of CreateTable, as `aws dynamodb create-table --cli-input-json` takes them;
    `cloudformation` a template in JSON; `terraform` a resource in HCL. Raises ValueError for another format.
    """
    schema = required_table(table).__schema__
    request = create_table_request(table, name)
    left_out = list(_in_code_only(schema))
    match format:
        case "json":
            text = json.dumps(request, indent=2) + "\n"
            if schema.ttl is not None:
                left_out.insert(
                    0, f"TTL on {schema.ttl}: CreateTable has none, UpdateTimeToLive switches it on."
                )
        case "cloudformation":
            text = json.dumps(cloudformation_template(table, name), indent=2) + "\n"
        case "terraform":
            text = _terraform(schema, request)
            if schema.indexes:
                left_out.insert(
                    0,
                    "The provider's version: global indexes are given as key_schema blocks, which "
                    "hashicorp/aws knows from 6.29.0 on.",
                )
        case _:
            raise ValueError(f"there is no format {format!r}: json, cloudformation or terraform")
    return Export(text, left_out)


def cloudformation_template(table: type[Table], name: str | None = None) -> dict[str, Any]:
    """A template with the table as its only resource, which outlives its stack."""
    schema = table.__schema__
    properties = create_table_request(table, name)
    if schema.ttl is not None:
        properties["TimeToLiveSpecification"] = {"AttributeName": schema.ttl, "Enabled": True}
    return {
        "AWSTemplateFormatVersion": "2010-09-09",
        "Resources": {
            f"{re.sub('[^A-Za-z0-9]', '', schema.cls.__name__)}Table": {
                "Type": "AWS::DynamoDB::Table",
                "DeletionPolicy": "Retain",
                "UpdateReplacePolicy": "Retain",
                "Properties": properties,
            }
        },
    }


def _in_code_only(schema: TableSchema) -> Iterator[str]:
    entities = [entity.__schema__ for entity in schema.entities]
    if entities:
        names = ", ".join(sorted(entity.cls.__name__ for entity in entities))
        yield f"The entities {names}: only the code knows how they fill the keys and which index they are in."
    unique = sorted(f"{entity.cls.__name__}.{rule.name}" for entity in entities for rule in entity.uniques)
    if unique:
        yield f"Uniqueness of {', '.join(unique)}: kept by the writes of the toolkit, not by the table."
    yield (
        "What the declarations do not say, so that the defaults hold: provisioned capacity and its limits "
        "(the table is on demand), streams, point-in-time recovery, encryption keys, deletion protection, "
        "table class, tags, replicas in other regions."
    )


def _terraform(schema: TableSchema, request: Mapping[str, Any]) -> str:
    label = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", schema.cls.__name__).lower()
    hash_key, *range_keys = [element["AttributeName"] for element in request["KeySchema"]]
    body = [
        f"name         = {_quoted(request['TableName'])}",
        'billing_mode = "PAY_PER_REQUEST"',
        f"hash_key     = {_quoted(hash_key)}",
        *(f"range_key    = {_quoted(range_key)}" for range_key in range_keys),
    ]
    for definition in request["AttributeDefinitions"]:
        body += _block("attribute", name=definition["AttributeName"], type=definition["AttributeType"])
    for index in request.get("GlobalSecondaryIndexes", ()):
        keys = [
            line
            for element in index["KeySchema"]
            for line in _block(
                "key_schema", attribute_name=element["AttributeName"], key_type=element["KeyType"]
            )
        ]
        body += _index_block("global_secondary_index", index, keys)
    for index in request.get("LocalSecondaryIndexes", ()):
        (sort,) = (e["AttributeName"] for e in index["KeySchema"] if e["KeyType"] == "RANGE")
        body += _index_block("local_secondary_index", index, ["", f"range_key = {_quoted(sort)}"])
    if schema.ttl is not None:
        body += _block("ttl", attribute_name=schema.ttl, enabled=True)
    lines = "\n".join(f"  {line}" if line else "" for line in body)
    return f'resource "aws_dynamodb_table" {_quoted(label)} {{\n{lines}\n}}\n'


def _index_block(kind: str, index: Mapping[str, Any], keys: list[str]) -> list[str]:
    arguments = {"name": index["IndexName"], "projection_type": index["Projection"]["ProjectionType"]}
    if included := index["Projection"].get("NonKeyAttributes"):
        arguments["non_key_attributes"] = included
    *head, end = _block(kind, **arguments)
    return [*head, *(f"  {line}" if line else "" for line in keys), end]


def _block(kind: str, **arguments: str | bool | list[str]) -> list[str]:
    width = max(map(len, arguments))
    lines = [f"  {name.ljust(width)} = {_value(value)}" for name, value in arguments.items()]
    return ["", f"{kind} {{", *lines, "}"]


def _value(value: str | bool | list[str]) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return f"[{', '.join(map(_quoted, value))}]"
    return _quoted(value)


def _quoted(text: str) -> str:
    """A string of HCL: as in JSON, and without what begins a template."""
    return json.dumps(text, ensure_ascii=False).replace("${", "$${").replace("%{", "%%{")
