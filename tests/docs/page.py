"""Runs the Python of documentation pages, and tells what it printed beside what the page says it prints."""

from __future__ import annotations

import contextlib
import io
import re
import sys
import types
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path

_fence = re.compile(r"^```(\w*)[^\n]*\n(.*?)^```$", re.M | re.S)


@dataclass(frozen=True)
class Snippet:
    """A block of Python, and the block of text behind it, if that follows at once."""

    page: Path
    line: int
    """Of the code's first line, from 1."""
    code: str
    output: str | None


@dataclass(frozen=True)
class Run:
    """One snippet, with what it printed."""

    snippet: Snippet
    printed: str


def snippets(page: Path) -> list[Snippet]:
    """The Python of a page, in order."""
    text = page.read_text()
    blocks = list(_fence.finditer(text))
    found: list[Snippet] = []
    for block, following in zip_longest(blocks, blocks[1:]):
        if block[1] != "python":
            continue
        said = following is not None and following[1] == "text"
        between = text[block.end() : following.start()] if following is not None else ""
        output = following[2] if said and following is not None and not between.strip() else None
        found.append(Snippet(page, text.count("\n", 0, block.start(2)) + 1, block[2], output))
    return found


def run(pages: Sequence[Path]) -> Iterator[Run]:
    """Runs the snippets of pages that go on with one another, in one namespace."""
    # Classes look for the names of their annotations in their module.
    module = types.ModuleType("documentation_page")
    sys.modules[module.__name__] = module
    try:
        for snippet in (snippet for page in pages for snippet in snippets(page)):
            code = compile("\n" * (snippet.line - 1) + snippet.code, str(snippet.page), "exec")
            printed = io.StringIO()
            with contextlib.redirect_stdout(printed):
                exec(code, module.__dict__)
            yield Run(snippet, printed.getvalue())
    finally:
        del sys.modules[module.__name__]
