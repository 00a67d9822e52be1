"""Tables made from their declarations, and waited for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from partita.model.declaring.table import Table, required_table
from partita.model.definition.drift import drift
from partita.model.definition.table_requests import create_table_request, time_to_live_request
from partita.model.errors import TableDiffers, Unreachable
from partita.model.flows.context import Context
from partita.model.flows.flow import Call, Flow, Pause, Refused
from partita.model.flows.retries import ask

_POLLS = 240
_MOST_SECONDS = 10.0
"""The mean pause is half of that: 20 minutes in all, in which indexes of empty tables are long made."""


def create_table(context: Context, table: type[Table]) -> Flow[None]:
    """Creates the table, waits until it can be used, and switches its TTL on.

    Raises ServiceError (ResourceInUseException) where it exists, Unreachable if it is not ready in about 20
    minutes.
    """
    name = context.table_name(required_table(table).__schema__)
    yield Call("CreateTable", create_table_request(table, name))
    yield from _wait(context, name)
    yield from _switch_ttl_on(context, table, name)


def ensure_table(context: Context, table: type[Table]) -> Flow[None]:
    """Creates the table unless it exists; then waits until it can be used.

    Raises TableDiffers where it exists and is not as declared.
    """
    name = context.table_name(required_table(table).__schema__)
    try:
        yield from ask(context.retries, Call("DescribeTable", {"TableName": name}))
    except Refused as refusal:
        if refusal.code != "ResourceNotFoundException":
            raise
        try:
            yield Call("CreateTable", create_table_request(table, name))
        except Refused as late:
            # Somebody else creates it at this moment.
            if late.code != "ResourceInUseException":
                raise
    described = yield from _wait(context, name)
    differences = drift(table, described)
    if differences:
        raise TableDiffers(
            f"{name} is not as {table.__name__} declares: {'; '.join(differences)}", differences
        )
    yield from _switch_ttl_on(context, table, name)


def _wait(context: Context, name: str) -> Flow[Mapping[str, Any]]:
    state = "not known yet"
    for poll in range(_POLLS):
        try:
            answer = yield from ask(context.retries, Call("DescribeTable", {"TableName": name}))
        except Refused as refusal:
            # DescribeTable is eventually consistent: a new table may not be known everywhere.
            if refusal.code != "ResourceNotFoundException":
                raise
        else:
            described: Mapping[str, Any] = answer["Table"]
            indexes = described.get("GlobalSecondaryIndexes") or []
            states = {described["TableStatus"], *(index.get("IndexStatus", "ACTIVE") for index in indexes)}
            if states == {"ACTIVE"}:
                return described
            state = ", ".join(sorted(states))
        yield Pause(min(_MOST_SECONDS, 0.5 * 2.0 ** min(poll, 10)))
    raise Unreachable(
        f"{name} is not ready after {_POLLS} looks at it ({state}). Where the time of the database stands "
        "still, the session's sleep= has to advance it"
    )


def _switch_ttl_on(context: Context, table: type[Table], name: str) -> Flow[None]:
    request = time_to_live_request(table, name)
    if request is None:
        return
    answer = yield from ask(context.retries, Call("DescribeTimeToLive", {"TableName": name}))
    described = answer["TimeToLiveDescription"]
    if described["TimeToLiveStatus"] in ("ENABLED", "ENABLING"):
        wanted = request["TimeToLiveSpecification"]["AttributeName"]
        found = described.get("AttributeName")
        if found != wanted:
            sentence = f"its TTL attribute is {found}, not {wanted}"
            raise TableDiffers(f"{name} is not as {table.__name__} declares: {sentence}", [sentence])
        return
    yield from ask(context.retries, Call("UpdateTimeToLive", request))
