"""Sessions on each server, with the table of these tests."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from tests.model.conftest import Server
from tests.model.writing.by_hand import Clock
from tests.model.writing.shop import App

from partita.model.declaring.entity import Entity
from partita.model.keys.key_conditions import KeyCondition
from partita.model.sessions.session import Session


class Shop:
    """A client, a session on it, and a way to see what is stored."""

    def __init__(self, client: Any, **options: Any) -> None:
        self.client = client
        self.clock = Clock()
        self.session = self.another(**options)

    def another(self, client: Any = None, **options: Any) -> Session:
        """Another session on the same tables."""
        options = {"now": self.clock, "sleep": lambda seconds: None, "chance": Random(1), **options}
        return Session(client or self.client, **options)

    def stored(self, ref: KeyCondition[Any]) -> Any:
        """The item of a key, None if there is none."""
        return self.client.get_item(TableName="app", Key=ref.item_key(), ConsistentRead=True).get("Item")

    def read(self, ref: KeyCondition[Any]) -> Any:
        """The entity of a key as somebody else would read it, None if there is none."""
        item = self.stored(ref)
        entity: type[Entity] = ref.entity
        return None if item is None else entity.__schema__.decode(item)


@pytest.fixture
def shop(server: Server) -> Iterator[Shop]:
    made = Shop(server.client())
    made.session.create_table(App)
    yield made
    made.session.close()
