"""Inspection of a database file that no process has open, on a copy of it."""

from __future__ import annotations

import shutil
import time
from pathlib import Path
from typing import Final

from partita.cli.verification import Verification
from partita.engine import table_row, tokens
from partita.engine.agenda import drive
from partita.engine.catalogue import BOOKS
from partita.engine.clock import ManualClock
from partita.engine.engine import Engine
from partita.engine.settings import Settings
from partita.storage import Store
from partita.storage.sqlite import SqliteStore

FOLLOWING: Final = "changes that the indexes do not show yet"
CLEARING: Final = "spaces that are being cleared"
BACKFILLING: Final = "a backfill in the middle"
UNDER_WAY: Final = frozenset(
    {FOLLOWING, CLEARING, BACKFILLING}
    | {f"{what} {status}" for what in ("a table", "an index") for status in ("CREATING", "DELETING")}
)
"""What a killed process may leave unfinished."""

_LASTING_BOOKS: Final = frozenset({b"table", b"next space", b"number", b"count", b"follower", b"requests"})
_DAY_S: Final = 86_400
_SLICES_AT_MOST: Final = 20_000


def copied(path: Path, name: str) -> Path:
    """A copy of the file with its write-ahead log, as the system has them."""
    copy = path.with_name(name)
    for suffix in ("", "-wal"):
        if (source := path.with_name(path.name + suffix)).exists():
            shutil.copyfile(source, copy.with_name(copy.name + suffix))
        else:
            copy.with_name(copy.name + suffix).unlink(missing_ok=True)
    return copy


def problems_of_file(path: Path) -> list[str]:
    """What `partita check` says: pages, items, indexes, counters."""
    return list(Verification(str(copied(path, "checked.db"))).problems())


def problems_of_pages(path: Path) -> tuple[list[str], set[str]]:
    """The first part of it, which costs little (pages, large values, the log); and what was under way."""
    store = SqliteStore(copied(path, "checked.db"), time.time_ns, "relaxed")
    try:
        return store.check(), _under_way(store)
    finally:
        store.close()


def _under_way(store: SqliteStore) -> set[str]:
    found = {FOLLOWING} if store.log_read(0, 1) else set()
    for partition, _, value, *_ in drive(store.walk(BOOKS, None, b"", None, limit=10_000)):
        if partition == b"clearing":
            found.add(CLEARING)
        elif partition == b"walked" and value:
            found.add(BACKFILLING)
        elif partition == b"table":
            table = table_row.decode(value)
            found.add(f"a table {table.status}")
            found.update(f"an index {index.status}" for index in table.global_indexes)
    return found & UNDER_WAY


def problems_once_settled(path: Path) -> list[str]:
    """What is left a day later that nobody needs, all background work done."""
    clock = ManualClock(time.time() + _DAY_S)
    store = SqliteStore(copied(path, "settled.db"), clock.now_us, "relaxed")
    try:
        engine = Engine(store, settings=Settings.of("aws"), clock=clock)
        return problems_of_settled(engine, clock)
    finally:
        store.close()


def problems_of_settled(engine: Engine, clock: ManualClock) -> list[str]:
    """The same of an engine, whose clock this moves on as far as there is work."""
    store = engine.store
    for _ in range(_SLICES_AT_MOST):
        due_us = engine.run_due()
        engine.flush()
        if due_us is None:
            break
        clock.advance(max(0, due_us - clock.now_us()) / 1_000_000)
    else:
        return ["background work has no end"]
    problems: list[str] = []
    needed = {BOOKS, tokens.SPACE}
    counted: set[bytes] = set()
    for table in engine.catalogue.all_tables():
        if table.status != "ACTIVE" or any(index.status != "ACTIVE" for index in table.global_indexes):
            problems.append(
                f"table {table.name} stays {table.status}, or one of its indexes changes for ever"
            )
        needed.update(table.spaces)
        counted.update(space.to_bytes(8, "big") for space in table.spaces if space != table.collections_space)
    if surplus := {space for space in range(_spaces_below(store)) if store.has_space(space)} - needed:
        problems.append(f"spaces of nothing: {sorted(surplus)}")
    if drive(store.walk(tokens.SPACE, None, b"", None, limit=1)):
        problems.append("tokens are remembered for ever")
    if store.log_read(0, 1):
        problems.append("the change log is not trimmed")
    for partition, sort, *_ in drive(store.walk(BOOKS, None, b"", None, limit=10_000)):
        if partition not in _LASTING_BOOKS or (partition == b"count" and sort not in counted):
            problems.append(f"a row of the books is left: {partition!r} {sort!r}")
    store.commit()
    return problems


def _spaces_below(store: Store) -> int:
    """More than the greatest number of a space."""
    row = drive(store.get(BOOKS, b"number", b"next space"))
    return int(row.value) if row is not None else 0
