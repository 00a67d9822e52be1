"""The shapes of requests: AWS's published model (`model.json`), completed by what was captured."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import orjson

from partita.api import captured

ShapeType = Literal["structure", "list", "map", "string", "blob", "boolean", "integer", "long"]
Echo = Literal["java", "json", "none"]
ARN_MAX = 1024


@dataclass(frozen=True, slots=True)
class Rule:
    """The constraints of a member, or of the keys or elements of a map or list.

    `least` and `most` bound the length of a string, list or map, or a number itself.
    """

    required: bool = False
    least: int | None = None
    most: int | None = None
    pattern: str | None = None
    enum: tuple[str, ...] = ()
    """In the order of the message."""
    is_table: bool = False
    """The name of a table, or its ARN."""
    length_first: bool = False
    """Whether failures of the length are reported before one of the pattern."""
    echo: Echo = "java"
    """How a message repeats the value."""

    def fits(self, size: int) -> bool:
        """Whether a length, or a number, is within the bounds."""
        return (self.least is None or size >= self.least) and (self.most is None or size <= self.most)

    def matches(self, text: str) -> bool:
        """Whether `text` as a whole matches the pattern."""
        return self.pattern is None or re.fullmatch(self.pattern, text) is not None

    def takes_arn(self, text: str) -> bool:
        """Whether `text` is to be judged as an ARN instead of a name."""
        return self.is_table and text.startswith("arn:")


def is_arn(text: str) -> bool:
    """Whether an ARN can stand for a table name."""
    return re.fullmatch(captured.ARN_PATTERN, text) is not None


@dataclass(slots=True, eq=False)
class Shape:
    name: str
    type: ShapeType
    members: dict[str, Member] = field(default_factory=dict)
    """Of a structure, in the order in which failures are reported."""
    element: Shape | None = None
    """Of a list or map."""
    element_rule: Rule = Rule()
    key_rule: Rule = Rule()

    @property
    def is_attribute_value(self) -> bool:
        return self.name == "AttributeValue"


@dataclass(slots=True, eq=False)
class Member:
    name: str
    shape: Shape
    rule: Rule


def _load(model: Mapping[str, Any]) -> dict[str, Shape]:
    shapes = {name: Shape(name, published["type"]) for name, published in model.items()}
    for name, shape in shapes.items():
        published = model[name]
        for member in _in_order(published.get("members", {}), captured.MEMBER_ORDERS.get(name, ())):
            inner = published["members"][member]
            required = member in published.get("required", ())
            differs = captured.RULES.get((name, member), {})
            rule = _rule(inner, model[inner], {"required": required} | differs)
            shape.members[member] = Member(member, shapes[inner], rule)
        element = published.get("member") or published.get("value")
        if element is not None:
            shape.element = shapes[element]
            shape.element_rule = _rule(element, model[element], captured.ELEMENT_RULES.get(name, {}))
        if "key" in published:
            key = published["key"]
            shape.key_rule = _rule(key, model[key], captured.KEY_RULES.get(name, {}))
    return shapes


def _rule(name: str, published: Mapping[str, Any], differs: dict[str, Any]) -> Rule:
    rule: dict[str, Any] = {
        "least": published.get("min"),
        "most": published.get("max"),
        "pattern": published.get("pattern"),
        "enum": captured.ENUM_ORDERS.get(name, tuple(published.get("enum", ()))),
    }
    if name == "TableArn":
        rule |= {"is_table": True, "most": captured.NAME_MAX, "pattern": captured.NAME_PATTERN}
    return Rule(**(rule | differs))


def _in_order(names: Mapping[str, Any], first: tuple[str, ...]) -> list[str]:
    return [*first, *(name for name in names if name not in first)]


_MODEL = orjson.loads((Path(__file__).parent / "model.json").read_bytes())
SHAPES = _load(_MODEL["shapes"])
"""All shapes by name. They refer to each other, AttributeValue to itself."""
INPUTS: dict[str, Shape] = {operation: SHAPES[name] for operation, name in _MODEL["operations"].items()}
"""The shape of each operation's request."""
OPERATIONS = frozenset(INPUTS)
"""The operations that the server answers."""
