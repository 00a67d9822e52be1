"""What the site's builder does to pages on the way (mkdocs.yml, `hooks`)."""

from __future__ import annotations

from typing import Any


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Parameters such as `RequestItems[][].Key` are no links."""
    if page.file.src_uri != "compatibility.md":
        return markdown
    return markdown.replace("[][]", r"\[\]\[\]")
