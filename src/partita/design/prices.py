"""What capacity units cost, from a dated file that the user can replace; and how often patterns are run.

Prices: a JSON object with date, region, currency, read_units_per_million, write_units_per_million, source.
Traffic: a JSON object with

    per_month    how often each pattern is run, by its name
    items        how many items a run of it reads, where that is less than its bound
    item_bytes   the usual size of each entity's items, by its name, where an example would mislead
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from importlib.resources import files
from pathlib import Path
from typing import Any


class FileRefused(Exception):
    """A file of prices or traffic is not what it should be; one line that says why."""


@dataclass(frozen=True, slots=True)
class Prices:
    """On-demand prices of one region at one date."""

    date: str
    region: str
    currency: str
    read_units_per_million: float
    write_units_per_million: float
    source: str = ""

    def of(self, read_units: float, write_units: float) -> float:
        """What these units cost, in `currency`."""
        reads = read_units * self.read_units_per_million
        return (reads + write_units * self.write_units_per_million) / 1_000_000


@dataclass(frozen=True, slots=True)
class Traffic:
    """How often patterns are run, and with what."""

    per_month: Mapping[str, float] = field(default_factory=dict)
    items: Mapping[str, float] = field(default_factory=dict)
    item_bytes: Mapping[str, float] = field(default_factory=dict)


def default_prices() -> Prices:
    """Those that come with the package."""
    return Prices(**json.loads(files("partita.design").joinpath("prices.json").read_text()))


def read_prices(path: str) -> Prices:
    """Raises FileRefused."""
    given = _object(path, {one.name for one in fields(Prices)})
    missing = [one.name for one in fields(Prices) if one.name not in given and one.name != "source"]
    if missing:
        raise FileRefused(f"{path} has no {', '.join(missing)}")
    for name in ("read_units_per_million", "write_units_per_million"):
        if not _is_amount(given[name]):
            raise FileRefused(f"{path}: {name} is a number, not {given[name]!r}")
    return Prices(**given)


def read_traffic(path: str, patterns: set[str], entities: set[str]) -> Traffic:
    """Raises FileRefused, also for names that the design does not have."""
    given = _object(path, {one.name for one in fields(Traffic)})
    for part, known in (("per_month", patterns), ("items", patterns), ("item_bytes", entities)):
        numbers = given.get(part, {})
        if not isinstance(numbers, dict):
            raise FileRefused(f"{path}: {part} is an object of names and numbers")
        for name, number in numbers.items():
            if name not in known:
                raise FileRefused(
                    f"{path}: {part} has {name!r}, which the design has not: {', '.join(sorted(known))}"
                )
            if not _is_amount(number):
                raise FileRefused(f"{path}: {part} of {name!r} is a number, not {number!r}")
    return Traffic(**given)


def _object(path: str, known: set[str]) -> dict[str, Any]:
    try:
        given = json.loads(Path(path).read_text())
    except OSError as error:
        raise FileRefused(f"{path} cannot be read: {error.strerror}") from None
    except ValueError as error:
        raise FileRefused(f"{path} is no JSON: {error}") from None
    if not isinstance(given, dict):
        raise FileRefused(f"{path} is a JSON object")
    if unknown := sorted(given.keys() - known):
        raise FileRefused(f"{path} has {', '.join(unknown)}; it takes {', '.join(sorted(known))}")
    return given


def _is_amount(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and value >= 0
