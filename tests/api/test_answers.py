"""Answers become JSON, with stored items spliced in as they are."""

from __future__ import annotations

import orjson

from partita.api import encode


def test_an_answer() -> None:
    assert encode({}) == b"{}"
    assert encode({"Count": 0, "Items": [], "Name": "é"}) == '{"Count":0,"Items":[],"Name":"é"}'.encode()


def test_a_fragment_is_not_decoded() -> None:
    item = orjson.Fragment(b'{"pk": {"S": "a"}}')
    assert encode({"Items": [item, item]}) == b'{"Items":[{"pk": {"S": "a"}},{"pk": {"S": "a"}}]}'
