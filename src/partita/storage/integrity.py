"""Whether a file is sound: SQLite's own check, and what the store promises beyond it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import apsw

from partita.storage.statements import TABLE_NAMES


def problems(execute: Callable[..., Any]) -> list[str]:
    """What is wrong, a line each; empty if nothing is."""
    found: list[str] = []
    try:
        found.extend(text for (text,) in execute("PRAGMA integrity_check").fetchall() if text != "ok")
        found.extend(_space_problems(execute))
        found.extend(_log_problems(execute))
    except apsw.Error as error:
        found.append(f"the file cannot be read to its end: {error}")
    return found


def _space_problems(execute: Callable[..., Any]) -> Iterator[str]:
    names = {name for (name,) in execute(TABLE_NAMES).fetchall()}
    for name in sorted(names):
        kind, _, number = name.partition("_")
        if kind == "large" and f"rows_{number}" not in names:
            yield f"space {number} has large values and no rows"
        if kind == "rows":
            yield from _row_problems(execute, number, f"large_{number}" in names)


def _row_problems(execute: Callable[..., Any], number: str, has_large: bool) -> Iterator[str]:
    rows, large = f"rows_{number}", f"large_{number}"
    odd = execute(
        f"SELECT count(*) FROM {rows} WHERE typeof(partition) || typeof(sort) != 'blobblob'"
        " OR typeof(size) || typeof(stamp) != 'integerinteger' OR typeof(value) NOT IN ('blob', 'integer')"
    ).get
    if odd:
        yield f"space {number}: {odd} rows have columns of a wrong type"
    references = f"SELECT value FROM {rows} WHERE typeof(value) = 'integer'"
    if not has_large:
        lost = execute(f"SELECT count(*) FROM ({references})").get
        if lost:
            yield f"space {number}: {lost} rows refer to large values that are missing"
        return
    lost = execute(f"SELECT count(*) FROM ({references} EXCEPT SELECT id FROM {large})").get
    if lost:
        yield f"space {number}: {lost} rows refer to large values that are missing"
    orphans = execute(f"SELECT count(*) FROM (SELECT id FROM {large} EXCEPT {references})").get
    if orphans:
        yield f"space {number}: {orphans} large values belong to no row"
    shared = execute(f"SELECT count(*) FROM ({references} GROUP BY value HAVING count(*) > 1)").get
    if shared:
        yield f"space {number}: {shared} large values belong to several rows"


def _log_problems(execute: Callable[..., Any]) -> Iterator[str]:
    trimmed = execute("SELECT value FROM meta WHERE name = 'log_trimmed'").get
    count, oldest, newest = execute("SELECT count(*), min(sequence), max(sequence) FROM log").get
    if count and oldest != trimmed + 1:
        yield f"the change log begins at {oldest}, and was trimmed up to {trimmed}"
    if count and newest - oldest + 1 != count:
        yield f"the change log has {count} changes between {oldest} and {newest}"
    back = execute(
        "SELECT count(*) FROM (SELECT stamp, lag(stamp) OVER (ORDER BY sequence) AS earlier FROM log)"
        " WHERE stamp < earlier"
    ).get
    if back:
        yield f"the change log goes back in time {back} times"
