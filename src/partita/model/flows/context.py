"""What flows need to know of the session that drives them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from partita.model.declaring.table import Table
from partita.model.flows.retries import Retries
from partita.model.flows.written import Written
from partita.model.schema import TableSchema


def utc_now() -> datetime:
    return datetime.now(UTC)


@dataclass(frozen=True)
class Context:
    """The session's settings; plain values and two sources, of time and of tokens."""

    tables: Mapping[Any, str]
    """Table classes and their names in DynamoDB, where these are not the declared ones."""
    retries: Retries
    now: Callable[[], datetime]
    """The time, with a time zone."""
    token: Callable[[], str]
    """A new random text of 32 hexadecimal digits."""
    written: Written
    """What the session wrote lately."""
    cursor_key: bytes | None = None
    """Signs cursors, where there is one."""

    def __post_init__(self) -> None:
        """Raises TypeError for tables that are none."""
        for table, name in self.tables.items():
            if not (isinstance(table, type) and issubclass(table, Table) and isinstance(name, str)):
                raise TypeError(
                    f"tables= maps tables to their names, as in {{App: 'app-prod'}}; not {table!r}: {name!r}"
                )

    def table_name(self, table: TableSchema) -> str:
        """The table's name in DynamoDB, as this session has it."""
        return self.tables.get(table.cls, table.name)
