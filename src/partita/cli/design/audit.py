"""`partita design audit`: entities against their unique values' markers. Exit code 1 with a fault."""

from __future__ import annotations

import click

from partita.cli.design.live import of_live_table
from partita.cli.design.unique_rules import of_unique_rules


@click.command(
    help="Compare the entities of a table with the markers of their unique attributes, as MODULE declares "
    "them; nothing is written. The table may be in use."
)
@of_live_table
@of_unique_rules
def command(
    module: str,
    table: str,
    model: str | None,
    endpoint_url: str | None,
    region: str | None,
    rules: tuple[str, ...],
) -> None:
    import sys

    from partita.cli.design.lines import show
    from partita.cli.design.live import live_session, tables_of
    from partita.cli.design.modules import design_in
    from partita.cli.design.unique_rules import asked, complaint

    tables = tables_of(design_in(module), table, model)
    wanted = asked(tables, rules)
    with live_session(tables, table, endpoint_url, region, "audited") as session:
        audits = [session.audit(one, rules=named, progress=True) for one, named in wanted.items()]
    faults = [fault for audit in audits for fault in audit.faults]
    show(faults, len(faults))
    for audit in audits:
        click.echo(f"{table}: {audit}")
    complaints = [said for audit in audits if (said := complaint(audit))]
    for said in complaints:
        click.echo(f"{table}: {said}", err=True)
    if complaints:
        sys.exit(1)
