"""UpdateTable."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from partita.engine import backfill, lifecycle, table_settings
from partita.engine.definitions import asks_for_encryption, attribute_types, new_index
from partita.engine.description import DAY_US, decreases_today, describe, updated, warm_units
from partita.engine.table import Index, KeyAttribute, Scope, Table
from partita.engine.table_updates import check_against, check_request, is_decrease

if TYPE_CHECKING:
    from partita.engine.engine import Engine

Request = dict[str, Any]


async def update_table(engine: Engine, request: Request, scope: Scope) -> dict[str, Any]:
    """Changes a table's throughput, indexes or settings (section 16).

    A change of billing, throughput, stream, class, or of which indexes there are, makes the table UPDATING
    until the transition is over; all others are done at once. An index that is made or deleted goes on
    after it.
    """
    check_request(request)
    table = engine.catalogue.describe(scope, request["TableName"])
    now_us = engine.clock.now_us()
    check_against(table, request, now_us)
    before = describe(table, now_us)
    if _changes_nothing(table, request):
        return {"TableDescription": {**before, "TableStatus": "UPDATING"}}
    is_new_mode = request.get("BillingMode") not in (None, table.billing_mode)
    if _is_updating(request):
        table.status = "UPDATING"
        table.due_us = now_us + engine.settings.table_transition_ms * 1000
    _set_billing(table, request, is_new_mode, now_us)
    _set_settings(table, request, now_us)
    for update in request.get("GlobalSecondaryIndexUpdates") or ():
        await _change_index(engine, table, update, request, is_new_mode)
    await engine.catalogue.save(table)
    lifecycle.schedule(engine, table)
    return {"TableDescription": updated(request, before, describe(table, now_us), now_us)}


def _changes_nothing(table: Table, request: Request) -> bool:
    """Facts 16.3 and 16.32: what the table is already is sent again; only the answer says UPDATING."""
    changes = {name for name, value in request.items() if value not in (None, [], {})}
    changes -= {"TableName", "AttributeDefinitions"}
    return (changes == {"BillingMode"} and request["BillingMode"] == table.billing_mode) or (
        changes == {"TableClass"} and request["TableClass"] == table_settings.class_of(table)
    )


def _is_updating(request: Request) -> bool:
    """Whether the table itself is UPDATING for a while (fact 16.32)."""
    if any(not update.get("Update") for update in request.get("GlobalSecondaryIndexUpdates") or ()):
        return True
    return any(
        request.get(parameter)
        for parameter in ("BillingMode", "ProvisionedThroughput", "StreamSpecification", "TableClass")
    )


# -- throughput and billing
def _set_billing(table: Table, request: Request, is_new_mode: bool, now_us: int) -> None:
    throughput = request.get("ProvisionedThroughput")
    if is_new_mode:
        table.billing_mode = request["BillingMode"]
        table.billing_shown = True
        holders: list[Table | Index] = [table, *table.global_indexes]
        for holder in holders:
            table_settings.stay_warm(holder, warm_units(holder))
            holder.read_units = holder.write_units = 0
            holder.settings.pop("OnDemandThroughput", None)
        table.pending = {"billing_mode": table.billing_mode}
        if not throughput:
            # The time at which the mode changes is that at which the change is over.
            table.pending["on_demand_since_us"] = table.due_us
    if throughput:
        _set_throughput(table, throughput, is_new_mode, now_us)


def _set_throughput(
    holder: Table | Index, throughput: dict[str, int], is_new_mode: bool, now_us: int
) -> None:
    """A changed throughput is described only when the update is over; that of a new billing mode at once."""
    units = {"read_units": throughput["ReadCapacityUnits"], "write_units": throughput["WriteCapacityUnits"]}
    if is_new_mode:
        holder.read_units, holder.write_units = units["read_units"], units["write_units"]
        return
    table_settings.stay_warm(holder, warm_units(holder))
    changes = dict(holder.throughput_changes)
    if units["read_units"] > holder.read_units or units["write_units"] > holder.write_units:
        changes["increased_us"] = now_us
    holder.pending = dict(units)
    if is_decrease(holder, throughput):
        changes["decreased_us"] = now_us
        counted = {"decreases": decreases_today(holder, now_us) + 1, "decreases_day": now_us // DAY_US}
        holder.pending["throughput_changes"] = changes | counted
    holder.throughput_changes = changes


# -- other settings
def _set_settings(table: Table, request: Request, now_us: int) -> None:
    stream = request.get("StreamSpecification")
    if stream and stream["StreamEnabled"]:
        table_settings.enable_stream(table, stream["StreamViewType"], now_us)
    elif stream:
        table_settings.disable_stream(table)
    encryption = request.get("SSESpecification")
    if encryption is not None and asks_for_encryption(encryption):
        table_settings.set_encryption(table, encryption)
    elif encryption is not None:
        table_settings.unset_encryption(table)
    if request.get("DeletionProtectionEnabled") not in (None, table.deletion_protection):
        table.deletion_protection = request["DeletionProtectionEnabled"]
        table.protection_changed_us = now_us
    if request.get("TableClass"):
        table_settings.set_class(table, request["TableClass"], table.due_us)
    table_settings.set_on_demand(table, request.get("OnDemandThroughput"))
    table_settings.set_warm(table, request.get("WarmThroughput"))


# -- indexes
async def _change_index(
    engine: Engine, table: Table, update: Request, request: Request, is_new_mode: bool
) -> None:
    if update.get("Create"):
        await _create_index(engine, table, update["Create"], request["AttributeDefinitions"])
    elif update.get("Delete"):
        await _delete_index(engine, table.indexes[update["Delete"]["IndexName"]])
    else:
        _update_index(engine, table.indexes[update["Update"]["IndexName"]], update["Update"], is_new_mode)


async def _create_index(
    engine: Engine, table: Table, creation: Request, request_definitions: list[Request]
) -> None:
    """Merges the request's definitions into the table's, whose types stay (fact 16.19)."""
    types = attribute_types(request_definitions) | dict(table.attribute_definitions)
    index = new_index(creation, types, await engine.catalogue.new_space(), is_global=True)
    backfill.begin(index)
    index.due_us = engine.clock.now_us() + 1000 * _index_transition_ms(engine)
    table.indexes[index.name] = index
    known = dict(table.attribute_definitions)
    table.attribute_definitions += tuple(
        KeyAttribute(key.name, key.type) for key in index.hash + index.range if key.name not in known
    )


async def _delete_index(engine: Engine, index: Index) -> None:
    """A backfill that is under way is given up (fact 16.22)."""
    if index.backfilling:
        await backfill.forget(engine, index)
    index.status = "DELETING"
    index.backfilling = index.filled_below = None
    index.due_us = engine.clock.now_us() + 1000 * _index_transition_ms(engine)


def _index_transition_ms(engine: Engine) -> int:
    """The table is ACTIVE again before its index goes on (fact 16.22)."""
    return max(engine.settings.index_transition_ms, engine.settings.table_transition_ms)


def _update_index(engine: Engine, index: Index, update: Request, is_new_mode: bool) -> None:
    now_us = engine.clock.now_us()
    if update.get("ProvisionedThroughput"):
        _set_throughput(index, update["ProvisionedThroughput"], is_new_mode, now_us)
    table_settings.set_on_demand(index, update.get("OnDemandThroughput"))
    table_settings.set_warm(index, update.get("WarmThroughput"))
    if is_new_mode or update.get("ProvisionedThroughput") or update.get("OnDemandThroughput"):
        index.status = "UPDATING"
        index.due_us = now_us + 1000 * engine.settings.table_transition_ms
