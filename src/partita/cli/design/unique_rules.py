"""Rules of unique attributes as commands are asked about them, and what an audit says of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeVar

import click

from partita.words import counted

if TYPE_CHECKING:
    from partita.model.auditing.audit import Audit
    from partita.model.declaring.entity import Entity
    from partita.model.declaring.table import Table
    from partita.model.schema import TableSchema

F = TypeVar("F", bound=Callable[..., object])

of_unique_rules: Callable[[F], F] = click.option(
    "--rule",
    "rules",
    multiple=True,
    metavar="ENTITY.RULE",
    help="Only this rule, such as Account.email; may be given several times.",
)


def asked(
    tables: Sequence[TableSchema], names: Sequence[str]
) -> dict[type[Table], list[tuple[type[Entity], str]]]:
    """The rules of these names, or all, by declared table. Ends the process where there is none."""
    from partita.cli.failure import fail

    known = {
        f"{entity.__name__}.{rule.name}": (table.cls, (entity, rule.name))
        for table in tables
        for entity in table.entities
        for rule in entity.__schema__.uniques
    }
    if not known:
        fail("there are no unique attributes in the table, so there is nothing to audit")
    wanted: dict[type[Table], list[tuple[type[Entity], str]]] = {}
    for name in names or known:
        if name not in known:
            fail(f"there is no rule {name} in the table; there are {', '.join(sorted(known))}")
        table, rule = known[name]
        wanted.setdefault(table, []).append(rule)
    return wanted


def complaint(audit: Audit) -> str:
    """Why a table is not sound; empty where it is."""
    faults = [counted(len(audit.faults), "fault")] if audit.faults else []
    return "; ".join([*faults, *remainder(audit)])


def remainder(audit: Audit) -> list[str]:
    """What an audit knows of and does not name."""
    left = []
    if audit.unreadable:
        left.append(
            f"{counted(audit.unreadable, 'item or marker', 'items or markers')} that cannot be read: "
            "`partita design verify` tells which"
        )
    if not audit.complete:
        left.append("there may be more faults: run it again once these are mended")
    return left
