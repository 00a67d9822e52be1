"""A report of a design: its keys, its patterns with their costs, its writes and its warnings, as tables."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from partita.design.check import check
from partita.design.designs import Design, Pattern, Source, design_of
from partita.design.findings import Finding
from partita.design.prices import Prices, Traffic, default_prices
from partita.design.units import amplification, units_of
from partita.design.writes import Write
from partita.model.schema import EntitySchema, KeySchema, TableSchema
from partita.model.values.attribute_values import shortened


@dataclass(frozen=True)
class Grid:
    """A table of texts."""

    title: str
    headers: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    numbers: frozenset[int] = frozenset()
    """The columns that hold numbers."""
    note: str = ""


@dataclass(frozen=True)
class Report:
    """Everything that a report shows."""

    design: Design
    keys: tuple[Grid, ...]
    """One for each table."""
    patterns: Grid
    amplification: Grid
    findings: tuple[Finding, ...]
    prices: Prices
    monthly: float | None
    """What the given traffic costs a month; None without traffic."""


def report(
    source: Source | Design, *, traffic: Traffic | None = None, prices: Prices | None = None
) -> Report:
    """The report of a design (what `check` takes), with costs for the traffic that is given.

    Raises TypeError for traffic and prices of another kind.
    """
    design = source if isinstance(source, Design) else design_of(source)
    given = Traffic() if traffic is None else traffic
    if not isinstance(given, Traffic):
        raise TypeError(f"traffic is Traffic(…), not {shortened(given)}")
    prices = default_prices() if prices is None else prices
    if not isinstance(prices, Prices):
        raise TypeError(f"prices are Prices(…), not {shortened(prices)}")
    costs = [cost for one in design.patterns if (cost := _monthly(one, given, prices)) is not None]
    return Report(
        design=design,
        keys=tuple(_keys(table) for table in design.tables),
        patterns=_patterns(design, given, prices),
        amplification=_amplification(design, given),
        findings=tuple(check(design)),
        prices=prices,
        monthly=sum(costs) if costs else None,
    )


def required_report(given: object) -> Report:
    """What `report` gave. Raises TypeError for what is none."""
    if not isinstance(given, Report):
        raise TypeError(f"what report() gives is needed, not {shortened(given)}")
    return given


def _keys(table: TableSchema) -> Grid:
    attributes = [one.name for one in (table.partition, table.sort) if one is not None]
    headers = ["entity", *attributes]
    for index in table.indexes.values():
        kind = "LSI" if index.scope == "local" else "GSI"
        headers.append(f"{index.name} ({kind}, {_projection(index.project)})")
    rows = []
    for entity in table.entities:
        schema = entity.__schema__
        row = [entity.__name__, *(t.text for t in schema.key.templates)]
        row += [_index_key(schema.index_keys.get(name)) for name in table.indexes]
        rows.append(tuple(row))
    uniques = [
        f"{entity.__name__}.{rule.name}" for entity in table.entities for rule in entity.__schema__.uniques
    ]
    note = f"Unique: {', '.join(uniques)}; each value has a marker item." if uniques else ""
    return Grid(f"Keys of table {table.name}", tuple(headers), tuple(rows), note=note)


def _projection(project: Any) -> str:
    return project if isinstance(project, str) else "with " + ", ".join(project)


def _index_key(key: KeySchema | None) -> str:
    if key is None:
        return ""
    local = key.index is not None and key.index.scope == "local"
    parts = [" + ".join(t.text for t in key.partition)] if not local else []
    parts += [" + ".join(t.text for t in key.sort)] if key.sort else []
    return " / ".join(parts) + (" (sparse)" if key.when is not None else "")


def _patterns(design: Design, traffic: Traffic, prices: Prices) -> Grid:
    rows = []
    for pattern in design.patterns:
        times = traffic.per_month.get(pattern.name)
        cost = _monthly(pattern, traffic, prices)
        rows.append(
            (
                pattern.name,
                pattern.request,
                pattern.index_name,
                pattern.consistency,
                pattern.words,
                _units_text(pattern, traffic),
                "" if times is None else f"{times:,.0f}",
                "" if cost is None else f"{cost:,.2f}",
            )
        )
    return Grid(
        "Access patterns",
        (
            "pattern",
            "request",
            "index",
            "consistency",
            "key",
            "units",
            "a month",
            f"{prices.currency} a month",
        ),
        tuple(rows),
        frozenset({5, 6, 7}),
        f"Units are estimated at each pattern's bound, from the sizes of examples. Prices: {prices.region}, "
        f"{prices.date}, {prices.read_units_per_million:g} and {prices.write_units_per_million:g} "
        f"{prices.currency} for a million read and write units.",
    )


def _units_text(pattern: Pattern, traffic: Traffic) -> str:
    units = units_of(pattern, traffic)
    if units.read is None:
        return "whole table"
    return f"{units.write:g} W" if isinstance(pattern, Write) else f"{units.read:g} R"


def _monthly(pattern: Pattern, traffic: Traffic, prices: Prices) -> float | None:
    times = traffic.per_month.get(pattern.name)
    units = units_of(pattern, traffic)
    if times is None or units.read is None:
        return None
    return prices.of(times * units.read, times * units.write)


def _amplification(design: Design, traffic: Traffic) -> Grid:
    rows = []
    for schema in design.entities:
        cost = amplification(schema, traffic)
        entries = ", ".join(f"{index_name(schema, name)} {units}" for name, units in cost.indexes)
        rows.append(
            (
                schema.cls.__name__,
                f"{cost.item_bytes:,}",
                str(cost.item),
                entries or "none",
                str(cost.markers),
                str(cost.create),
                str(cost.create_in_transaction),
                str(cost.change),
                str(cost.delete),
            )
        )
    return Grid(
        "Write amplification",
        (
            "entity",
            "bytes",
            "item",
            "index entries",
            "markers",
            "create",
            "in a transaction",
            "change all",
            "delete",
        ),
        tuple(rows),
        frozenset({1, 2, 4, 5, 6, 7, 8}),
        "Write units of one item. Markers of unique attributes make a transaction of it, which costs twice; "
        "an index entry whose key changes is deleted and put. Entries of sparse indexes count as present.",
    )


def index_name(schema: EntitySchema, attribute: str) -> str:
    return schema.table.indexes[attribute].name
