"""Rules of tables: local indexes, and indexes that nobody reads."""

from __future__ import annotations

from collections.abc import Iterator

from partita.design.designs import Design
from partita.design.findings import Finding, refused, warning
from partita.design.patterns import Keyed
from partita.model.declaring.table import LocalIndex
from partita.model.schema import TableSchema


def check_table(table: TableSchema, design: Design) -> Iterator[Finding]:
    """Everything that is wrong with one table."""
    read = {
        read.index.attribute
        for read in design.reads
        if isinstance(read, Keyed) and read.index is not None and read.key.entity.__schema__.table is table
    }
    for index in table.indexes.values():
        subject = f"index {table.cls.__name__}.{index.attribute}"
        declared = getattr(table.cls, index.attribute, None)
        if isinstance(declared, LocalIndex) and not declared.bounded:
            yield refused(
                "lsi",
                subject,
                "a local index limits every item collection to 10 GB for as long as the table exists, and "
                "nothing says that collections stay small: take an Index, or say LocalIndex(bounded=True)",
            )
        if design.reads and index.attribute not in read:
            yield warning(
                "unused-index",
                subject,
                "no declared pattern reads it, and every write of its items pays for it: drop it, or declare "
                "the pattern",
            )
