"""`partita design backfill`: old items brought to what the model declares. Exit code 1 if some were left."""

from __future__ import annotations

from typing import TYPE_CHECKING, Unpack

import click

from partita.cli.design.live import of_live_table
from partita.words import counted

if TYPE_CHECKING:
    from pathlib import Path

    from partita.model.backfilling.options import BackfillOptions
    from partita.model.backfilling.outcome import Backfill
    from partita.model.declaring.entity import Entity
    from partita.model.schema import TableSchema


@click.command(
    help="Bring every item of a table to what MODULE declares: index keys, new attributes. Each is written "
    "on condition that it is as it was read, so that the application may go on."
)
@of_live_table
@click.option(
    "--entity", "names", multiple=True, metavar="NAME", help="Only this entity; may be given several times."
)
@click.option(
    "--remove",
    multiple=True,
    metavar="ATTRIBUTE",
    help="Remove this attribute, which is no longer written; may be given several times.",
)
@click.option("--dry-run", is_flag=True, help="Say what would be written, and write nothing.")
@click.option(
    "--resume",
    "position",
    metavar="FILE",
    help="Keep the position in this file; if it is there, go on from it.",
)
@click.option(
    "--segments",
    type=click.IntRange(1, 1000),
    default=1,
    show_default=True,
    metavar="NUMBER",
    help="Parts at once.",
)
@click.option("--units-per-second", type=float, metavar="NUMBER", help="The most capacity units to consume.")
def command(
    module: str,
    table: str,
    model: str | None,
    endpoint_url: str | None,
    region: str | None,
    names: tuple[str, ...],
    position: str | None,
    **options: Unpack[BackfillOptions],
) -> None:
    import sys
    from functools import partial
    from pathlib import Path

    from partita.cli.design.live import live_session, tables_of
    from partita.cli.design.modules import design_in
    from partita.cli.failure import fail
    from partita.model.backfilling.checkpoint import CheckpointRefused
    from partita.model.errors import WriteRefused

    tables = tables_of(design_in(module), table, model)
    file = None if position is None else Path(position)
    options["progress"] = True
    if file is not None:
        options["resume"] = _read(file)
        options["keep"] = partial(_keep, file)
    with live_session(tables, table, endpoint_url, region, "backfilled") as session:
        try:
            done = session.backfill(_entities(tables, names), **options)
        except CheckpointRefused as refusal:
            fail(f"{position}: {refusal}")
        except WriteRefused as refusal:
            fail(str(refusal))
    _show(done)
    if file is not None:
        _remove(file)
    if not done.is_complete:
        counts = ", ".join(f"{count:,} {kind}" for kind, count in sorted(done.unmended.items()))
        click.echo(f"{table}: items were left as they are: {counts}", err=True)
        sys.exit(1)


def _entities(tables: list[TableSchema], names: tuple[str, ...]) -> list[type[Entity]]:
    from partita.cli.failure import fail

    known = {entity.__name__: entity for table in tables for entity in table.entities}
    for name in names:
        if name not in known:
            fail(f"there is no entity {name} in the table; there are {', '.join(sorted(known))}")
    return [known[name] for name in names] if names else list(known.values())


def _read(file: Path) -> str | None:
    from partita.cli.failure import fail

    try:
        return file.read_text(encoding="utf-8")
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        fail(f"{file} cannot be read: {error}")


def _keep(file: Path, text: str) -> None:
    import os

    from partita.cli.failure import fail

    # A position that is written in part would be none.
    fresh = file.with_name(file.name + ".new")
    try:
        fresh.write_text(text, encoding="utf-8")
        os.replace(fresh, file)
    except OSError as error:
        fail(f"{file} cannot be written: {error.strerror}")


def _remove(file: Path) -> None:
    from partita.cli.failure import fail

    try:
        file.unlink(missing_ok=True)
    except OSError as error:
        fail(f"{file} cannot be removed: {error.strerror}: remove it, for its backfill is over")


def _show(done: Backfill) -> None:
    from partita.cli.design.lines import show

    lines = [*done.problems, *(done.examples if done.dry_run else ())]
    show(lines, sum(done.unmended.values()) + (done.written if done.dry_run else 0))
    verb = "would be written" if done.dry_run else "written"
    click.echo(
        f"{done.table}: {counted(done.items, 'item')}, {done.written:,} {verb}, {done.right:,} right, "
        f"{done.others:,} of other types, {done.gone:,} gone; {done.consumed.units:,.1f} units"
    )
    for name, count in sorted(done.attributes.items()):
        click.echo(f"  {name}: {count:,}")
