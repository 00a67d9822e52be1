"""`partita design export`: a design as JSON, to be compared with later versions."""

from __future__ import annotations

import click


@click.command(help="Write the design of MODULE as JSON, for `partita design diff`.")
@click.argument("module")
def command(module: str) -> None:
    import json

    from partita.cli.design.modules import design_in
    from partita.design.export import exported

    click.echo(json.dumps(exported(design_in(module)), indent=2, ensure_ascii=False))
