"""Records of DynamoDB Streams as entities: how each item was and is."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from partita.model.declaring.entity import Entity
from partita.model.declaring.items import type_of
from partita.model.declaring.table import Table
from partita.model.schema import AttributeValue, Item

TTL_PRINCIPAL = "dynamodb.amazonaws.com"


@dataclass(frozen=True, slots=True)
class Change:
    """One record of a stream."""

    action: Literal["INSERT", "MODIFY", "REMOVE"]
    key: Item
    """The item's primary key."""
    old: Entity | None
    """Before the change; None for an INSERT, for items that are no entities, and if the stream has no old
    images.
    """
    new: Entity | None
    """After the change; None likewise."""
    expired: bool
    """The item was removed by DynamoDB's TTL."""
    sequence_number: str | None


def decode_stream_image(table: type[Table], image: Mapping[str, AttributeValue] | None) -> Entity | None:
    """The entity of a NewImage or OldImage, its binaries as bytes (boto3) or as base64 (as Lambda has it).

    None for no image, and for items that are no entity of the table, such as the markers of unique
    attributes. Raises UnreadableItem.
    """
    if image is None:
        return None
    item = item_of_image(image)
    entity = type_of(item, table.__schema__)
    return None if entity is None else entity.__schema__.decode(item)


def decode_stream_record(table: type[Table], record: Mapping[str, Any]) -> Change:
    """A record as GetRecords (boto3) or an event of Lambda has it. Raises UnreadableItem."""
    change = record["dynamodb"]
    identity = record.get("userIdentity") or {}
    principal = identity.get("PrincipalId", identity.get("principalId"))
    return Change(
        action=record["eventName"],
        key=item_of_image(change["Keys"]),
        old=decode_stream_image(table, change.get("OldImage")),
        new=decode_stream_image(table, change.get("NewImage")),
        expired=principal == TTL_PRINCIPAL,
        sequence_number=change.get("SequenceNumber"),
    )


def item_of_image(image: Mapping[str, AttributeValue]) -> Item:
    """The image with all binaries as bytes."""
    return {name: _with_bytes(value) for name, value in image.items()}


def _with_bytes(value: AttributeValue) -> AttributeValue:
    ((kind, content),) = value.items()
    match kind:
        case "B":
            return {"B": _bytes(content)}
        case "BS":
            return {"BS": [_bytes(one) for one in content]}
        case "L":
            return {"L": [_with_bytes(one) for one in content]}
        case "M":
            return {"M": item_of_image(content)}
    return value


def _bytes(content: bytes | str) -> bytes:
    return base64.b64decode(content) if isinstance(content, str) else bytes(content)
