"""The contract between the engine and what keeps its rows.

A *space* is an ordered map from (partition, sort), both bytes, to a row; tables, indexes and the
engine's own books are spaces, named by small integers that the engine hands out. Spaces are ordered by
plain byte comparison of partition, then sort.

Calls join the turn that is open (the first call opens one). Nothing that ran in a turn may be answered
before `commit` has returned; if `commit` or any call raises StoreFailed, the whole turn is undone and
every request that ran in it has failed. After a call raised it, every further call raises it too, until
`commit` (which raises it once more) or `rollback` ends the turn; then the store goes on. Coroutines of an
embedded store never suspend.

A space that does not exist raises KeyError; in a decision, StoreFailed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple, Protocol

READ: Final = 0
WRITE: Final = 1

Touch = tuple[int, bytes, bytes, int]
"""(space, partition, sort, READ or WRITE): a row that a decision depends on."""


class Row(NamedTuple):
    """A stored row. `size` is the caller's own number (bytes of the item); `stamp` is in µs."""

    value: bytes
    size: int
    stamp: int


Entry = tuple[bytes, bytes, bytes, int]
"""(partition, sort, value, size): a row with its key, as walks give it."""

PartitionEntry = tuple[bytes, bytes, int]
"""(sort, value, size): the same, as ranges give it, whose partition is known."""


class Gathered(NamedTuple):
    """Rows of a partition as one, for who looks at none of them by itself."""

    number: int
    size: int
    """The sum of their sizes."""
    last: bytes | None
    """The sort of the last of them, after which there may be more; None if there are no more."""
    values: bytes
    """Their values in order, with commas between."""


Put = tuple[int, bytes, bytes, bytes, int]
"""(space, partition, sort, value, size)."""

Delete = tuple[int, bytes, bytes]
"""(space, partition, sort)."""


class LogRecord(NamedTuple):
    """One change of one item, as the change log keeps it. Values are the item's stored bytes."""

    space: int
    partition: bytes
    sort: bytes
    old: bytes | None
    new: bytes | None
    old_size: int
    new_size: int
    origin: int = 0
    """0 a request; other numbers are the engine's own writers (expiry, backfill, replicas)."""


class LoggedChange(NamedTuple):
    """A LogRecord as read back, with its place: `sequence` is gapless and in commit order."""

    sequence: int
    stamp: int
    record: LogRecord


class Decision(NamedTuple):
    """What a `decide` function made of the rows: all of it becomes durable, or none."""

    puts: Sequence[Put]
    deletes: Sequence[Delete]
    records: Sequence[LogRecord]
    answer: Any


Decide = Callable[[Sequence[Row | None], int], Decision]
"""decide(rows, stamp): pure, may be called again; `rows` are aligned with the touches. May raise, and
then nothing is written and the exception reaches the caller of `transact`."""


class StoreFailed(Exception):
    """The turn could not be made durable and was undone: disk full, I/O error, …"""


class StoreUnusable(Exception):
    """The store cannot be opened, and nothing was touched. One line says what is wrong, what to do."""


class Store(Protocol):
    """See the module's docstring for the rules of turns."""

    # -- rows
    async def get(self, space: int, partition: bytes, sort: bytes) -> Row | None: ...

    async def range(
        self,
        space: int,
        partition: bytes,
        low: bytes,
        high: bytes | None,
        *,
        reverse: bool = False,
        limit: int,
        size_limit: int | None = None,
    ) -> Sequence[PartitionEntry]:
        """Rows of one partition with low <= sort < high (None: no end), at most `limit` of them.

        With `size_limit` the last row is the one that brings the sum of `size` to it: give it wherever rows
        may be large, since without it `limit` rows of 400 KB are read at once.
        """
        ...

    async def gather(
        self,
        space: int,
        partition: bytes,
        low: bytes,
        high: bytes | None,
        *,
        reverse: bool = False,
        limit: int,
    ) -> Gathered | None:
        """The rows that `range` gives, as one; None, where values may be large: read them by `range`."""
        ...

    async def walk(
        self,
        space: int,
        after: tuple[bytes, bytes] | None,
        low_partition: bytes,
        high_partition: bytes | None,
        *,
        limit: int,
        size_limit: int | None = None,
    ) -> Sequence[Entry]:
        """Rows in (partition, sort) order, strictly after `after`, low <= partition < high.

        `size_limit` as in `range`.
        """
        ...

    async def transact(self, touches: Sequence[Touch], decide: Decide) -> Any:
        """Reads the touched rows, decides, and writes the decision as one unit; gives its answer.

        The stamp is max(now, last stamp given + 1, stamps of the rows + 1), in µs.
        """
        ...

    async def transact_each(self, units: Sequence[tuple[Sequence[Touch], Decide]]) -> Sequence[Any]:
        """Independent units; each result is the answer, or the exception that its `decide` raised."""
        ...

    # -- spaces
    def create_space(self, space: int) -> None:
        """Raises ValueError if there is one of that number."""
        ...

    def clear_space(self, space: int, limit: int) -> bool:
        """Deletes up to `limit` rows of the space, fewer if they are large; True once it is removed.

        A space that does not exist counts as removed, so that the job can be taken up again.
        """
        ...

    def has_space(self, space: int) -> bool: ...

    # -- the change log (one lane)
    def log_read(self, after: int, limit: int) -> Sequence[LoggedChange]:
        """Up to `limit` changes with sequence > after, oldest first; fewer if they are large.

        None only where there are none.
        """
        ...

    def log_last(self) -> int:
        """The sequence of the newest change, 0 before the first; gapless, never reused."""
        ...

    def log_trim(self, upto: int, limit: int) -> bool:
        """Deletes up to `limit` changes with sequence <= upto, fewer if they are large.

        True when none of them is left.
        """
        ...

    # -- turns
    @property
    def in_turn(self) -> bool:
        """Whether a turn is open (something ran since the last commit)."""
        ...

    @property
    def turn_writes(self) -> int:
        """Bytes written in the open turn; 0 if it only read."""
        ...

    def commit(self) -> bool:
        """Makes the turn durable and ends it; whether it wrote. Nothing to do if none is open."""
        ...

    def rollback(self) -> None:
        """Undoes the turn and ends it."""
        ...

    # -- whole databases: between turns only (RuntimeError)
    def snapshot(self) -> object:
        """A copy of everything, independent of the store; for `restore` and `fork`."""
        ...

    def restore(self, snapshot: object) -> None: ...

    def fork(self, snapshot: object, now_us: Callable[[], int]) -> Store:
        """A new in-memory store that holds what the snapshot holds; `now_us` is its clock."""
        ...

    def close(self) -> None: ...
