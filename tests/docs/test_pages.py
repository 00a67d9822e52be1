"""Every Python snippet of the documentation runs, and prints what the page says."""

from __future__ import annotations

import os
import re
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest
import yaml
from tests.docs.page import run, snippets

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
TUTORIAL = [DOCS / "toolkit/tutorial" / f"{name}.md" for name in ("keys", "reading", "writing", "beyond")]
"""Each goes on with the one before it."""
_link = re.compile(r"\]\((?!https?:|#)([^)#\s]+)")
_listed = re.compile(r"^::: (\S+)$", re.M)
_code = re.compile(r"^```.*?^```$|`[^`\n]*`", re.M | re.S)
RUNS = [[page] for page in sorted(DOCS.rglob("*.md")) if page not in TUTORIAL and snippets(page)] + [TUTORIAL]


@pytest.mark.parametrize("pages", RUNS, ids=lambda pages: str(pages[0].relative_to(DOCS)))
def test_snippets(pages: list[Path], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in [name for name in os.environ if name.startswith("AWS_")]:
        monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)
    for done in run(pages):
        place = f"{done.snippet.page.relative_to(ROOT)}:{done.snippet.line}"
        assert done.printed == (done.snippet.output or ""), place


def test_every_page_is_in_the_navigation() -> None:
    site = yaml.load((ROOT / "mkdocs.yml").read_text(), Loader=yaml.BaseLoader)
    listed = sorted(_files(site["nav"]))
    assert listed == sorted(str(page.relative_to(DOCS)) for page in DOCS.rglob("*.md"))


def test_links_lead_somewhere() -> None:
    pages = [*DOCS.rglob("*.md"), *ROOT.glob("*.md")]
    links = [(page, link) for page in pages for link in _link.findall(_code.sub("", page.read_text()))]
    assert len(links) > 50
    assert [f"{page.name}: {link}" for page, link in links if not (page.parent / link).exists()] == []


@pytest.mark.parametrize("package", ["partita.model", "partita.design"])
def test_what_the_reference_names_is_imported_from_the_package(package: str) -> None:
    page = (DOCS / f"reference/{package.removeprefix('partita.')}.md").read_text()
    listed = [name for name in _listed.findall(page) if not isinstance(_object(name), ModuleType)]
    root = import_module(package)
    assert [
        name for name in listed if getattr(root, name.rpartition(".")[2], None) is not _object(name)
    ] == []
    assert {name.rpartition(".")[2] for name in listed} <= set(root.__all__)
    errors = [name for name in root.__all__ if getattr(root, name).__module__ == "partita.model.errors"]
    assert set(root.__all__) - set(errors) == {name.rpartition(".")[2] for name in listed}


def _object(name: str) -> object:
    module, _, attribute = name.rpartition(".")
    try:
        return getattr(import_module(module), attribute)
    except AttributeError:
        return import_module(name)


def _files(entry: object) -> list[str]:
    if isinstance(entry, str):
        return [entry]
    assert isinstance(entry, list | dict)
    return [file for one in (entry.values() if isinstance(entry, dict) else entry) for file in _files(one)]
