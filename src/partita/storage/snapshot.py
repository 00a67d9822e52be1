"""Whole copies of a database, page by page."""

from __future__ import annotations

import apsw


class Snapshot:
    """A database in memory that nobody changes any more."""

    __slots__ = ("connection",)

    def __init__(self, connection: apsw.Connection) -> None:
        self.connection = connection


def copy_all(source: apsw.Connection, target: apsw.Connection) -> None:
    """Makes `target` hold what `source` holds, in one transaction. Raises apsw.Error."""
    with target.backup("main", source, "main") as copying:
        copying.step(-1)
