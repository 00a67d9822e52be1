"""The operations of the API, a module each: `OPERATIONS` maps a name to what carries it out."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any

from partita.engine.clock import Sleep
from partita.engine.operations.batch_get_item import batch_get_item
from partita.engine.operations.batch_write_item import batch_write_item
from partita.engine.operations.create_table import create_table
from partita.engine.operations.delete_item import delete_item
from partita.engine.operations.delete_table import delete_table
from partita.engine.operations.describe_continuous_backups import describe_continuous_backups
from partita.engine.operations.describe_endpoints import describe_endpoints
from partita.engine.operations.describe_limits import describe_limits
from partita.engine.operations.describe_table import describe_table
from partita.engine.operations.describe_time_to_live import describe_time_to_live
from partita.engine.operations.get_item import get_item
from partita.engine.operations.list_tables import list_tables
from partita.engine.operations.list_tags_of_resource import list_tags_of_resource
from partita.engine.operations.put_item import put_item
from partita.engine.operations.query import query
from partita.engine.operations.scan import scan
from partita.engine.operations.tag_resource import tag_resource
from partita.engine.operations.transact_get_items import transact_get_items
from partita.engine.operations.transact_write_items import transact_write_items
from partita.engine.operations.untag_resource import untag_resource
from partita.engine.operations.update_item import update_item
from partita.engine.operations.update_table import update_table
from partita.engine.operations.update_time_to_live import update_time_to_live
from partita.engine.table import Scope

if TYPE_CHECKING:
    from partita.engine.engine import Engine

Operation = Callable[["Engine", dict[str, Any], Scope], Coroutine[Sleep, None, dict[str, Any]]]

OPERATIONS: dict[str, Operation] = {
    "BatchGetItem": batch_get_item,
    "BatchWriteItem": batch_write_item,
    "CreateTable": create_table,
    "DeleteItem": delete_item,
    "DeleteTable": delete_table,
    "DescribeContinuousBackups": describe_continuous_backups,
    "DescribeEndpoints": describe_endpoints,
    "DescribeLimits": describe_limits,
    "DescribeTable": describe_table,
    "DescribeTimeToLive": describe_time_to_live,
    "GetItem": get_item,
    "ListTables": list_tables,
    "ListTagsOfResource": list_tags_of_resource,
    "PutItem": put_item,
    "Query": query,
    "Scan": scan,
    "TagResource": tag_resource,
    "TransactGetItems": transact_get_items,
    "TransactWriteItems": transact_write_items,
    "UntagResource": untag_resource,
    "UpdateItem": update_item,
    "UpdateTable": update_table,
    "UpdateTimeToLive": update_time_to_live,
}
