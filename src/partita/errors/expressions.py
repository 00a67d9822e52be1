"""Texts about expressions, their placeholders and the legacy parameters (facts 2.27–2.41, 6–8, 11, 22)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from partita.errors.base import Family, ValidationException

# Which parameters may stand together (2.27–2.40)


def mixed_styles(legacy: Iterable[str], expressions: Iterable[str]) -> ValidationException:
    return ValidationException(
        "Can not use both expression and non-expression parameters in the same request: "
        f"Non-expression parameters: {{{', '.join(legacy)}}} "
        f"Expression parameters: {{{', '.join(expressions)}}}",
        Family.MIXED_STYLES,
    )


def values_without_expression(missing: Sequence[str]) -> ValidationException:
    verb = "is" if len(missing) == 1 else "are"
    return ValidationException(
        "ExpressionAttributeValues can only be specified when using expressions: "
        f"{' and '.join(missing)} {verb} null",
        Family.VALUES_WITHOUT_EXPRESSION,
    )


def names_without_expression() -> ValidationException:
    return ValidationException(
        "ExpressionAttributeNames can only be specified when using expressions",
        Family.NAMES_WITHOUT_EXPRESSION,
    )


def empty_placeholders(parameter: str) -> ValidationException:
    return ValidationException(f"{parameter} must not be empty", Family.EMPTY_PLACEHOLDERS)


def bad_placeholder(parameter: str, key: str) -> ValidationException:
    return ValidationException(
        f'{parameter} contains invalid key: Syntax error; key: "{key}"', Family.BAD_PLACEHOLDER
    )


def placeholder_too_long(parameter: str, size_bytes: int) -> ValidationException:
    """As other implementations report it from the service; docs/behaviours.md only has the limit (23.3)."""
    return ValidationException(
        f"{parameter} contains invalid key: The expression attribute map contains a key that is too long; "
        f"size of key: {size_bytes}",
        Family.BAD_PLACEHOLDER,
    )


def placeholders_too_large(parameter: str) -> ValidationException:
    """As other implementations word it; docs/behaviours.md only has the limit (23.3)."""
    return ValidationException(f"{parameter} exceeds max size", Family.BAD_PLACEHOLDER)


def empty_name(key: str) -> ValidationException:
    return ValidationException(
        f"ExpressionAttributeNames contains invalid value: Empty attribute name for key {key}",
        Family.BAD_PLACEHOLDER,
    )


def unused_names(keys: Iterable[str]) -> ValidationException:
    return ValidationException(
        f"Value provided in ExpressionAttributeNames unused in expressions: keys: {{{', '.join(keys)}}}",
        Family.UNUSED_NAMES,
    )


def unused_values(keys: Iterable[str]) -> ValidationException:
    return ValidationException(
        f"Value provided in ExpressionAttributeValues unused in expressions: keys: {{{', '.join(keys)}}}",
        Family.UNUSED_VALUES,
    )


def no_key_conditions() -> ValidationException:
    return ValidationException(
        "Either the KeyConditions or KeyConditionExpression parameter must be specified in the request."
    )


# Grammar (section 6)


def _invalid(expression: str, text: str, family: Family, older: str | None = None) -> ValidationException:
    begin = f"Invalid {expression}: "
    return ValidationException(begin + text, family, None if older is None else begin + older)


def empty(expression: str) -> ValidationException:
    return _invalid(expression, "The expression can not be empty;", Family.EMPTY_EXPRESSION)


def too_long(expression: str, size_bytes: int) -> ValidationException:
    text = "Expression size has exceeded the maximum allowed size;"
    return _invalid(expression, text, Family.EXPRESSION_SIZE, f"{text} expression size: {size_bytes}")


def syntax(expression: str, token: str, near: str) -> ValidationException:
    return _invalid(expression, f'Syntax error; token: "{token}", near: "{near}"', Family.SYNTAX)


def redundant_parentheses(expression: str) -> ValidationException:
    return _invalid(expression, "The expression has redundant parentheses;", Family.PARENTHESES)


def too_many_operators(expression: str, count: int) -> ValidationException:
    return _invalid(
        expression,
        f"The expression contains too many operators; operator count: {count}",
        Family.OPERATOR_COUNT,
    )


def too_many_options(expression: str, count: int) -> ValidationException:
    return _invalid(
        expression,
        f"The IN operator is provided with too many operands; number of operands: {count}",
        Family.OPERATOR_COUNT,
    )


def index_out_of_range(expression: str, digits: str) -> ValidationException:
    return _invalid(
        expression,
        f"List index is not within the allowable range; index: [{digits}]",
        Family.LIST_INDEX,
    )


def path_too_deep(expression: str, levels: int) -> ValidationException:
    return _invalid(
        expression,
        f"The document path has too many nesting levels; nesting levels: {levels}",
        Family.LIST_INDEX,
    )


def reserved_word(expression: str, word: str) -> ValidationException:
    return _invalid(
        expression,
        f"Attribute name is a reserved keyword; reserved keyword: {word}",
        Family.RESERVED_WORD,
    )


def undefined_name(expression: str, placeholder: str) -> ValidationException:
    return _invalid(
        expression,
        "An expression attribute name used in the document path is not defined; "
        f"attribute name: {placeholder}",
        Family.UNDEFINED_PLACEHOLDER,
    )


def undefined_value(expression: str, placeholder: str) -> ValidationException:
    return _invalid(
        expression,
        f"An expression attribute value used in expression is not defined; attribute value: {placeholder}",
        Family.UNDEFINED_PLACEHOLDER,
    )


def unknown_function(expression: str, name: str) -> ValidationException:
    return _invalid(expression, f"Invalid function name; function: {name}", Family.FUNCTION)


def misused_function(expression: str, name: str) -> ValidationException:
    return _invalid(
        expression,
        f"The function is not allowed to be used this way in an expression; function: {name}",
        Family.FUNCTION,
    )


def operand_count(expression: str, name: str, count: int) -> ValidationException:
    return _invalid(
        expression,
        "Incorrect number of operands for operator or function; "
        f"operator or function: {name}, number of operands: {count}",
        Family.FUNCTION,
    )


def operand_type(expression: str, name: str, type_: str) -> ValidationException:
    return _invalid(
        expression,
        "Incorrect operand type for operator or function; "
        f"operator or function: {name}, operand type: {type_}",
        Family.FUNCTION,
    )


def path_required(expression: str, name: str) -> ValidationException:
    return _invalid(
        expression,
        f"Operator or function requires a document path; operator or function: {name}",
        Family.FUNCTION,
    )


def unknown_attribute_type(expression: str, type_: str) -> ValidationException:
    return _invalid(
        expression,
        f"Invalid attribute type name found; type: {type_}, valid types: {{B,NULL,SS,BOOL,L,BS,N,NS,S,M}}",
        Family.FUNCTION,
    )


def operands_not_distinct(expression: str, operator: str, path: str) -> ValidationException:
    return _invalid(
        expression,
        "The first operand must be distinct from the remaining operands for this operator or function; "
        f"operator: {operator}, first operand: {path}",
        Family.OPERANDS_NOT_DISTINCT,
    )


def _bounds(expression: str, rule: str, low: str, high: str) -> ValidationException:
    return _invalid(
        expression,
        f"The BETWEEN operator requires {rule}; lower bound operand: AttributeValue: {{{low}}}, "
        f"upper bound operand: AttributeValue: {{{high}}}",
        Family.FUNCTION,
    )


def reversed_bounds(expression: str, low: str, high: str) -> ValidationException:
    return _bounds(expression, "upper bound to be greater than or equal to lower bound", low, high)


def bounds_of_two_types(expression: str, low: str, high: str) -> ValidationException:
    return _bounds(expression, "same data type for lower and upper bounds", low, high)


def _two_paths(expression: str, relation: str, one: str, two: str) -> ValidationException:
    return _invalid(
        expression,
        f"Two document paths {relation} with each other; must remove or rewrite one of these paths; "
        f"path one: {one}, path two: {two}",
        Family.UPDATE_PATHS if expression == "UpdateExpression" else Family.PROJECTION_PATHS,
    )


def overlapping_paths(expression: str, one: str, two: str) -> ValidationException:
    return _two_paths(expression, "overlap", one, two)


def conflicting_paths(expression: str, one: str, two: str) -> ValidationException:
    return _two_paths(expression, "conflict", one, two)


# Key conditions (11.4–11.8, 11.43)

_KEYS = "KeyConditionExpression"


def one_condition_per_key() -> ValidationException:
    return _invalid(_KEYS, "KeyConditionExpressions must only contain one condition per key", Family.BARE)


def key_condition_operator(operator: str) -> ValidationException:
    return _invalid(_KEYS, f"Invalid operator used in KeyConditionExpression: {operator}", Family.BARE)


def nested_key_condition() -> ValidationException:
    return _invalid(_KEYS, "KeyConditionExpressions cannot have conditions on nested attributes", Family.BARE)


def _key_condition(text: str) -> ValidationException:
    return _invalid(_KEYS, f"Invalid condition in KeyConditionExpression: {text}", Family.BARE)


def several_key_attributes() -> ValidationException:
    return _key_condition("Multiple attribute names used in one condition")


def no_key_attribute() -> ValidationException:
    return _key_condition("No key attribute specified")


def key_attribute_not_first(operator: str) -> ValidationException:
    return _key_condition(f"{operator} operator must have the key attribute as its first operand")


# Updates (section 8)


def section_used_twice(section: str) -> ValidationException:
    return _invalid(
        "UpdateExpression",
        f'The "{section}" section can only be used once in an update expression;',
        Family.UPDATE_PATHS,
    )


def action_operand_type(operator: str, type_name: str) -> ValidationException:
    return _invalid(
        "UpdateExpression",
        f"Incorrect operand type for operator or function; operator: {operator}, operand type: {type_name}",
        Family.FUNCTION,
    )


def missing_attribute() -> ValidationException:
    return ValidationException(
        "The provided expression refers to an attribute that does not exist in the item"
    )


def invalid_update_path() -> ValidationException:
    return ValidationException("The document path provided in the update expression is invalid for update")


def wrong_operand_in_item() -> ValidationException:
    return ValidationException("An operand in the update expression has an incorrect data type")
