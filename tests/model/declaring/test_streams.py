"""Stream records as entities, in both forms in which they come."""

from __future__ import annotations

import base64
from typing import Any

import pytest
from tests.model.declaring.orders import App, order

from partita.model import (
    Entity,
    Key,
    Table,
    UnreadableItem,
    decode_stream_image,
    decode_stream_record,
    item_of,
)
from partita.model.schema import Item


class Files(Table):
    pass


class File(Entity, table=Files):
    id: str
    digest: bytes
    parts: set[bytes]
    chunks: list[dict[str, bytes]]
    key = Key("F#{id}", "META")


FILE = File(id="1", digest=b"\0\xff", parts={b"a", b"\xfe"}, chunks=[{"x": b"\xfd"}])


def as_json(value: Any) -> Any:
    """The image as an event of Lambda has it."""
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    if isinstance(value, dict):
        return {name: as_json(one) for name, one in value.items()}
    return [as_json(one) for one in value] if isinstance(value, list) else value


@pytest.mark.parametrize("form", [lambda item: item, as_json], ids=["boto3", "JSON"])
def test_an_image_is_an_entity(form: Any) -> None:
    read = decode_stream_image(Files, form(item_of(FILE)))
    assert read == FILE
    assert read is not None
    assert read._stored == item_of(FILE)


def test_no_image_and_items_that_are_no_entities_are_none() -> None:
    marker: Item = {"PK": {"S": "UNIQ#x"}, "SK": {"S": "LOCK"}}
    assert decode_stream_image(Files, None) is None
    assert decode_stream_image(Files, marker) is None


def test_a_damaged_image_is_refused() -> None:
    with pytest.raises(UnreadableItem):
        decode_stream_image(Files, item_of(FILE) | {"digest": {"N": "1"}})


def test_a_record_says_what_happened() -> None:
    old, new = order(), order(status="SHIPPED")
    record = {
        "eventName": "MODIFY",
        "dynamodb": {
            "Keys": {"PK": {"S": "TENANT#42#ORDER#991"}, "SK": {"S": "META"}},
            "OldImage": item_of(old),
            "NewImage": item_of(new),
            "SequenceNumber": "7",
        },
    }
    change = decode_stream_record(App, record)
    assert (change.action, change.old, change.new, change.expired, change.sequence_number) == (
        "MODIFY",
        old,
        new,
        False,
        "7",
    )
    assert change.key == record["dynamodb"]["Keys"]  # type: ignore[index]


@pytest.mark.parametrize("name", ["PrincipalId", "principalId"])
def test_what_the_ttl_removed_is_marked(name: str) -> None:
    record = {
        "eventName": "REMOVE",
        "userIdentity": {"type": "Service", name: "dynamodb.amazonaws.com"},
        "dynamodb": {"Keys": {}, "OldImage": item_of(order())},
    }
    change = decode_stream_record(App, record)
    assert change.expired
    assert (change.old, change.new) == (order(), None)
