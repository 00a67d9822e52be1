"""Compares all entities of a table with the markers of their unique attributes, in one paged pass.

The pass reads strongly, page after page, and notes keys in a temporary file, so memory stays bounded. The
table may be in use: what looks wrong is read again, entities and marker together in one transaction, and is a
fault only if it still is one then.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from partita.model.auditing.faults import KINDS, Fault, FaultKind
from partita.model.auditing.spill import Spill, Suspect
from partita.model.declaring.items import primary_key, type_of
from partita.model.declaring.table import Table, required_table
from partita.model.errors import ModelError, WriteRefused
from partita.model.flows.context import Context
from partita.model.flows.flow import Call, Flow
from partita.model.flows.progress import Progress, progress_of
from partita.model.flows.retries import ask
from partita.model.schema import EntitySchema, Item, TableSchema
from partita.model.uniqueness.rules import NORMALISER, is_marker, markers_of, owner_of, rule_of
from partita.model.values.attribute_values import plain_key
from partita.model.writing.transact_get import at_one_moment
from partita.words import counted

if TYPE_CHECKING:
    from partita.model.declaring.entity import Entity

MOST_FAULTS = 10_000


@dataclass
class Audit:
    """What an audit found."""

    table: TableSchema = field(repr=False)
    items: int = 0
    """Items read in the pass."""
    unreadable: int = 0
    """Items that could not be read as the entity whose type they have: their markers were not judged. And
    markers that do not say whose they are: nobody can take the value."""
    outdated: int = 0
    """Markers that another version of their rule's normaliser made: nothing is wrong while they fit."""
    faults: list[Fault] = field(default_factory=list)
    """Confirmed ones, orphaned markers first; at most as many as asked for."""
    complete: bool = True
    """False where there may be more faults than were kept."""

    def __str__(self) -> str:
        parts = [counted(self.items, "item"), *(f"{kind}: {n:,}" for kind, n in self.counts().items() if n)]
        parts += [] if self.faults else ["no fault"]
        parts += [f"unreadable: {self.unreadable:,}"] if self.unreadable else []
        parts += [f"of another normaliser: {self.outdated:,}"] if self.outdated else []
        return "; ".join(parts)

    @property
    def is_clean(self) -> bool:
        return not self.faults and not self.unreadable

    @property
    def duplicates(self) -> list[Fault]:
        """Values that several entities share: only people can decide whose they are."""
        return [fault for fault in self.faults if fault.kind == "shared value"]

    def counts(self) -> Mapping[FaultKind, int]:
        return {kind: sum(fault.kind == kind for fault in self.faults) for kind in KINDS}


def audit(
    context: Context,
    table: type[Table],
    rules: Sequence[tuple[type[Entity], str]] | None = None,
    progress: Progress | bool = False,
    most_faults: int = MOST_FAULTS,
) -> Flow[Audit]:
    """Finds the faults of a table's markers. `rules`: only these, as (entity, rule name)."""
    schema = required_table(table).__schema__
    found = Audit(schema)
    spill = Spill()
    try:
        yield from read(context, found, spill, rules, progress)
        for suspect in spill.suspects():
            fault = yield from confirmed(context, schema, suspect)
            if fault is None:
                continue
            if len(found.faults) >= most_faults:
                found.complete = False
                break
            found.faults.append(fault)
    finally:
        spill.close()
    return found


def read(
    context: Context,
    found: Audit,
    spill: Spill,
    rules: Sequence[tuple[type[Entity], str]] | None,
    progress: Progress | bool,
) -> Flow[None]:
    """The pass over the table: counts in `found`, notes in `spill`."""
    asked = _asked(found.table, rules)
    yield from _read(context, found.table, asked, spill, found, progress_of(progress))


