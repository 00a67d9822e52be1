"""`partita design diff`: the steps of a migration, in order. Exit code 1 if something is blocked."""

from __future__ import annotations

import textwrap

import click

_WIDTH = 96


@click.command(help="List the steps from the design OLD to NEW: modules, or files that `export` wrote.")
@click.argument("old")
@click.argument("new")
def command(old: str, new: str) -> None:
    import sys

    from partita.design.diff import diff

    steps = diff(_exported(old), _exported(new))
    if not steps:
        click.echo("nothing to do")
    number = 0
    for step in steps:
        head = "cannot be changed in place" if step.kind == "blocked" else step.kind
        if step.kind != "blocked":
            number += 1
        label = "  !  " if step.kind == "blocked" else f"{number:>3}. "
        indent = " " * len(label)
        text = f"{head}: {step.subject}: {step.text}"
        lines = textwrap.wrap(
            text, _WIDTH, initial_indent=label, subsequent_indent=indent, break_long_words=False
        )
        click.echo("\n".join(lines))
    if any(step.kind == "blocked" for step in steps):
        sys.exit(1)


def _exported(source: str) -> dict[str, object]:
    from partita.cli.design.modules import design_in
    from partita.cli.failure import fail
    from partita.design.export import exported, read_exported
    from partita.design.prices import FileRefused

    if not source.endswith(".json"):
        return exported(design_in(source))
    try:
        return read_exported(source)
    except FileRefused as refusal:
        fail(str(refusal))
