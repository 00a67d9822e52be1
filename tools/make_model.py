"""Writes `partita/api/model.json`: what the server needs of the service model that AWS publishes in botocore.

    python tools/make_model.py

Run it after changing the version of botocore that pyproject.toml pins; a test fails if the two differ.
"""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import botocore

OPERATIONS = (
    "BatchGetItem",
    "BatchWriteItem",
    "CreateTable",
    "DeleteItem",
    "DeleteTable",
    "DescribeContinuousBackups",
    "DescribeEndpoints",
    "DescribeLimits",
    "DescribeTable",
    "DescribeTimeToLive",
    "GetItem",
    "ListTables",
    "ListTagsOfResource",
    "PutItem",
    "Query",
    "Scan",
    "TagResource",
    "TransactGetItems",
    "TransactWriteItems",
    "UntagResource",
    "UpdateItem",
    "UpdateTable",
    "UpdateTimeToLive",
)
"""The operations that the server answers."""

TARGET = Path(__file__).parent.parent / "src/partita/api/model.json"
_SOURCE = Path(botocore.__file__).parent / "data/dynamodb/2012-08-10/service-2.json.gz"
_KEPT = ("type", "required", "min", "max", "pattern", "enum")


def model_text() -> str:
    """The reduced model of the installed botocore, one line for each operation and shape."""
    source = json.loads(gzip.decompress(_SOURCE.read_bytes()))
    shapes: dict[str, Any] = {}
    operations: dict[str, str] = {}
    for operation in OPERATIONS:
        shape = source["operations"][operation]["input"]["shape"]
        operations[operation] = shape
        _collect(shape, source["shapes"], shapes)
    parts = {
        "botocore": json.dumps(botocore.__version__),
        "operations": _lines(operations),
        "shapes": _lines(dict(sorted(shapes.items()))),
    }
    return "{\n" + ",\n".join(f'"{name}": {text}' for name, text in parts.items()) + "\n}\n"


def _collect(name: str, source: dict[str, Any], shapes: dict[str, Any]) -> None:
    if name in shapes:
        return
    published = source[name]
    shape = {key: published[key] for key in _KEPT if key in published}
    shapes[name] = shape
    if "members" in published:
        shape["members"] = {member: value["shape"] for member, value in published["members"].items()}
    for key in ("member", "key", "value"):
        if key in published:
            shape[key] = published[key]["shape"]
    for inner in (
        *shape.get("members", {}).values(),
        *(shape.get(key) for key in ("member", "key", "value")),
    ):
        if inner is not None:
            _collect(inner, source, shapes)


def _lines(members: dict[str, Any]) -> str:
    lines = (
        f"{json.dumps(name)}:{json.dumps(value, separators=(',', ':'))}" for name, value in members.items()
    )
    return "{\n" + ",\n".join(lines) + "\n}"


if __name__ == "__main__":
    TARGET.write_text(model_text())
    print(f"wrote {TARGET}")
