"""A database and a table for the tests of this room."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.local.tables import ORDERS

from partita import Database


@pytest.fixture
def db() -> Iterator[Database]:
    with Database() as database:
        yield database


@pytest.fixture
def orders(db: Database) -> Database:
    """A database with the table `orders`."""
    db.create_table(**ORDERS)
    return db
