"""`partita design`: access patterns proved, reported, compared, and live items verified."""

from partita.cli.design.group import command

__all__ = ["command"]
