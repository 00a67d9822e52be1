"""`partita backup`: a copy of a file, made by the server if one has it open."""

from __future__ import annotations

import click

from partita.cli.failure import fail


@click.command(help="Copy the database file PATH to the new file TO, also while it is in use.")
@click.argument("path")
@click.argument("to")
def command(path: str, to: str) -> None:
    from pathlib import Path

    from partita.cli.databases import Refused, open_database
    from partita.storage import StoreFailed, StoreUnusable

    target = Path(to).absolute()
    database = open_database(path)
    try:
        database.backup(str(target))
    except (Refused, StoreUnusable, StoreFailed) as failure:
        fail(str(failure))
    finally:
        database.close()
    click.echo(f"{target}: {target.stat().st_size:,} bytes")
