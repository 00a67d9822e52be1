"""Checks of UpdateTable: first of the request in itself, then against the table as it is (section 16)."""

from __future__ import annotations

from typing import Any, Final

from partita.engine import definitions
from partita.engine.definitions import MAX_GLOBAL_INDEXES
from partita.engine.description import DAY_US, decreases_today, warm_units
from partita.engine.table import Index, Table
from partita.engine.table_in_use import check_not_in_use
from partita.engine.table_settings import iso_time, long_time
from partita.errors import table_updates as errors
from partita.errors import tables
from partita.errors.definitions import (
    index_throughput_missing,
    throughput_not_allowed,
)

PROTECTION_WINDOW_MS: Final = 15_000
DECREASES_AT_ONCE: Final = 4
"""Of throughput, on one day (UTC); each one more waits for an hour after the one before it."""
DECREASE_WINDOW_US: Final = 3_600_000_000
CLASS_CHANGES: Final = 2
CLASS_WINDOW_DAYS: Final = 30

Request = dict[str, Any]

_COUNTING: Final = (
    "ProvisionedThroughput",
    "BillingMode",
    "StreamSpecification",
    "SSESpecification",
    "DeletionProtectionEnabled",
    "OnDemandThroughput",
    "WarmThroughput",
    "TableClass",
)
"""Parameters that by themselves are something to do; changes of global indexes are the other."""
_EMPTY_IS_NOTHING: Final = ("OnDemandThroughput", "WarmThroughput")


# -- in itself
def check_request(request: Request) -> None:
    """Raises what is wrong with the request whatever the table is."""
    present = {name for name in _COUNTING if request.get(name) is not None}
    given = {name for name in present if request[name] != {} or name not in _EMPTY_IS_NOTHING}
    updates = request.get("GlobalSecondaryIndexUpdates") or []
    if not given and not updates:
        raise errors.nothing_to_update(present)
    _check_modes(request)
    if request.get("GlobalSecondaryIndexUpdates") == []:
        raise errors.no_index_updates()
    _check_index_actions(updates)
    _check_combination(given, updates)
    _check_stream_change(request.get("StreamSpecification"))
    definitions.check_encryption(request.get("SSESpecification"))
    definitions.check_table_class(request)


def _check_modes(request: Request) -> None:
    mode, throughput = request.get("BillingMode"), request.get("ProvisionedThroughput")
    if mode == "PAY_PER_REQUEST" and throughput:
        raise errors.mode_without_throughput()
    if mode == "PROVISIONED" and not throughput:
        raise errors.mode_throughput_missing()
    definitions.check_units(throughput)


def _check_index_actions(updates: list[Request]) -> None:
    names: set[str] = set()
    for update in updates:
        actions = [update[name] for name in ("Update", "Create", "Delete") if update.get(name)]
        if not actions:
            raise errors.no_index_action()
        if len(actions) > 1:
            raise errors.several_index_actions()
        name = actions[0]["IndexName"]
        if name in names:
            raise errors.several_updates_of_index(name)
        names.add(name)
        definitions.check_units(actions[0].get("ProvisionedThroughput"), name)
        if update.get("Update") and update["Update"].get("WarmThroughput") == {}:
            raise errors.empty_warm_throughput(name)


def _check_combination(given: set[str], updates: list[Request]) -> None:
    """Facts 16.5 to 16.7; of several parameters that must be alone, the first of these is named (16.30)."""
    is_alone = len(given) + bool(updates) == 1
    for parameter, words in (
        ("SSESpecification", "Server-Side Encryption"),
        ("TableClass", "TableClass"),
        ("DeletionProtectionEnabled", "DeletionProtection"),
    ):
        if parameter in given and not is_alone:
            raise errors.must_be_alone(words)
    if "OnDemandThroughput" in given and (updates or given - {"OnDemandThroughput", "BillingMode"}):
        raise errors.on_demand_with_other_change()
    if "WarmThroughput" in given and not is_alone:
        if any(update.get("Create") for update in updates):
            raise errors.new_index_with_warm_throughput()
        raise errors.warm_throughput_must_be_alone()
    is_online = any(update.get("Create") or update.get("Delete") for update in updates)
    if is_online and "StreamSpecification" in given:
        raise errors.index_with_stream_change()
    if "StreamSpecification" in given and "ProvisionedThroughput" in given:
        raise errors.stream_with_throughput_change()
    if is_online and "ProvisionedThroughput" in given:
        raise errors.index_with_throughput_change()


