"""Values in place of the parameters of a pattern."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from partita.model.errors import KeyValueError
from partita.model.expressions.conditions import (
    And,
    Between,
    Comparison,
    Condition,
    Function,
    In,
    Not,
    Or,
    Unbound,
    Value,
)
from partita.model.expressions.conditions import operands as operands_of
from partita.model.keys.key_conditions import KeyCondition
from partita.model.values.attribute_values import shortened
from partita.model.values.parameters import P


def require_values(name: str, wanted: Sequence[str], values: Mapping[str, Any]) -> None:
    """Raises KeyValueError unless there is a value for each parameter of the pattern, and no other."""
    if missing := [one for one in wanted if one not in values]:
        raise KeyValueError(f"{name!r} needs a value for {', '.join(missing)}")
    if unknown := [one for one in values if one not in wanted]:
        takes = ", ".join(wanted) or "none"
        raise KeyValueError(f"{name!r} has no parameter {', '.join(unknown)}; it takes {takes}")


def bound_key(condition: KeyCondition[Any], values: Mapping[str, Any]) -> KeyCondition[Any]:
    """The condition with values for its parameters. Raises KeyValueError for values that do not fit."""

    def of(value: Any) -> Any:
        return values[value.name] if isinstance(value, P) else value

    made = replace(
        condition,
        values={name: of(value) for name, value in condition.values.items()},
        operands=tuple(map(of, condition.operands)),
    )
    made.check()
    return made


def bound_filter(condition: Condition | None, values: Mapping[str, Any]) -> Condition | None:
    """The filter with values for its parameters. Raises ExpressionError for values that do not fit."""
    return None if condition is None else _bound(condition, values)


def filter_parameters(condition: Condition | None) -> tuple[str, ...]:
    """The names of the parameters in a filter, in order, each once."""
    if condition is None:
        return ()
    found = (one.parameter for one in operands_of(condition) if isinstance(one, Unbound))
    return tuple(dict.fromkeys(found))


def _bound(condition: Condition, values: Mapping[str, Any]) -> Condition:
    def of(operand: Any) -> Any:
        return Value(operand.encode(values[operand.parameter])) if isinstance(operand, Unbound) else operand

    match condition:
        case Comparison(left, operator, right):
            return Comparison(of(left), operator, of(right))
        case Between(operand, low, high):
            return Between(of(operand), of(low), of(high))
        case In(operand, options):
            return In(of(operand), tuple(map(of, options)))
        case Function(name, path, argument):
            return Function(name, path, of(argument))
        case And(parts):
            return And(tuple(_bound(part, values) for part in parts))
        case Or(parts):
            return Or(tuple(_bound(part, values) for part in parts))
        case Not(part):
            return Not(_bound(part, values))
    return condition


def several_of(name: str, parameter: str, given: Any) -> list[Any]:
    """The values of a parameter that takes several. Raises KeyValueError for a single one, such as a text."""
    if isinstance(given, str | bytes) or not isinstance(given, Iterable):
        raise KeyValueError(f"{name!r} takes a list of values for {parameter}, not {shortened(given)}")
    return list(given)
