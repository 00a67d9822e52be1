"""Single-table models: entities, keys, indexes, unique attributes, sessions; against any server of the
API.
"""

from importlib.util import find_spec

if find_spec("pydantic") is None:
    raise ModuleNotFoundError(
        'partita.model needs pydantic: install it with pip install "partita[model]"', name="pydantic"
    )

from partita.model.auditing.audit import Audit
from partita.model.auditing.faults import Fault
from partita.model.auditing.repair import Backfilled, Repair
from partita.model.backfilling.checkpoint import CheckpointRefused
from partita.model.backfilling.options import BackfillOptions
from partita.model.backfilling.outcome import Backfill, Mended, Unmended
from partita.model.declaring.entity import Entity
from partita.model.declaring.field_specifiers import (
    UniqueTogether,
    Version,
    attribute,
    created,
    ttl,
    unique,
    updated,
    version,
)
from partita.model.declaring.items import entity_of, item_of
from partita.model.declaring.streams import Change, decode_stream_image, decode_stream_record
from partita.model.declaring.table import CollectionLimitWarning, Index, LocalIndex, Table
from partita.model.declaring.upcasting import upcaster
from partita.model.definition.drift import drift
from partita.model.definition.exports import Export, export
from partita.model.definition.table_requests import create_table_request, time_to_live_request
from partita.model.errors import (
    AlreadyExists,
    Clash,
    ConditionFailed,
    DeclarationError,
    ExpressionError,
    ForeignMarker,
    KeyValueError,
    ModelError,
    NotStored,
    OlderForm,
    OperationReused,
    OutcomeUnknown,
    ReadRefused,
    Reason,
    ServiceError,
    StaleVersion,
    TableDiffers,
    TransactionFailed,
    UniqueViolation,
    Unprocessed,
    Unreachable,
    UnreadableItem,
    UnstorableValue,
    WriteRefused,
)
from partita.model.expressions.difference import difference
from partita.model.expressions.fields import F, Fields
from partita.model.expressions.paths import Path, attribute_path
from partita.model.expressions.raw import Raw
from partita.model.expressions.rendering import render
from partita.model.flows.consumption import Consumed, Request, Sent, Total
from partita.model.flows.retries import Retries
from partita.model.keys.key_conditions import Key, KeyCondition
from partita.model.reading.cursors import CursorRefused
from partita.model.reading.options import (
    BatchOptions,
    CollectionOptions,
    PageOptions,
    QueryOptions,
    ScanOptions,
)
from partita.model.reading.pages import Collection, MoreItems, NotOne, Page
from partita.model.recipes.counters import ShardedCounter
from partita.model.recipes.home_region import HomeRegion
from partita.model.recipes.idempotent_creation import Once, create_once
from partita.model.schema import KeyAttribute
from partita.model.sessions.async_session import AsyncSession
from partita.model.sessions.session import Session
from partita.model.sessions.state import SessionOptions
from partita.model.values.field_annotations import Attribute, StoreNull, Unique
from partita.model.writing.commit import Committed
from partita.model.writing.frozen import FrozenTransaction
from partita.model.writing.transaction import Transaction

__all__ = [
    "AlreadyExists",
    "AsyncSession",
    "Attribute",
    "Audit",
    "Backfill",
    "BackfillOptions",
    "Backfilled",
    "BatchOptions",
    "Change",
    "CheckpointRefused",
    "Clash",
    "Collection",
    "CollectionLimitWarning",
    "CollectionOptions",
    "Committed",
    "ConditionFailed",
    "Consumed",
    "CursorRefused",
    "DeclarationError",
    "Entity",
    "Export",
    "ExpressionError",
    "F",
    "Fault",
    "Fields",
    "ForeignMarker",
    "FrozenTransaction",
    "HomeRegion",
    "Index",
    "Key",
    "KeyAttribute",
    "KeyCondition",
    "KeyValueError",
    "LocalIndex",
    "Mended",
    "ModelError",
    "MoreItems",
    "NotOne",
    "NotStored",
    "OlderForm",
    "Once",
    "OperationReused",
    "OutcomeUnknown",
    "Page",
    "PageOptions",
    "Path",
    "QueryOptions",
    "Raw",
    "ReadRefused",
    "Reason",
    "Repair",
    "Request",
    "Retries",
    "ScanOptions",
    "Sent",
    "ServiceError",
    "Session",
    "SessionOptions",
    "ShardedCounter",
    "StaleVersion",
    "StoreNull",
    "Table",
    "TableDiffers",
    "Total",
    "Transaction",
    "TransactionFailed",
    "Unique",
    "UniqueTogether",
    "UniqueViolation",
    "Unmended",
    "Unprocessed",
    "Unreachable",
    "UnreadableItem",
    "UnstorableValue",
    "Version",
    "WriteRefused",
    "attribute",
    "attribute_path",
    "create_once",
    "create_table_request",
    "created",
    "decode_stream_image",
    "decode_stream_record",
    "difference",
    "drift",
    "entity_of",
    "export",
    "item_of",
    "render",
    "time_to_live_request",
    "ttl",
    "unique",
    "upcaster",
    "updated",
    "version",
]
