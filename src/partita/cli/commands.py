"""A command that has others below it, by name. What one of them needs is imported when it runs."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

import click

from partita.cli.interrupts import EXIT_CODE, LINE


class Commands(click.Group):
    """Finds the command `name` as `<package>.<name>.command`. The list of them, with a line for each, imports
    none, so that it shows at once."""

    def __init__(self, *args: Any, package: str, lines: Mapping[str, str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._package = package
        self._lines = lines

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self._lines)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self._lines:
            return None
        command: click.Command = import_module(f"{self._package}.{cmd_name}").command
        return command

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            # Once a server has ended, Ctrl-C is no longer ours to handle.
            click.echo(LINE, err=True)
            ctx.exit(EXIT_CODE)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(self._lines.items()))
