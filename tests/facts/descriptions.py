"""Table descriptions as the facts want them, built from the request that made the table."""

from __future__ import annotations

from typing import Any

from tests.facts.answers import any_number, matching
from tests.facts.client import ACCOUNT, REGION
from tests.facts.shapes import named

STARTED = 1_700_000_000
"""When the clock of the cases stands, until time passes."""
UUID = matching(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")


def arn(table: str, index: str | None = None) -> str:
    return f"arn:aws:dynamodb:{REGION}:{ACCOUNT}:table/{table}" + (f"/index/{index}" if index else "")


def throughput(units: dict[str, int] | None, **more: Any) -> dict[str, Any]:
    given = units or {"ReadCapacityUnits": 0, "WriteCapacityUnits": 0}
    return {"NumberOfDecreasesToday": 0, **given, **more}


def warm(status: str) -> dict[str, Any]:
    """No fact gives the figures."""
    return {"ReadUnitsPerSecond": any_number(1), "WriteUnitsPerSecond": any_number(1), "Status": status}


def index_description(
    request: dict[str, Any], table: str, status: str | None = None, **more: Any
) -> dict[str, Any]:
    """Of a local index, or with a status of a global one."""
    description = {
        "IndexName": request["IndexName"],
        "KeySchema": request["KeySchema"],
        "Projection": request["Projection"],
        "IndexSizeBytes": 0,
        "ItemCount": 0,
        "IndexArn": arn(table, request["IndexName"]),
    }
    if status is not None:
        description |= {
            "IndexStatus": status,
            "ProvisionedThroughput": throughput(request.get("ProvisionedThroughput")),
            "WarmThroughput": warm("UPDATING" if status == "CREATING" else "ACTIVE"),
        }
    return description | more


def table_description(request: dict[str, Any] | str, status: str = "ACTIVE", **more: Any) -> dict[str, Any]:
    """Of a table made by this CreateTable request, or of this shape."""
    made = named(request) if isinstance(request, str) else request
    name = made["TableName"]
    description: dict[str, Any] = {
        "TableName": name,
        "TableStatus": status,
        "AttributeDefinitions": sorted(made["AttributeDefinitions"], key=lambda each: each["AttributeName"]),
        "KeySchema": made["KeySchema"],
        "CreationDateTime": STARTED,
        "ProvisionedThroughput": throughput(made.get("ProvisionedThroughput")),
        "TableSizeBytes": 0,
        "ItemCount": 0,
        "TableArn": arn(name),
        "TableId": UUID,
        "DeletionProtectionEnabled": made.get("DeletionProtectionEnabled", False),
        "WarmThroughput": warm("UPDATING" if status == "CREATING" else "ACTIVE"),
    }
    if made.get("BillingMode") == "PAY_PER_REQUEST":
        description["BillingModeSummary"] = {"BillingMode": "PAY_PER_REQUEST"}
        if status != "CREATING":
            description["BillingModeSummary"]["LastUpdateToPayPerRequestDateTime"] = STARTED
    if "GlobalSecondaryIndexes" in made:
        description["GlobalSecondaryIndexes"] = [
            index_description(index, name, "CREATING" if status == "CREATING" else "ACTIVE")
            for index in made["GlobalSecondaryIndexes"]
        ]
    if "LocalSecondaryIndexes" in made:
        description["LocalSecondaryIndexes"] = [
            index_description(index, name) for index in made["LocalSecondaryIndexes"]
        ]
    return description | more


def made(request: dict[str, Any], **more: Any) -> dict[str, Any]:
    """The answer to this CreateTable request: nothing has been warmed yet (fact 15.46)."""
    description = table_description(request, "CREATING", **more)
    if "WarmThroughput" not in more:
        del description["WarmThroughput"]
    for index in description.get("GlobalSecondaryIndexes", ()):
        index.pop("WarmThroughput", None)
    return {"TableDescription": description}
