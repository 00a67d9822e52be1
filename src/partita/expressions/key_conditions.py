"""The shape of a key condition, as far as it shows without the table (facts 11.4–11.8, 11.11, 11.12)."""

from __future__ import annotations

from typing import NamedTuple

from partita.attributes import AttributeValue
from partita.errors import expressions as errors
from partita.expressions.checks import operands_of
from partita.expressions.operand_closures import Values
from partita.expressions.tree import (
    And,
    Attribute,
    Between,
    Call,
    Comparison,
    Condition,
    In,
    Not,
    Operand,
    Or,
    Value,
)

_TURNED = {"=": "=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}


INDEXABLE = frozenset({"=", "<", "<=", ">", ">=", "BETWEEN", "begins_with"})
"""The operators of which a range of keys can be made."""


class KeyCondition(NamedTuple):
    """A condition on one key attribute."""

    attribute: str
    operator: str
    """One of INDEXABLE, or another of the legacy parameters' operators."""
    operands: tuple[AttributeValue, ...]
    """In normal form: of INDEXABLE operators two for BETWEEN, else one."""


class KeyShape(NamedTuple):
    """A key condition without its values."""

    attribute: str
    operator: str
    placeholders: tuple[str, ...]

    def bind(self, values: Values) -> KeyCondition:
        """The condition with the values of one request."""
        operands = tuple([values[placeholder] for placeholder in self.placeholders])
        return KeyCondition(self.attribute, self.operator, operands)


def key_shapes(condition: Condition) -> tuple[KeyShape, ...]:
    """The conditions that a KeyConditionExpression joins by AND, in order of the text."""
    shapes: dict[str, KeyShape] = {}
    waiting = [condition]
    while waiting:
        current = waiting.pop()
        if isinstance(current, And):
            waiting += reversed(current.conditions)
            continue
        shape = _key_shape(current)
        if shape.attribute in shapes:
            raise errors.one_condition_per_key()
        shapes[shape.attribute] = shape
    return tuple(shapes.values())


def _key_shape(condition: Condition) -> KeyShape:
    operator = _operator(condition)
    operands = operands_of(condition)
    for operand in operands:
        if isinstance(operand, Call):
            raise errors.key_condition_operator(operand.name)
    if operator in ("BETWEEN", "begins_with") and not isinstance(operands[0], Attribute):
        raise errors.key_attribute_not_first(operator)
    attribute = _key_attribute(operands)
    if not isinstance(operands[0], Attribute):
        operator = _TURNED[operator]
    placeholders = tuple(operand.placeholder for operand in operands if isinstance(operand, Value))
    return KeyShape(attribute, operator, placeholders)


def _operator(condition: Condition) -> str:
    forbidden = ""
    match condition:
        case Or():
            forbidden = "OR"
        case Not():
            forbidden = "NOT"
        case In():
            forbidden = "IN"
        case Comparison("<>"):
            forbidden = "<>"
        case Call(name) if name != "begins_with":
            forbidden = name
        case Comparison(operator) | Call(operator):
            return operator
        case Between():
            return "BETWEEN"
    raise errors.key_condition_operator(forbidden)


def _key_attribute(operands: tuple[Operand, ...]) -> str:
    name = None
    for operand in operands:
        if isinstance(operand, Attribute):
            if name is not None:
                raise errors.several_key_attributes()
            if len(operand.path) > 1:
                raise errors.nested_key_condition()
            name = str(operand.path[0])
    if name is None:
        raise errors.no_key_attribute()
    return name
