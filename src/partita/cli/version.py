"""`partita version`."""

import click

from partita import __version__


@click.command(help="Print the version.")
def command() -> None:
    click.echo(f"partita {__version__}")
