"""What the engine knows of a table and its indexes while it serves requests."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

KeyType = Literal["S", "N", "B"]
ProjectionType = Literal["ALL", "KEYS_ONLY", "INCLUDE"]
TableStatus = Literal["CREATING", "ACTIVE", "UPDATING", "DELETING"]
IndexStatus = Literal["CREATING", "ACTIVE", "UPDATING", "DELETING"]

PARTITION = "aws"
"""Of the ARNs of all tables, in whatever region."""
NOTHING_FILLED = (b"", b"")
"""As `Index.filled_below`: the backfill has not come to any item yet."""


class Scope(NamedTuple):
    """Where a request's tables live: tables are per account and region."""

    account: str
    """12 digits."""
    region: str


class KeyAttribute(NamedTuple):
    name: str
    type: KeyType


@dataclass(slots=True)
class Index:
    """A secondary index. `space` is its space in the store."""

    name: str
    space: int
    is_global: bool
    hash: tuple[KeyAttribute, ...]
    """1 to 4 attributes; of a local index, the table's hash attribute."""
    range: tuple[KeyAttribute, ...]
    """0 to 4 attributes; of a local index exactly 1."""
    projection: ProjectionType
    non_key_attributes: tuple[str, ...] = ()
    status: IndexStatus = "ACTIVE"
    backfilling: bool | None = None
    """None: never shown, as in an index made by CreateTable."""
    read_units: int = 0
    write_units: int = 0
    item_count: int = 0
    size_bytes: int = 0
    shown_counts: tuple[int, int] = (0, 0)
    """Items and bytes as of the table's `counts_refreshed_us`."""
    filled_below: tuple[bytes, bytes] | None = None
    """While a backfill is under way: it is done with the items at places below this one."""
    settings: dict[str, Any] = field(default_factory=dict)
    """Stored and described only: OnDemandThroughput, WarmThroughput, …"""
    due_us: int = 0
    """When the present phase of a status other than ACTIVE may end."""
    pending: dict[str, Any] = field(default_factory=dict)
    """Fields of this index that take these values when UPDATING ends."""
    throughput_changes: dict[str, int] = field(default_factory=dict)
    """increased_us, decreased_us: the last change of throughput; decreases: so many on `decreases_day`."""
    # Derived, filled by `Table.derive`.
    key_names: frozenset[str] = frozenset()
    """Names of the index's key attributes."""
    projected: frozenset[str] | None = None
    """Names that entries hold: index keys, table keys, non-key attributes; None: all."""

    def counts(self, place: tuple[bytes, bytes]) -> bool:
        """Whether a change of the item at `place` counts: not if a backfill has yet to come to it."""
        return self.filled_below is None or place < self.filled_below


@dataclass(slots=True)
class Table:
    """A table. `space` is the space of its items; `scope` and `name` identify it, `id` never repeats."""

    scope: Scope
    name: str
    id: str
    """TableId: a UUID in text."""
    space: int
    hash: KeyAttribute
    range: KeyAttribute | None
    attribute_definitions: tuple[KeyAttribute, ...]
    indexes: dict[str, Index]
    """By name, global and local together."""
    created_us: int
    status: TableStatus = "ACTIVE"
    billing_mode: Literal["PROVISIONED", "PAY_PER_REQUEST"] = "PROVISIONED"
    billing_shown: bool = False
    """Whether BillingModeSummary is described (fact 15.7)."""
    on_demand_since_us: int | None = None
    read_units: int = 0
    write_units: int = 0
    deletion_protection: bool = False
    tags: dict[str, str] = field(default_factory=dict)
    time_to_live: dict[str, Any] = field(default_factory=dict)
    settings: dict[str, Any] = field(default_factory=dict)
    """Stored and described only: StreamSpecification, SSESpecification, TableClass, …"""
    due_us: int = 0
    """When a status other than ACTIVE ends."""
    pending: dict[str, Any] = field(default_factory=dict)
    """Fields of this table that take these values when UPDATING ends; `settings` are merged."""
    throughput_changes: dict[str, int] = field(default_factory=dict)
    """As of an index."""
    protection_changed_us: int | None = None
    """When UpdateTable last set DeletionProtectionEnabled."""
    class_changes_us: list[int] = field(default_factory=list)
    """When UpdateTable changed its class."""
    counts_refreshed_us: int | None = None
    """Since when the counts in its descriptions stand still (fact 15.9); None: they are current."""
    shown_counts: tuple[int, int] = (0, 0)
    """Items and bytes as of then."""
    collections_space: int = 0
    """Of a table with local indexes: the space that counts the bytes of each item collection."""
    item_count: int = 0
    size_bytes: int = 0
    # Derived, filled by `derive`.
    key_names: frozenset[str] = frozenset()
    text_keys: tuple[str, str | None] | None = None
    """Names of the hash and the range attribute; None unless both are strings."""
    local_indexes: tuple[Index, ...] = ()
    global_indexes: tuple[Index, ...] = ()
    index_key_types: dict[str, KeyType] = field(default_factory=dict)
    """Type of every attribute that is a key of some index that is kept up to date."""

    @property
    def arn(self) -> str:
        return f"arn:{PARTITION}:dynamodb:{self.scope.region}:{self.scope.account}:table/{self.name}"

    @property
    def spaces(self) -> tuple[int, ...]:
        """Every space that holds rows of this table."""
        own = (self.space, self.collections_space) if self.collections_space else (self.space,)
        return own + tuple(index.space for index in self.indexes.values())

    def derive(self) -> Table:
        """Fills what follows from the definition; call after every change of it."""
        keys = [self.hash.name] + ([self.range.name] if self.range else [])
        self.key_names = frozenset(keys)
        are_texts = self.hash.type == "S" and (self.range is None or self.range.type == "S")
        self.text_keys = (self.hash.name, self.range.name if self.range else None) if are_texts else None
        by_name = sorted(self.indexes.values(), key=lambda index: index.name)
        self.local_indexes = tuple(index for index in by_name if not index.is_global)
        self.global_indexes = tuple(index for index in by_name if index.is_global)
        self.index_key_types = {}
        for index in by_name:
            index.key_names = frozenset(key.name for key in index.hash + index.range)
            index.projected = (
                None
                if index.projection == "ALL"
                else index.key_names | self.key_names | frozenset(index.non_key_attributes)
            )
            if index.status != "DELETING":
                self.index_key_types.update({key.name: key.type for key in index.hash + index.range})
        return self
