"""The subcommands by name."""

from __future__ import annotations

from typing import Any

import click

from partita.cli.commands import Commands
from partita.cli.failure import fail

_COMMANDS = {
    "check": "Prove that each access pattern is one request.",
    "report": "Write keys, access patterns, units and costs.",
    "diff": "List the steps from one version to the next.",
    "export": "Write a design as JSON, for diff.",
    "backfill": "Bring a table's old items to what is declared.",
    "verify": "Compare a table's items with what is declared.",
    "audit": "Find faults in a table's unique attributes.",
    "repair": "Mend the faults that an audit finds.",
}


class _Design(Commands):
    """Says in one line what the toolkit lacks; help needs nothing of it."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except ModuleNotFoundError as error:
            if error.name != "pydantic":
                raise
            fail(str(error))


@click.command(
    cls=_Design,
    package="partita.cli.design",
    lines=_COMMANDS,
    help="Prove access patterns, report on them, compare versions; backfill, verify and audit tables. MODULE "
    "is where the patterns are declared: shop.patterns, or shop/patterns.py.",
)
def command() -> None:
    pass
