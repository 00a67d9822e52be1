"""The SQL of the file format: one constant text per space and purpose, so that each is prepared once.

A space `n` is a table `rows_n`. Its `value` column holds the bytes themselves, or, where they would not fit a
cell, the integer id of the row of `large_n` that does: one 300 KB item kept inline would make every search
that passes its cell as slow as reading it. `large_n` exists from the space's first large value on.
"""

from __future__ import annotations

from typing import Final

APPLICATION_ID: Final = 0x50727461
"""Names the file as ours (file(1) and SQLite show it); the letters `Prta`."""

FORMAT: Final = 1
"""The `user_version` of files that this program writes; it refuses newer ones."""

PAGE_BYTES: Final = 8192
"""Measured: items of 500 bytes cost the same at 4 KB and a tenth more to write at 16 KB; those of 1 to 2 KB,
which only fit a cell from 8 KB on, cost two thirds to write and half to query."""

CELL_OVERHEAD_BYTES: Final = 32
"""More than the record header, the size and the stamp can take of a cell."""

INLINE_BYTES: Final = ((PAGE_BYTES - 12) * 64 // 255 - 23) - CELL_OVERHEAD_BYTES
"""The most bytes of partition, sort and value together that SQLite keeps in one cell of an index page."""

CREATE_FIXED: Final = """
CREATE TABLE log (
    sequence INTEGER PRIMARY KEY, stamp INTEGER NOT NULL, space INTEGER NOT NULL,
    partition BLOB NOT NULL, sort BLOB NOT NULL, old BLOB, new BLOB,
    old_size INTEGER NOT NULL, new_size INTEGER NOT NULL, origin INTEGER NOT NULL
);
CREATE TABLE meta (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
INSERT INTO meta VALUES ('log_trimmed', 0), ('openings', 0), ('failed_commits', 0);
"""

COUNT_OPENING: Final = "UPDATE meta SET value = value + 1 WHERE name = 'openings'"
COUNT_FAILED_COMMIT: Final = "UPDATE meta SET value = value + 1 WHERE name = 'failed_commits'"

TABLE_NAMES: Final = "SELECT name FROM sqlite_schema WHERE type = 'table'"

ENTRY: Final = "partition, sort, value, size"


class SpaceStatements:
    """The statements of one space. Immutable: a space that gets its large table gets new ones."""

    __slots__ = (
        "create",
        "create_large",
        "delete",
        "delete_large",
        "delete_through",
        "drop",
        "drop_large",
        "forget_large",
        "gather",
        "gather_open",
        "gather_reverse",
        "gather_reverse_open",
        "get",
        "get_large",
        "has_large",
        "put",
        "put_large",
        "range",
        "range_open",
        "range_reverse",
        "range_reverse_open",
        "space",
        "walk_after",
        "walk_after_open",
        "walk_from",
        "walk_from_open",
        "weights",
    )

    def __init__(self, space: int, has_large: bool) -> None:
        rows, large = f"rows_{space}", f"large_{space}"
        at = "partition = ? AND sort = ?"
        part = f"SELECT sort, value, size FROM {rows} WHERE partition = ? AND sort >= ?"
        some = f"FROM {rows} WHERE partition = ?1 AND sort >= ?2"
        after = f"SELECT {ENTRY} FROM {rows} WHERE (partition, sort) > (?, ?)"
        from_ = f"SELECT {ENTRY} FROM {rows} WHERE partition >= ?"
        up, down, order = (
            "ORDER BY sort LIMIT ?",
            "ORDER BY sort DESC LIMIT ?",
            "ORDER BY partition, sort LIMIT ?",
        )
        self.space = space
        self.has_large = has_large
        self.create = (
            f"CREATE TABLE {rows} (partition BLOB, sort BLOB, size INTEGER NOT NULL, stamp INTEGER NOT NULL,"
            " value NOT NULL, PRIMARY KEY (partition, sort)) WITHOUT ROWID"
        )
        self.create_large = f"CREATE TABLE {large} (id INTEGER PRIMARY KEY, value BLOB NOT NULL)"
        self.drop = f"DROP TABLE {rows}"
        self.drop_large = f"DROP TABLE {large}"
        self.get = f"SELECT value, size, stamp FROM {rows} WHERE {at}"
        # An update in place of a row that is there costs a fifth less than REPLACE, which deletes it first.
        self.put = (
            f"INSERT INTO {rows} ({ENTRY}, stamp) VALUES (?, ?, ?, ?, ?)"
            " ON CONFLICT DO UPDATE SET value = ?3, size = ?4, stamp = ?5"
        )
        self.delete = f"DELETE FROM {rows} WHERE {at}"
        self.get_large = f"SELECT value FROM {large} WHERE id = ?"
        self.put_large = f"INSERT INTO {large} (value) VALUES (?)"
        self.delete_large = f"DELETE FROM {large} WHERE id = ?"
        self.forget_large = (
            f"DELETE FROM {large} WHERE id ="
            f" (SELECT value FROM {rows} WHERE {at} AND typeof(value) = 'integer')"
        )
        self.range = f"{part} AND sort < ? {up}"
        self.range_open = f"{part} {up}"
        self.range_reverse = f"{part} AND sort < ? {down}"
        self.range_reverse_open = f"{part} {down}"
        self.gather = _gathered(f"{some} AND sort < ?4 ORDER BY sort")
        self.gather_open = _gathered(f"{some} ORDER BY sort")
        self.gather_reverse = _gathered(f"{some} AND sort < ?4 ORDER BY sort DESC")
        self.gather_reverse_open = _gathered(f"{some} ORDER BY sort DESC")
        self.walk_after = f"{after} AND partition < ? {order}"
        self.walk_after_open = f"{after} {order}"
        self.walk_from = f"{from_} AND partition < ? {order}"
        self.walk_from_open = f"{from_} {order}"
        self.weights = (
            f"SELECT r.partition, r.sort, l.id, ifnull(length(l.value), 0) FROM {rows} r"
            f" LEFT JOIN {large} l ON typeof(r.value) = 'integer' AND l.id = r.value"
            " ORDER BY r.partition, r.sort LIMIT ?"
            if has_large
            else f"SELECT partition, sort, NULL, 0 FROM {rows} ORDER BY partition, sort LIMIT ?"
        )
        self.delete_through = f"DELETE FROM {rows} WHERE (partition, sort) <= (?, ?)"


def _gathered(rows: str) -> str:
    """One row of the first ?3 of `rows`: how many, the sum of their sizes, the last sort, their values.

    The last sort is looked up only if there may be more rows; its maximum would cost more than the sum. A
    subquery with a LIMIT hands its rows on in its own order.
    """
    return (
        "SELECT count(*), ifnull(sum(size), 0),"
        f" CASE count(*) WHEN ?3 THEN (SELECT sort {rows} LIMIT 1 OFFSET ?3 - 1) END,"
        " CAST(ifnull(group_concat(value), '') AS BLOB)"
        f" FROM (SELECT value, size {rows} LIMIT ?3)"
    )
