"""The command line: `partita serve`, `check`, `backup`, `dump`, `load`, `version`."""

from partita.cli.main import main

__all__ = ["main"]
