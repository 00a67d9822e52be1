"""The codecs of lists, tuples, sets and dicts, made of those of their members."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from partita.model.errors import DeclarationError, UnstorableValue
from partita.model.schema import AttributeValue, Codec, Item, Kind
from partita.model.values.attribute_values import NULL
from partita.model.values.scalars import BYTES, DECIMAL, FLOAT

_SETS: dict[Kind, Kind] = {"S": "SS", "N": "NS", "B": "BS"}


def sequence(origin: type[list[Any]] | type[tuple[Any, ...]], element: Codec) -> Codec:
    """A list, or a tuple of any length: L."""
    encode, decode = _as_member(element)

    def to(values: Any) -> AttributeValue:
        if not isinstance(values, origin):
            raise TypeError(f"not a {origin.__name__}")
        return {"L": [encode(value) for value in values]}

    return Codec(
        "L",
        False,
        to,
        (lambda value: [decode(one) for one in value["L"]])
        if origin is list
        else (lambda value: tuple([decode(one) for one in value["L"]])),
        element=element,
        python=(origin,),
    )


def _as_member(
    codec: Codec,
) -> tuple[Callable[[Any], AttributeValue], Callable[[AttributeValue], Any]]:
    """Encoding and decoding of a member, where "absent" has no place: it is NULL."""
    encode: Any = codec.encode
    decode, absent = codec.decode, codec.absent
    if absent is None:
        return encode, decode
    return (
        lambda value: NULL if (encoded := encode(value)) is None else encoded,
        lambda value: absent() if "NULL" in value else decode(value),
    )


def row(codecs: Sequence[Codec]) -> Codec:
    """A tuple of fixed length, each member of its own type: L."""
    functions = [_as_member(codec) for codec in codecs]

    def encode(values: Any) -> AttributeValue:
        if not isinstance(values, tuple):
            raise TypeError("not a tuple")
        return {"L": [to(value) for (to, _), value in zip(functions, values, strict=True)]}

    def decode(value: AttributeValue) -> tuple[Any, ...]:
        return tuple(back(one) for (_, back), one in zip(functions, value["L"], strict=True))

    return Codec("L", False, encode, decode, python=(tuple,))


def set_of(origin: type, element: Codec, where: str) -> Codec:
    """A set or frozenset: SS, NS or BS, and nothing where it is empty. Raises DeclarationError."""
    if not element.scalar or element.absent is not None:
        raise DeclarationError(f"{where}: a set holds texts, numbers or bytes")
    kind, of = _SETS[element.kind], element.kind
    encode, decode = element.encode, element.decode

    def to(values: Any) -> AttributeValue | None:
        if not isinstance(values, set | frozenset):
            raise TypeError("not a set")
        return {kind: sorted([encode(value)[of] for value in values])} if values else None  # type: ignore[index]

    def back(value: AttributeValue) -> Any:
        return origin([decode({of: one}) for one in value[kind]])

    return Codec(kind, False, to, back, absent=origin, element=element, python=(origin,))


def dict_of(keys: Codec, element: Codec, where: str) -> Codec:
    """A dict: M. Raises DeclarationError."""
    if keys.absent is not None or not keys.scalar or keys in (DECIMAL, FLOAT, BYTES):
        raise DeclarationError(
            f"{where}: the keys of a dict are stored as texts: str, int, UUID, date, Enum or Literal"
        )
    encode, decode = _as_member(element)
    of, key_to, key_back = keys.kind, keys.encode, keys.decode

    def to(values: Any) -> AttributeValue:
        content: Item = {}
        for key, value in values.items():
            name: Any = key_to(key)
            content[name[of]] = encode(value)
        if "" in content:
            raise UnstorableValue("the empty text cannot be a key of a stored dict")
        return {"M": content}

    return Codec(
        "M",
        False,
        to,
        lambda value: {key_back({of: key}): decode(one) for key, one in value["M"].items()},
        element=element,
        python=(dict,),
    )
