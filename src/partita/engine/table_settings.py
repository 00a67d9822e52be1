"""Settings of tables that are stored and described only, in the form in which they are described."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from partita.engine.definitions import asks_for_encryption
from partita.engine.ids import uuid_of
from partita.engine.table import Index, Table

Request = dict[str, Any]
_DEFAULT_ALIAS = "alias/aws/dynamodb"
"""Of the key that AWS manages. The keys of aliases are made up, but of one alias always the same."""
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def set_all(table: Table, request: Request, now_us: int) -> None:
    """Stores the settings that a checked CreateTable request gives."""
    stream = request.get("StreamSpecification") or {}
    if stream.get("StreamEnabled"):
        enable_stream(table, stream["StreamViewType"], now_us)
    encryption = request.get("SSESpecification")
    if encryption is not None and asks_for_encryption(encryption):
        set_encryption(table, encryption)
    if request.get("TableClass"):
        table.settings["TableClassSummary"] = {"TableClass": request["TableClass"]}
    set_on_demand(table, request.get("OnDemandThroughput"))
    set_warm(table, request.get("WarmThroughput"))


def enable_stream(table: Table, view_type: str, now_us: int) -> None:
    """Every time a stream is enabled it gets a new label, and with it a new ARN (fact 16.28)."""
    label = _label(now_us)
    if label == table.settings.get("LatestStreamLabel"):
        label = _label(now_us + 1000)
    table.settings["StreamSpecification"] = {"StreamEnabled": True, "StreamViewType": view_type}
    table.settings["LatestStreamLabel"] = label
    table.settings["LatestStreamArn"] = f"{table.arn}/stream/{label}"


def disable_stream(table: Table) -> None:
    """The latest label and ARN stay (fact 16.15)."""
    del table.settings["StreamSpecification"]


def set_encryption(table: Table, encryption: Request) -> None:
    """The key may be given as id, alias or ARN of either; it is described as the ARN of the key."""
    given = encryption.get("KMSMasterKeyId") or _DEFAULT_ALIAS
    head, is_alias, alias = given.rpartition("alias/")
    key = f"key/{uuid_of(*table.scope, alias)}" if is_alias else given
    if is_alias and head:
        key = head + key
    elif not key.startswith("arn:"):
        key = f"arn:aws:kms:{table.scope.region}:{table.scope.account}:key/{key.removeprefix('key/')}"
    table.settings["SSEDescription"] = {"Status": "ENABLED", "SSEType": "KMS", "KMSMasterKeyArn": key}


def unset_encryption(table: Table) -> None:
    """Back to the service's own key, which is not described."""
    table.settings.pop("SSEDescription", None)


def class_of(table: Table) -> str:
    summary: dict[str, str] = table.settings.get("TableClassSummary", {})
    return summary.get("TableClass", "STANDARD")


def set_class(table: Table, table_class: str, due_us: int) -> None:
    """The class is described when the update is over."""
    table.class_changes_us.append(due_us)
    summary = {"TableClass": table_class, "LastUpdateDateTime": due_us / 1_000_000}
    table.pending["settings"] = {"TableClassSummary": summary}


def set_on_demand(holder: Table | Index, limits: dict[str, int | None] | None) -> None:
    """Merges limits into those that are set; -1 takes one away."""
    given = {member: units for member, units in (limits or {}).items() if units is not None}
    merged = {**holder.settings.pop("OnDemandThroughput", {}), **given}
    if kept := {member: units for member, units in merged.items() if units != -1}:
        holder.settings["OnDemandThroughput"] = kept


def set_warm(holder: Table | Index, units: dict[str, int | None] | None) -> None:
    """Merges what is asked for into what was asked for before."""
    given = {member: value for member, value in (units or {}).items() if value is not None}
    if given:
        holder.settings["WarmThroughput"] = {**holder.settings.get("WarmThroughput", {}), **given}


def stay_warm(holder: Table | Index, units: dict[str, int]) -> None:
    """Keeps the warm throughput that the table or index has: it never falls (fact 16.33)."""
    holder.settings["WarmThroughput"] = units


def _label(time_us: int) -> str:
    return iso_time(time_us).removesuffix("Z")


def iso_time(time_us: int) -> str:
    """ISO 8601 with milliseconds, in UTC."""
    time = _EPOCH + timedelta(microseconds=time_us)
    return time.strftime("%Y-%m-%dT%H:%M:%S.") + f"{time.microsecond // 1000:03d}Z"


def long_time(time_us: int) -> str:
    """As LimitExceededException writes a time, in words and UTC."""
    time = _EPOCH + timedelta(microseconds=time_us)
    clock = f"{time.hour % 12 or 12}:{time:%M:%S} {'AM' if time.hour < 12 else 'PM'}"
    return f"{time:%A, %B} {time.day}, {time.year} at {clock} Coordinated Universal Time"
