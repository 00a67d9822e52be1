"""The catalogue: which tables there are. Rows in the engine's books (space 0), cached in memory.

Here the books hold a row for each table, one for each space that waits to be cleared, and the next free
space number.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from partita.engine import table_row
from partita.engine.agenda import drive
from partita.engine.table import NOTHING_FILLED, PARTITION, Index, Scope, Table
from partita.errors import AccessDeniedException
from partita.errors import tables as errors
from partita.errors.items import unknown_index
from partita.storage import WRITE, Decision, Put, Row, Store

BOOKS: Final = 0
"""The space of the engine's own books."""
FIRST_SPACE: Final = 16
"""Spaces below are the engine's; tables and indexes get the numbers from here on."""

FILLED: Final = b"filled"
"""The book that says how far each backfill is come: index space -> place; empty: to the end."""

_TABLES = b"table"
_CLEARING = b"clearing"
_NUMBERS = b"number"
_NEXT_SPACE = b"next space"
_PAGE = 500


_Tables = dict[str, Table]


class Catalogue:
    """The tables of all scopes. The cache is ahead of the store only within the open turn: when a turn
    fails, `reload` brings it back to the rows."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._tables: dict[Scope, _Tables] = {}
        self._serving: dict[Scope, _Tables] = {}
        """Those of `_tables` that answer data operations: neither CREATING nor DELETING (fact 15.3)."""
        self._by_space: dict[int, Table] = {}

    # -- looking up
    def table(self, scope: Scope, name: str) -> Table:
        """The table that a data operation names, by name or ARN.

        Raises ResourceNotFoundException (facts 2.25, 15.3), and for an ARN what fact 15.40 says.
        """
        try:
            return self._serving[scope][name]
        except KeyError:
            pass
        try:
            found = self._serving.get(scope, {}).get(table_name(scope, name))
        except AccessDeniedException:
            raise errors.no_policy(scope.account, name) from None
        if found is None:
            raise errors.not_found()
        return found

    def serving(self, scope: Scope, name: str) -> Table | None:
        """The table of that plain name, if there is one that answers data operations."""
        tables = self._serving.get(scope)
        return tables.get(name) if tables is not None else None

    def describe(self, scope: Scope, name: str) -> Table:
        """The table that a control-plane operation names, whatever its status (fact 2.26)."""
        found = self.find(scope, name)
        if found is None:
            raise errors.table_not_found(table_name(scope, name))
        return found

    def find(self, scope: Scope, name: str) -> Table | None:
        """The table of that name or ARN, whatever its status; None if there is none."""
        return self._tables.get(scope, {}).get(table_name(scope, name))

    def tables(self, scope: Scope) -> Iterable[Table]:
        """The scope's tables, in no particular order."""
        return self._tables.get(scope, {}).values()

    def all_tables(self) -> list[Table]:
        """The tables of all scopes, whatever their status."""
        return [table for tables in self._tables.values() for table in tables.values()]

    def by_space(self, space: int) -> Table | None:
        """The table whose items are in `space`."""
        return self._by_space.get(space)

    def holds(self, table: Table) -> bool:
        """Whether `table` is still a table here, for work that outlives a request."""
        return self._tables.get(table.scope, {}).get(table.name) is table

    def require(self, table: Table, index: Index | None = None) -> None:
        """For an operation that has let others run: raises if what it works on is gone since."""
        if not self.holds(table):
            raise errors.not_found()
        if index is not None and table.indexes.get(index.name) is not index:
            raise unknown_index(index.name)

    # -- changing
    async def save(self, table: Table, discarded: Sequence[int] = ()) -> None:
        """Stores the definition of a new or changed table; `discarded` are spaces that it has given up."""
        key = _key(table)
        table.derive()
        puts: list[Put] = [(BOOKS, _TABLES, key, table_row.encode(table), 0), *map(_clearing, discarded)]
        await self._store.transact([(BOOKS, _TABLES, key, WRITE)], lambda rows, stamp: _writes(puts))
        self._keep(table)

    async def remove(self, table: Table) -> None:
        """Forgets the table; its spaces wait to be cleared."""
        key = _key(table)
        decision = Decision([*map(_clearing, table.spaces)], [(BOOKS, _TABLES, key)], (), None)
        await self._store.transact([(BOOKS, _TABLES, key, WRITE)], lambda rows, stamp: decision)
        self._tables[table.scope].pop(table.name, None)
        self._serving[table.scope].pop(table.name, None)
        self._by_space.pop(table.space, None)

    async def new_space(self) -> int:
        """Creates a space and gives its number, which no space had before."""

        def decide(rows: Sequence[Row | None], stamp: int) -> Decision:
            row = rows[0]
            number = int(row.value) if row else FIRST_SPACE
            return Decision([(BOOKS, _NUMBERS, _NEXT_SPACE, str(number + 1).encode(), 0)], (), (), number)

        number: int = await self._store.transact([(BOOKS, _NUMBERS, _NEXT_SPACE, WRITE)], decide)
        self._store.create_space(number)
        return number

    def reload(self) -> None:
        """Reads the tables from their rows: at start, and after a turn that failed.

        Tables that are still there keep their identity, for whoever holds them. StoreFailed: they cannot be
        read, and the cache is what it was.
        """
        if not self._store.has_space(BOOKS):
            self._store.create_space(BOOKS)
        stored = self._stored_tables()
        held = {(table.scope, table.name): table for table in self.all_tables()}
        self._tables, self._serving, self._by_space = {}, {}, {}
        for table in stored:
            known = held.get((table.scope, table.name))
            if known is not None and known.id == table.id:
                table_row.assign(known, table)
                self._keep(known)
            else:
                self._keep(table)
        self._load_backfills()

    def _stored_tables(self) -> list[Table]:
        tables: list[Table] = []
        after: tuple[bytes, bytes] | None = None
        while page := drive(self._store.walk(BOOKS, after, _TABLES, _TABLES + b"\0", limit=_PAGE)):
            tables.extend(table_row.decode(value) for _, _, value, _ in page)
            after = page[-1][0], page[-1][1]
        return tables

    def _load_backfills(self) -> None:
        rows = drive(self._store.range(BOOKS, FILLED, b"", None, limit=1_000_000))
        filled = {int.from_bytes(sort, "big"): value for sort, value, _ in rows}
        for index in (index for table in self.all_tables() for index in table.global_indexes):
            place = filled.get(index.space)
            if index.backfilling is None or place == b"":
                index.filled_below = None
            else:
                index.filled_below = (place[:16], place[16:] + b"\0") if place else NOTHING_FILLED

    # -- work that outlives a request
    def discarded_spaces(self) -> list[int]:
        """Spaces that wait to be cleared."""
        found = drive(self._store.range(BOOKS, _CLEARING, b"", None, limit=1_000_000))
        return [int.from_bytes(sort, "big") for sort, *_ in found]

    async def clear_discarded(self, space: int, limit: int) -> bool:
        """Deletes up to `limit` rows of a discarded space; True when it is gone."""
        if self._store.has_space(space) and not self._store.clear_space(space, limit):
            return False
        decision = Decision((), [(BOOKS, _CLEARING, space_key(space))], (), None)
        touches = [(BOOKS, _CLEARING, space_key(space), WRITE)]
        await self._store.transact(touches, lambda rows, stamp: decision)
        return True

    def _keep(self, table: Table) -> None:
        self._tables.setdefault(table.scope, {})[table.name] = table
        self._by_space[table.space] = table
        serving = self._serving.setdefault(table.scope, {})
        if table.status in ("ACTIVE", "UPDATING"):
            serving[table.name] = table
        else:
            serving.pop(table.name, None)


def table_name(scope: Scope, name: str) -> str:
    """The plain name that `name`, a name or a well-formed ARN, has in `scope`.

    Raises ValidationException for an ARN that can name no table there, and AccessDeniedException for one of
    another account (fact 15.40).
    """
    if not name.startswith("arn:"):
        return name
    _, partition, _, region, account, resource = name.split(":", 5)
    kind, _, table = resource.partition("/")
    if partition != PARTITION:
        raise errors.wrong_part_of_arn("AWS partition", name)
    if region != scope.region:
        raise errors.wrong_part_of_arn("AWS region", name)
    if kind != "table":
        raise errors.wrong_part_of_arn("resource type", name)
    if account != scope.account:
        raise errors.other_account()
    return table


def _key(table: Table) -> bytes:
    return "\0".join((table.scope.account, table.scope.region, table.name)).encode()


def space_key(space: int) -> bytes:
    """The number of a space as the key of a row in a book of spaces."""
    return space.to_bytes(8, "big")


def _clearing(space: int) -> Put:
    return (BOOKS, _CLEARING, space_key(space), b"", 0)


def _writes(puts: Sequence[Put]) -> Decision:
    return Decision(puts, (), (), None)
