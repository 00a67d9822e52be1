"""`partita backup`: a copy of a file, made by the server if one has it open."""

from __future__ import annotations

import click


@click.command(help="Copy the database file PATH to the new file TO, also while it is in use.")
@click.argument("path")
@click.argument("to")
def command(path: str, to: str) -> None:
    from pathlib import Path

    from partita.cli.databases import open_database

    target = Path(to).absolute()
    with open_database(path) as database:
        database.backup(str(target))
    click.echo(f"{target}: {target.stat().st_size:,} bytes")
