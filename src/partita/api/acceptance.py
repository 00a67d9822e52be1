"""The quick way through a request that is fine, which nearly all are.

An acceptor says yes only to a request that has the right JSON types, keeps all constraints and holds no
member that the model does not know or that is not done yet. Where it says no, the request may still be fine:
the slow way finds out, and words the error.
Acceptors do not look into attribute values, which are judged where they are normalised.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from partita.api.shapes import ARN_MAX, Rule, Shape, is_arn

Test = Callable[[Any], bool]
_TYPES: dict[str, type] = {"string": str, "boolean": bool, "structure": dict, "list": list, "map": dict}
_MAX_KNOWN_NAMES = 1024


def acceptor(shape: Shape, refused: frozenset[str] = frozenset()) -> Test:
    """The acceptor of a structure; a member among `refused` makes it say no."""
    plain: dict[str, type] = {}
    tests: dict[str, Test] = {}
    for name, member in shape.members.items():
        tests[name] = _never
        if name in refused:
            continue
        test = _test(member.shape, member.rule)
        if isinstance(test, type):
            plain[name] = test
        else:
            tests[name] = test
    required = tuple(name for name, member in shape.members.items() if member.rule.required)
    type_of, test_of = plain.get, tests.get

    def accepts(value: Any) -> bool:
        if type(value) is not dict:
            return False
        for name, content in value.items():
            if type(content) is not type_of(name):
                test = test_of(name)
                if test is None or not test(content):
                    return False
        for name in required:  # noqa: SIM110 - quicker than all()
            if name not in value:
                return False
        return True

    return accepts


def _never(value: Any) -> bool:
    return False


def _test(shape: Shape, rule: Rule) -> Test | type:
    """The test of a value; just its type where that is all there is to test."""
    if shape.is_attribute_value:
        return dict
    if shape.type == "structure":
        return acceptor(shape)
    if shape.type in ("integer", "long"):
        return _number(shape, rule)
    if shape.type == "list":
        return _list(shape, rule)
    if shape.type == "map":
        return _map(shape, rule)
    if rule.enum:
        return _enum(rule)
    if rule.pattern is not None:
        return _name(rule)
    if rule.least is not None or rule.most is not None:
        return _sized(str, rule)
    return _TYPES[shape.type]


def _number(shape: Shape, rule: Rule) -> Test:
    bound = 1 << (31 if shape.type == "integer" else 63)
    least = -bound if rule.least is None else rule.least
    most = bound - 1 if rule.most is None else rule.most
    return lambda value: type(value) is int and least <= value <= most


def _enum(rule: Rule) -> Test:
    values = frozenset(rule.enum)
    return lambda value: type(value) is str and value in values


def _sized(kind: type[str] | type[list[Any]] | type[dict[str, Any]], rule: Rule) -> Test:
    least = 0 if rule.least is None else rule.least
    if rule.most is None:
        return lambda value: type(value) is kind and len(value) >= least
    most = rule.most
    return lambda value: type(value) is kind and least <= len(value) <= most


def _name(rule: Rule) -> Test:
    """Names of tables and indexes: the same few again and again, so they are remembered."""
    known: set[str] = set()

    def accepts(value: Any) -> bool:
        if type(value) is not str:
            return False
        if value in known:
            return True
        if rule.takes_arn(value):
            is_fine = len(value) <= ARN_MAX and is_arn(value)
        else:
            is_fine = rule.fits(len(value)) and rule.matches(value)
        if is_fine and len(known) < _MAX_KNOWN_NAMES:
            known.add(value)
        return is_fine

    return accepts


def _list(shape: Shape, rule: Rule) -> Test:
    assert shape.element is not None
    has_size, fits = _sized(list, rule), _each(_test(shape.element, shape.element_rule))
    return lambda value: has_size(value) and fits(value)


def _map(shape: Shape, rule: Rule) -> Test | type:
    assert shape.element is not None
    if shape.element.is_attribute_value:
        return dict
    has_size, fits = _sized(dict, rule), _each(_test(shape.element, shape.element_rule))
    key_test = _test(Shape(shape.name, "string"), shape.key_rule)
    if key_test is str:
        return lambda value: has_size(value) and fits(value.values())
    has_keys = _each(key_test)
    return lambda value: has_size(value) and has_keys(value) and fits(value.values())


def _each(test: Test | type) -> Test:
    """Whether all of several values pass. A loop: for a few values, which is usual, all() takes longer."""

    def are_of_type(values: Any) -> bool:
        for value in values:  # noqa: SIM110
            if type(value) is not test:
                return False
        return True

    def pass_test(values: Any) -> bool:
        for value in values:  # noqa: SIM110
            if not test(value):
                return False
        return True

    return are_of_type if isinstance(test, type) else pass_test
