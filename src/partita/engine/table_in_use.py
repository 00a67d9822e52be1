"""What may be changed of a table, and what not, while something else of it is changing already."""

from __future__ import annotations

from typing import Any, Final

from partita.engine.table import Index, Table
from partita.errors import tables as errors

Request = dict[str, Any]

_THROUGHPUT: Final = frozenset({"BillingMode", "ProvisionedThroughput"})
_THROUGHPUT_PENDING: Final = frozenset({"billing_mode", "read_units"})
"""Of these a change of throughput or billing mode sets one when it is over."""


def check_not_in_use(table: Table, request: Request) -> None:
    """Raises ResourceInUseException if UpdateTable may not change this yet (facts 15.4, 15.47)."""
    if table.status == "ACTIVE":
        return
    if table.status != "UPDATING":
        raise errors.table_in_use(table.name, table.status)
    given = {name for name, value in request.items() if value not in (None, [])}
    given -= {"TableName", "AttributeDefinitions"}
    if given <= {"DeletionProtectionEnabled", "SSESpecification"}:
        return
    if request.get("BillingMode") in (None, table.billing_mode):
        given.discard("BillingMode")
    # Both change only after one request with BillingMode PAY_PER_REQUEST and an index. Which of them the
    # service names then is not recorded anywhere: the index, which takes longer.
    changing = [i for i in table.global_indexes if i.status == "DELETING" or i.backfilling is False]
    if changing:
        _check_beside_index(table, changing[0], given)
    elif not _THROUGHPUT_PENDING.isdisjoint(table.pending):
        _check_beside_throughput(table, request, given)
    else:
        if "settings" in table.pending:
            _check_beside_class(table, request, given)
        raise errors.table_in_use(table.name, table.status)


def _check_beside_index(table: Table, index: Index, given: set[str]) -> None:
    """`index` is being made or deleted."""
    for names, change in (
        (_THROUGHPUT, "change table IOPS"),
        ({"StreamSpecification"}, "change stream status"),
    ):
        if not given.isdisjoint(names):
            raise errors.blocked_by_index(table.name, index.name, index.status, change)
    if "OnDemandThroughput" in given:
        raise errors.limits_blocked_by_index(index.name, index.status)
    if "TableClass" in given:
        raise errors.table_in_use(table.name, table.status)


def _check_beside_class(table: Table, request: Request, given: set[str]) -> None:
    """The table's class is changing."""
    table_class = table.pending["settings"]["TableClassSummary"]["TableClass"]
    if "OnDemandThroughput" in given:
        raise errors.limits_blocked_by_class(table_class)
    is_online = any(not u.get("Update") for u in request.get("GlobalSecondaryIndexUpdates") or ())
    for is_changed, change in (
        ("TableClass" in given, "update table class"),
        ("StreamSpecification" in given, "change stream status"),
        (is_online, "create or delete an index"),
    ):
        if is_changed:
            raise errors.blocked_by_class(table.name, table_class, change)


def _check_beside_throughput(table: Table, request: Request, given: set[str]) -> None:
    """The table's throughput or billing mode is changing."""
    if not given.isdisjoint(_THROUGHPUT):
        raise errors.throughput_in_use(table.name)
    if "StreamSpecification" in given:
        raise errors.blocked_by_throughput(table.name, "enable or disable stream")
    if any(not update.get("Update") for update in request.get("GlobalSecondaryIndexUpdates") or ()):
        raise errors.blocked_by_throughput(table.name, "create or delete indexes")
    if "OnDemandThroughput" in given and "billing_mode" in table.pending:
        raise errors.limits_blocked_by_billing()
    if "TableClass" in given:
        raise errors.table_in_use(table.name, table.status)
