"""The command line: `partita serve`, `check`, `backup`, `dump`, `load`, `design`, `version`."""

from partita.cli.main import main

__all__ = ["main"]
