"""The part of the grammar that all expressions share: a cursor over tokens, paths, functions, operands.

Nothing here or in the grammars built on it recurses, so that no nesting of 4 KB can exhaust the stack.
Faults that do not stop the parse are noted, and raised in DynamoDB's order by `checks`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from partita.attributes import AttributeValue
from partita.errors import ValidationException
from partita.errors import expressions as errors
from partita.expressions.reserved import RESERVED_WORDS
from partita.expressions.tokens import (
    DIGITS,
    NAME,
    NAME_PLACEHOLDER,
    VALUE_PLACEHOLDER,
    Token,
    syntax_error,
    tokenise,
)
from partita.expressions.tree import Attribute, Call, Node, Operand, Path, Value

_LARGEST_INDEX = 2**32 - 2
_LARGEST_INDEX_DIGITS = len(str(_LARGEST_INDEX))
_MOST_LEVELS = 32


class Placeholders(NamedTuple):
    """What a request defines for use in its expressions."""

    names: Mapping[str, str]
    values: Mapping[str, AttributeValue]
    """In normal form."""


@dataclass(slots=True)
class Part:
    """One condition, action or path list of an expression: what is checked together (`checks`)."""

    nodes: list[Node] = field(default_factory=list)
    """What has operands, innermost first."""
    undefined: list[str] = field(default_factory=list)
    """Placeholders in it that the request does not define, in order of the text."""


@dataclass(slots=True)
class _Open:
    """A function, or (without a name) a parenthesis, of which the inside is being read."""

    name: str | None
    start: int
    """Where its parenthesis stands."""
    arguments: list[Operand] = field(default_factory=list)


class OperandParser:
    """Reads operands from the tokens of one expression."""

    def __init__(
        self,
        expression: str,
        text: str,
        placeholders: Placeholders,
        keywords: frozenset[str] = frozenset(),
    ) -> None:
        self.expression = expression
        self.text = text
        self.tokens = tokenise(text, keywords)
        self.at = 0
        self.placeholders = placeholders
        self.used_names: set[str] = set()
        self.used_values: set[str] = set()
        self.entered_names: set[str] = set()
        """Top-level attributes into which a path leads."""
        self.parts: list[Part] = []
        self.nodes: list[Node] = []
        """Every node, children before parents."""
        self.operator_count = 0
        self.has_redundant_parentheses = False
        self._last_group = (-1, -1)
        self.reserved_word: str | None = None
        self.path_fault: ValidationException | None = None

    # The cursor

    @property
    def kind(self) -> str:
        return self.tokens[self.at].kind

    def take(self, kind: str) -> Token:
        token = self.tokens[self.at]
        if token.kind != kind:
            raise self.syntax_error()
        self.at += 1
        return token

    def take_if(self, kind: str) -> bool:
        if self.tokens[self.at].kind != kind:
            return False
        self.at += 1
        return True

    def syntax_error(self) -> ValidationException:
        return syntax_error(self.expression, self.text, self.tokens, self.at)

    def new_part(self) -> None:
        self.parts.append(Part())

    def note(self, node: Node) -> None:
        """Records a finished node that has operands, as part of the whole and of the current part."""
        self.nodes.append(node)
        self.parts[-1].nodes.append(node)

    # Paths and values

    def path(self) -> Path:
        return self.path_from((self._element(),))

    def path_from(self, elements: Path) -> Path:
        """The path that begins with `elements`, already read, and goes on at the cursor."""
        path = list(elements)
        while True:
            if self.take_if("."):
                path.append(self._element())
            elif self.take_if("["):
                path.append(self._index(self.take(DIGITS).text))
                self.take("]")
            else:
                break
        if len(path) > 1:
            self.entered_names.add(str(path[0]))
        if len(path) > _MOST_LEVELS and self.path_fault is None:
            self.path_fault = errors.path_too_deep(self.expression, len(path))
        return tuple(path)

    def _element(self) -> str:
        if self.kind == NAME_PLACEHOLDER:
            placeholder = self.take(NAME_PLACEHOLDER).text
            self.used_names.add(placeholder)
            name = self.placeholders.names.get(placeholder)
            if name is None:
                self.parts[-1].undefined.append(placeholder)
                return placeholder
            return name
        name = self.take(NAME).text
        if self.reserved_word is None and name.upper() in RESERVED_WORDS:
            self.reserved_word = name
        return name

    def _index(self, digits: str) -> int:
        significant = digits.lstrip("0") or "0"
        if len(significant) <= _LARGEST_INDEX_DIGITS and int(significant) <= _LARGEST_INDEX:
            return int(significant)
        if self.path_fault is None:
            self.path_fault = errors.index_out_of_range(self.expression, digits)
        return _LARGEST_INDEX

    def value(self) -> Value:
        placeholder = self.take(VALUE_PLACEHOLDER).text
        self.used_values.add(placeholder)
        if placeholder not in self.placeholders.values:
            self.parts[-1].undefined.append(placeholder)
        value = Value(placeholder)
        self.nodes.append(value)
        return value

    # Operands

    def operand(self) -> Operand:
        """A path, a value, a function, or one of these in parentheses."""
        opened: list[_Open] = []
        while True:
            if self.kind == "(":
                opened.append(_Open(None, self.at))
                self.at += 1
                continue
            if self.kind == NAME and self.tokens[self.at + 1].kind == "(":
                opened.append(_Open(self.tokens[self.at].text, self.at + 1))
                self.at += 2
                continue
            operand: Operand
            if self.kind == VALUE_PLACEHOLDER:
                operand = self.value()
            else:
                operand = Attribute(self.path())
                self.nodes.append(operand)
            complete = self._close(opened, operand)
            if complete is not None:
                return complete

    def _close(self, opened: list[_Open], operand: Operand) -> Operand | None:
        """What is complete when `operand` ends what it can end; None where another argument follows."""
        while opened:
            around = opened[-1]
            if around.name is None:
                self.close_group(around.start)
                operand = self.continue_path(operand)
            else:
                around.arguments.append(operand)
                if self.take_if(","):
                    return None
                self.take(")")
                operand = Call(around.name, tuple(around.arguments))
                self.note(operand)
            opened.pop()
        return operand

    def close_group(self, start: int) -> None:
        """Takes the end of the parenthesis at `start`; one directly around another is redundant."""
        end = self.at
        self.take(")")
        if self._last_group == (start + 1, end - 1):
            self.has_redundant_parentheses = True
        self._last_group = (start, end)

    def continue_path(self, operand: Operand) -> Operand:
        """The rest of a path whose beginning stood in parentheses, as in `(a).b`."""
        if not isinstance(operand, Attribute) or self.kind not in (".", "["):
            return operand
        longer = Attribute(self.path_from(operand.path))
        self.nodes.append(longer)
        return longer
