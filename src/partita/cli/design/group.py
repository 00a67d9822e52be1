"""The subcommands by name; what one needs is imported when it runs."""

from __future__ import annotations

from importlib import import_module

import click

_COMMANDS = ("check", "report", "diff", "export", "backfill", "verify")


class _Subcommands(click.Group):
    """Finds the command `name` as `partita.cli.design.<name>.command`."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            return None
        command: click.Command = import_module(f"partita.cli.design.{cmd_name}").command
        return command


@click.command(cls=_Subcommands, help="Prove access patterns, report on them, compare and verify models.")
def command() -> None:
    from importlib.util import find_spec

    from partita.cli.failure import fail

    if find_spec("pydantic") is None:
        fail('the toolkit needs pydantic: install it with pip install "partita[model]"')
