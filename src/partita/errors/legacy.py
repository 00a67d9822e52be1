"""Errors of the legacy parameters (docs/behaviours.md, fact 2.40 and section 22)."""

from __future__ import annotations

from partita.errors.base import INVALID, ValidationException


def _invalid(text: str) -> ValidationException:
    return ValidationException(INVALID + text)


def duplicate_attribute_to_get(name: str) -> ValidationException:
    return _invalid(f"Duplicate value in attribute name: {name}")


def type_mismatch() -> ValidationException:
    return ValidationException("Type mismatch for attribute to update")


def conditional_operator_alone() -> ValidationException:
    return ValidationException("ConditionalOperator cannot be used without Filter or Expected")


def conditional_operator_with_one_condition() -> ValidationException:
    return ValidationException(
        "ConditionalOperator can only be used when Filter or Expected has two or more elements"
    )


def value_missing(exists: str, attribute: str) -> ValidationException:
    """`exists` is the word for what the request says of Exists: `true` or `null`."""
    return ValidationException(
        f"{INVALID}Value must be provided when Exists is {exists} for Attribute: {attribute}"
    )


def value_of_absent(attribute: str) -> ValidationException:
    return ValidationException(
        f"{INVALID}Value cannot be used when Exists is false for Attribute: {attribute}"
    )


def exists_and_operator(attribute: str) -> ValidationException:
    return ValidationException(
        f"{INVALID}Exists and ComparisonOperator cannot be used together for Attribute: {attribute}"
    )


def value_and_value_list(attribute: str) -> ValidationException:
    return ValidationException(
        f"{INVALID}Value and AttributeValueList cannot be used together for Attribute: {attribute}"
    )


def operator_without_value(operator: str, attribute: str) -> ValidationException:
    return _invalid(
        f"Value or AttributeValueList must be used with ComparisonOperator: {operator} "
        f"for Attribute: {attribute}"
    )


def value_list_without_operator(attribute: str) -> ValidationException:
    return _invalid(
        f"AttributeValueList can only be used with a ComparisonOperator for Attribute: {attribute}"
    )


def argument_count(operator: str) -> ValidationException:
    return ValidationException(
        f"{INVALID}Invalid number of argument(s) for the {operator} ComparisonOperator"
    )


def operator_not_valid(operator: str, type_: str) -> ValidationException:
    return ValidationException(
        f"{INVALID}ComparisonOperator {operator} is not valid for {type_} AttributeValue type"
    )


def mixed_value_list() -> ValidationException:
    return _invalid("AttributeValues inside AttributeValueList must be of same type")


def reversed_bounds() -> ValidationException:
    return ValidationException(
        "The BETWEEN condition was provided a range where the lower bound is greater than the upper bound"
    )


def not_indexable() -> ValidationException:
    return ValidationException("Attempted conditional constraint is not an indexable operation")


def update_without_value() -> ValidationException:
    return _invalid("Only DELETE action is allowed when no attribute value is specified")


def update_action_not_supported(action: str, type_: str) -> ValidationException:
    text = "DELETE action with value" if action == "DELETE" else "ADD action"
    return _invalid(f"{text} is not supported for the type {type_}")
