"""The lexer of expressions, and the position of a syntax error in its text (facts 6.3–6.8, 6.40–6.55)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from partita.errors import ValidationException
from partita.errors import expressions as errors

NAME: Final = "name"
NAME_PLACEHOLDER: Final = "#name"
VALUE_PLACEHOLDER: Final = ":value"
DIGITS: Final = "digits"
END: Final = "end"

_TOKEN = re.compile(
    r"[ \t\r\n]+|(?P<name>[A-Za-z][A-Za-z0-9_]*)|(?P<name_placeholder>#[A-Za-z0-9_]+)"
    r"|(?P<value_placeholder>:[A-Za-z0-9_]+)|(?P<digits>[0-9]+)|(?P<other><>|<=|>=|.)",
    re.DOTALL,
)
_KINDS: Final = {
    "name_placeholder": NAME_PLACEHOLDER,
    "value_placeholder": VALUE_PLACEHOLDER,
    "digits": DIGITS,
}


class Token(NamedTuple):
    """A token of an expression, or a character that starts none."""

    kind: str
    """NAME and so on; a keyword in upper case; of anything else its own text."""
    text: str
    start: int
    end: int


def tokenise(text: str, keywords: frozenset[str]) -> list[Token]:
    """The tokens of `text`, with END last. `keywords` are in upper case and are found in any case."""
    tokens = []
    for match in _TOKEN.finditer(text):
        group = match.lastgroup
        if group is None:
            continue
        word = match.group()
        if group == "name":
            upper = word.upper()
            kind = upper if upper in keywords else NAME
        else:
            kind = _KINDS.get(group, word)
        tokens.append(Token(kind, word, match.start(), match.end()))
    tokens.append(Token(END, "<EOF>", len(text), len(text)))
    return tokens


def syntax_error(expression: str, text: str, tokens: Sequence[Token], at: int) -> ValidationException:
    """The error for `tokens[at]`, which the grammar cannot take; `expression` names the parameter."""
    last = len(tokens) - 2
    if at > last:
        start, end = tokens[last].start if last >= 0 else 0, len(text)
    else:
        start = tokens[at - 1].start if at else 0
        end = tokens[at + 1].end if at < last else len(text)
    return errors.syntax(expression, tokens[at].text, text[start:end])
