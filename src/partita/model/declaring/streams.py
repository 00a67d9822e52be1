"""Records of DynamoDB Streams as entities: how each item was and is."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args

from partita.model.declaring.entity import Entity
from partita.model.declaring.items import type_of
from partita.model.declaring.table import Table, required_table
from partita.model.errors import UnreadableItem
from partita.model.schema import AttributeValue, Item
from partita.model.values.attribute_values import require_item, shortened

TTL_PRINCIPAL = "dynamodb.amazonaws.com"


Action = Literal["INSERT", "MODIFY", "REMOVE"]


@dataclass(frozen=True, slots=True)
class Change:
    """One record of a stream."""

    action: Action
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
    schema = required_table(table).__schema__
    if image is None:
        return None
    item = item_of_image(image)
    entity = type_of(item, schema)
    return None if entity is None else entity.__schema__.decode(item)


def decode_stream_record(table: type[Table], record: Mapping[str, Any]) -> Change:
    """A record as GetRecords (boto3) or an event of Lambda has it. Raises UnreadableItem."""
    required_table(table)
    _require_record(record)
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


def _require_record(given: object) -> None:
    """Raises UnreadableItem for what is no record of a stream; images are looked at as they are decoded."""
    if isinstance(given, Mapping):
        if "Records" in given:
            raise UnreadableItem("this is a list of records: decode each one of its Records")
        change, identity = given.get("dynamodb"), given.get("userIdentity")
        if (
            given.get("eventName") in get_args(Action)
            and isinstance(change, Mapping)
            and "Keys" in change
            and isinstance(identity, Mapping | None)
        ):
            return
    raise UnreadableItem(
        f"a record of a stream has eventName, and dynamodb with Keys; not {shortened(given)}"
    )


def item_of_image(image: Mapping[str, AttributeValue]) -> Item:
    """The image with all binaries as bytes. Raises UnreadableItem."""
    require_item(image, "an image")
    try:
        return _item_with_bytes(image)
    except ValueError as error:
        raise UnreadableItem(f"an image has a binary that is no base64: {error}") from None


def _item_with_bytes(image: Mapping[str, AttributeValue]) -> Item:
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
            return {"M": _item_with_bytes(content)}
    return value


def _bytes(content: bytes | str) -> bytes:
    return base64.b64decode(content) if isinstance(content, str) else bytes(content)
