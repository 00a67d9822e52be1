"""The legacy parameters, checked and turned into the tree of expressions (facts 2.40, section 22)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, TypeVar

from partita.attributes import AttributeValue, Item, compare, normalise
from partita.errors import legacy as errors
from partita.errors.values import empty_name
from partita.expressions.conditions import compile_condition
from partita.expressions.key_conditions import KeyCondition
from partita.expressions.prepared import Prepared
from partita.expressions.projection import Projection
from partita.expressions.tree import (
    Action,
    Add,
    And,
    Attribute,
    Between,
    Call,
    Comparison,
    Condition,
    Delete,
    In,
    Node,
    Not,
    Or,
    Remove,
    Set,
    Value,
)
from partita.expressions.update import CompiledUpdate, Update

_COMPARATORS = {"EQ": "=", "NE": "<>", "LT": "<", "LE": "<=", "GT": ">", "GE": ">="}
_KEY_OPERATORS = {
    "EQ": "=",
    "LT": "<",
    "LE": "<=",
    "GT": ">",
    "GE": ">=",
    "BETWEEN": "BETWEEN",
    "BEGINS_WITH": "begins_with",
}

_SCALARS = frozenset({"S", "N", "B"})
_SETS = frozenset({"SS", "NS", "BS"})
_OPERAND_TYPES = {
    "LT": _SCALARS,
    "LE": _SCALARS,
    "GT": _SCALARS,
    "GE": _SCALARS,
    "CONTAINS": _SCALARS,
    "NOT_CONTAINS": _SCALARS,
    "IN": _SCALARS,
    "BETWEEN": _SCALARS,
    "BEGINS_WITH": frozenset({"S", "B"}),
}
_ADDABLE = _SETS | {"N", "L"}

_N = TypeVar("_N", bound=Node)


def prepare_legacy(parameters: Mapping[str, Any]) -> Prepared:
    """Reads the legacy parameters among `parameters`. Raises ValidationException by 2.40 and section 22."""
    get = parameters.get
    prepared = Prepared(is_legacy=True)
    names = get("AttributesToGet")
    # A Query's filter is looked at before AttributesToGet, a Scan's after (fact 2.47).
    if names is not None and get("QueryFilter") is None:
        prepared.projection = _projection(names)
    updates = get("AttributeUpdates")
    if updates is not None:
        prepared.update = _update(updates)
    expected = get("Expected")
    filters = get("QueryFilter") or get("ScanFilter")
    joined_by = get("ConditionalOperator")
    if joined_by is not None:
        count = len(expected or filters or ())
        if count == 0:
            raise errors.conditional_operator_alone()
        if count == 1:
            raise errors.conditional_operator_with_one_condition()
    if expected:
        tree = _Tree()
        conditions = [_expected(tree, name, expectation) for name, expectation in expected.items()]
        prepared.condition = tree.test(conditions, joined_by)
        prepared.condition_names = frozenset(expected)
    if filters:
        tree = _Tree()
        conditions = [_filter(tree, name, condition) for name, condition in filters.items()]
        prepared.filter = tree.test(conditions, joined_by)
        prepared.filter_names = frozenset(filters)
    if names is not None and prepared.projection is None:
        prepared.projection = _projection(names)
    keys = get("KeyConditions")
    if keys is not None:
        prepared.key_conditions = _key_conditions(keys)
    return prepared


def _projection(names: Sequence[str]) -> Projection:
    seen = set()
    for name in names:
        if name in seen:
            raise errors.duplicate_attribute_to_get(name)
        seen.add(name)
    return Projection([(name,) for name in names])


class _Tree:
    """A tree that is being made: its nodes, children first, and the values for its placeholders."""

    def __init__(self) -> None:
        self.nodes: list[Node] = []
        self.values: dict[str, AttributeValue] = {}

    def add(self, node: _N) -> _N:
        self.nodes.append(node)
        return node

    def attribute(self, name: str) -> Attribute:
        return self.add(Attribute((name,)))

    def value(self, value: AttributeValue) -> Value:
        placeholder = f":{len(self.values)}"
        self.values[placeholder] = value
        return self.add(Value(placeholder))

    def test(self, conditions: Sequence[Condition], joined_by: str | None) -> Callable[[Item], bool]:
        """All conditions, or with `OR` any of them (fact 22.10)."""
        join = Or if joined_by == "OR" else And
        whole = self.add(join(tuple(conditions)))
        return partial(compile_condition(whole, self.nodes), self.values)


def _expected(tree: _Tree, name: str, expectation: Mapping[str, Any]) -> Condition:
    """One entry of Expected (facts 22.1–22.4)."""
    get = expectation.get
    operator, value, operands, exists = (
        get("ComparisonOperator"),
        get("Value"),
        get("AttributeValueList"),
        get("Exists"),
    )
    if operands is not None and value is not None:
        raise errors.value_and_value_list(name)
    if operator is not None:
        if exists is not None:
            raise errors.exists_and_operator(name)
        if operands is None and value is None and operator not in ("NULL", "NOT_NULL"):
            raise errors.operator_without_value(operator, name)
        return _condition(tree, name, operator, [value] if value is not None else operands or [])
    if operands is not None:
        raise errors.value_list_without_operator(name)
    if exists is False:
        if value is not None:
            raise errors.value_of_absent(name)
        return _condition(tree, name, "NULL", [])
    if value is None:
        raise errors.value_missing("null" if exists is None else "true", name)
    return _condition(tree, name, "EQ", [value])


def _filter(tree: _Tree, name: str, condition: Mapping[str, Any]) -> Condition:
    """One entry of QueryFilter or ScanFilter."""
    return _condition(tree, name, condition["ComparisonOperator"], condition.get("AttributeValueList") or [])


def _key_conditions(conditions: Mapping[str, Mapping[str, Any]]) -> tuple[KeyCondition, ...]:
    """What no key can be asked (fact 22.11) keeps the operator's legacy name."""
    given = [
        (name, condition["ComparisonOperator"], condition.get("AttributeValueList") or [])
        for name, condition in conditions.items()
    ]
    return tuple(
        KeyCondition(name, _KEY_OPERATORS.get(operator, operator), tuple(_operands(operator, sent)))
        for name, operator, sent in given
    )


