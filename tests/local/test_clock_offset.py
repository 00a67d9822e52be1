"""An advanced clock stays advanced when the file is opened again; lone surrogates are the caller's error."""

from __future__ import annotations

from pathlib import Path

import pytest

import partita
from partita.errors import SerializationException

TABLE = {
    "TableName": "orders",
    "BillingMode": "PAY_PER_REQUEST",
    "KeySchema": [{"AttributeName": "PK", "KeyType": "HASH"}],
    "AttributeDefinitions": [{"AttributeName": "PK", "AttributeType": "S"}],
}


def test_a_file_does_not_go_back_in_time(tmp_path: Path) -> None:
    with partita.Database(tmp_path / "a.db") as database:
        database.clock.advance(86_400)
        database.call("CreateTable", TABLE)
    with partita.Database(tmp_path / "a.db") as database:
        assert database.clock.offset_us == 86_400_000_000


@pytest.mark.parametrize("name", ["a\ud800", "\udfff"])
def test_lone_surrogates(name: str) -> None:
    with partita.Database() as database:
        database.call("CreateTable", TABLE)
        put = {"TableName": "orders", "Item": {"PK": {"S": "x"}, "m": {"M": {name: {"S": "y"}}}}}
        with pytest.raises(SerializationException):
            database.call("PutItem", put)
        ttl = {"Enabled": True, "AttributeName": name}
        with pytest.raises(SerializationException):
            database.call("UpdateTimeToLive", {"TableName": "orders", "TimeToLiveSpecification": ttl})
        assert database.call("Scan", {"TableName": "orders"})["Count"] == 0
