"""What an audit notes while it reads a table, in a temporary file that ends with it."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from typing import NamedTuple

from partita.model.auditing.faults import FaultKind
from partita.model.schema import Item
from partita.model.values.attribute_values import from_plain, plain_item


class Suspect(NamedTuple):
    """A fault that a pass over the table suggests; changes during the pass can suggest one that is none."""

    kind: FaultKind
    entity: str
    rule: str
    marker: Item
    owners: tuple[Item, ...]


class Spill:
    """Notes of one pass: entities that exist, markers that they need, markers that there are.

    SQLite keeps it in a file of its own once it outgrows a small cache, and removes that at the end.
    """

    def __init__(self) -> None:
        # An empty name is a private temporary database on disk: https://www.sqlite.org/inmemorydb.html
        self._notes = sqlite3.connect("", isolation_level=None, check_same_thread=False)
        self._notes.executescript(
            """
            PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;
            CREATE TABLE present (owner TEXT PRIMARY KEY) WITHOUT ROWID;
            CREATE TABLE needed (
              marker TEXT, owner TEXT, entity TEXT, rule TEXT, PRIMARY KEY (marker, owner)
            ) WITHOUT ROWID;
            CREATE TABLE held (marker TEXT PRIMARY KEY, owner TEXT, entity TEXT, rule TEXT) WITHOUT ROWID;
            """
        )

    def present(self, owner: Item) -> None:
        self._notes.execute("INSERT OR IGNORE INTO present VALUES (?)", (_text(owner),))

    def needed(self, marker: Item, owner: Item, entity: str, rule: str) -> None:
        self._notes.execute(
            "INSERT OR IGNORE INTO needed VALUES (?, ?, ?, ?)", (_text(marker), _text(owner), entity, rule)
        )

    def held(self, marker: Item, owner: Item, entity: str, rule: str) -> None:
        self._notes.execute(
            "INSERT OR REPLACE INTO held VALUES (?, ?, ?, ?)", (_text(marker), _text(owner), entity, rule)
        )

    def suspects(self) -> Iterator[Suspect]:
        """Markers first, so that a value is free before the marker that is missing for it is put."""
        yield from self.of_one_owner()
        yield from self.shared()

    def of_one_owner(self) -> Iterator[Suspect]:
        """Markers that reserve nothing, then markers that are missing."""
        for kind, query in _SUSPECTS:
            for entity, rule, marker, owner in self._notes.execute(query):
                yield Suspect(kind, entity, rule, _item(marker), (_item(owner),))

    def shared(self) -> Iterator[Suspect]:
        """Values that several entities hold."""
        for marker, entity, rule in self._notes.execute(_SHARED):
            owners = self._notes.execute(
                "SELECT owner FROM needed WHERE marker = ? ORDER BY owner", (marker,)
            )
            # As many as one transaction can read at 400 KB each, with the marker: 4 MB is its limit.
            found = tuple(_item(owner) for (owner,) in owners.fetchmany(9))
            yield Suspect("shared value", entity, rule, _item(marker), found)

    def close(self) -> None:
        self._notes.close()


_SUSPECTS: tuple[tuple[FaultKind, str], ...] = (
    (
        "orphaned marker",
        "SELECT entity, rule, marker, owner FROM held WHERE owner NOT IN (SELECT owner FROM present)",
    ),
    (
        "marker of another value",
        "SELECT entity, rule, marker, owner FROM held WHERE owner IN (SELECT owner FROM present) "
        "AND NOT EXISTS "
        "(SELECT 1 FROM needed WHERE needed.marker = held.marker AND needed.owner = held.owner)",
    ),
    (
        "missing marker",
        "SELECT entity, rule, marker, owner FROM needed WHERE NOT EXISTS "
        "(SELECT 1 FROM held WHERE held.marker = needed.marker AND held.owner = needed.owner) "
        "AND (SELECT count(*) FROM needed AS other WHERE other.marker = needed.marker) = 1",
    ),
)
_SHARED = "SELECT marker, min(entity), min(rule) FROM needed GROUP BY marker HAVING count(*) > 1"


def _text(key: Item) -> str:
    return json.dumps(plain_item(key), sort_keys=True)


def _item(text: str) -> Item:
    return {name: from_plain(value) for name, value in json.loads(text).items()}
