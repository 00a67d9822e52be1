"""The wire form of values, which is also the form they are kept in."""

from __future__ import annotations

from typing import Any

AttributeValue = dict[str, Any]
"""One value under its type: {"S": "x"}, {"N": "1"}, {"B": "<base64>"}, {"L": [...]}, {"M": {...}}, …"""

Item = dict[str, AttributeValue]
"""Attribute values by attribute name."""
