"""Conditions compiled to closures over (values, item) (section 7).

A closure answers for any item: what is missing or of another type makes it false, never an error.
Nodes come children first, so compiling does not recurse; conditions nest at most as deep as operators
are allowed (300), which is the depth of calls when a condition runs.
"""

from __future__ import annotations

import operator as py
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from partita.attributes import AttributeValue, Item, binary_size, compare, decoded, equal
from partita.expressions.operand_closures import Evaluate, Values, attribute_at, value_of
from partita.expressions.paths import find
from partita.expressions.tree import (
    And,
    Attribute,
    Between,
    Call,
    Comparison,
    Condition,
    In,
    Node,
    Not,
    Operand,
    Or,
    Path,
    Value,
)

Test = Callable[[Values, Item], bool]

_MANY = frozenset({"SS", "NS", "BS", "L", "M"})
_ORDER: dict[str, Callable[[int, int], bool]] = {"<": py.lt, "<=": py.le, ">": py.gt, ">=": py.ge}


def compile_condition(condition: Condition, nodes: Iterable[Node]) -> Test:
    """`nodes` are all nodes of `condition`, children before parents."""
    tests: dict[int, Test] = {}
    operands: dict[int, Evaluate] = {}
    for node in nodes:
        match node:
            case Attribute(path):
                operands[id(node)] = attribute_at(path)
            case Value(placeholder):
                operands[id(node)] = value_of(placeholder)
            case Call(name, arguments):
                compiled = [operands[id(argument)] for argument in arguments]
                if name == "size":
                    operands[id(node)] = _size(compiled[0])
                else:
                    tests[id(node)] = _FUNCTIONS[name](node, compiled)
            case Comparison(operator, left, right):
                tests[id(node)] = _comparison(operator, left, right, operands)
            case Between(operand, low, high):
                tests[id(node)] = _between(operands[id(operand)], operands[id(low)], operands[id(high)])
            case In(operand, options):
                tests[id(node)] = _in(operands[id(operand)], [operands[id(option)] for option in options])
            case Not(inner):
                tests[id(node)] = _not(tests[id(inner)])
            case And(conditions):
                tests[id(node)] = _all([tests[id(inner)] for inner in conditions])
            case Or(conditions):
                tests[id(node)] = _any([tests[id(inner)] for inner in conditions])
    return tests[id(condition)]


def _size(operand: Evaluate) -> Evaluate:
    def size(values: Values, item: Item) -> AttributeValue | None:
        value = operand(values, item)
        if value is None:
            return None
        ((type_, content),) = value.items()
        if type_ == "S":
            units = len(content) if content.isascii() else _utf_16_units(content)
        elif type_ == "B":
            units = binary_size(content)
        elif type_ in _MANY:
            units = len(content)
        else:
            return None
        return {"N": str(units)}

    return size


