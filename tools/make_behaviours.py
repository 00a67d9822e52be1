"""Writes docs/behaviours.md from the table of cases: `python tools/make_behaviours.py`."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "behaviours.md"


def page() -> str:
    """The page as the table has it."""
    from tests.facts import section_00_prefix
    from tests.facts.sections import SECTIONS

    parts = [section_00_prefix.page()]
    for section in SECTIONS:
        lines = [f"## {section.number}. {section.title}", *(fact.line for fact in section.facts)]
        parts.append("\n".join(lines))
    return "\n\n".join(parts) + "\n"


if __name__ == "__main__":
    sys.path[:0] = [str(ROOT), str(ROOT / "src")]
    PAGE.write_text(page(), encoding="utf-8")
    print(f"wrote {PAGE.relative_to(ROOT)}")
