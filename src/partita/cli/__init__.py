"""The command line: `partita serve`, `check`, `backup`, `dump`, `load`, `design`, `version`."""

from __future__ import annotations

from collections.abc import Sequence

from partita.cli.interrupts import end_at_once


def main(arguments: Sequence[str] | None = None) -> None:
    """Runs a command and ends the process: `arguments` are those of the process unless they are given."""
    end_at_once()
    # Only now: most of the time in which Ctrl-C can come before a command begins is that of imports.
    from partita.cli.failure import fail_if_unwritable
    from partita.cli.root import command

    try:
        command(arguments)
    except OSError as error:
        fail_if_unwritable(error)
        raise
