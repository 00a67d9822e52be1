"""The escape hatch: expression text written by hand, beside or inside expressions built from fields."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from partita.model.errors import ExpressionError
from partita.model.expressions.conditions import Condition, DocumentPath
from partita.model.expressions.paths import Path, elements_of
from partita.model.schema import AttributeValue
from partita.model.values.attribute_values import shortened

_PLACEHOLDER = re.compile(r"[#:][A-Za-z0-9_]+")
_SECTION = re.compile(r"(?<![#:.\w])(SET|REMOVE|ADD|DELETE)(?!\w)", re.IGNORECASE)
_BARE_PATH = re.compile(r"(?<![#:.\w])[A-Za-z]\w*(?!\w|\s*\()")
_KEYWORDS = frozenset({"AND", "OR", "NOT", "BETWEEN", "IN", "SET", "REMOVE", "ADD", "DELETE"})
_EXAMPLES = {"names": '{"#t": "tags"}', "values": '{":n": 3}'}


@dataclass(frozen=True)
class Raw(Condition):
    """Expression text by hand: a condition (combines with others) or sections of an update.

        Raw("size(#t) > :n", names={"#t": "tags"}, values={":n": 3}) & (F(Order).qty >= 2)
        Raw("SET #c = #c * :n", names={"#c": F(Order).count}, values={":n": 2})

    `names` gives each #placeholder a stored attribute's name or a path of F; `values` gives each :placeholder
    a str, int, Decimal, bool, bytes or None, or an attribute value ({"L": […]}). Placeholders are renamed
    when the request is rendered, so they never collide with others. Nothing else in the text is looked at:
    whether it overlaps with other updates, DynamoDB decides. Raises ExpressionError for a placeholder that is
    not given or not used.
    """

    expression: str
    names: Mapping[str, str | DocumentPath] = field(default_factory=dict)
    values: Mapping[str, AttributeValue] = field(default_factory=dict)

    def __init__(
        self,
        expression: str,
        names: Mapping[str, str | Path] | None = None,
        values: Mapping[str, Any] | None = None,
    ) -> None:
        if not isinstance(expression, str):
            raise ExpressionError(f"Raw needs the text of an expression, not {shortened(expression)}")
        for argument, mapping in (("names", names), ("values", values)):
            if not isinstance(mapping, Mapping | None):
                example = _EXAMPLES[argument]
                raise ExpressionError(
                    f"Raw takes {argument} by placeholder, as in {example}, not {shortened(mapping)}"
                )
        object.__setattr__(self, "expression", expression.strip())
        object.__setattr__(self, "names", {n: _named(n, to) for n, to in (names or {}).items()})
        object.__setattr__(self, "values", {n: _encoded(n, value) for n, value in (values or {}).items()})
        used = set(_PLACEHOLDER.findall(expression))
        given = {*self.names, *self.values}
        if not self.expression:
            raise ExpressionError("Raw needs the text of an expression")
        if missing := sorted(used - given):
            raise ExpressionError(
                f"Raw uses {', '.join(missing)} without saying in names= or values= what it is"
            )
        if unused := sorted(given - used):
            raise ExpressionError(
                f"Raw does not use {', '.join(unused)}: a placeholder is written with its # or :"
            )

    def with_placeholders(
        self, path: Callable[[DocumentPath], str], value: Callable[[AttributeValue], str]
    ) -> str:
        """The text with each placeholder replaced by what `path` and `value` make of its meaning."""
        texts = {name: path((to,) if isinstance(to, str) else to) for name, to in self.names.items()}
        texts |= {name: value(meaning) for name, meaning in self.values.items()}
        return _PLACEHOLDER.sub(lambda match: texts[match[0]], self.expression)

    def attributes(self) -> Iterator[str]:
        """The stored top-level attributes that the text speaks of."""
        yield from (to if isinstance(to, str) else str(to[0]) for to in self.names.values())
        yield from (word for word in _BARE_PATH.findall(self.expression) if word.upper() not in _KEYWORDS)


def sections(text: str) -> Iterator[tuple[str, str]]:
    """The (keyword, actions) of an update's text. Raises ExpressionError where it starts with none."""
    parts = _SECTION.split(text)
    if parts[0].strip() or len(parts) == 1:
        raise ExpressionError(f"a raw update starts with SET, REMOVE, ADD or DELETE: {text!r}")
    for keyword, actions in zip(parts[1::2], parts[2::2], strict=True):
        yield keyword.upper(), actions.strip()


def _named(placeholder: str, to: str | Path) -> str | DocumentPath:
    if not isinstance(to, str | Path):
        raise ExpressionError(
            f"Raw: {placeholder} is an attribute's name or a path of F, not {shortened(to)}"
        )
    return elements_of(to) if isinstance(to, Path) else to


def _encoded(placeholder: str, value: Any) -> AttributeValue:
    match value:
        case bool():
            return {"BOOL": value}
        case None:
            return {"NULL": True}
        case str():
            return {"S": value}
        case int() | Decimal():
            return {"N": str(value)}
        case bytes():
            return {"B": value}
        case dict():
            return value
    raise ExpressionError(
        f"Raw cannot encode {placeholder}, a {type(value).__name__}: give an attribute value such as "
        '{"L": [{"N": "1"}]}'
    )
