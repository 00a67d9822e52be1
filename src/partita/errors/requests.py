"""Errors of a request's shape: JSON types, constraints of the service model, parameters not done yet."""

from __future__ import annotations

from collections.abc import Sequence

from partita.errors.base import INVALID, SerializationException, ValidationException

# -- JSON types (facts 1.25 to 1.29)
START_OF_STRUCTURE = "Start of structure or map found where not expected"
BAD_FIELD = "Unexpected field type"
"""A scalar where a member should be a structure, list or map."""
BAD_VALUE = "Unexpected value type in payload"
"""A scalar where an element of a list or map should be a structure."""
BAD_COLLECTION = (
    "class sun.reflect.generics.reflectiveObjects.ParameterizedTypeImpl cannot be cast to class"
    " java.lang.Class (sun.reflect.generics.reflectiveObjects.ParameterizedTypeImpl and java.lang.Class are"
    " in module java.base of loader 'bootstrap')"
)
"""A scalar where an element of a list or map should itself be a list or map."""
BAD_TOKEN = "Unexpected token received from parser"
"""A string where a boolean should be."""
NOT_BASE64 = "only base-64-encoded strings are convertible to bytes"


def serialization(message: str | None = None) -> SerializationException:
    return SerializationException(message)


def not_convertible(token: str, java_type: str) -> SerializationException:
    """`token` is the parser's name of what was sent, e.g. `NUMBER_VALUE`; `java_type` e.g. `String`."""
    return SerializationException(f"{token} cannot be converted to {java_type}")


def unexpected_list(java_type: str) -> SerializationException:
    """`java_type` in full, e.g. `class java.lang.String`."""
    return SerializationException(f"Unrecognized collection type {java_type}")


def base64_length(length: int) -> SerializationException:
    return SerializationException(
        f"Base64 encoded length is expected a multiple of 4 bytes but found: {length}"
    )


def base64_character(character: str) -> SerializationException:
    return SerializationException(f"Invalid Base64 character: '{character}'")


def base64_end() -> SerializationException:
    return SerializationException("Invalid last non-pad Base64 character dectected")


# -- constraints (facts 2.3 to 2.24): the words of each, and how a request's failures are joined
NOT_NULL = "Member must not be null"


def at_least(length: int) -> str:
    return f"Member must have length greater than or equal to {length}"


def at_most(length: int) -> str:
    return f"Member must have length less than or equal to {length}"


def value_at_least(value: int) -> str:
    return f"Member must have value greater than or equal to {value}"


def value_at_most(value: int) -> str:
    return f"Member must have value less than or equal to {value}"


def like(pattern: str) -> str:
    return f"Member must satisfy regular expression pattern: {pattern}"


def one_of(values: Sequence[str]) -> str:
    return f"Member must satisfy enum value set: [{', '.join(values)}]"


ARN_FORM = (
    "Valid ARN format is 'arn:<awsPartition>:<vendor>:<region>:<subscriber>:resourceType/resourceName', where"
    " Resource name must have length less than or equal to 255, Resource name must have length greater than"
    " or equal to 3, Resource name must satisfy regular expression pattern: [a-zA-Z0-9_.-]+"
)
"""Of a table name that begins like an ARN (fact 15.39)."""


def elements(rules: Sequence[str]) -> str:
    return f"Member must satisfy constraint: [{', '.join(rules)}]"


def map_keys(rules: Sequence[str]) -> str:
    return f"Map keys must satisfy constraint: [{', '.join(rules)}]"


def map_values(rules: Sequence[str]) -> str:
    return f"Map value must satisfy constraint: [{', '.join(rules)}]"


def failure(value: str | None, path: str, rule: str) -> str:
    """One failure: `value` is what was sent, as it is echoed; None for null."""
    echo = "null" if value is None else f"'{value}'"
    return f"Value {echo} at '{path}' failed to satisfy constraint: {rule}"


def failure_without_echo(path: str, rule: str) -> str:
    """The form that does not echo the value; `path` has capitals (fact 2.20)."""
    return f"Value at '{path}' failed to satisfy constraint: {rule}"


def constraints(failures: Sequence[str]) -> ValidationException:
    """All failures in one message, with the prefix that constraint failures have on every operation."""
    counted = f"{len(failures)} validation error{'s' if len(failures) > 1 else ''} detected"
    return ValidationException(f"{counted}: {'; '.join(failures)}")


# -- parameters
def parameter_missing(parameter: str) -> ValidationException:
    return ValidationException(f"The parameter '{parameter}' is required but was not present in the request")


def request_items_missing(operation: str) -> ValidationException:
    return ValidationException(f"The requestItems parameter is required for {operation}")


def too_many_items(operation: str) -> ValidationException:
    return ValidationException(f"Too many items requested for the {operation} call")


def not_done_yet(parameter: str) -> ValidationException:
    """Our own refusal of a parameter that the server does not know how to honour."""
    return ValidationException(f"{INVALID}{parameter} is not supported")
