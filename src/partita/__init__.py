"""Partita: a DynamoDB-compatible database in Python."""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:  # as typing has it, which takes long to import
    from typing import Any

    from partita.engine.clock import ManualClock, SystemClock
    from partita.local.database import Database, Snapshot
    from partita.local.patch import patch_boto3

__version__ = "0.1.0"

__all__ = ["Database", "ManualClock", "Snapshot", "SystemClock", "patch_boto3"]

_HOMES = {
    "Database": "partita.local.database",
    "ManualClock": "partita.engine.clock",
    "Snapshot": "partita.local.database",
    "SystemClock": "partita.engine.clock",
    "patch_boto3": "partita.local.patch",
}


def __getattr__(name: str) -> Any:
    # Loaded on first use: the server and the pytest plugin do without most of it.
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(home), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
