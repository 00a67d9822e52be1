"""The commands by name. What a command needs is imported when it runs, so that each starts at once."""

from __future__ import annotations

from importlib import import_module

import click

from partita import __version__

_COMMANDS = {
    "serve": "Answer DynamoDB clients over HTTP.",
    "check": "Verify a database file.",
    "backup": "Copy a database file while it is in use.",
    "dump": "Write tables as JSON lines.",
    "load": "Read tables from JSON lines.",
    "design": "Prove access patterns, report on them, compare and verify models.",
    "version": "Print the version.",
}


class _Commands(click.Group):
    """Finds the command `name` as `partita.cli.<name>.command`."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            return None
        command: click.Command = import_module(f"partita.cli.{cmd_name}").command
        return command


@click.version_option(__version__, message="partita %(version)s")
@click.command(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
def main() -> None:
    """Partita, a DynamoDB-compatible database."""
