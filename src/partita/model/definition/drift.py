"""What a live table has different from the declarations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from partita.model.definition.table_requests import create_table_request
from partita.model.schema import TableSchema
from partita.model.values.attribute_values import shortened

if TYPE_CHECKING:
    from partita.model.declaring.table import Table


def drift(
    table: type[Table], described: Mapping[str, Any], time_to_live: Mapping[str, Any] | None = None
) -> list[str]:
    """What the live table has different from the declarations, one sentence each; empty where nothing has.

    `described` is the answer of DescribeTable, `time_to_live` that of DescribeTimeToLive (not given: TTL is
    not compared). Capacity, tags, streams and whatever else the declarations do not say is not compared.
    """
    declared = create_table_request(table)
    try:
        return _differences(table.__schema__, declared, described, time_to_live)
    except (AttributeError, LookupError, TypeError):
        given = (
            shortened(described)
            if time_to_live is None
            else f"{shortened(described)}, {shortened(time_to_live)}"
        )
    # They are taken apart as DynamoDB gives them.
    raise TypeError(
        f"{table.__name__} is compared with answers of DescribeTable and DescribeTimeToLive, not with {given}"
    )


def _differences(
    schema: TableSchema,
    declared: Mapping[str, Any],
    described: Mapping[str, Any],
    time_to_live: Mapping[str, Any] | None,
) -> list[str]:
    live = described.get("Table", described)
    differences = list(_key_differences("the table", declared["KeySchema"], live["KeySchema"]))
    differences += _kind_differences(declared["AttributeDefinitions"], live["AttributeDefinitions"])
    differences += _index_differences(schema, declared, live)
    if time_to_live is not None:
        differences += _ttl_differences(schema.ttl, time_to_live)
    return differences


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
