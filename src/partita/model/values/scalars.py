"""The codecs of values of one piece: texts, numbers, booleans, bytes, times; choices of a few of these."""

from __future__ import annotations

import enum
from dataclasses import replace
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any
from uuid import UUID

from pydantic import AwareDatetime, EmailStr

from partita.model.errors import DeclarationError, KeyValueError, UnstorableValue
from partita.model.schema import AttributeValue, Codec
from partita.model.values.numbers import decimal_text, float_text, integer_text
from partita.model.values.times import utc_text


def _decode_decimal(value: AttributeValue) -> Decimal:
    return Decimal(value["N"])


def _decode_int(value: AttributeValue) -> int:
    text = value["N"]
    try:
        return int(text)
    except ValueError:
        number = Decimal(text)
        if number != (whole := int(number)):
            raise ValueError(f"{text} is not a whole number") from None
        return whole


def _encode_datetime(value: datetime) -> AttributeValue:
    try:
        return {"S": utc_text(value)}
    except KeyValueError as error:
        raise UnstorableValue(str(error)) from None


def _encode_expiry(value: datetime) -> AttributeValue:
    if value.utcoffset() is None:
        raise UnstorableValue(f"{value!r} has no time zone: a naive datetime is no point in time")
    return {"N": str(int(value.timestamp() // 1))}


def _decode_expiry(value: AttributeValue) -> datetime:
    return datetime.fromtimestamp(_decode_int(value), UTC)


def _encode_text(value: str) -> AttributeValue:
    if not str.isascii(value):
        try:
            value.encode()
        except UnicodeEncodeError:
            raise UnstorableValue(f"{value!r} holds half a surrogate pair: it has no UTF-8 form") from None
    return {"S": value}


def _encode_bool(value: bool) -> AttributeValue:
    if value is not True and value is not False:
        raise TypeError("not a bool")
    return {"BOOL": value}


def _encode_bytes(value: bytes) -> AttributeValue:
    return {"B": value if type(value) is bytes else bytes(memoryview(value))}


def _encode_date(value: date) -> AttributeValue:
    if isinstance(value, datetime):
        raise TypeError("a datetime is more than a date")
    return {"S": value.isoformat()}


STR = Codec("S", True, _encode_text, lambda v: v["S"], python=(str,), scalar=True)
INT = Codec("N", True, lambda v: {"N": integer_text(v)}, _decode_int, python=(int,), scalar=True)
DECIMAL = Codec("N", True, lambda v: {"N": decimal_text(v)}, _decode_decimal, python=(Decimal,), scalar=True)
FLOAT = Codec(
    "N", True, lambda v: {"N": float_text(v)}, lambda v: float(v["N"]), python=(float,), scalar=True
)
BOOL = Codec("BOOL", False, _encode_bool, lambda v: v["BOOL"], python=(bool,))
BYTES = Codec("B", True, _encode_bytes, lambda v: bytes(v["B"]), python=(bytes,), scalar=True)
DATETIME = Codec(
    "S", True, _encode_datetime, lambda v: datetime.fromisoformat(v["S"]), python=(datetime,), scalar=True
)
DATE = Codec(
    "S",
    True,
    _encode_date,
    lambda v: date.fromisoformat(v["S"]),
    python=(date,),
    scalar=True,
)
UUID_CODEC = Codec(
    "S", True, lambda v: {"S": UUID.__str__(v)}, lambda v: UUID(v["S"]), python=(UUID,), scalar=True
)
EXPIRY = Codec("N", True, _encode_expiry, _decode_expiry, python=(datetime,))
"""Seconds since 1970: what DynamoDB's TTL reads. A fraction of a second is dropped."""

PLAIN: dict[Any, Codec] = {
    str: STR,
    EmailStr: STR,
    int: INT,
    Decimal: DECIMAL,
    float: FLOAT,
    bool: BOOL,
    bytes: BYTES,
    datetime: DATETIME,
    AwareDatetime: DATETIME,
    date: DATE,
    UUID: UUID_CODEC,
}
"""By their types."""


def choices(values: tuple[Any, ...], where: str) -> Codec:
    """Of the members of an Enum, or the values of a Literal, as what they stand for.

    Raises DeclarationError.
    """
    stored = [value.value if isinstance(value, enum.Enum) else value for value in values]
    kinds = {type(one) for one in stored}
    if len(kinds) != 1 or not kinds <= {str, int, bool}:
        raise DeclarationError(
            f"{where}: values that are all str or all int can be stored, these are {stored}"
        )
    (kind,) = kinds
    codec = PLAIN[kind]
    by_stored = dict(zip(stored, values, strict=True))
    stored_as = dict(zip(values, stored, strict=True))
    encode, decode = codec.encode, codec.decode

    def write(value: Any) -> AttributeValue | None:
        return encode(stored_as[value])

    def read(value: AttributeValue) -> Any:
        return by_stored[decode(value)]

    if all(isinstance(value, enum.Enum) for value in values):
        python = tuple({type(value) for value in values})
        return replace(codec, encode=write, decode=read, python=python)
    if any(isinstance(value, enum.Enum) for value in values):
        raise DeclarationError(
            f"{where}: a Literal of members of an Enum and plain values cannot be told apart"
        )
    return replace(codec, encode=write, decode=read)
