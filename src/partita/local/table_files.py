"""Files that describe tables: CreateTable requests and CloudFormation templates, as JSON or YAML."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from partita.engine.table import Scope
from partita.local.cloudformation import Template


class TableFileError(ValueError):
    """A file that describes tables cannot be read, or says something that we do not understand."""


class NewTable(NamedTuple):
    """The requests that make a table."""

    create: dict[str, Any]
    time_to_live: dict[str, Any] | None = None


def read(path: str | os.PathLike[str], parameters: Mapping[str, str], scope: Scope) -> list[NewTable]:
    """The tables of a file, in its order; TableFileError names the file and what is wrong with it."""
    file = Path(path)
    try:
        content = _parse(file)
        if isinstance(content, dict) and "Resources" in content:
            return [_of_resource(*table) for table in Template(content, parameters, scope).tables()]
    except OSError as error:
        raise TableFileError(f"{file}: {error.strerror}") from None
    except ValueError as error:
        raise TableFileError(f"{file}: {error}") from None
    except (LookupError, TypeError, AttributeError, RecursionError) as error:
        # Templates are taken apart as CloudFormation defines them; it would refuse one of another form.
        raise TableFileError(f"{file}: not as CloudFormation has it ({_said(error)})") from None
    requests = content if isinstance(content, list) else [content]
    for request in requests:
        if not isinstance(request, dict) or "TableName" not in request:
            raise TableFileError(
                f"{file}: expected a CreateTable request, a list of them or a CloudFormation template"
            )
    return [NewTable(request) for request in requests]


def _said(error: Exception) -> str:
    return f"nothing is called {error}" if isinstance(error, KeyError) else str(error)


def _parse(file: Path) -> Any:
    text = file.read_text(encoding="utf-8")
    if file.suffix.lower() not in (".yaml", ".yml"):
        try:
            return json.loads(text)
        except ValueError:
            if file.suffix.lower() == ".json":
                raise
    try:
        from partita.local.template_yaml import load
    except ImportError:
        raise ValueError("reading YAML needs PyYAML: pip install pyyaml") from None
    return load(text)


_ELSEWHERE = frozenset(
    {
        "ContributorInsightsSpecification",
        "ImportSourceSpecification",
        "KinesisStreamSpecification",
        "PointInTimeRecoverySpecification",
        "ReplicaSpecification",
        "Replicas",
        "ReadOnDemandThroughputSettings",
        "ReadProvisionedThroughputSettings",
        "WriteOnDemandThroughputSettings",
        "WriteProvisionedThroughputSettings",
    }
)
"""Properties of a table's resource, or of an index in it, that CloudFormation sets by other requests."""


def _of_resource(name: str, kind: str, properties: dict[str, Any]) -> NewTable:
    """A table's resource as requests. Names follow CloudFormation's reference of each type."""
    if kind == "AWS::Serverless::SimpleTable":
        properties = _of_simple_table(properties)
    request: dict[str, Any] = {"TableName": name}
    request |= {key: value for key, value in properties.items() if key not in _ELSEWHERE}
    if kind == "AWS::DynamoDB::GlobalTable":
        # Its units are autoscaling's, of each region: here it is on demand.
        request["BillingMode"] = "PAY_PER_REQUEST"
    for index in request.get("GlobalSecondaryIndexes", ()):
        for key in _ELSEWHERE & index.keys():
            del index[key]
    if "StreamSpecification" in request:
        stream = request["StreamSpecification"]
        request["StreamSpecification"] = {
            "StreamEnabled": True,
            "StreamViewType": stream.get("StreamViewType", "NEW_AND_OLD_IMAGES"),
        }
    if "SSESpecification" in request:
        encryption = dict(request["SSESpecification"])
        if "SSEEnabled" in encryption:
            encryption["Enabled"] = encryption.pop("SSEEnabled")
        request["SSESpecification"] = encryption
    expiry = request.pop("TimeToLiveSpecification", None)
    if expiry is None or not expiry.get("Enabled"):
        return NewTable(request)
    return NewTable(request, {"TableName": request["TableName"], "TimeToLiveSpecification": expiry})


def _of_simple_table(properties: dict[str, Any]) -> dict[str, Any]:
    key = properties.get("PrimaryKey", {"Name": "id", "Type": "String"})
    attribute = key["Name"]
    table: dict[str, Any] = {
        "AttributeDefinitions": [{"AttributeName": attribute, "AttributeType": key["Type"][0]}],
        "KeySchema": [{"AttributeName": attribute, "KeyType": "HASH"}],
    }
    table |= {
        name: properties[name]
        for name in ("TableName", "ProvisionedThroughput", "SSESpecification")
        if name in properties
    }
    if "ProvisionedThroughput" not in table:
        table["BillingMode"] = "PAY_PER_REQUEST"
    if "Tags" in properties:
        table["Tags"] = [{"Key": name, "Value": value} for name, value in properties["Tags"].items()]
    return table
