"""Points in time as texts that order as they do."""

from __future__ import annotations

from datetime import UTC, datetime

from partita.model.errors import KeyValueError

_UTC_TEXT = "%04d-%02d-%02dT%02d:%02d:%02d.%06dZ"


def utc_text(value: datetime) -> str:
    """`2026-09-28T07:05:00.000000Z`; raises KeyValueError for a naive one, or one that UTC cannot hold."""
    if value.tzinfo is not UTC:
        if value.utcoffset() is None:
            raise KeyValueError(f"{value!r} has no time zone: a naive datetime is no point in time")
        try:
            value = value.astimezone(UTC)
        except OverflowError:
            raise KeyValueError(f"{value!r} is outside the years 1 … 9999 of UTC") from None
    return _UTC_TEXT % (
        value.year,
        value.month,
        value.day,
        value.hour,
        value.minute,
        value.second,
        value.microsecond,
    )
