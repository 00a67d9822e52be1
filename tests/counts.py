"""How often the long tests repeat: every large count of the test suite stands here.

A normal run does a fixed tenth or less, `PARTITA_COUNTS=soak` all of it. What ran is printed at the end of
the session.
"""

from __future__ import annotations

import os
from typing import Final

SOAK: Final = os.environ.get("PARTITA_COUNTS") == "soak"

COUNTS: Final[dict[str, int]] = {}
"""What is counted -> how often it happens in this run."""


def _count(what: str, *, soak: int, usual: int | None = None) -> int:
    usual = soak // 10 if usual is None else usual
    assert usual <= soak // 10
    COUNTS[what] = soak if SOAK else usual
    return COUNTS[what]


PAGED_READS: Final = _count("reads joined from pages", soak=5_000, usual=120)
PAGED_READS_UNDER_WRITES: Final = _count("reads joined from pages amid writes", soak=5_000, usual=120)
SEGMENTED_SCANS: Final = _count("scans in segments", soak=4_000, usual=200)
WORKLOADS: Final = _count("random workloads against a model", soak=3_000, usual=100)
CAPACITY_WORKLOADS: Final = _count("workloads with capacity worked out", soak=4_000, usual=150)
TRANSACTION_MIXES: Final = _count("interleaved transactions, mixes", soak=3_000, usual=120)
PROFILE_HISTORIES: Final = _count("histories under lag checked", soak=2_000, usual=80)
RACE_SEEDS: Final = _count("registrations with marker items, seeds", soak=1_000)
INDEX_CREATIONS: Final = _count("indexes made and deleted amid writes and restarts", soak=1_500, usual=60)
CRASH_ROUNDS: Final = _count("crash rounds", soak=1_000, usual=50)
POWER_CUTS: Final = _count("power cuts under the whole engine", soak=4_000, usual=120)
OUTAGES: Final = _count("outages of the disk under the whole engine", soak=4_000, usual=96)
SERVER_OUTAGES: Final = _count("outages of the disk under a server", soak=1_000, usual=32)
FULL_DISKS: Final = _count("full disks under a server, of each kind and profile", soak=50, usual=2)
DIFFERENCES: Final = _count("updates by difference", soak=10_000, usual=300)
CONDITIONS: Final = _count("conditions against their truth", soak=10_000, usual=200)
VERSION_HISTORIES: Final = _count("histories of versioned entities with lost answers", soak=10_000)
CREATION_HISTORIES: Final = _count("histories of creations with lost answers", soak=10_000)
OPERATION_HISTORIES: Final = _count("histories of operations sent again", soak=10_000)
GENERATED_DESIGNS: Final = _count("generated designs against rendered keys", soak=2_000, usual=200)
MERGED_PAGES: Final = _count("merged pages joined", soak=5_000)
OWN_WRITES: Final = _count("reads of own writes through late indexes", soak=10_000)
HOSTILE_REQUESTS: Final = _count("hostile requests over sockets", soak=200_000)
UNIQUE_HISTORIES: Final = _count("histories of unique attributes", soak=10_000)
BACKFILL_HISTORIES: Final = _count("histories of backfills amid writes", soak=3_000, usual=150)


def summary() -> list[str]:
    """Lines that say what the counts of this run are."""
    kind = "soak" if SOAK else "usual; PARTITA_COUNTS=soak runs them in full"
    return [f"counts ({kind}):", *(f"  {number:>9,} {what}" for what, number in COUNTS.items())]
