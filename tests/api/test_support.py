"""Parameters that are not done yet are refused by name, never ignored."""

from __future__ import annotations

from typing import Any

import pytest
from tests.api.valid_requests import valid

from partita.api import check
from partita.api.shapes import INPUTS, Shape
from partita.api.support import Support, not_yet, support
from partita.errors import ValidationException

VALUES: dict[str, Any] = {"string": "x", "boolean": False, "list": [], "structure": {}}
REFUSED = [(operation, name) for operation in sorted(INPUTS) for name in sorted(not_yet(operation))]


def test_the_refused_parameters() -> None:
    assert REFUSED == [
        ("CreateTable", "GlobalTableSettingsReplicationMode"),
        ("CreateTable", "GlobalTableSourceArn"),
        ("CreateTable", "ResourcePolicy"),
        ("CreateTable", "VectorIndexes"),
        ("UpdateTable", "DisassociationProtectionEnabled"),
        ("UpdateTable", "GlobalTableSettingsReplicationMode"),
        ("UpdateTable", "GlobalTableWitnessUpdates"),
        ("UpdateTable", "MultiRegionConsistency"),
        ("UpdateTable", "ReplicaUpdates"),
        ("UpdateTable", "VectorIndexUpdates"),
    ]


@pytest.mark.parametrize(("operation", "name"), REFUSED)
def test_a_parameter_that_is_not_done_yet(operation: str, name: str) -> None:
    shape: Shape = INPUTS[operation].members[name].shape
    with pytest.raises(ValidationException) as found:
        check(operation, valid(operation, **{name: VALUES[shape.type]}))
    assert found.value.message == f"One or more parameter values were invalid: {name} is not supported"
    check(operation, valid(operation, **{name: None}))


def test_constraints_come_before_it() -> None:
    with pytest.raises(ValidationException) as found:
        check("CreateTable", valid("CreateTable", KeySchema=[], ResourcePolicy="{}"))
    assert str(found.value.message).startswith("1 validation error detected: ")


@pytest.mark.parametrize(
    ("operation", "path", "level"),
    [
        ("CreateTable", "VectorIndexes", Support.NOT_YET),
        ("CreateTable", "VectorIndexes[].IndexName", Support.NOT_YET),
        ("CreateTable", "StreamSpecification", Support.STORED),
        ("CreateTable", "StreamSpecification.StreamViewType", Support.STORED),
        ("CreateTable", "GlobalSecondaryIndexes[].WarmThroughput", Support.STORED),
        ("CreateTable", "GlobalSecondaryIndexes[].IndexName", Support.DONE),
        ("CreateTable", "TableName", Support.DONE),
        ("PutItem", "Item", Support.DONE),
    ],
)
def test_how_far_a_parameter_is_honoured(operation: str, path: str, level: Support) -> None:
    assert support(operation, path) is level