def _check_stream_change(stream: Request | None) -> None:
    if not stream:
        return
    if stream["StreamEnabled"] and stream.get("StreamViewType") is None:
        raise errors.stream_without_view()
    if not stream["StreamEnabled"] and stream.get("StreamViewType") is not None:
        raise errors.disabled_stream_with_view()


# -- against the table
def check_against(table: Table, request: Request, now_us: int) -> None:
    """Raises what is wrong with the request for this table."""
    check_not_in_use(table, request)
    is_provisioned = (request.get("BillingMode") or table.billing_mode) == "PROVISIONED"
    _check_throughput(table, request)
    definitions.check_on_demand(request, is_provisioned, is_creation=False)
    definitions.check_warm(request, warm_units(table))
    _check_protection(table, request, now_us)
    _check_stream(table, request.get("StreamSpecification"))
    _check_encryption(table, request.get("SSESpecification"))
    updates = request.get("GlobalSecondaryIndexUpdates") or []
    if sum(not update.get("Update") for update in updates) > 1:
        raise errors.several_online_indexes()
    for update in updates:
        if update.get("Create"):
            _check_creation(table, update["Create"], request, is_provisioned)
        elif update.get("Delete"):
            _check_deletion(table, update["Delete"]["IndexName"])
        else:
            _check_index_update(table, update["Update"], is_provisioned)
    if is_provisioned and table.billing_mode != "PROVISIONED":
        _check_all_indexes_get_throughput(table, updates)
    _check_decreases(table, request, updates, now_us)
    _check_class(table, request, now_us)
    _check_quotas(table, request, updates)


