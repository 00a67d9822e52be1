"""Single-table models: entities, keys, indexes, unique attributes, sessions; against any server of the
API.
"""

from partita.model.auditing.audit import Audit
from partita.model.auditing.faults import Fault
from partita.model.auditing.repair import Backfilled, Repair
from partita.model.backfilling.checkpoint import CheckpointRefused
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
from partita.model.errors import (
    AlreadyExists,
    Clash,
    ConditionFailed,
    DeclarationError,
    ExpressionError,
    KeyValueError,
    ModelError,
    NotStored,
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
from partita.model.expressions.fields import F
from partita.model.expressions.paths import attribute_path
from partita.model.expressions.raw import Raw
from partita.model.expressions.rendering import render
from partita.model.flows.consumption import Consumed, Request, Sent
from partita.model.flows.retries import Retries
from partita.model.keys.key_conditions import Key, KeyCondition
from partita.model.reading.cursors import CursorRefused
from partita.model.reading.pages import Collection, MoreItems, NotOne, Page
from partita.model.schema import KeyAttribute
from partita.model.sessions.async_session import AsyncSession
from partita.model.sessions.session import Session
from partita.model.values.field_annotations import Attribute, StoreNull, Unique
from partita.model.writing.commit import Committed
from partita.model.writing.frozen import FrozenTransaction

__all__ = [
    "AlreadyExists",
    "AsyncSession",
    "Attribute",
    "Audit",
    "Backfill",
    "Backfilled",
    "Change",
    "CheckpointRefused",
    "Clash",
    "Collection",
    "CollectionLimitWarning",
    "Committed",
    "ConditionFailed",
    "Consumed",
    "CursorRefused",
    "DeclarationError",
    "Entity",
    "ExpressionError",
    "F",
    "Fault",
    "FrozenTransaction",
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
    "OperationReused",
    "OutcomeUnknown",
    "Page",
    "Raw",
    "ReadRefused",
    "Reason",
    "Repair",
    "Request",
    "Retries",
    "Sent",
    "ServiceError",
    "Session",
    "StaleVersion",
    "StoreNull",
    "Table",
    "TableDiffers",
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
    "created",
    "decode_stream_image",
    "decode_stream_record",
    "difference",
    "entity_of",
    "item_of",
    "render",
    "ttl",
    "unique",
    "upcaster",
    "updated",
    "version",
]
