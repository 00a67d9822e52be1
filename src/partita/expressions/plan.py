"""The expressions of a request, compiled for every request that has the same texts and names."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from partita.expressions.checks import (
    check_condition,
    check_projection,
    check_size,
    check_update,
    value_tests,
)
from partita.expressions.conditions import Test, compile_condition
from partita.expressions.grammar import ConditionParser, ProjectionParser, UpdateParser
from partita.expressions.key_conditions import KeyShape, key_shapes
from partita.expressions.operand_closures import Values
from partita.expressions.operands import OperandParser, Placeholders
from partita.expressions.prepared import Prepared
from partita.expressions.projection import Projection
from partita.expressions.takes import CONDITION, FILTER, KEY_CONDITION, PROJECTION, UPDATE_EXPRESSION
from partita.expressions.tree import Attribute
from partita.expressions.update import CompiledUpdate, Update


class Plan:
    """Compiled expressions, still without values."""

    __slots__ = (
        "condition",
        "condition_names",
        "entered_names",
        "filter",
        "filter_names",
        "key_shapes",
        "projection",
        "update",
        "used_names",
        "used_values",
        "value_tests",
        "without_values",
    )

    def __init__(self) -> None:
        self.condition: Test | None = None
        self.condition_names: frozenset[str] = frozenset()
        self.entered_names: frozenset[str] = frozenset()
        self.filter: Test | None = None
        self.filter_names: frozenset[str] = frozenset()
        self.key_shapes: tuple[KeyShape, ...] | None = None
        self.projection: Projection | None = None
        self.update: CompiledUpdate | None = None
        self.used_names: frozenset[str] = frozenset()
        self.used_values: frozenset[str] = frozenset()
        self.without_values: Prepared | None = None
        """What they come to, if they use no values: the same for every request."""
        self.value_tests: list[Callable[[Values], bool]] = []

    def bind(self, values: Values) -> Prepared:
        """The expressions with the values of one request, which have been checked."""
        condition, filter_, shapes, update = self.condition, self.filter, self.key_shapes, self.update
        return Prepared(
            None if condition is None else partial(condition, values),
            self.condition_names,
            None if filter_ is None else partial(filter_, values),
            self.filter_names,
            self.projection,
            None if shapes is None else tuple([shape.bind(values) for shape in shapes]),
            None if update is None else Update(update, values),
            self.entered_names,
        )

    def accepts(self, values: Values) -> bool:
        """Whether the values are such as the expressions can take (6.17–6.19, 6.26, 7.10, 8.17)."""
        for test in self.value_tests:  # noqa: SIM110 (a generator costs more than the tests)
            if not test(values):
                return False
        return True


def build_plan(texts: Mapping[str, str], placeholders: Placeholders) -> Plan:
    """Parses, checks and compiles `texts`, by the names of their parameters, in their order.

    Raises ValidationException by sections 6, 7, 8 and 11.
    """
    plan = Plan()
    for expression, text in texts.items():
        check_size(expression, text)
        parser = _READERS[expression](plan, expression, text, placeholders)
        plan.used_names |= parser.used_names
        plan.used_values |= parser.used_values
        plan.entered_names |= parser.entered_names
        for part in parser.parts:
            for node in part.nodes:
                plan.value_tests += value_tests(node)
    if not plan.used_values:
        plan.without_values = plan.bind({})
    return plan


def _read_condition(plan: Plan, expression: str, text: str, placeholders: Placeholders) -> OperandParser:
    """Reads a condition, a filter or a key condition."""
    parser = ConditionParser(expression, text, placeholders)
    condition = parser.parse()
    check_condition(parser, placeholders.values)
    if expression == KEY_CONDITION:
        plan.key_shapes = key_shapes(condition)
        return parser
    test = compile_condition(condition, parser.nodes)
    names = frozenset(str(node.path[0]) for node in parser.nodes if isinstance(node, Attribute))
    if expression == CONDITION:
        plan.condition, plan.condition_names = test, names
    else:
        plan.filter, plan.filter_names = test, names
    return parser


def _read_update(plan: Plan, expression: str, text: str, placeholders: Placeholders) -> OperandParser:
    parser = UpdateParser(expression, text, placeholders)
    actions = parser.parse()
    check_update(parser, parser.repeated_section, actions, placeholders.values)
    plan.update = CompiledUpdate(actions, parser.nodes)
    return parser


def _read_projection(plan: Plan, expression: str, text: str, placeholders: Placeholders) -> OperandParser:
    parser = ProjectionParser(expression, text, placeholders)
    paths = parser.parse()
    check_projection(parser, paths)
    plan.projection = Projection(paths)
    return parser


_READERS = {
    CONDITION: _read_condition,
    FILTER: _read_condition,
    KEY_CONDITION: _read_condition,
    UPDATE_EXPRESSION: _read_update,
    PROJECTION: _read_projection,
}
