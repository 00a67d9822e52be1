"""How often the long tests repeat: every large count of the test suite stands here.

A normal run does a fixed tenth of them (of crash rounds, each of which starts a server, a twentieth),
`PARTITA_COUNTS=soak` all. What ran is printed at the end of the session.
"""

from __future__ import annotations

import os
from typing import Final

SOAK: Final = os.environ.get("PARTITA_COUNTS") == "soak"

COUNTS: Final[dict[str, int]] = {}
"""What is counted -> how often it happens in this run."""


def _count(what: str, *, soak: int, part: int = 10) -> int:
    COUNTS[what] = soak if SOAK else soak // part
    return COUNTS[what]


PAGED_READS: Final = _count("reads joined from pages", soak=2_000)
PAGED_READS_UNDER_WRITES: Final = _count("reads joined from pages amid writes", soak=2_000)
SEGMENTED_SCANS: Final = _count("scans in segments", soak=2_000)
WORKLOADS: Final = _count("random workloads against a model", soak=1_500)
CAPACITY_WORKLOADS: Final = _count("workloads with capacity worked out", soak=1_500)
TRANSACTION_MIXES: Final = _count("interleaved transactions, mixes", soak=1_500)
PROFILE_HISTORIES: Final = _count("histories under lag checked", soak=1_000)
RACE_SEEDS: Final = _count("registrations with marker items, seeds", soak=1_000)
INDEX_CREATIONS: Final = _count("indexes made and deleted amid writes and restarts", soak=750)
CRASH_ROUNDS: Final = _count("crash rounds", soak=1_000, part=20)
POWER_CUTS: Final = _count("power cuts under the whole engine", soak=1_500)
OUTAGES: Final = _count("outages of the disk under the whole engine", soak=1_200)
SERVER_OUTAGES: Final = _count("outages of the disk under a server", soak=400)
FULL_DISKS: Final = _count("full disks under a server, of each kind and profile", soak=40)
DIFFERENCES: Final = _count("updates by difference", soak=5_000)
CONDITIONS: Final = _count("conditions against their truth", soak=5_000)
VERSION_HISTORIES: Final = _count("histories of versioned entities with lost answers", soak=10_000)
CREATION_HISTORIES: Final = _count("histories of creations with lost answers", soak=10_000)
OPERATION_HISTORIES: Final = _count("histories of operations sent again", soak=10_000)
GENERATED_DESIGNS: Final = _count("generated designs against rendered keys", soak=2_000)
MERGED_PAGES: Final = _count("merged pages joined", soak=5_000)
OWN_WRITES: Final = _count("reads of own writes through late indexes", soak=10_000)
HOSTILE_REQUESTS: Final = _count("hostile requests over sockets", soak=200_000)
UNIQUE_HISTORIES: Final = _count("histories of unique attributes", soak=10_000)
BACKFILL_HISTORIES: Final = _count("histories of backfills amid writes", soak=2_000)


def summary() -> list[str]:
    """Lines that say what the counts of this run are."""
    kind = "soak" if SOAK else "usual; PARTITA_COUNTS=soak runs them in full"
    return [f"counts ({kind}):", *(f"  {number:>9,} {what}" for what, number in COUNTS.items())]
