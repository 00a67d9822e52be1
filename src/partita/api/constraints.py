"""Constraints: null, length, range, pattern and enum, in DynamoDB's order and words (facts, section 2)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, NamedTuple

from partita.api import captured, echoes
from partita.api.shapes import ARN_MAX, Echo, Member, Rule, Shape, is_arn
from partita.errors import ValidationException
from partita.errors import requests as errors


class Path(NamedTuple):
    """Where a value stands in the request, in the two spellings that messages use (fact 2.20)."""

    camel: str = ""
    capital: str = ""

    def member(self, name: str) -> Path:
        dot = "." if self.camel else ""
        return Path(f"{self.camel}{dot}{name[0].lower()}{name[1:]}", f"{self.capital}{dot}{name}")

    def element(self, place: object) -> Path:
        """`place` is a position counted from 1, or a key."""
        return Path(f"{self.camel}.{place}.member", f"{self.capital}.{place}.member")


def groups_of(operation: str, shape: Shape, left_out: frozenset[str]) -> list[list[Member]]:
    """The members of a request as they are checked together; `left_out` are not checked at all."""
    first = captured.GROUPS.get(operation, ((),))
    named = {name for group in first for name in group}
    rest = [name for name in shape.members if name not in named]
    return [
        [shape.members[name] for name in group if name not in left_out]
        for group in (*first[:-1], (*first[-1], *rest))
    ]


def fault(groups: Sequence[Sequence[Member]], request: dict[str, Any]) -> ValidationException | None:
    """The error of a request whose JSON types are right; None if it keeps all constraints."""
    for group in groups:
        found = (text for member in group for text in _member(member, request.get(member.name), Path()))
        failures = list(islice(found, captured.MAX_FAILURES))
        if failures:
            return errors.constraints(failures)
    return None


def _member(member: Member, value: Any, outer: Path) -> Iterator[str]:
    path = outer.member(member.name)
    rule, shape = member.rule, member.shape
    if value is None:
        if rule.required:
            yield errors.failure(None, path.camel, errors.NOT_NULL)
        return
    for broken in _broken(rule, value):
        yield _failure(value, shape, path, rule.echo, broken)
    yield from _inside(shape, value, path, rule.echo)


def _inside(shape: Shape, value: Any, path: Path, echo: Echo = "java") -> Iterator[str]:
    if shape.is_attribute_value or shape.name in captured.OTHER_WORDS:
        return
    if shape.type == "structure":
        for member in shape.members.values():
            yield from _member(member, value.get(member.name), path)
    elif shape.type == "list":
        yield from _elements(shape, value, path, echo)
    elif shape.type == "map":
        yield from _entries(shape, value, path, echo)


def _elements(shape: Shape, value: list[Any], path: Path, echo: Echo) -> Iterator[str]:
    rule, element = shape.element_rule, shape.element
    assert element is not None
    if None in value:
        yield _failure(value, shape, path, echo, errors.elements([errors.NOT_NULL]))
    elif not all(_keeps(rule, item) for item in value):
        yield _failure(value, shape, path, echo, errors.elements(_in_words(rule)))
    for position, item in enumerate(value, 1):
        if item is not None:
            yield from _inside(element, item, path.element(position))


def _entries(shape: Shape, value: dict[str, Any], path: Path, echo: Echo) -> Iterator[str]:
    rule, element = shape.element_rule, shape.element
    assert element is not None
    if element.is_attribute_value:
        return
    if not all(_keeps(shape.key_rule, name) for name in value):
        yield _failure(value, shape, path, echo, errors.map_keys(_in_words(shape.key_rule)))
    if None in value.values():
        yield _failure(value, shape, path, echo, errors.map_values([errors.NOT_NULL]))
    elif not all(_keeps(rule, item) for item in value.values()):
        yield _failure(value, shape, path, echo, errors.map_values(_in_words(rule)))
    for name, item in value.items():
        if item is not None:
            yield from _inside(element, item, path.element(name))


def _failure(value: Any, shape: Shape, path: Path, echo: Echo, rule: str) -> str:
    if echo == "none":
        return errors.failure_without_echo(path.capital, rule)
    text = echoes.json(value, shape) if echo == "json" else echoes.java(value, shape)
    return errors.failure(text, path.camel, rule)


def _keeps(rule: Rule, value: Any) -> bool:
    return next(_broken(rule, value), None) is None


def _broken(rule: Rule, value: Any) -> Iterator[str]:
    """What `value` breaks, in words. Its type is right."""
    if isinstance(value, bool):
        return
    if isinstance(value, int):
        if rule.least is not None and value < rule.least:
            yield errors.value_at_least(rule.least)
        if rule.most is not None and value > rule.most:
            yield errors.value_at_most(rule.most)
    elif not isinstance(value, str):
        yield from _broken_length(rule, len(value))
    elif rule.enum:
        if value not in rule.enum:
            yield errors.one_of(rule.enum)
    elif rule.takes_arn(value):
        if len(value) > ARN_MAX:
            yield errors.at_most(ARN_MAX)
        elif not is_arn(value):
            yield errors.ARN_FORM
    else:
        if rule.length_first:
            yield from _broken_length(rule, len(value))
        # An empty table name of an item operation only lacks length (fact 2.4).
        is_spared = rule.is_table and not value and rule.least == 1
        if rule.pattern is not None and not rule.matches(value) and not is_spared:
            yield errors.like(rule.pattern)
        if not rule.length_first:
            yield from _broken_length(rule, len(value))


def _broken_length(rule: Rule, length: int) -> Iterator[str]:
    if rule.least is not None and length < rule.least:
        yield errors.at_least(rule.least)
    if rule.most is not None and length > rule.most:
        yield errors.at_most(rule.most)


def _in_words(rule: Rule) -> list[str]:
    """All that `rule` demands of a key or element; messages do not say which demand was broken."""
    words = []
    if rule.most is not None:
        words.append(errors.at_most(rule.most))
    if rule.least is not None:
        words.append(errors.at_least(rule.least))
    if rule.pattern is not None:
        words.append(errors.like(rule.pattern))
    return words
