"""Values for property tests: wire forms as a client may send them."""

from __future__ import annotations

from base64 import b64encode
from typing import Any

from hypothesis import strategies as st

texts = st.text(max_size=6)
"""Without surrogates, which UTF-8 does not have."""

binaries = st.binary(max_size=6).map(lambda content: b64encode(content).decode())


def _number(is_negative: bool, digits: int, exponent: int) -> str:
    return f"{'-' * is_negative}{digits}e{exponent}"


numbers = st.builds(
    _number,
    st.booleans(),
    st.one_of(st.integers(0, 999), st.integers(0, 10**38 - 1)),
    st.one_of(st.integers(-4, 4), st.integers(-130, 88)),
)
"""Numbers within the limits."""


def _typed(kind: str) -> Any:
    return lambda content: {kind: content}


def _sets_of(members: st.SearchStrategy[str]) -> st.SearchStrategy[list[str]]:
    return st.lists(members, min_size=1, max_size=4, unique=True)


keys = st.one_of(texts.map(_typed("S")), numbers.map(_typed("N")), binaries.map(_typed("B")))
"""Values that a key may have."""

scalars = st.one_of(keys, st.booleans().map(_typed("BOOL")), st.just({"NULL": True}))

sets = st.one_of(
    _sets_of(texts).map(_typed("SS")),
    st.lists(st.integers(-99, 99).map(str), min_size=1, max_size=4, unique=True).map(_typed("NS")),
    _sets_of(binaries).map(_typed("BS")),
)

values = st.recursive(
    st.one_of(scalars, sets),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3).map(_typed("L")),
        st.dictionaries(texts.filter(bool), inner, max_size=3).map(_typed("M")),
    ),
    max_leaves=8,
)
"""Values of all types, none of which is refused."""

items = st.dictionaries(texts.filter(bool), values, max_size=5)

json_values: st.SearchStrategy[Any] = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=4), st.just("1")),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(
            st.sampled_from(["S", "N", "B", "BOOL", "NULL", "L", "M", "SS", "NS", "BS", "X", ""]),
            inner,
            max_size=2,
        ),
    ),
    max_leaves=10,
)
"""Whatever JSON can hold where a value is expected."""
