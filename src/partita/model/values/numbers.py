"""Numbers as DynamoDB keeps them: up to 38 significant digits, 1E-130 to 9.99…E+125, in plain digits."""

from __future__ import annotations

from decimal import Context, Decimal, DecimalException, Inexact, InvalidOperation, Overflow, Subnormal

from partita.model.errors import UnstorableValue

MAX_DIGITS = 38
_LIMIT = 10**MAX_DIGITS
_STORED = Context(
    prec=MAX_DIGITS, Emin=-130, Emax=125, traps=[Inexact, Overflow, Subnormal, InvalidOperation]
)


def integer_text(value: int) -> str:
    """Raises UnstorableValue beyond 38 significant digits (10**100 has one)."""
    if -_LIMIT < value < _LIMIT:
        return int.__repr__(value)
    return decimal_text(Decimal(value))


def decimal_text(value: Decimal) -> str:
    """The plain form without trailing zeros, as DynamoDB hands it back; raises UnstorableValue."""
    if not value.is_finite():
        raise UnstorableValue(f"{value} is not a finite number")
    if not value:
        return "0"
    try:
        stored = _STORED.plus(value)
    except DecimalException:
        raise UnstorableValue(
            f"{value} is beyond DynamoDB's numbers: 38 significant digits, 1E-130 to 9.99E+125"
        ) from None
    text = str(stored)
    if "E" in text:
        text = f"{stored:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def float_text(value: float) -> str:
    """The shortest decimal that reads back as the same float; raises UnstorableValue."""
    text = float.__repr__(value)
    if "e" in text or text[-1] in "fn":
        return decimal_text(Decimal(text))
    if text[-2:] == ".0":
        return text[:-2] if text != "-0.0" else "0"
    return text
