"""Document paths over items: reading them, cutting out fragments, and how two paths may clash."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from partita.attributes import AttributeValue, Item
from partita.errors import ValidationException
from partita.errors import expressions as errors
from partita.expressions.tree import Path

Branches = dict[str | int, "Branches | None"]
"""Paths as a tree: what lies below each element; None: the path ends there."""


def path_text(path: Path) -> str:
    """As errors show a path: `[a, [0], b]` (facts 6.33, 6.34)."""
    parts = [f"[{element}]" if isinstance(element, int) else element for element in path]
    return f"[{', '.join(parts)}]"


def find(item: Item, path: Path) -> AttributeValue | None:
    """The value at `path`; None where the item has none."""
    value: Any = item.get(path[0])  # type: ignore[arg-type]
    for element in path[1:]:
        if value is None:
            return None
        if isinstance(element, str):
            below = value.get("M")
            value = None if below is None else below.get(element)
        else:
            below = value.get("L")
            value = below[element] if below is not None and element < len(below) else None
    return value  # type: ignore[no-any-return]


def clash(expression: str, paths: Sequence[Path]) -> ValidationException | None:
    """The error if one path holds another, or uses as a map what another uses as a list (6.33–6.35, 8.5)."""
    conflict = None
    ends: dict[Path, Path] = {}
    through: dict[Path, Path] = {}
    steps: dict[tuple[Path, type], Path] = {}
    for path in paths:
        for length in range(1, len(path) + 1):
            one = ends.get(path[:length])
            if one is not None:
                return errors.overlapping_paths(expression, path_text(one), path_text(path))
        one = through.get(path)
        if one is not None:
            return errors.overlapping_paths(expression, path_text(one), path_text(path))
        for length in range(1, len(path)):
            head = path[:length]
            through.setdefault(head, path)
            step = type(path[length])
            steps.setdefault((head, step), path)
            other = steps.get((head, int if step is str else str))
            if other is not None and conflict is None:
                conflict = errors.conflicting_paths(expression, path_text(other), path_text(path))
        ends[path] = path
    return conflict


def branches(paths: Iterable[Path]) -> Branches:
    """The tree of `paths`, of which none holds another; list indexes ascend."""
    tree: Branches = {}
    for path in sorted(paths, key=_document_order):
        below = tree
        for element in path[:-1]:
            deeper = below.setdefault(element, {})
            assert deeper is not None
            below = deeper
        below[path[-1]] = None
    return tree


def _document_order(path: Path) -> list[tuple[int, str]]:
    return [(element, "") if isinstance(element, int) else (0, element) for element in path]


def fragment(item: Item, tree: Branches) -> Item:
    """What `item` has at the paths of `tree`, each within its parents; lists hold only those elements."""
    return _of_map(item, tree)


def _of_map(attributes: dict[str, AttributeValue], tree: Branches) -> dict[str, AttributeValue]:
    found = {}
    for name, below in tree.items():
        value = attributes.get(name)  # type: ignore[arg-type]
        if value is not None:
            cut = value if below is None else _of_value(value, below)
            if cut is not None:
                found[name] = cut
    return found  # type: ignore[return-value]


def _of_value(value: AttributeValue, tree: Branches) -> AttributeValue | None:
    if isinstance(next(iter(tree)), str):
        attributes = value.get("M")
        found = None if attributes is None else _of_map(attributes, tree)
        return {"M": found} if found else None
    elements = value.get("L")
    if elements is None:
        return None
    kept = []
    for index, below in tree.items():
        if index < len(elements):  # type: ignore[operator]
            element = elements[index]
            cut = element if below is None else _of_value(element, below)
            if cut is not None:
                kept.append(cut)
    return {"L": kept} if kept else None
