"""A report of a design: its keys, its patterns with their costs, its writes and its warnings, as tables."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from partita.design.check import check
from partita.design.designs import Design, Pattern, Source, design_of
from partita.design.findings import Finding
from partita.design.prices import Prices, Traffic, default_prices
from partita.design.reads import Collect, Get, GetMany, Query, Read, Scan
from partita.design.rules.writes import actions
from partita.design.transact_gets import TransactGet
from partita.design.units import amplification, read_units, requests_of, write_units
from partita.design.writes import Write
from partita.model.keys.key_conditions import KeyCondition
from partita.model.schema import EntitySchema, KeySchema, TableSchema


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
    """The report of a design (what `check` takes), with costs for the traffic that is given."""
    design = source if isinstance(source, Design) else design_of(source)
    prices = prices or default_prices()
    given = traffic or Traffic()
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
                request_text(pattern),
                index_text(pattern),
                _consistency(pattern),
                key_text(pattern),
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


def request_text(pattern: Pattern) -> str:
    """The requests of a pattern: `Query × 4`, `TransactWriteItems (3 actions)`."""
    if isinstance(pattern, Write):
        match pattern.how:
            case "transaction":
                count = actions(pattern)
                return f"TransactWriteItems (up to {count} action{'' if count == 1 else 's'})"
            case "batch":
                requests = requests_of(pattern)
                return "BatchWriteItem" if requests == 1 else f"BatchWriteItem × {requests}"
        return "UpdateItem" if pattern.changes else "DeleteItem" if pattern.deletes else "PutItem"
    if isinstance(pattern, GetMany):
        return f"BatchGetItem (up to {pattern.at_most} key{'' if pattern.at_most == 1 else 's'})"
    if isinstance(pattern, TransactGet):
        return f"TransactGetItems (up to {pattern.items} item{'' if pattern.items == 1 else 's'})"
    name = "GetItem" if isinstance(pattern, Get) else "Scan" if isinstance(pattern, Scan) else "Query"
    shards = 1 if isinstance(pattern, Scan) else len(pattern.key.shards)
    return name if shards == 1 else f"{name} × {shards}"


def index_text(pattern: Pattern) -> str:
    if isinstance(pattern, Write | Scan):
        return ""
    if isinstance(pattern, TransactGet):
        return "table"
    index = pattern.key.key.index
    return "table" if index is None else index.name


def _consistency(pattern: Pattern) -> str:
    if isinstance(pattern, Write):
        return {"transaction": "all or none", "batch": "each for itself", "put": "one item"}[pattern.how]
    if isinstance(pattern, TransactGet):
        return "one moment"
    strong = not isinstance(pattern, Scan) and pattern.consistent
    return "strong" if strong else "eventual"


def key_text(pattern: Pattern) -> str:
    """What the pattern asks, or writes, in words."""
    if isinstance(pattern, Write):
        parts = [
            f"{verb} {', '.join(_counted(e.__name__, n) for e, n in part.items())}"
            for verb, part in (
                ("create", pattern.creates),
                ("change", pattern.changes),
                ("delete", pattern.deletes),
                ("check", pattern.checks),
            )
            if part
        ]
        return "; ".join(parts)
    if isinstance(pattern, Scan):
        return "everything"
    if isinstance(pattern, TransactGet):
        found = dict.fromkeys(_item_text(key, number, pattern.each) for key, number in pattern.counted)
        return "; ".join(found)
    texts = [f"{t.attribute} = {t.text}" for t in pattern.key.key.partition]
    texts += _sort_text(pattern, pattern.key)
    if isinstance(pattern, Query):
        texts += ["newest first"] if pattern.newest_first else []
        texts += [f"at most {pattern.limit}"] if pattern.limit is not None else []
        texts += ["filtered"] if pattern.filter is not None else []
    if isinstance(pattern, GetMany):
        texts.append(f"at most {pattern.at_most} of {pattern.each}")
    if isinstance(pattern, Collect):
        texts.append(f"{', '.join(e.__name__ for e in pattern.of)}, at most {pattern.at_most}")
    return ", ".join(texts)


def _item_text(key: KeyCondition[Any], number: int, each: str | None) -> str:
    text = ", ".join(f"{t.attribute} = {t.text}" for t in key.key.templates)
    return text if number == 1 else f"{text}, at most {number} of {each}"


def _counted(name: str, number: int) -> str:
    return name if number == 1 else f"{number} {name}"


def _sort_text(read: Read, condition: KeyCondition[Any]) -> list[str]:
    if not condition.key.sort or isinstance(read, Collect):
        return []
    names = [t.attribute for t in condition.key.sort]
    missing = condition.open_names
    if condition.range is not None:
        return [f"{' + '.join(names)} {condition.range.replace('_', ' ')} on {missing[0]}"]
    text = " + ".join(t.text for t in condition.key.sort)
    if not missing:
        return [f"{' + '.join(names)} = {text}"]
    beginning = text.split("{" + missing[0])[0]
    return [f"{names[0]} begins with {beginning}"] if beginning else []


def _units_text(pattern: Pattern, traffic: Traffic) -> str:
    if isinstance(pattern, Write):
        return f"{write_units(pattern, traffic).write:g} W"
    units = read_units(pattern, traffic).read
    return "whole table" if units is None else f"{units:g} R"


def _monthly(pattern: Pattern, traffic: Traffic, prices: Prices) -> float | None:
    times = traffic.per_month.get(pattern.name)
    if times is None:
        return None
    if isinstance(pattern, Write):
        return prices.of(0, times * write_units(pattern, traffic).write)
    units = read_units(pattern, traffic).read
    return None if units is None else prices.of(times * units, 0)


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