def _check_decreases(table: Table, request: Request, updates: list[Request], now_us: int) -> None:
    """Fact 16.34: the table and each index by themselves."""
    if request.get("BillingMode") not in (None, table.billing_mode):
        return
    changes: list[tuple[Table | Index, Request]] = [(table, request)]
    changes += [(table.indexes[u["Update"]["IndexName"]], u["Update"]) for u in updates if u.get("Update")]
    for holder, change in changes:
        throughput = change.get("ProvisionedThroughput")
        if not throughput or not is_decrease(holder, throughput):
            continue
        count = decreases_today(holder, now_us)
        if count >= DECREASES_AT_ONCE:
            last_us = holder.throughput_changes["decreased_us"]
            next_us = min(last_us + DECREASE_WINDOW_US, (now_us // DAY_US + 1) * DAY_US)
            if now_us < next_us:
                raise errors.too_many_decreases(count, long_time(last_us), long_time(next_us))


def _check_class(table: Table, request: Request, now_us: int) -> None:
    """Fact 16.34: once they are spent, even the present class is refused."""
    since_us = now_us - CLASS_WINDOW_DAYS * DAY_US
    if request.get("TableClass") and sum(at > since_us for at in table.class_changes_us) >= CLASS_CHANGES:
        raise errors.too_many_class_changes(CLASS_CHANGES, CLASS_WINDOW_DAYS)


def _check_quotas(table: Table, request: Request, updates: list[Request]) -> None:
    """What an account may not have is told when all else is fine."""
    definitions.check_quotas(request, table.scope.region)
    for update in updates:
        change = update.get("Create") or update.get("Update")
        if change:
            definitions.check_quotas(change, table.scope.region, change["IndexName"])


def _check_throughput(table: Table, request: Request) -> None:
    throughput = request.get("ProvisionedThroughput")
    if not throughput:
        return
    if table.billing_mode == "PAY_PER_REQUEST":
        if request.get("BillingMode") is None:
            raise throughput_not_allowed()
    elif _is_same(table, throughput):
        raise errors.throughput_unchanged(table.read_units, table.write_units)


def is_decrease(holder: Table | Index, throughput: Request) -> bool:
    """Whether reads or writes, or both, become fewer."""
    return bool(
        throughput["ReadCapacityUnits"] < holder.read_units
        or throughput["WriteCapacityUnits"] < holder.write_units
    )


def _is_same(holder: Table | Index, throughput: Request) -> bool:
    return (holder.read_units, holder.write_units) == (
        throughput["ReadCapacityUnits"],
        throughput["WriteCapacityUnits"],
    )


def _check_protection(table: Table, request: Request, now_us: int) -> None:
    """Fact 16.13."""
    if request.get("DeletionProtectionEnabled") is None or table.protection_changed_us is None:
        return
    until_us = table.protection_changed_us + PROTECTION_WINDOW_MS * 1000
    if now_us < until_us:
        raise errors.protection_changed_too_soon(table.name, PROTECTION_WINDOW_MS, iso_time(until_us))


def _check_stream(table: Table, stream: Request | None) -> None:
    if not stream:
        return
    has_stream = "StreamSpecification" in table.settings
    if stream["StreamEnabled"] and has_stream:
        raise errors.stream_enabled_already(table.name)
    if not stream["StreamEnabled"] and not has_stream:
        raise errors.no_stream_to_disable(table.name)


def _check_encryption(table: Table, encryption: Request | None) -> None:
    """Facts 16.14 and 16.31. A key that is given as the ARN that is described is the present one."""
    if encryption is None:
        return
    present = table.settings.get("SSEDescription")
    if not definitions.asks_for_encryption(encryption):
        if present is None:
            raise errors.encrypted_by_default()
    elif present is not None and encryption.get("KMSMasterKeyId") == present["KMSMasterKeyArn"]:
        raise errors.encrypted_with_key_already()


def _check_creation(table: Table, creation: Request, request: Request, is_provisioned: bool) -> None:
    name = creation["IndexName"]
    existing = table.indexes.get(name)
    if existing is not None:
        if existing.status == "DELETING":
            raise tables.index_in_use(table.name, name, existing.status)
        raise errors.index_exists()
    _check_no_other_online(table, name)
    if len(table.global_indexes) >= MAX_GLOBAL_INDEXES:
        raise errors.too_many_online_indexes()
    if not request.get("AttributeDefinitions"):
        raise errors.index_definitions_missing(name)
    defined = [definition["AttributeName"] for definition in request["AttributeDefinitions"]]
    definitions.check_global_index(creation, defined)
    throughput = creation.get("ProvisionedThroughput")
    if is_provisioned and not throughput:
        raise errors.new_index_throughput_missing(name)
    if not is_provisioned and throughput:
        raise errors.new_index_throughput_not_allowed(name)
    definitions.check_on_demand(creation, is_provisioned, is_creation=True, index=name)
    definitions.check_new_warm(creation, name)
    present = [{"NonKeyAttributes": index.non_key_attributes} for index in table.indexes.values()]
    definitions.check_projected([*present, creation["Projection"]])


def _check_no_other_online(table: Table, name: str) -> None:
    """One index at a time is created or deleted (fact 16.16)."""
    if any(index.status in ("CREATING", "DELETING") and index.name != name for index in table.global_indexes):
        raise errors.several_online_indexes()


def _check_deletion(table: Table, name: str) -> None:
    index = table.indexes.get(name)
    if index is None:
        raise errors.index_not_found(table.name, name)
    if not index.is_global:
        raise errors.not_a_global_index("delete", name)
    _check_no_other_online(table, name)
    if index.backfilling is False:
        raise tables.index_in_allocation(table.name, name)
    if index.status != "ACTIVE" and not index.backfilling:
        raise tables.index_in_use(table.name, name, index.status)


def _check_index_update(table: Table, update: Request, is_provisioned: bool) -> None:
    name, throughput = update["IndexName"], update.get("ProvisionedThroughput")
    index = table.indexes.get(name)
    if index is None:
        raise errors.index_not_found(table.name, name)
    if not index.is_global:
        raise errors.not_a_global_index("update", name)
    if index.backfilling is False:
        raise tables.index_not_backfilling(table.name, name)
    if index.status != "ACTIVE":
        raise tables.index_in_use(table.name, name, index.status)
    has_other = bool(update.get("OnDemandThroughput") or update.get("WarmThroughput"))
    if not is_provisioned and (throughput or not has_other):
        raise errors.index_update_not_allowed(name)
    if not throughput and not has_other:
        raise index_throughput_missing(name)
    if throughput and _is_same(index, throughput):
        raise errors.throughput_unchanged(index.read_units, index.write_units, name)
    definitions.check_on_demand(update, is_provisioned, is_creation=False, index=name)
    definitions.check_warm(update, warm_units(index), name)


def _check_all_indexes_get_throughput(table: Table, updates: list[Request]) -> None:
    given = {update["Update"]["IndexName"] for update in updates if update.get("Update")}
    for index in table.global_indexes:
        if index.name not in given and index.status != "DELETING":
            raise errors.new_index_throughput_missing(index.name)
