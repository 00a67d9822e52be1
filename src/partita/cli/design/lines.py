"""Lines about single items, of which there can be very many."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import click

_SHOWN: Final = 100


def show(lines: Sequence[object], count: int) -> None:
    """The first of the lines, and how many more there are of `count`; not all of these need be at hand."""
    shown = lines[:_SHOWN]
    for line in shown:
        click.echo(line)
    if count > len(shown):
        click.echo(f"… and {count - len(shown):,} more")
