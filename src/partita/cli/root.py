"""The commands by name."""

from __future__ import annotations

import click

from partita import __version__
from partita.cli.commands import Commands

_COMMANDS = {
    "serve": "Answer DynamoDB clients over HTTP.",
    "check": "Verify a database file.",
    "backup": "Copy a database file, also while it is in use.",
    "dump": "Write tables as JSON lines.",
    "load": "Read tables from JSON lines.",
    "design": "Prove, compare and verify single-table models.",
    "version": "Print the version.",
}


@click.version_option(__version__, message="partita %(version)s")
@click.command(
    "partita",
    cls=Commands,
    package="partita.cli",
    lines=_COMMANDS,
    context_settings={"help_option_names": ["-h", "--help"]},
)
def command() -> None:
    """Partita: a DynamoDB-compatible database, and a toolkit for single-table models."""