def _operands(operator: str, sent: Sequence[Any]) -> list[AttributeValue]:
    """The operands in normal form, after the checks of facts 22.5–22.7."""
    operands = [normalise(value)[0] for value in sent]
    if not _takes_operands(operator, len(operands)):
        raise errors.argument_count(operator)
    types = [next(iter(operand)) for operand in operands]
    if len(set(types)) > 1:
        raise errors.mixed_value_list()
    allowed = _OPERAND_TYPES.get(operator)
    if allowed is not None and types[0] not in allowed:
        raise errors.operator_not_valid(operator, types[0])
    if operator == "BETWEEN" and (compare(operands[0], operands[1]) or 0) > 0:
        raise errors.reversed_bounds()
    return operands


def _takes_operands(operator: str, count: int) -> bool:
    match operator:
        case "NULL" | "NOT_NULL":
            return count == 0
        case "BETWEEN":
            return count == 2
        case "IN":
            return count > 0
    return count == 1


def _condition(tree: _Tree, name: str, operator: str, sent: Sequence[Any]) -> Condition:
    """`name operator sent` as a condition; NULL tests absence, NE holds for what is missing (22.8, 22.9)."""
    operands = _operands(operator, sent)
    attribute = tree.attribute(name)
    values = [tree.value(operand) for operand in operands]
    match operator:
        case "NULL":
            return tree.add(Call("attribute_not_exists", (attribute,)))
        case "NOT_NULL":
            return tree.add(Call("attribute_exists", (attribute,)))
        case "CONTAINS":
            return tree.add(Call("contains", (attribute, values[0])))
        case "NOT_CONTAINS":
            exists = tree.add(Call("attribute_exists", (attribute,)))
            without = tree.add(Not(tree.add(Call("contains", (attribute, values[0])))))
            return tree.add(And((exists, without)))
        case "BEGINS_WITH":
            return tree.add(Call("begins_with", (attribute, values[0])))
        case "IN":
            return tree.add(In(attribute, tuple(values)))
        case "BETWEEN":
            return tree.add(Between(attribute, values[0], values[1]))
    return tree.add(Comparison(_COMPARATORS[operator], attribute, values[0]))


def _update(updates: Mapping[str, Mapping[str, Any]]) -> Update:
    """AttributeUpdates (facts 3.30, 22.12–22.16)."""
    if "" in updates:
        raise empty_name()
    tree = _Tree()
    actions = [_action(tree, name, update) for name, update in updates.items()]
    return Update(CompiledUpdate(actions, tree.nodes, is_legacy=True), tree.values)


def _action(tree: _Tree, name: str, update: Mapping[str, Any]) -> Action:
    path = (name,)
    kind = update.get("Action") or "PUT"
    sent = update.get("Value")
    if sent is None:
        if kind != "DELETE":
            raise errors.update_without_value()
        return Remove(path)
    value = normalise(sent)[0]
    type_ = next(iter(value))
    if kind == "PUT":
        return Set(path, tree.value(value))
    if type_ not in (_SETS if kind == "DELETE" else _ADDABLE):
        raise errors.update_action_not_supported(kind, type_)
    return Delete(path, tree.value(value)) if kind == "DELETE" else Add(path, tree.value(value))