def _utf_16_units(text: str) -> int:
    """What `size` counts of a string (fact 4.12)."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def same(left: AttributeValue | None, right: AttributeValue | None) -> bool:
    """Equality of two operands; what is missing equals nothing (facts 7.1, 7.3, 7.4)."""
    if left is None or right is None:
        return False
    return left == right or (next(iter(left)) in _MANY and equal(left, right))


def _comparison(operator: str, left: Operand, right: Operand, operands: Mapping[int, Evaluate]) -> Test:
    a, b = operands[id(left)], operands[id(right)]
    if operator == "=":
        if isinstance(left, Attribute) and len(left.path) == 1 and isinstance(right, Value):
            return _equals_value(left.path[0], right.placeholder)
        return lambda values, item: same(a(values, item), b(values, item))
    if operator == "<>":
        return _differs(a, b, of_sizes=(isinstance(left, Call), isinstance(right, Call)))
    holds = _ORDER[operator]
    if isinstance(left, Attribute) and len(left.path) == 1 and isinstance(right, Value):
        return _ordered_with_value(left.path[0], holds, right.placeholder)

    def ordered(values: Values, item: Item) -> bool:
        x, y = a(values, item), b(values, item)
        if x is None or y is None:
            return False
        order = compare(x, y)
        return order is not None and holds(order, 0)

    return ordered


def _equals_value(name: Any, placeholder: str) -> Test:
    """`name = :value`, the commonest condition of all."""

    def equals_value(values: Values, item: Item) -> bool:
        left = item.get(name)
        right = values[placeholder]
        return left == right or (left is not None and next(iter(left)) in _MANY and equal(left, right))

    return equals_value


def _ordered_with_value(name: Any, holds: Callable[[int, int], bool], placeholder: str) -> Test:
    """`name < :value` and the like."""

    def ordered(values: Values, item: Item) -> bool:
        value = item.get(name)
        if value is None:
            return False
        order = compare(value, values[placeholder])
        return order is not None and holds(order, 0)

    return ordered


def _differs(a: Evaluate, b: Evaluate, of_sizes: tuple[bool, bool]) -> Test:
    """`<>`: holds for what is missing (fact 7.1), but not for the size of what has none (fact 7.14)."""
    a_is_size, b_is_size = of_sizes

    def differs(values: Values, item: Item) -> bool:
        x, y = a(values, item), b(values, item)
        if (x is None and a_is_size) or (y is None and b_is_size):
            return False
        return not same(x, y)

    return differs


def _between(operand: Evaluate, low: Evaluate, high: Evaluate) -> Test:
    def between(values: Values, item: Item) -> bool:
        value, least, most = operand(values, item), low(values, item), high(values, item)
        if value is None or least is None or most is None:
            return False
        from_least, to_most = compare(value, least), compare(value, most)
        return from_least is not None and to_most is not None and from_least >= 0 >= to_most

    return between


def _in(operand: Evaluate, options: list[Evaluate]) -> Test:
    def is_in(values: Values, item: Item) -> bool:
        value = operand(values, item)
        return value is not None and any(same(value, option(values, item)) for option in options)

    return is_in


def _not(test: Test) -> Test:
    return lambda values, item: not test(values, item)


def _all(tests: list[Test]) -> Test:
    if len(tests) == 2:
        first, second = tests
        return lambda values, item: first(values, item) and second(values, item)

    def every(values: Values, item: Item) -> bool:
        return all(test(values, item) for test in tests)

    return every


def _any(tests: list[Test]) -> Test:
    if len(tests) == 2:
        first, second = tests
        return lambda values, item: first(values, item) or second(values, item)

    def some(values: Values, item: Item) -> bool:
        return any(test(values, item) for test in tests)

    return some


# Functions


def _attribute_exists(call: Call, operands: list[Evaluate]) -> Test:
    path = _path(call)
    if len(path) == 1:
        name = path[0]
        return lambda values, item: name in item
    return lambda values, item: find(item, path) is not None


def _attribute_not_exists(call: Call, operands: list[Evaluate]) -> Test:
    path = _path(call)
    if len(path) == 1:
        name = path[0]
        return lambda values, item: name not in item
    return lambda values, item: find(item, path) is None


def _path(call: Call) -> Path:
    (argument,) = call.arguments
    assert isinstance(argument, Attribute)
    return argument.path


def _attribute_type(call: Call, operands: list[Evaluate]) -> Test:
    operand, type_name = operands

    def attribute_type(values: Values, item: Item) -> bool:
        value, name = operand(values, item), type_name(values, item)
        return value is not None and name is not None and name["S"] in value

    return attribute_type


def _begins_with(call: Call, operands: list[Evaluate]) -> Test:
    operand, prefix = operands

    def begins_with(values: Values, item: Item) -> bool:
        whole, start = operand(values, item), prefix(values, item)
        if whole is None or start is None:
            return False
        if "S" in whole and "S" in start:
            return bool(whole["S"].startswith(start["S"]))
        if "B" in whole and "B" in start:
            return decoded(whole["B"]).startswith(decoded(start["B"]))
        return False

    return begins_with


def _contains(call: Call, operands: list[Evaluate]) -> Test:
    operand, part = operands

    def contains(values: Values, item: Item) -> bool:
        whole, sought = operand(values, item), part(values, item)
        return whole is not None and sought is not None and _holds(whole, sought)

    return contains


def _holds(whole: AttributeValue, sought: AttributeValue) -> bool:
    """Substring, run of bytes, or member (facts 7.11, 7.12)."""
    ((type_, content),) = whole.items()
    match type_:
        case "S":
            return "S" in sought and sought["S"] in content
        case "B":
            return "B" in sought and decoded(sought["B"]) in decoded(content)
        case "SS" | "NS" | "BS":
            member = sought.get(type_[0])
            return member is not None and member in content
        case "L":
            return any(same(element, sought) for element in content)
    return False


_FUNCTIONS: dict[str, Callable[[Call, list[Evaluate]], Test]] = {
    "attribute_exists": _attribute_exists,
    "attribute_not_exists": _attribute_not_exists,
    "attribute_type": _attribute_type,
    "begins_with": _begins_with,
    "contains": _contains,
}
