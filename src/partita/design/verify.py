"""Live items against the model: can they be read, and are their keys what the model would write?

The pass reads strongly, page after page, and writes nothing. The table may be in use: an item is judged as it
was when it was read.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from partita.model.declaring.entity import Entity
from partita.model.declaring.items import is_in, primary_key, type_of
from partita.model.declaring.table import Table, required_table
from partita.model.declaring.upcasting import is_older
from partita.model.definition.drift import drift
from partita.model.errors import ModelError, ReadRefused
from partita.model.flows.context import Context
from partita.model.flows.flow import Call, Flow
from partita.model.flows.progress import Progress, progress_of
from partita.model.flows.retries import ask
from partita.model.schema import EntitySchema, Item, TableSchema
from partita.model.uniqueness.rules import is_marker, owner_of
from partita.model.values.attribute_values import key_text, shortened
from partita.model.writing.recording import is_record

MOST_PROBLEMS = 1000

ProblemKind = Literal[
    "table",
    "unknown type",
    "unreadable",
    "primary key",
    "missing from index",
    "wrong index key",
    "left in index",
]


@dataclass(frozen=True, slots=True)
class Problem:
    """One item, or the table itself, that is not as the model says."""

    kind: ProblemKind
    key: Item
    """The item's primary key; empty for the table."""
    text: str

    def __str__(self) -> str:
        values = ", ".join(f"{name} {next(iter(value.values()))!r}" for name, value in self.key.items())
        return f"{self.kind}: {values + ': ' if values else ''}{self.text}"


@dataclass
class Verification:
    """What a pass over a table found."""

    items: int = 0
    markers: int = 0
    """Of unique values; `audit()` judges them."""
    records: int = 0
    """Of operations (`remember=`); their TTL ends them."""
    older: int = 0
    """Items of an older version, which upcasters read."""
    by_type: Counter[str] = field(default_factory=Counter)
    counts: Counter[str] = field(default_factory=Counter)
    """Problems by kind, all of them."""
    problems: list[Problem] = field(default_factory=list)
    """The first ones."""

    @property
    def is_sound(self) -> bool:
        return not self.counts

    def add(self, problem: Problem, most: int) -> None:
        self.counts[problem.kind] += 1
        if len(self.problems) < most:
            self.problems.append(problem)


def verify(
    *tables: type[Table], progress: Progress | bool = False, most_problems: int = MOST_PROBLEMS
) -> Callable[[Context], Flow[Verification]]:
    """One pass over a table in DynamoDB: that of a declared table, or of several that share it.

        found = session.run(verify(App))
        found.is_sound, found.problems

    `progress` is called with the number of items done, and how many there were at DynamoDB's last count; True
    draws a bar in a terminal. At most `most_problems` are kept. Raises TypeError for what is no table; as it
    runs, ReadRefused for tables that the session has under several names, ServiceError where there is none.
    """
    if not tables:
        raise TypeError("verify needs a table, as in session.run(verify(App))")
    schemas = [required_table(table).__schema__ for table in tables]
    if not isinstance(most_problems, int) or most_problems < 0:
        raise TypeError(f"most_problems is a number of them, not {shortened(most_problems)}")

    def recipe(context: Context) -> Flow[Verification]:
        names = sorted({context.table_name(schema) for schema in schemas})
        if len(names) > 1:
            raise ReadRefused(f"a pass is over one table, and these are in {', '.join(names)}")
        return (yield from _verified(context, names[0], schemas, progress_of(progress), most_problems))

    return recipe


def _verified(
    context: Context, name: str, tables: Sequence[TableSchema], progress: Progress, most: int
) -> Flow[Verification]:
    found = Verification()
    answer = yield from ask(context.retries, Call("DescribeTable", {"TableName": name}))
    described = answer["Table"]
    for table in tables:
        for sentence in drift(table.cls, described):
            found.add(Problem("table", {}, sentence), most)
    total = int(described.get("ItemCount", 0))
    parameters: dict[str, Any] = {"TableName": name, "ConsistentRead": True}
    while True:
        answer = yield from ask(context.retries, Call("Scan", parameters))
        for item in answer["Items"]:
            found.items += 1
            _judge(tables, item, found, most)
        progress(found.items, max(total, found.items + ("LastEvaluatedKey" in answer)))
        if "LastEvaluatedKey" not in answer:
            return found
        parameters["ExclusiveStartKey"] = answer["LastEvaluatedKey"]


def _judge(tables: Sequence[TableSchema], item: Item, found: Verification, most: int) -> None:
    if any(is_marker(table, item) for table in tables):
        found.markers += 1
        if owner_of(tables[0], item) is None:
            text = "this marker of a unique value does not say whose it is: nobody can take the value"
            found.add(Problem("unreadable", primary_key(tables[0], item), text), most)
        return
    if any(is_record(table, item) for table in tables):
        found.records += 1
        return
    key = primary_key(tables[0], item)
    entity = next((of for table in tables if (of := type_of(item, table)) is not None), None)
    if entity is None:
        attribute = tables[0].discriminator
        said = item.get(attribute, {}).get("S") if attribute is not None else None
        text = f"no entity has the type {said!r}" if said is not None else "no entity has such a key"
        found.add(Problem("unknown type", key, text), most)
        return
    schema = entity.__schema__
    found.by_type[schema.type_name] += 1
    try:
        found.older += is_older(schema, item)
        wanted = schema.encode(schema.decode(item))
    except (ModelError, ValueError) as error:
        found.add(Problem("unreadable", key, str(error)), most)
        return
    for kind, text in _key_faults(schema, entity, item, wanted):
        found.add(Problem(kind, key, text), most)


def _key_faults(
    schema: EntitySchema, entity: type[Entity], item: Item, wanted: Item
) -> list[tuple[ProblemKind, str]]:
    name = entity.__name__
    if primary_key(schema.table, wanted) != primary_key(schema.table, item):
        key = primary_key(schema.table, wanted)
        return [("primary key", f"the model writes this {name} under {key_text(key)}")]
    faults: list[tuple[ProblemKind, str]] = []
    for attribute, index_key in schema.index_keys.items():
        index = schema.table.indexes[attribute].name
        names = [template.attribute for template in index_key.templates]
        inside, expected = is_in(index_key, item), is_in(index_key, wanted)
        differing = [one for one in names if item.get(one) != wanted.get(one)]
        if not differing:
            continue
        if expected and not inside:
            faults.append(("missing from index", f"{name} belongs in {index}: {_listed(wanted, differing)}"))
        elif inside and not expected:
            faults.append(
                ("left in index", f"{name} does not belong in {index}: remove {', '.join(differing)}")
            )
        elif expected:
            faults.append(
                (
                    "wrong index key",
                    f"{name} in {index} is {_listed(item, differing)}, not {_listed(wanted, differing)}",
                )
            )
    return faults + _left_in_indexes(schema, item)


def _left_in_indexes(schema: EntitySchema, item: Item) -> list[tuple[ProblemKind, str]]:
    """Indexes that the entity is no longer declared in, and whose key attributes the item still has."""
    faults: list[tuple[ProblemKind, str]] = []
    for name, index in schema.table.indexes.items():
        names = [one.name for one in (*index.partition, *index.sort)]
        left = [one for one in names if one not in schema.attributes]
        if name not in schema.index_keys and left and all(one in item for one in names):
            text = f"{schema.cls.__name__} is not declared in {index.name}: remove {', '.join(left)}"
            faults.append(("left in index", text))
    return faults


def _listed(item: Item, names: Sequence[str]) -> str:
    return ", ".join(f"{name} {next(iter(item[name].values()))!r}" for name in names if name in item)
