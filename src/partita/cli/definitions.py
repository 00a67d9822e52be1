"""A table's definition as a dump holds it: the request that would create it, and what goes with it."""

from __future__ import annotations

from typing import Any

from partita.cli.databases import Database
from partita.engine.table import Scope

Description = dict[str, Any]
_AS_DESCRIBED = (
    "TableName",
    "KeySchema",
    "OnDemandThroughput",
    "DeletionProtectionEnabled",
    "StreamSpecification",
)


def read(database: Database, name: str, scope: Scope) -> dict[str, Any] | None:
    """`{"CreateTable": …, "TimeToLive": …}` of a table; None if it is being deleted."""
    description = database.call("DescribeTable", {"TableName": name}, scope)["Table"]
    if description["TableStatus"] == "DELETING":
        return None
    definition: dict[str, Any] = {"CreateTable": create_request(description)}
    tags = database.call("ListTagsOfResource", {"ResourceArn": description["TableArn"]}, scope)["Tags"]
    if tags:
        definition["CreateTable"]["Tags"] = tags
    lifetime = database.call("DescribeTimeToLive", {"TableName": name}, scope)["TimeToLiveDescription"]
    if lifetime.get("AttributeName"):
        definition["TimeToLive"] = lifetime["AttributeName"]
    return definition


def create_request(description: Description) -> dict[str, Any]:
    """The CreateTable request that makes a table like the one described."""
    request = {name: description[name] for name in _AS_DESCRIBED if name in description}
    is_on_demand = description.get("BillingModeSummary", {}).get("BillingMode") == "PAY_PER_REQUEST"
    request["BillingMode"] = "PAY_PER_REQUEST" if is_on_demand else "PROVISIONED"
    if not is_on_demand:
        request["ProvisionedThroughput"] = _throughput(description)
    if "TableClassSummary" in description:
        request["TableClass"] = description["TableClassSummary"]["TableClass"]
    if "SSEDescription" in description:
        encryption = description["SSEDescription"]
        request["SSESpecification"] = {
            "Enabled": True,
            "SSEType": "KMS",
            "KMSMasterKeyId": encryption["KMSMasterKeyArn"],
        }
    for kind in ("LocalSecondaryIndexes", "GlobalSecondaryIndexes"):
        indexes = [
            _index(index, is_provisioned=kind == "GlobalSecondaryIndexes" and not is_on_demand)
            for index in description.get(kind, ())
            if index.get("IndexStatus") != "DELETING"
        ]
        if indexes:
            request[kind] = indexes
    used = _key_names(request)
    # Those of an index that is being deleted are still described.
    request["AttributeDefinitions"] = [
        definition
        for definition in description["AttributeDefinitions"]
        if definition["AttributeName"] in used
    ]
    return request


def _key_names(request: Description) -> set[str]:
    indexes = request.get("LocalSecondaryIndexes", []) + request.get("GlobalSecondaryIndexes", [])
    return {key["AttributeName"] for keyed in (request, *indexes) for key in keyed["KeySchema"]}


def _index(index: Description, *, is_provisioned: bool) -> Description:
    members: Description = {
        name: index[name]
        for name in ("IndexName", "KeySchema", "Projection", "OnDemandThroughput")
        if name in index
    }
    if is_provisioned:
        members["ProvisionedThroughput"] = _throughput(index)
    return members


def _throughput(holder: Description) -> Description:
    throughput = holder["ProvisionedThroughput"]
    return {name: throughput[name] for name in ("ReadCapacityUnits", "WriteCapacityUnits")}
