"""The checks of an expression that has parsed, in DynamoDB's order (facts 6.9–6.26, 7.10, 8.4, 8.5, 8.17).

Those that depend on values are made again for each request, by the tests of `value_tests`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from partita.attributes import AttributeValue, compare
from partita.errors import expressions as errors
from partita.expressions.operand_closures import Values
from partita.expressions.operands import OperandParser, Part
from partita.expressions.paths import clash, path_text
from partita.expressions.tree import (
    Action,
    Add,
    Arithmetic,
    Attribute,
    Between,
    Call,
    Comparison,
    Delete,
    In,
    Node,
    Operand,
    Path,
    Value,
)

MAX_SIZE_BYTES = 4096
_MOST_OPERATORS = 300
_MOST_OPTIONS = 100

_CONDITION_FUNCTIONS = {
    "attribute_exists": 1,
    "attribute_not_exists": 1,
    "attribute_type": 2,
    "begins_with": 2,
    "contains": 2,
    "size": 1,
}
"""Number of operands."""
_UPDATE_FUNCTIONS = {"if_not_exists": 2, "list_append": 2}
_FUNCTIONS = _CONDITION_FUNCTIONS | _UPDATE_FUNCTIONS
_NEED_PATH = frozenset({"attribute_exists", "attribute_not_exists", "if_not_exists"})

_ORDERED = frozenset({"S", "N", "B"})
_SIZED = frozenset({"S", "B", "SS", "NS", "BS", "L", "M"})
_TYPES = _ORDERED | _SIZED | {"BOOL", "NULL"}
_OPERAND_TYPES = {
    "<": _ORDERED,
    "<=": _ORDERED,
    ">": _ORDERED,
    ">=": _ORDERED,
    "begins_with": frozenset({"S", "B"}),
    "size": _SIZED,
    "list_append": frozenset({"L"}),
    "+": frozenset({"N"}),
    "-": frozenset({"N"}),
}
"""What literal operands must be."""
_TYPE_NAMES = {
    "S": "STRING",
    "N": "NUMBER",
    "B": "BINARY",
    "BOOL": "BOOLEAN",
    "NULL": "NULL",
    "L": "LIST",
    "M": "MAP",
    "SS": "STRING_SET",
    "NS": "NUMBER_SET",
    "BS": "BINARY_SET",
}
_SET_TYPES = frozenset({"SS", "NS", "BS"})
_ACTION_TYPES = {"ADD": _SET_TYPES | {"N"}, "DELETE": _SET_TYPES}


def check_size(expression: str, text: str) -> None:
    """Refuses an empty text and one over 4096 bytes (facts 6.2, 6.23); comes before parsing."""
    if not text:
        raise errors.empty(expression)
    size = len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))
    if size > MAX_SIZE_BYTES:
        raise errors.too_long(expression, size)


def check_condition(parsed: OperandParser, values: Values) -> None:
    """Raises what is wrong with a condition, a filter or a key condition."""
    expression = parsed.expression
    if parsed.has_redundant_parentheses:
        raise errors.redundant_parentheses(expression)
    if parsed.operator_count > _MOST_OPERATORS:
        raise errors.too_many_operators(expression, parsed.operator_count)
    _check_function_names(parsed)
    _check_function_places(parsed)
    _check_names(parsed)
    for part in parsed.parts:
        for placeholder in part.undefined:
            if placeholder[0] == "#":
                raise errors.undefined_name(expression, placeholder)
            raise errors.undefined_value(expression, placeholder)
        _check_operand_counts(expression, part)
        for node in part.nodes:
            _check_distinct(expression, node)
        for node in part.nodes:
            _check_operand_types(expression, node, values)


def check_update(
    parsed: OperandParser, repeated_section: str | None, actions: Sequence[Action], values: Values
) -> None:
    """Raises what is wrong with an update."""
    expression = parsed.expression
    if parsed.has_redundant_parentheses:
        raise errors.redundant_parentheses(expression)
    if parsed.operator_count > _MOST_OPERATORS:
        raise errors.too_many_operators(expression, parsed.operator_count)
    _check_names(parsed)
    _check_function_names(parsed)
    _check_function_places(parsed)
    if repeated_section is not None:
        raise errors.section_used_twice(repeated_section)
    undefined = [placeholder for part in parsed.parts for placeholder in part.undefined]
    for placeholder in undefined:
        if placeholder[0] == "#":
            raise errors.undefined_name(expression, placeholder)
    for placeholder in undefined:
        raise errors.undefined_value(expression, placeholder)
    _check_clash(expression, [action.path for action in actions])
    for action in actions:
        _check_operand_types(expression, action, values)
    for part in parsed.parts:
        _check_operand_counts(expression, part)
        for node in part.nodes:
            _check_operand_types(expression, node, values)


def check_projection(parsed: OperandParser, paths: Sequence[Path]) -> None:
    """Raises what is wrong with a projection."""
    _check_names(parsed)
    for part in parsed.parts:
        for placeholder in part.undefined:
            raise errors.undefined_name(parsed.expression, placeholder)
    _check_clash(parsed.expression, paths)


def _check_clash(expression: str, paths: Sequence[Path]) -> None:
    clashing = clash(expression, paths)
    if clashing is not None:
        raise clashing


def _check_names(parsed: OperandParser) -> None:
    if parsed.reserved_word is not None:
        raise errors.reserved_word(parsed.expression, parsed.reserved_word)
    if parsed.path_fault is not None:
        raise parsed.path_fault


def _check_function_names(parsed: OperandParser) -> None:
    for node in parsed.nodes:
        if isinstance(node, Call) and node.name not in _FUNCTIONS:
            raise errors.unknown_function(parsed.expression, node.name)


def _check_function_places(parsed: OperandParser) -> None:
    """A function may be an operand, or a condition, or belong to the other kind of expression (6.15)."""
    is_update = parsed.expression == "UpdateExpression"
    here = _UPDATE_FUNCTIONS if is_update else _CONDITION_FUNCTIONS
    for part in parsed.parts:
        for node in part.nodes:
            if isinstance(node, Call) and node.name not in here:
                raise errors.misused_function(parsed.expression, node.name)
            if is_update:
                continue
            for operand in operands_of(node):
                if isinstance(operand, Call) and operand.name != "size":
                    raise errors.misused_function(parsed.expression, operand.name)
        if not is_update:
            whole = part.nodes[-1]
            if isinstance(whole, Call) and whole.name == "size":
                raise errors.misused_function(parsed.expression, whole.name)


def _check_operand_counts(expression: str, part: Part) -> None:
    for node in part.nodes:
        if isinstance(node, Call):
            if len(node.arguments) != _FUNCTIONS[node.name]:
                raise errors.operand_count(expression, node.name, len(node.arguments))
        elif isinstance(node, In) and len(node.options) > _MOST_OPTIONS:
            raise errors.too_many_options(expression, len(node.options))


def _check_distinct(expression: str, node: Node) -> None:
    first, *others = operands_of(node) or (None,)
    if isinstance(first, Attribute) and first in others:
        raise errors.operands_not_distinct(expression, _operator(node), path_text(first.path))


def _check_operand_types(expression: str, node: Node, values: Values) -> None:
    """Refuses literals that an operator or function can never take (facts 6.17–6.20, 6.26, 7.10, 8.17)."""
    if isinstance(node, Add | Delete):
        operator = _operator(node)
        type_ = _type(values[node.value.placeholder])
        if type_ not in _ACTION_TYPES[operator]:
            raise errors.action_operand_type(operator, _TYPE_NAMES[type_])
        return
    operands = operands_of(node)
    if not operands:
        return
    operator = _operator(node)
    if operator in _NEED_PATH and not isinstance(operands[0], Attribute):
        raise errors.path_required(expression, operator)
    if operator == "attribute_type":
        _check_attribute_type(expression, operands[1], values)
        return
    allowed = _ORDERED if operator == "BETWEEN" else _OPERAND_TYPES.get(operator)
    if allowed is None:
        return
    for operand in operands:
        found = _literal_type(operand, values)
        if found is not None and found not in allowed:
            raise errors.operand_type(expression, operator, found)
    if isinstance(node, Between) and isinstance(node.low, Value) and isinstance(node.high, Value):
        _check_bounds(expression, values[node.low.placeholder], values[node.high.placeholder])


def _check_attribute_type(expression: str, operand: Operand, values: Values) -> None:
    found = _literal_type(operand, values)
    if found != "S" or not isinstance(operand, Value):
        raise errors.operand_type(expression, "attribute_type", found or "{NS,SS,L,BS,N,M,B,BOOL,NULL,S}")
    name = values[operand.placeholder]["S"]
    if name not in _TYPES:
        raise errors.unknown_attribute_type(expression, name)


def _check_bounds(expression: str, low: AttributeValue, high: AttributeValue) -> None:
    order = compare(low, high)
    if order is None:
        raise errors.bounds_of_two_types(expression, _value_text(low), _value_text(high))
    if order > 0:
        raise errors.reversed_bounds(expression, _value_text(low), _value_text(high))


def _value_text(value: AttributeValue) -> str:
    ((type_, content),) = value.items()
    return f"{type_}:{content}"


def value_tests(node: Node) -> list[Callable[[Values], bool]]:
    """Tests of values that fail exactly when `_check_operand_types` refuses them."""
    if isinstance(node, Add | Delete):
        return [_has_type(node.value, _ACTION_TYPES[_operator(node)])]
    literals = [operand for operand in operands_of(node) if isinstance(operand, Value)]
    operator = _operator(node)
    if operator == "attribute_type":
        return [_names_a_type(literals[-1])]
    allowed = _ORDERED if operator == "BETWEEN" else _OPERAND_TYPES.get(operator)
    if allowed is None:
        return []
    tests = [_has_type(literal, allowed) for literal in literals]
    if isinstance(node, Between) and isinstance(node.low, Value) and isinstance(node.high, Value):
        tests.append(_in_order(node.low, node.high))
    return tests


def _has_type(literal: Value, allowed: frozenset[str]) -> Callable[[Values], bool]:
    placeholder = literal.placeholder
    return lambda values: next(iter(values[placeholder])) in allowed


def _names_a_type(literal: Value) -> Callable[[Values], bool]:
    placeholder = literal.placeholder
    return lambda values: values[placeholder].get("S") in _TYPES


def _in_order(low: Value, high: Value) -> Callable[[Values], bool]:
    def in_order(values: Values) -> bool:
        order = compare(values[low.placeholder], values[high.placeholder])
        return order is not None and order <= 0

    return in_order


def operands_of(node: Node) -> tuple[Operand, ...]:
    """The operands of a comparison, BETWEEN, IN, function or sum, in order; of anything else none."""
    match node:
        case Comparison(_, left, right) | Arithmetic(_, left, right):
            return left, right
        case Between(operand, low, high):
            return operand, low, high
        case In(operand, options):
            return operand, *options
        case Call(_, arguments):
            return arguments
    return ()


def _operator(node: Node) -> str:
    match node:
        case Comparison(operator) | Arithmetic(operator) | Call(operator):
            return operator
        case Between():
            return "BETWEEN"
        case In():
            return "IN"
        case Add():
            return "ADD"
        case Delete():
            return "DELETE"
    return ""


def _literal_type(operand: Operand, values: Values) -> str | None:
    """The type of an operand where the text alone decides it; None of what only an item can tell."""
    if isinstance(operand, Value):
        return _type(values[operand.placeholder])
    if isinstance(operand, Call) and operand.name == "size":
        return "N"
    return None


def _type(value: AttributeValue) -> str:
    return next(iter(value))
