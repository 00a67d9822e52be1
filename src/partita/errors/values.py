"""What is wrong with an attribute value (docs/behaviours.md, section 3)."""

from __future__ import annotations

from collections.abc import Sequence

from partita.errors.base import INVALID, Family, ValidationException

_NOT_NUMERIC = "The parameter cannot be converted to a numeric value"
_UNDERFLOW = "Number underflow. Attempting to store a number with magnitude smaller than supported range"


def empty_value() -> ValidationException:
    """Fact 3.1."""
    return ValidationException(
        "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes",
        Family.ATTRIBUTE_VALUE_SHAPE,
    )


def several_types() -> ValidationException:
    """Fact 3.2."""
    return ValidationException(
        "Supplied AttributeValue has more than one datatypes set,"
        " must contain exactly one of the supported datatypes",
        Family.ATTRIBUTE_VALUE_SHAPE,
    )


def empty_name() -> ValidationException:
    """Fact 3.30 forbids it; its text was not captured from the service."""
    return ValidationException("Empty attribute name")


def name_too_large() -> ValidationException:
    """Fact 3.36."""
    return ValidationException("Attribute name is too large, must be less than 65536 bytes", Family.NAME_SIZE)


def null_false() -> ValidationException:
    """Fact 3.25."""
    return ValidationException(
        INVALID + "Null attribute value types must have the value of true", Family.NULL_FALSE
    )


def not_numeric(text: str) -> ValidationException:
    """Facts 3.8 and 3.9; `text` is echoed as it was sent."""
    return ValidationException(f"{_NOT_NUMERIC}: {text}", Family.NUMBER, older=None if text else _NOT_NUMERIC)


def too_many_digits(family: Family = Family.NUMBER) -> ValidationException:
    """Facts 3.3 and 8.12."""
    return ValidationException(
        "Attempting to store more than 38 significant digits in a Number",
        family,
    )


def number_overflow(family: Family = Family.NUMBER, *, older_wraps: bool = False) -> ValidationException:
    """Fact 3.6. `older_wraps`: the older layer takes so large an exponent for a negative one (3.8)."""
    return ValidationException(
        "Number overflow. Attempting to store a number with magnitude larger than supported range",
        family,
        older=_UNDERFLOW if older_wraps else None,
    )


def number_underflow(family: Family = Family.NUMBER) -> ValidationException:
    """Fact 3.7."""
    return ValidationException(_UNDERFLOW, family)


def empty_string_set() -> ValidationException:
    """Fact 3.16: two blanks, as the service has it."""
    return ValidationException(INVALID + "An string set  may not be empty", Family.EMPTY_SET)


def empty_number_set() -> ValidationException:
    """Fact 3.17: two blanks, as the service has it."""
    return ValidationException(INVALID + "An number set  may not be empty", Family.EMPTY_SET)


def empty_binary_set() -> ValidationException:
    """Fact 3.18."""
    return ValidationException(INVALID + "Binary sets should not be empty", Family.EMPTY_SET)


def null_in_string_set() -> ValidationException:
    return ValidationException(
        INVALID + "An string set may not have a null string as a member", Family.EMPTY_SET
    )


def null_in_number_set() -> ValidationException:
    return ValidationException(
        INVALID + "An number set may not have a null string as a member", Family.EMPTY_SET
    )


def null_in_binary_set() -> ValidationException:
    return ValidationException(INVALID + "Binary sets may not contain null values", Family.EMPTY_SET)


def duplicate_strings(sent: Sequence[str], reported: Sequence[str]) -> ValidationException:
    """Fact 3.19: the members as `sent`, and in the order in which the current layer reports them."""
    quoted = ", ".join(f'"{member}"' for member in reported)
    return ValidationException(
        f"{INVALID}Input collection [{quoted}] contains duplicates.",
        Family.DUPLICATE_IN_SET,
        older=f"{INVALID}Input collection [{', '.join(sent)}] contains duplicates.",
    )


def duplicate_numbers() -> ValidationException:
    """Fact 3.20."""
    return ValidationException(
        INVALID + "Input collection contains duplicates.",
        Family.DUPLICATE_IN_SET,
        older="Input collection contains duplicates",
    )


def duplicate_binaries(sent: Sequence[str], reported: Sequence[str]) -> ValidationException:
    """Fact 3.21: base64 members as `sent`, and in the order in which the current layer reports them."""
    quoted = ",".join(f'"{member}"' for member in reported)
    return ValidationException(
        f"{INVALID}Input collection [{quoted}]of type BS contains duplicates.",
        Family.DUPLICATE_IN_SET,
        older=f"{INVALID}Input collection [{', '.join(sent)}]of type BS contains duplicates.",
    )


_NESTED_TOO_DEEP = (
    "Nesting Levels have exceeded supported limits:"
    " Attributes in the item have nested levels beyond supported limit"
)


class _FarTooDeep(ValidationException):
    """So deep that the service refuses the value while it reads it, in every layer alike (fact 3.28)."""

    @property
    def name(self) -> str:
        return "ValidationException"

    def for_placeholder(self, placeholder: str) -> ValidationException:
        return ValidationException(
            f"ExpressionAttributeValues contains invalid value: {self.message} for key {placeholder}"
        )


def nested_too_deep(*, far: bool = False) -> ValidationException:
    """Fact 3.28. `far`: 63 lists or maps around the innermost value, or more."""
    if far:
        return _FarTooDeep(_NESTED_TOO_DEEP)
    return ValidationException(_NESTED_TOO_DEEP, Family.NESTING)
