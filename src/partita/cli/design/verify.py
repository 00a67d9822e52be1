"""`partita design verify`: live items against the model. Exit code 1 if one is not as the model says."""

from __future__ import annotations

import click

from partita.cli.design.live import of_live_table
from partita.words import counted


@click.command(help="Compare every item of a table with what MODULE declares; nothing is written.")
@of_live_table
def command(module: str, table: str, model: str | None, endpoint_url: str | None, region: str | None) -> None:
    import sys

    from partita.cli.design.lines import show
    from partita.cli.design.live import live_session, tables_of
    from partita.cli.design.modules import design_in
    from partita.design.verify import verify

    tables = tables_of(design_in(module), table, model)
    with live_session(tables, table, endpoint_url, region, "read") as session:
        found = session.run(verify(*(one.cls for one in tables), progress=True))
    show(found.problems, sum(found.counts.values()))
    kinds = ", ".join(f"{count:,} {name}" for name, count in sorted(found.by_type.items())) or "none known"
    click.echo(
        f"{table}: {counted(found.items, 'item')} ({kinds}), {counted(found.markers, 'marker')}, "
        f"{found.older:,} older"
    )
    if not found.is_sound:
        counts = ", ".join(f"{count:,} {kind}" for kind, count in sorted(found.counts.items()))
        click.echo(f"{table} is not as {module} says: {counts}", err=True)
        sys.exit(1)
