"""How far the server honours each parameter of its operations.

A parameter that is not named here does all that it does on the service, if a test shows it:
docs/compatibility.md is made from this file and from what the tests sent.
"""

from __future__ import annotations

from enum import Enum


class Support(Enum):
    DONE = "done"
    STORED = "stored"
    """Checked, kept and described, with no effect beyond that."""
    NOT_YET = "not yet"
    """Refused with a ValidationException that names it."""


_NOT_YET: dict[str, frozenset[str]] = {
    "CreateTable": frozenset(
        {
            "GlobalTableSettingsReplicationMode",
            "GlobalTableSourceArn",
            "ResourcePolicy",
            "VectorIndexes",
        }
    ),
    "UpdateTable": frozenset(
        {
            "DisassociationProtectionEnabled",
            "GlobalTableSettingsReplicationMode",
            "GlobalTableWitnessUpdates",
            "MultiRegionConsistency",
            "ReplicaUpdates",
            "VectorIndexUpdates",
        }
    ),
}

_STORED: dict[str, frozenset[str]] = {
    "CreateTable": frozenset(
        {
            "GlobalSecondaryIndexes[].OnDemandThroughput",
            "GlobalSecondaryIndexes[].ProvisionedThroughput",
            "GlobalSecondaryIndexes[].WarmThroughput",
            "OnDemandThroughput",
            "ProvisionedThroughput",
            "SSESpecification",
            "StreamSpecification",
            "TableClass",
            "WarmThroughput",
        }
    ),
    "UpdateTable": frozenset(
        {
            "GlobalSecondaryIndexUpdates[].Create.OnDemandThroughput",
            "GlobalSecondaryIndexUpdates[].Create.ProvisionedThroughput",
            "GlobalSecondaryIndexUpdates[].Create.WarmThroughput",
            "GlobalSecondaryIndexUpdates[].Update",
            "OnDemandThroughput",
            "ProvisionedThroughput",
            "SSESpecification",
            "StreamSpecification",
            "TableClass",
            "WarmThroughput",
        }
    ),
    "UpdateTimeToLive": frozenset({"TimeToLiveSpecification"}),
}
"""By path: `[]` stands for an element of a list or map. What lies inside shares the mark."""

STORED_OPERATIONS = frozenset({"DescribeContinuousBackups", "DescribeTimeToLive", "UpdateTimeToLive"})
"""Operations that only store or describe settings."""


def not_yet(operation: str) -> frozenset[str]:
    """The parameters of `operation` that are refused."""
    return _NOT_YET.get(operation, frozenset())


def support(operation: str, path: str) -> Support:
    """How far a parameter is honoured; `path` as in `GlobalSecondaryIndexes[].Projection`."""
    for marked, level in ((_NOT_YET, Support.NOT_YET), (_STORED, Support.STORED)):
        if any(
            path == name or path.startswith((f"{name}.", f"{name}[")) for name in marked.get(operation, ())
        ):
            return level
    return Support.DONE
