"""The check against 200 generated designs, whose keys are all rendered and compared by brute force.

Fields have few values, of which some hold separators and escapes, so that every key that a design can render
is rendered. What the check calls free of collisions and neighbours must be so; what it refuses must come with
a key that both really render.
"""

from __future__ import annotations

import contextlib
import itertools
import random
import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from functools import cache
from typing import Annotated, Any, Literal

import pytest
from pydantic import StringConstraints
from tests.counts import GENERATED_DESIGNS

from partita.design import P, Query, check
from partita.design.reach import neighbours, sort_texts
from partita.model import Entity, Key, Table
from partita.model.keys.collisions import can_collide
from partita.model.keys.key_conditions import BoundKey
from partita.model.keys.languages import common_text, exactly
from partita.model.keys.templates import Template
from partita.model.schema import Item

FIELDS: dict[str, tuple[Any, list[Any], list[str]]] = {
    "text": (
        Annotated[str, StringConstraints(max_length=3)],
        ["", "A", "A#", "#A", "$", "1", "A1"],
        ["{text}"],
    ),
    "long": (Annotated[str, StringConstraints(max_length=300)], ["A", "x" * 30, "é" * 30], ["{long}"]),
    "number": (int, [0, 1, 9, 10, 99], ["{number:2}", "{number:4}", "{number:+3}"]),
    "day": (date, [date(1, 1, 1), date(2026, 9, 28), date(9999, 12, 31)], ["{day}"]),
    "state": (Literal["A", "AB", "1"], ["A", "AB", "1"], ["{state}"]),
    "flag": (bool, [False, True], ["{flag}"]),
}
LONGEST = {"text": ["\U0001f600" * 3], "long": ["\U0001f600" * 300]}
"""Values of as many bytes as their declarations allow, where FIELDS has none."""
WORDS = ["A#", "AB#", "1#", "A#1#", "META", "#", "A", "0"]


class Generated:
    """Two or three entities of one table, each with its name, fields and templates."""

    def __init__(self, seed: int) -> None:
        chance = random.Random(seed)
        # Each in a table of its own: a table refuses entities whose keys collide when the class is made.
        self.entities = [self._entity("E0", *(self._key(chance) for _ in range(20)))]
        for n in range(1, chance.choice([2, 2, 3])):
            keys = [self._like(chance) if chance.random() < 0.7 else self._key(chance) for _ in range(20)]
            self.entities.append(self._entity(f"E{n}", *keys))

    def _entity(self, name: str, *keys: tuple[str, str]) -> type[Entity]:
        """With the first of the keys that can be declared."""
        for partition, sort in keys:
            fields = re.findall(r"\{(\w+)", partition + sort)
            namespace = {
                "__annotations__": {field: FIELDS[field][0] for field in fields},
                "__module__": __name__,
                "key": Key(partition, sort),
            }
            table = type("Shared", (Table,), {}, name="shared")
            with contextlib.suppress(TypeError):
                return type(Entity)(name, (Entity,), namespace, table=table)  # type: ignore[call-arg, no-any-return]
        raise AssertionError(f"none of {keys} can be declared")

    def _key(self, chance: random.Random) -> tuple[str, str]:
        fields = chance.sample(list(FIELDS), chance.randint(1, 3))
        split = chance.randint(0, len(fields))
        partition, sort = (self._template(chance, part) for part in (fields[:split], fields[split:]))
        return partition or chance.choice(WORDS), sort or chance.choice(WORDS)

    def _like(self, chance: random.Random) -> tuple[str, str]:
        """The first entity's key with other placeholders, or a word in place of one."""
        key = self.entities[0].__schema__.key
        fields = chance.sample(list(FIELDS), len(FIELDS))

        def other(_: re.Match[str]) -> str:
            return (
                chance.choice(FIELDS[fields.pop()][2]) if chance.random() < 0.7 else chance.choice(["A", "1"])
            )

        partition, sort = (re.sub(r"\{[^}]*\}", other, t.text) for t in (key.partition[0], key.sort[0]))
        return partition, sort

    def _template(self, chance: random.Random, fields: list[str]) -> str:
        pieces = [chance.choice(FIELDS[field][2]) for field in fields]
        text = "#".join(pieces)
        if chance.random() < 0.6:
            text = chance.choice([word for word in WORDS if word.endswith("#")]) + text
        if pieces and chance.random() < 0.3:
            text += chance.choice(["#", "#META", "#A"])
        return text


