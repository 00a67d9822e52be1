"""Numbers: decimals of up to 38 significant digits, 1E-130 to 9.99…E+125, kept as plain texts.

The normal form has no exponent, no plus sign, no leading zeros and no trailing zeros after the point
(facts 3.11 and 3.12), so two numbers are equal exactly when their texts are.
"""

from __future__ import annotations

import re
from binascii import unhexlify
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal

from partita.errors import Family, SerializationException, values

MAX_DIGITS = 38
MIN_EXPONENT = -130
MAX_EXPONENT = 125
"""Exponents of the first significant digit."""

_short = re.compile(r"-?(?:[1-9][0-9]{0,18}|0)(?:\.[0-9]{0,18}[1-9])?").fullmatch
"""Texts that are normal already, but for minus zero, and too short to break a limit."""

_MOST_REMEMBERED = 4096
_sizes: dict[str, int] = {}
"""Of short numbers met lately, which are likely to come again."""

known_size = _sizes.get
"""The size in bytes of a number that is known to be normal; None says nothing of it."""

_number = re.compile(r"([+-]?)(?:([0-9]+)(?:\.([0-9]*))?|\.([0-9]+))(?:[eE]([+-]?)([0-9]+))?").fullmatch

_EXPONENT_DIGITS = 18
_FAR = 10**_EXPONENT_DIGITS
"""Stands for any longer exponent: far out of range, however long the mantissa is."""

_INT32_MAX = 2**31 - 1

_EXACT = Context(prec=2 * (MAX_EXPONENT - MIN_EXPONENT + MAX_DIGITS), Emax=MAX_EMAX, Emin=MIN_EMIN)


def normal_number(text: str) -> str:
    """The normal form of a number as sent, e.g. `1e3` as `1000`. Raises facts 3.3 to 3.9."""
    return normal_number_and_size(text)[0]


def normal_number_and_size(text: str) -> tuple[str, int]:
    """The normal form and its size in bytes (fact 4.4); hands back `text` itself if it was normal."""
    if _short(text) and text != "-0":
        size = number_size(text)
        if len(_sizes) >= _MOST_REMEMBERED:
            _sizes.clear()
        _sizes[text] = size
        return text, size
    normal = _normalise(text, Family.NUMBER)
    return text if normal == text else normal, number_size(normal)


def number_size(normal: str) -> int:
    """Size in bytes of a number in normal form: a byte for two digits on each side of the point (4.4)."""
    size = 1
    if normal[0] == "-":
        normal = normal[1:]
        size = 2
    if "." not in normal:
        return size + (len(normal.rstrip("0")) + 1) // 2
    whole, _, fraction = normal.partition(".")
    if whole == "0":
        return size + (len(fraction.lstrip("0")) + 1) // 2
    return size + (len(whole) + 1) // 2 + (len(fraction) + 1) // 2


def add_numbers(a: str, b: str) -> str:
    """The exact sum of two numbers in normal form; raises if it does not fit (fact 8.12)."""
    if "." not in a and "." not in b:
        total = str(int(a) + int(b))
        return total if len(total) <= MAX_DIGITS else _normalise(total, Family.BARE)
    return _normalise(f"{_EXACT.add(Decimal(a), Decimal(b)):f}", Family.BARE)


def subtract_numbers(a: str, b: str) -> str:
    """The exact difference of two numbers in normal form; raises if it does not fit (fact 8.12)."""
    return add_numbers(a, b[1:] if b[0] == "-" else "-" + b)


def _normalise(text: str, family: Family) -> str:
    match = _number(text)
    if match is None:
        try:
            text.encode()
        except UnicodeEncodeError:
            raise SerializationException() from None
        raise values.not_numeric(text)
    sign, whole, point_digits, bare_fraction, exponent_sign, exponent_digits = match.groups()
    fraction = point_digits or bare_fraction or ""
    leading = ((whole or "") + fraction).lstrip("0")
    digits = leading.rstrip("0")
    if not digits:
        return "0"
    sent_exponent = _exponent(exponent_sign, exponent_digits) if exponent_digits else 0
    exponent = sent_exponent - len(fraction) + len(leading) - len(digits)
    first = exponent + len(digits) - 1
    if first > MAX_EXPONENT:
        wraps = first >= _INT32_MAX and sent_exponent <= _INT32_MAX
        raise values.number_overflow(family, older_wraps=wraps)
    if first < MIN_EXPONENT:
        raise values.number_underflow(family)
    if len(digits) > MAX_DIGITS:
        raise values.too_many_digits(family)
    minus = "-" if sign == "-" else ""
    if exponent >= 0:
        return minus + digits + "0" * exponent
    if first >= 0:
        return f"{minus}{digits[:exponent]}.{digits[exponent:]}"
    return f"{minus}0.{'0' * (-1 - first)}{digits}"


def _exponent(sign: str, digits: str) -> int:
    digits = digits.lstrip("0")
    exponent = _FAR if len(digits) > _EXPONENT_DIGITS else int(digits or "0")
    return -exponent if sign == "-" else exponent


# The order-preserving encoding, in half bytes: three for sign and exponent, one for each significant
# digit, and an end that sorts before (of negative numbers: after) any digit. No encoding is the beginning
# of another one.
_ZERO = b"\x80\x00"
_POSITIVE = {e: b"%03x" % (0x801 + e - MIN_EXPONENT) for e in range(MIN_EXPONENT, MAX_EXPONENT + 1)}
_NEGATIVE = {e: b"%03x" % (0x7FF - e + MIN_EXPONENT) for e in range(MIN_EXPONENT, MAX_EXPONENT + 1)}
_POSITIVE_DIGITS = bytes.maketrans(b"0123456789", b"123456789a")
_NEGATIVE_DIGITS = bytes.maketrans(b"0123456789", b"edcba98765")


def number_bytes(normal: str) -> bytes:
    """Bytes of a number in normal form that sort as numbers do; at most 21, self-terminating."""
    is_negative = normal[0] == "-"
    whole, _, fraction = (normal[1:] if is_negative else normal).partition(".")
    if whole == "0":
        digits = fraction.lstrip("0")
        if not digits:
            return _ZERO
        first = len(digits) - len(fraction) - 1
    else:
        digits = whole + fraction if fraction else whole.rstrip("0")
        first = len(whole) - 1
    if is_negative:
        end = b"ff" if len(digits) % 2 else b"f"
        return unhexlify(_NEGATIVE[first] + digits.encode().translate(_NEGATIVE_DIGITS) + end)
    end = b"00" if len(digits) % 2 else b"0"
    return unhexlify(_POSITIVE[first] + digits.encode().translate(_POSITIVE_DIGITS) + end)
