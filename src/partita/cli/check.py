"""`partita check`: whether a file is sound. Exit code 1 if it is not; nothing is changed."""

from __future__ import annotations

import click

from partita.cli.failure import fail

_SHOWN = 100


@click.command(help="Verify the database file PATH: its pages, keys, indexes, counters and log.")
@click.argument("path")
def command(path: str) -> None:
    import os
    import sys
    from itertools import islice

    from partita.cli.verification import Verification
    from partita.storage import StoreUnusable

    if not os.path.exists(path):
        fail(f"there is no file {path}")
    try:
        verification = Verification(path)
    except StoreUnusable as failure:
        fail(str(failure))
    found = list(islice(verification.problems(), _SHOWN))
    for problem in found:
        click.echo(problem)
    if found:
        click.echo(f"{path} is damaged: restore a backup", err=True)
        sys.exit(1)
    click.echo(f"{path} is sound: {verification.summary}")