@cache
def generated(seed: int) -> Generated:
    return Generated(seed)


def items(entity: type[Entity], longest: bool = False) -> Iterator[tuple[dict[str, Any], Item]]:
    """Every combination of the fields' values that a key takes, with that key."""
    schema = entity.__schema__
    names = list(schema.fields)
    choices = [LONGEST[name] if longest and name in LONGEST else FIELDS[name][1] for name in names]
    for values in itertools.product(*choices):
        given = dict(zip(names, values, strict=True))
        try:
            templates = [*schema.key.partition, *schema.key.sort]
            if longest:
                templates = [replace(template, limit=1_000_000) for template in templates]
            yield given, {template.attribute: template.render(given) for template in templates}
        except ValueError:
            continue


def pair(item: Item) -> tuple[str, str]:
    return item["PK"]["S"], item["SK"]["S"]


def renders(template: Template, text: str) -> bool:
    """Whether the template gives this text for some values, read back from it."""
    values = template.parse({"S": text})
    if values is None:
        # The check takes any ten digits and hyphens in the right places for a day.
        return "day" in template.names and template.pattern.fullmatch(text) is not None
    try:
        return template.render(values) == {"S": text}
    except ValueError:
        # And N000 for a number, which is one below the lowest of three digits.
        return "N000" in text


designs = pytest.mark.parametrize("seed", range(GENERATED_DESIGNS))


@designs
def test_collisions_are_those_of_rendered_keys(seed: int) -> None:
    design = generated(seed)
    refused = {f.subject for f in check(design.entities) if f.rule == "collision"}
    for one, other in itertools.combinations(design.entities, 2):
        shared = {pair(key) for _, key in items(one)} & {pair(key) for _, key in items(other)}
        witness = can_collide(one.__schema__.key, other.__schema__.key)
        if shared:
            assert witness is not None, shared
            assert f"entity {one.__name__}" in refused
        if witness is not None:
            partition, sort = witness.split(" / ")
            for schema in (one.__schema__, other.__schema__):
                assert renders(schema.key.partition[0], partition)
                assert renders(schema.key.sort[0], sort)


@designs
def test_no_two_values_of_one_entity_have_one_key(seed: int) -> None:
    for entity in generated(seed).entities:
        keys = [pair(key) for _, key in items(entity)]
        assert len(keys) == len(set(keys))


@designs
def test_lengths_are_bounded_by_the_longest_rendered_key(seed: int) -> None:
    design = generated(seed)
    found = {(f.subject, f.severity) for f in check(design.entities) if f.rule == "key-length"}
    for entity in design.entities:
        key = entity.__schema__.key
        too_long = False
        for template, most in ((key.partition[0], 2048), (key.sort[0], 1024)):
            bound = template.max_bytes
            longest = max(
                len(item[template.attribute]["S"].encode()) for _, item in items(entity, longest=True)
            )
            assert longest == bound
            too_long |= longest > most
        assert ((f"entity {entity.__name__}", "refused") in found) == too_long


@designs
def test_rendered_keys_order_as_the_values_do(seed: int) -> None:
    for entity in generated(seed).entities:
        (template,) = entity.__schema__.key.sort
        if not template.names or not template.sorts:
            continue
        rows = [
            (tuple(given[name] for name in template.names), key["SK"]["S"].encode())
            for given, key in items(entity)
        ]
        assert [values for values, _ in sorted(rows, key=lambda row: row[1])] == [
            values for values, _ in sorted(rows, key=lambda row: row[0])
        ]