def confirmed(context: Context, table: TableSchema, suspect: Suspect | Fault) -> Flow[Fault | None]:
    """The suspicion as a fault, if reads of all that it is about, in one transaction, still show one."""
    items = yield from read_together(context, table, (suspect.marker, *suspect.owners))
    marker, owners = items[0], items[1:]
    holder = None if marker is None else owner_of(table, marker)
    needing = [
        key
        for key, item in zip(suspect.owners, owners, strict=True)
        if item is not None and suspect.marker in needed_by(table, item, suspect.entity, suspect.rule)
    ]
    held_by_first = holder is not None and plain_key(holder) == plain_key(suspect.owners[0])
    stands = False
    match suspect.kind:
        case "orphaned marker":
            stands = held_by_first and owners[0] is None
        case "marker of another value":
            stands = held_by_first and owners[0] is not None and not needing
        case "missing marker":
            stands = bool(needing) and not held_by_first
        case "shared value":
            stands = len(needing) > 1
    if not stands:
        return None
    shown = tuple(needing) if suspect.kind == "shared value" else suspect.owners
    return Fault(suspect.kind, suspect.entity, suspect.rule, suspect.marker, shown)


def needed_by(table: TableSchema, item: Item, entity: str, rule: str) -> list[Item]:
    """The keys of the markers that a rule asks for with a stored item: one or none."""
    cls = type_of(item, table)
    if cls is None or cls.__schema__.type_name != entity:
        return []
    try:
        marker = markers_of(cls.__schema__, cls.__schema__.decode(item)).get(rule)
    except ModelError:
        return []
    return [] if marker is None else [marker.key]


def read_together(context: Context, table: TableSchema, keys: Sequence[Item]) -> Flow[list[Item | None]]:
    """Items as they were at one moment; None for absent ones."""
    name = context.table_name(table)
    items = yield from at_one_moment(context, [(name, key) for key in keys])
    return items


def _asked(
    table: TableSchema, rules: Sequence[tuple[type[Entity], str]] | None
) -> dict[str, tuple[EntitySchema, set[str]]]:
    """Entity type and names of its rules."""
    asked: dict[str, tuple[EntitySchema, set[str]]] = {}
    if rules is None:
        for entity in table.entities:
            schema = entity.__schema__
            if schema.uniques:
                asked[schema.type_name] = (schema, {rule.name for rule in schema.uniques})
        return asked
    for entity, name in rules:
        schema = entity.__schema__
        if schema.table is not table or name not in {rule.name for rule in schema.uniques}:
            raise WriteRefused(f"{table.cls.__name__} has no unique rule {name!r} of {entity.__name__}")
        asked.setdefault(schema.type_name, (schema, set()))[1].add(name)
    return asked


def _read(
    context: Context,
    table: TableSchema,
    asked: Mapping[str, tuple[EntitySchema, set[str]]],
    spill: Spill,
    found: Audit,
    progress: Progress,
) -> Flow[None]:
    name = context.table_name(table)
    described = yield from ask(context.retries, Call("DescribeTable", {"TableName": name}))
    about = int(described["Table"].get("ItemCount", 0))
    parameters: dict[str, Any] = {"TableName": name, "ConsistentRead": True}
    while True:
        page = yield from ask(context.retries, Call("Scan", parameters))
        for item in page["Items"]:
            _note(table, item, asked, spill, found)
        if "LastEvaluatedKey" not in page:
            progress(found.items, found.items)
            return
        # The table's own count is hours old: more than it says may come.
        progress(found.items, max(about, found.items + 1))
        parameters = {**parameters, "ExclusiveStartKey": page["LastEvaluatedKey"]}


def _note(
    table: TableSchema,
    item: Item,
    asked: Mapping[str, tuple[EntitySchema, set[str]]],
    spill: Spill,
    found: Audit,
) -> None:
    found.items += 1
    key = primary_key(table, item)
    if is_marker(table, item):
        entity, rule = rule_of(table, item)
        if entity in asked and rule in asked[entity][1]:
            owner = owner_of(table, item)
            if owner is None:
                found.unreadable += 1
                return
            spill.held(key, owner, entity, rule)
            made = Decimal(item.get(NORMALISER, {}).get("N", "1"))
            found.outdated += any(
                one.name == rule and one.normaliser_version != made for one in asked[entity][0].uniques
            )
        return
    cls = type_of(item, table)
    if cls is None or cls.__schema__.type_name not in asked:
        return
    schema, names = asked[cls.__schema__.type_name]
    spill.present(key)
    try:
        markers = markers_of(schema, schema.decode(item))
    except ModelError:
        found.unreadable += 1
        return
    for marker in _of(markers.values(), names):
        spill.needed(marker.key, key, schema.type_name, marker.rule.name)


def _of(markers: Any, names: set[str]) -> Iterator[Any]:
    return (marker for marker in markers if marker.rule.name in names)
