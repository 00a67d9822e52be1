"""`partita design report`: keys, patterns, costs and warnings, as Markdown or as a page."""

from __future__ import annotations

import click


@click.command(help="Write what MODULE's tables hold, what each access pattern costs, and what to mind.")
@click.argument("module")
@click.option("--traffic", metavar="FILE", help="JSON: how often each pattern is run a month, and with what.")
@click.option(
    "--prices",
    metavar="FILE",
    help="JSON: prices of capacity units, instead of those that come with Partita.",
)
@click.option(
    "--format", "form", type=click.Choice(["markdown", "html"]), default="markdown", show_default=True
)
@click.option("--output", metavar="FILE", help="The file to write; else it goes to the terminal.")
def command(module: str, traffic: str | None, prices: str | None, form: str, output: str | None) -> None:
    from pathlib import Path

    from partita.cli.design.modules import design_in
    from partita.cli.failure import fail
    from partita.design.html import html
    from partita.design.markdown import markdown
    from partita.design.prices import FileRefused, read_prices, read_traffic
    from partita.design.report import report

    design = design_in(module)
    patterns = {pattern.name for pattern in design.patterns}
    entities = {schema.cls.__name__ for schema in design.entities}
    try:
        made = report(
            design,
            traffic=read_traffic(traffic, patterns, entities) if traffic else None,
            prices=read_prices(prices) if prices else None,
        )
    except FileRefused as refusal:
        fail(str(refusal))
    text = html(made) if form == "html" else markdown(made)
    if output is None:
        click.echo(text, nl=False)
        return
    try:
        Path(output).write_text(text, encoding="utf-8")
    except OSError as error:
        fail(f"{output} cannot be written: {error.strerror}")
    click.echo(f"{output}: {len(text):,} characters", err=True)
