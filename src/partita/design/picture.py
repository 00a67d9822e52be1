"""A picture of the item collections, as SVG: partitions as columns, items as rows, entities by colour."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from partita.model.schema import EntitySchema, KeySchema, TableSchema

COLOURS = ("#2563eb", "#d97706", "#059669", "#db2777", "#7c3aed", "#0891b2", "#65a30d", "#dc2626")
_COLUMN, _ROW, _GAP = 370, 34, 18
_COLUMNS = 3
"""Side by side, the others below them: with the page's margins that is 1240 pixels."""
_CHARACTERS = 42
"""So many fit in a column, bold ones too."""
_SHOWN = 3
"""Boxes of an entity that a collection can hold several of."""


@dataclass(frozen=True, slots=True)
class Box:
    """One item, or one of several alike."""

    entity: str
    text: str


@dataclass(frozen=True, slots=True)
class Column:
    """A partition with its items in the order of their sort keys."""

    title: str
    note: str
    boxes: tuple[Box, ...]


@dataclass(frozen=True, slots=True)
class Band:
    """The table or one of its indexes."""

    title: str
    columns: tuple[Column, ...]


def bands(table: TableSchema) -> tuple[Band, ...]:
    """What the picture of a table shows."""
    primary = [(e.__schema__, e.__schema__.key) for e in table.entities]
    made = [Band(f"table {table.name}", _columns(primary))]
    for name, index in table.indexes.items():
        inside = [
            (e.__schema__, e.__schema__.index_keys[name])
            for e in table.entities
            if name in e.__schema__.index_keys
        ]
        if inside:
            made.append(Band(f"index {index.name}", _columns(inside)))
    return tuple(made)


def _columns(keys: Sequence[tuple[EntitySchema, KeySchema]]) -> tuple[Column, ...]:
    partitions: dict[str, list[tuple[EntitySchema, KeySchema]]] = {}
    for schema, key in keys:
        text = " + ".join(t.text for t in key.partition)
        # What differs in the names of fields only is one kind of partition.
        partitions.setdefault(re.sub(r"\{[^{}:]*", "{", text), []).append((schema, key))
    columns = []
    for members in partitions.values():
        first = members[0][1]
        boxes = [box for schema, key in members for box in _boxes(schema, key)]
        boxes.sort(key=lambda box: box.text)
        note = f"{first.shards} shards" if first.shards else ""
        if any(key.when is not None for _, key in members):
            note = ", ".join(filter(None, (note, "sparse")))
        columns.append(Column(" + ".join(t.text for t in first.partition), note, tuple(boxes)))
    return tuple(columns)


def _boxes(schema: EntitySchema, key: KeySchema) -> list[Box]:
    text = " + ".join(t.text for t in key.sort) or "(one item)"
    partition = {name for template in key.partition for name in template.names}
    own = {name for template in key.sort for name in template.names} - partition
    # Keys of indexes need not be unique: several items can be at one.
    several = bool(own) or key.index is not None
    return [Box(schema.cls.__name__, text)] * (_SHOWN if several else 1)


def svg(table: TableSchema, colours: dict[str, str]) -> str:
    """The picture of one table; `colours` by entity."""
    parts: list[str] = []
    top = 0
    width = 0
    for band in bands(table):
        parts.append(f'<text class="band" x="0" y="{top + 16}">{escape(band.title)}</text>')
        top += 28
        for first in range(0, len(band.columns), _COLUMNS):
            beside = band.columns[first : first + _COLUMNS]
            for number, column in enumerate(beside):
                parts += _column(column, number * (_COLUMN + _GAP), top, colours)
            width = max(width, len(beside) * (_COLUMN + _GAP) - _GAP)
            top += _height(max(len(column.boxes) for column in beside)) + _GAP
        top += 6
    label = escape(f"Item collections of {table.name}")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-2 0 {width + 4} {top}" width="{width + 4}" '
        f'height="{top}" role="img" aria-label="{label}">{"".join(parts)}</svg>'
    )


def _height(boxes: int) -> int:
    return 44 + boxes * _ROW


def _column(column: Column, x: int, top: int, colours: dict[str, str]) -> list[str]:
    height = _height(len(column.boxes))
    parts = [
        f'<g><title>{escape(column.title)}</title><rect class="partition" x="{x}" y="{top}" '
        f'width="{_COLUMN}" height="{height}" rx="8"/>',
        f'<text class="key" x="{x + 10}" y="{top + 18}">{escape(_short(column.title, _CHARACTERS))}</text>',
    ]
    if column.note:
        parts.append(f'<text class="note" x="{x + 10}" y="{top + 32}">{escape(column.note)}</text>')
    for row, box in enumerate(column.boxes):
        y = top + 38 + row * _ROW
        again = row > 0 and column.boxes[row - 1] == box
        label = f"{box.entity}: {box.text}"
        parts.append(
            f'<g opacity="{0.45 if again else 1}"><title>{escape(label)}</title>'
            f'<rect x="{x + 8}" y="{y}" width="{_COLUMN - 16}" height="{_ROW - 6}" rx="5" '
            f'fill="{colours[box.entity]}"/><text class="item" x="{x + 16}" y="{y + 18}">'
            f"{escape('…' if again else _short(f'{box.entity}  {box.text}', _CHARACTERS))}</text></g>"
        )
    parts.append("</g>")
    return parts


def _short(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"