@designs
def test_what_a_query_finds_beside_its_entity_is_what_it_is_refused_for(seed: int) -> None:
    """Partitions by equality, sort keys from the left, each range with every pair of values."""
    design = generated(seed)
    for entity in design.entities:
        bound = BoundKey(entity, entity.__schema__, entity.__schema__.key)
        for count in range(len(bound.sort_names) + 1):
            given = {name: P(name) for name in (*bound.partition_names, *bound.sort_names[:count])}
            for kind in (None, *random.Random(seed).sample(sorted(_ENDS), 2)):
                if kind is not None and count == len(bound.sort_names):
                    continue
                condition = bound(**given)
                if kind is not None:
                    operands = (P("low"), P("high")) if kind == "between" else (P("low"),)
                    condition = getattr(condition, kind)(*operands)
                texts = sort_texts((entity,), condition)
                conditions = _conditions(bound, given, kind, list(items(entity)))
                for other in design.entities:
                    for sort in {key["SK"]["S"] for _, key in items(other)}:
                        if any(term is None or _holds(sort, *term) for term in conditions):
                            assert any(common_text(one, exactly(sort)) is not None for one in texts), sort


Term = tuple[str, tuple[str, ...]]


def _conditions(
    bound: BoundKey[Any], given: dict[str, Any], kind: str | None, mine: list[Any]
) -> set[Term | None]:
    """The real conditions on the sort key, with all values of what is given and of the range's ends."""
    conditions: set[Term | None] = set()
    fixed = {tuple(values[name] for name in given) for values, _ in mine}
    open_name = next((name for name in bound.sort_names if name not in given), None)
    for values in fixed:
        ends = [()] if kind is None else itertools.product(FIELDS[str(open_name)][1], repeat=_ENDS[kind])
        for operands in ends:
            try:
                made = bound(**dict(zip(given, values, strict=True)))
                terms = made.sort() if kind is None else getattr(made, kind)(*operands).sort()
            except ValueError:
                continue
            conditions |= {(term.operator, tuple(end["S"] for end in term.operands)) for term in terms} or {
                None
            }
    return conditions


_ENDS = {"between": 2, "after": 1, "at_least": 1, "before": 1, "at_most": 1}


def _holds(text: str, operator: str, operands: tuple[str, ...]) -> bool:
    value, ends = text.encode(), [operand.encode() for operand in operands]
    match operator:
        case "=":
            return value == ends[0]
        case "begins_with":
            return value.startswith(ends[0])
        case "BETWEEN":
            return ends[0] <= value <= ends[1]
        case "<":
            return value < ends[0]
        case "<=":
            return value <= ends[0]
        case ">":
            return value > ends[0]
    return value >= ends[0]


@designs
def test_neighbours_are_refused_exactly_where_a_partition_is_shared(seed: int) -> None:
    """The same entities in one table, where their keys do not collide."""
    design = generated(seed)
    table = type("Together", (Table,), {})
    joined: list[type[Entity]] = []
    for entity in design.entities:
        key = entity.__schema__.key
        namespace = {
            "__annotations__": {name: FIELDS[name][0] for name in entity.__schema__.fields},
            "__module__": __name__,
            "key": Key(key.partition[0].text, key.sort[0].text),
        }
        try:
            joined.append(type(Entity)(entity.__name__, (Entity,), namespace, table=table))  # type: ignore[call-arg]
        except TypeError:
            continue
    for entity in joined:
        bound = BoundKey(entity, entity.__schema__, entity.__schema__.key)
        names = bound.partition_names
        whole = Query("all", bound(**{name: P(name) for name in names}), limit=9)
        found = {other for other, _ in neighbours(whole.of, whole.key)}
        refused = "swallow" in {f.rule for f in check([whole])}
        beside = set()
        for given, key in items(entity):
            terms = [
                (term.operator, tuple(end["S"] for end in term.operands))
                for term in bound(**{name: given[name] for name in names}).sort()
            ]
            for other in joined:
                sorts = [item["SK"]["S"] for _, item in items(other) if item["PK"] == key["PK"]]
                if other is not entity and any(all(_holds(sort, *term) for term in terms) for sort in sorts):
                    beside.add(other)
        assert beside <= found
        assert refused == bool(found)
        for other, witness in neighbours(whole.of, whole.key):
            assert renders(other.__schema__.key.sort[0], witness)


def test_the_designs_are_of_both_kinds() -> None:
    """Some collide and some do not; some fit their keys and some do not; some have neighbours."""
    checked = [check(generated(seed).entities) for seed in range(200)]
    found = [{one.rule for one in findings if one.severity == "refused"} for findings in checked]
    for rule in ("collision", "key-length", "hot-partition"):
        assert 10 < sum(rule in rules for rules in found) < 190, rule
