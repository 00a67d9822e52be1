"""Cursors: they come back as they went, belong to one query, and show damage."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from partita.model.reading.cursors import CursorRefused, Place, Places, decode, digest_of, encode
from partita.model.schema import KeyAttribute

POSITION = (KeyAttribute("when", "N"), KeyAttribute("what", "B"), KeyAttribute("who", "S"))
TABLE_KEY = POSITION[1:]
DIGEST = digest_of("a query")
KEY = b"secret"

positions = st.tuples(st.decimals(allow_nan=False, allow_infinity=False).map(str), st.binary(), st.text())
places: st.SearchStrategy[Places] = st.builds(
    Places,
    st.lists(st.one_of(st.sampled_from(["start", "end"]), positions), min_size=1, max_size=4).map(tuple),
    positions,
    st.just(True),
    st.lists(st.tuples(st.binary(), st.text()), min_size=1, max_size=3).map(tuple),
) | st.builds(Places, st.lists(positions, min_size=1, max_size=4).map(tuple))


def read(text: str, digest: bytes = DIGEST, key: bytes | None = None, partitions: int = 1) -> Places:
    return decode(text, digest, key, partitions, POSITION, TABLE_KEY)


@given(places=places, key=st.one_of(st.none(), st.binary(min_size=1)))
def test_a_cursor_comes_back_as_it_went(places: Places, key: bytes | None) -> None:
    text = encode(places, DIGEST, key)
    assert re.fullmatch(r"[A-Za-z0-9_-]+", text)
    assert read(json.loads(json.dumps(text)), key=key, partitions=len(places.places)) == places


ONE: Place = ("17", b"\x00\xff", "ada")


def test_a_cursor_of_another_query_is_refused() -> None:
    with pytest.raises(CursorRefused, match="belongs to another query"):
        read(encode(Places((ONE,)), digest_of("another")))


@given(data=st.data(), signed=st.booleans())
def test_no_changed_cursor_is_taken(data: st.DataObject, signed: bool) -> None:
    key = KEY if signed else None
    text = encode(Places((ONE,)), DIGEST, key)
    at = data.draw(st.integers(0, len(text)))
    removed = data.draw(st.integers(0, 2))
    changed = text[:at] + data.draw(st.text("AZaz09_-+=é ", max_size=2)) + text[at + removed :]
    if changed != text:
        with pytest.raises(CursorRefused, match="damaged"):
            read(changed, key=key)


@pytest.mark.parametrize(("made_with", "read_with"), [(None, KEY), (KEY, None), (KEY, b"other")])
def test_a_signed_cursor_needs_its_key(made_with: bytes | None, read_with: bytes | None) -> None:
    with pytest.raises(CursorRefused, match="cursor key"):
        read(encode(Places((ONE,)), DIGEST, made_with), key=read_with)


@pytest.mark.parametrize("text", ["", "AAAA", "x" * 100_000, None, 7, b"AAAA"])
def test_what_is_no_cursor_is_refused(text: object) -> None:
    with pytest.raises(CursorRefused):
        read(text)  # type: ignore[arg-type]


def test_the_number_of_partitions_must_be_the_querys() -> None:
    with pytest.raises(CursorRefused, match="damaged"):
        read(encode(Places((ONE, "end")), DIGEST), partitions=1)


def test_digests_tell_bytes_from_texts() -> None:
    assert digest_of({"B": b"a"}) != digest_of({"B": "a"})
    assert digest_of({"a": 1, "b": 2}) == digest_of({"b": 2, "a": 1})
