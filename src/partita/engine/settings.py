"""What can be set: the profile's numbers, each of which can also be set by itself."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any


@dataclass(frozen=True)
class Settings:
    """Numbers of a profile. `Settings.of("aws", index_lag_ms=(5, 50))` overrides some of them.

    Times are in milliseconds; a pair is the least and the greatest of a time that varies; chances are
    fractions from 0 to 1. All chance is drawn from the database's seed and the request's number.
    """

    profile: str = "instant"
    index_lag_ms: tuple[int, int] = (0, 0)
    """How long after a write its changes reach the global indexes."""
    read_lag_ms: int = 0
    """How long an eventually consistent read can go on seeing an item's previous version."""
    stale_read_chance: float = 0.0
    """The chance that an eventually consistent read lags at all."""
    transaction_hold_ms: tuple[int, int] = (0, 0)
    """How long a transaction holds its items before it commits; who touches them meanwhile collides."""
    unprocessed_chance: float = 0.0
    """The chance that an item of a batch comes back unprocessed."""
    table_transition_ms: int = 0
    """How long a table stays CREATING, UPDATING or DELETING."""
    index_transition_ms: int = 0
    """How long an index created or deleted by UpdateTable stays in its first phase."""
    count_refresh_seconds: int = 0
    """How old the counts of items and bytes in descriptions may be; 0: they are current."""
    collection_limit_bytes: int = 10 * 1024**3
    """The most an item collection of a table with local indexes may hold."""
    token_seconds: int = 600
    """How long a ClientRequestToken is remembered."""
    page_bytes: int = 1_048_576
    """Evaluated bytes after which a page of Query or Scan ends."""

    @classmethod
    def of(cls, profile: str = "instant", **overrides: Any) -> Settings:
        """The numbers of a profile with some of them replaced; ValueError names what is wrong."""
        if profile not in PROFILES:
            raise ValueError(f"unknown profile {profile!r}: it is one of {', '.join(PROFILES)}")
        known = {f.name: f for f in fields(cls) if f.name != "profile"}
        for name, value in overrides.items():
            if name not in known:
                raise ValueError(f"unknown setting {name!r}: it is one of {', '.join(known)}")
            _check(name, value, getattr(PROFILES[profile], name))
        return replace(PROFILES[profile], **overrides)

    @cached_property
    def has_index_lag(self) -> bool:
        """Whether global indexes follow the change log instead of the writes."""
        return self.index_lag_ms[1] > 0

    @cached_property
    def has_stale_reads(self) -> bool:
        """Whether eventually consistent reads may see an earlier version."""
        return self.read_lag_ms > 0 and self.stale_read_chance > 0

    @cached_property
    def keeps_log(self) -> bool:
        """Whether writes are followed by something that reads the change log."""
        return self.has_index_lag or self.has_stale_reads


def _check(name: str, value: Any, like: Any) -> None:
    if isinstance(like, tuple):
        if (
            not isinstance(value, tuple)
            or len(value) != 2
            or not all(_is_whole(part) for part in value)
            or value[0] > value[1]
        ):
            raise ValueError(f"setting {name!r} takes a pair of milliseconds, least and greatest")
    elif isinstance(like, float):
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value <= 1:
            raise ValueError(f"setting {name!r} takes a chance from 0 to 1")
    elif not _is_whole(value):
        raise ValueError(f"setting {name!r} takes a whole number, 0 or more")


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


PROFILES: dict[str, Settings] = {
    "instant": Settings(),
    "aws": Settings(
        profile="aws",
        index_lag_ms=(1, 20),
        read_lag_ms=10,
        stale_read_chance=0.3,
        transaction_hold_ms=(1, 5),
        table_transition_ms=50,
        index_transition_ms=50,
        count_refresh_seconds=6 * 3600,
    ),
    "hostile": Settings(
        profile="hostile",
        index_lag_ms=(100, 1000),
        read_lag_ms=500,
        stale_read_chance=0.9,
        transaction_hold_ms=(20, 100),
        unprocessed_chance=0.2,
        table_transition_ms=500,
        index_transition_ms=500,
        count_refresh_seconds=6 * 3600,
    ),
}
"""`instant` for tests that must not flake, `aws` for development, `hostile` to find races first."""
