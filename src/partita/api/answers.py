"""Answers as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import orjson


def encode(answer: Mapping[str, Any]) -> bytes:
    """The JSON bytes of an answer, which may hold `orjson.Fragment`s: items spliced in as they are stored."""
    return orjson.dumps(answer)
