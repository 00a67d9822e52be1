"""How one value stands inside a key, so that keys order as the values do and no two values look alike.

The separator of keys is `#`. Inside a text each character from U+0000 to `$` (U+0024) is written as `$` and
the character 0x30 above it (space as `$P`, `#` as `$S`, `$` as `$T`); all others stand for themselves.
Because `#` < `$` < every other character that can follow, escaped texts order as the texts do, also when
one is the beginning of the other, and none of them holds a separator.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import Any
from uuid import UUID

from partita.model.errors import KeyValueError
from partita.model.keys.languages import DIGITS, HEX, HIGHEST, AnyOf, Language, Many, One, Ranges, shape
from partita.model.values.times import utc_text

SEPARATOR = "#"
ESCAPE = "$"
AFTER_SEPARATOR = "$"
"""Orders after every key that goes on with the separator, and before every longer value."""

_ESCAPED = {code: ESCAPE + chr(0x30 + code) for code in range(ord(ESCAPE) + 1)}
_special = re.compile("[\x00-\x24\ud800-\udfff]").search
_escape_pair = re.compile(r"\$(.)", re.DOTALL)

_IN_TEXT: Ranges = ((ord(ESCAPE), HIGHEST),)
_IN_RAW: Ranges = ((0, ord(SEPARATOR) - 1), (ord(SEPARATOR) + 1, HIGHEST))
_IN_RAW_NUMBER: Ranges = ((0x2B, 0x2B), (0x2D, 0x2E), *DIGITS, (0x45, 0x45))

BYTES_PER_CHARACTER = 4


@dataclass(frozen=True, slots=True)
class Format:
    """How the values of a placeholder are written into a key and read back."""

    render: Callable[[Any], str]
    """Raises KeyValueError."""
    parse: Callable[[str], Any]
    width: int | None
    """In characters, where every value has the same."""
    max_bytes: int | None
    """The longest written value, None where nothing bounds it."""
    language: Language
    """What can be written."""
    pattern: str
    """What can be written, as a regular expression without groups, for reading keys back."""
    prefix: Callable[[str], str]
    """Writes the beginning of a value."""
    lossy: bool = False
    """Several values are written alike (a datetime's day): not for a primary key."""
    sorts: bool = True
    """Written values order as the values do."""


def escape(text: str) -> str:
    """`text` with U+0000 … `$` escaped; raises KeyValueError for text that has no UTF-8 form."""
    if _special(text) is None:
        return text
    return encodable(text).translate(_ESCAPED)


def unescape(text: str) -> str:
    """The inverse of `escape`."""
    if ESCAPE not in text:
        return text
    return _escape_pair.sub(lambda pair: chr(ord(pair[1]) - 0x30), text)


def encodable(text: str) -> str:
    try:
        text.encode()
    except UnicodeEncodeError:
        raise KeyValueError(f"{text!r} holds half a surrogate pair, which no key can hold") from None
    return text


def text_format(max_length: int | None) -> Format:
    """Texts, escaped; `max_length` in characters."""

    def render(value: Any) -> str:
        if not isinstance(value, str):
            raise KeyValueError(f"{value!r} is not a str")
        return escape(value)

    longest = None if max_length is None else max_length * BYTES_PER_CHARACTER
    return Format(render, unescape, None, longest, (Many(_IN_TEXT),), "[^#]*", escape)


def raw_text_format(max_length: int | None, last: bool) -> Format:
    """Texts as they are. Collisions are judged as if no value held a separator.

    Only where they end the key (`last`) they may hold one: anywhere else another value would seem to begin.
    """

    def render(value: Any) -> str:
        if not isinstance(value, str):
            raise KeyValueError(f"{value!r} is not a str")
        if not last and SEPARATOR in value:
            raise KeyValueError(
                f'{value!r} holds "{SEPARATOR}" before the end of the key: another item could have that key'
            )
        return encodable(value)

    longest = None if max_length is None else max_length * BYTES_PER_CHARACTER
    return Format(render, str, None, longest, (Many(_IN_RAW),), ".*" if last else "[^#]*", render)


def raw_number_format(parse: Callable[[str], Any]) -> Format:
    """Numbers as Python writes them: they do not order."""

    def render(value: Any) -> str:
        if isinstance(value, bool) or not isinstance(value, int | Decimal | float):
            raise KeyValueError(f"{value!r} is not a number")
        return str(value)

    return Format(render, parse, None, None, (Many(_IN_RAW_NUMBER),), "[-+.0-9E]*", str, sorts=False)


def bytes_format(max_length: int | None) -> Format:
    """Bytes, in lower-case hexadecimal digits."""

    def render(value: Any) -> str:
        if not isinstance(value, bytes):
            raise KeyValueError(f"{value!r} is not bytes")
        return value.hex()

    longest = None if max_length is None else max_length * 2
    return Format(render, bytes.fromhex, None, longest, (Many(HEX),), "[0-9a-f]*", str)


def choice_format(written: Mapping[str, Any], render: Callable[[Any], str]) -> Format:
    """One of a few values, by their written form."""
    texts = tuple(written)
    widths = {len(text) for text in texts}
    return Format(
        render,
        lambda text: written[text],
        widths.pop() if len(widths) == 1 else None,
        max(len(text.encode()) for text in texts),
        (AnyOf(texts),),
        "(?:" + "|".join(re.escape(text) for text in sorted(texts, key=len, reverse=True)) + ")",
        escape,
    )


def _render_bool(value: Any) -> str:
    if value is True:
        return "true"
    if value is False:
        return "false"
    raise KeyValueError(f"{value!r} is not a bool")


BOOL = choice_format({"false": False, "true": True}, _render_bool)


def number_format(
    digits: int, scale: int, signed: bool, parse: Callable[[str], Any], accepts: type | tuple[type, ...]
) -> Format:
    """Numbers of up to `digits` digits before the point and exactly `scale` after it, padded with zeros.

    Signed ones begin with P, or with N if negative; after N stands the value plus 10**digits, so that -2
    comes before -1: with five digits 7 is P00007 and -1 is N99999.
    """
    limit = 10**digits
    width = digits + (scale + 1 if scale else 0)

    def render(value: Any) -> str:
        whole, _, fraction = _plain(value, accepts, scale).partition(".")
        if whole[0] != "-":
            return ("P" if signed else "") + _padded(whole, fraction, digits, scale)
        whole = whole[1:]
        if not (whole.strip("0") or fraction):
            return ("P" if signed else "") + _padded("0", "", digits, scale)
        if not signed:
            raise KeyValueError(
                f"{value!r} is negative: only a signed width such as {{name:+{digits}}} takes it"
            )
        # Counting in units of the last digit keeps the complement exact.
        units = limit * 10**scale - int(_padded(whole, fraction, digits, scale).replace(".", ""))
        if units < 0:
            raise KeyValueError(f"{value!r} has more than {digits} digits")
        text = f"{units:0{digits + scale}d}"
        return "N" + (f"{text[:digits]}.{text[digits:]}" if scale else text)

    def read(text: str) -> Any:
        if not signed:
            return parse(text)
        if text[0] == "P":
            return parse(text[1:])
        units = limit * 10**scale - int(text[1:].replace(".", ""))
        whole = f"{units:0{digits + scale}d}"
        return parse(f"-{whole[:-scale]}.{whole[-scale:]}" if scale else f"-{whole}")

    body = shape("d" * digits + ("." + "d" * scale if scale else ""), d=DIGITS)
    pattern = f"[0-9]{{{digits}}}" + (rf"\.[0-9]{{{scale}}}" if scale else "")
    if signed:
        sign: Language = (One(((ord("N"), ord("N")), (ord("P"), ord("P")))),)
        return Format(render, read, width + 1, width + 1, sign + body, "[NP]" + pattern, str)
    return Format(render, read, width, width, body, pattern, str)


def _plain(value: Any, accepts: type | tuple[type, ...], scale: int) -> str:
    """A number without exponent and trailing zeros. Raises KeyValueError for what is none of these."""
    if isinstance(value, bool) or not isinstance(value, accepts):
        raise KeyValueError(f"{value!r} is not a number of this field's kind")
    if isinstance(value, int):
        return f"{value:d}"
    number: Decimal = Decimal(repr(value)) if isinstance(value, float) else value  # type: ignore[assignment]
    if not number.is_finite():
        raise KeyValueError(f"{value!r} is not a finite number")
    whole, _, fraction = f"{number:f}".partition(".")
    fraction = fraction.rstrip("0")
    if len(fraction) > scale:
        raise KeyValueError(f"{value!r} has more than {scale} digits after the point")
    return f"{whole}.{fraction}" if fraction else whole


def _padded(whole: str, fraction: str, digits: int, scale: int) -> str:
    """The digits of a number that is not negative, in full width."""
    whole = whole.lstrip("0").zfill(digits)
    if len(whole) > digits:
        raise KeyValueError(f"{whole} has more than {digits} digits")
    return f"{whole}.{fraction:0<{scale}}" if scale else whole


def shard_format(shards: int) -> Format:
    """0 … shards - 1, zero-padded to one width."""
    width = len(str(shards - 1))

    def render(value: Any) -> str:
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < shards:
            raise KeyValueError(f"shard {value!r} is not one of 0 … {shards - 1}")
        return f"{value:0{width}d}"

    texts = tuple(f"{n:0{width}d}" for n in range(shards))
    return Format(render, int, width, width, (AnyOf(texts),), f"[0-9]{{{width}}}", str)


def _render_datetime(value: Any) -> str:
    if not isinstance(value, datetime):
        raise KeyValueError(f"{value!r} is not a datetime")
    return utc_text(value)


DATETIME = Format(
    _render_datetime,
    datetime.fromisoformat,
    27,
    27,
    shape("dddd-dd-ddTdd:dd:dd.ddddddZ", d=DIGITS),
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{6}Z",
    str,
)


def _render_date(value: Any) -> str:
    if isinstance(value, datetime) or not isinstance(value, date):
        raise KeyValueError(f"{value!r} is not a date")
    return value.isoformat()


DATE = Format(
    _render_date,
    date.fromisoformat,
    10,
    10,
    shape("dddd-dd-dd", d=DIGITS),
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}",
    str,
)

PARTS_OF_TIME = {"year": 4, "month": 7, "day": 10, "hour": 13, "minute": 16}
"""Parts of a datetime or date that a key can hold, by how many characters of the whole they are."""


def part_of_time_format(whole: Format, unit: str) -> Format:
    """The beginning of a date or datetime: `{placed:day}` is 2026-09-28."""
    width = PARTS_OF_TIME[unit]
    return Format(
        lambda value: whole.render(value)[:width],
        str,
        width,
        width,
        whole.language[:width],
        f".{{{width}}}",
        str,
        lossy=True,
    )


def _render_uuid(value: Any) -> str:
    if not isinstance(value, UUID):
        raise KeyValueError(f"{value!r} is not a UUID")
    return str(value)


UUID_FORMAT = Format(
    _render_uuid,
    UUID,
    36,
    36,
    shape("hhhhhhhh-hhhh-hhhh-hhhh-hhhhhhhhhhhh", h=HEX),
    "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}",
    str,
)
