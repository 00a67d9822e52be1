"""`partita design repair`: the faults of an audit mended. Exit code 1 if some were left."""

from __future__ import annotations

import click

from partita.cli.design.live import of_live_table
from partita.cli.design.unique_rules import of_unique_rules


@click.command(
    help="Audit a table, delete markers of unique attributes that reserve nothing, and put those that are "
    "missing, each in a transaction that holds only while the fault is there. Values that several entities "
    "share are left to be decided."
)
@of_live_table
@of_unique_rules
@click.option("--dry-run", is_flag=True, help="Say what would be mended, and write nothing.")
def command(
    module: str,
    table: str,
    model: str | None,
    endpoint_url: str | None,
    region: str | None,
    rules: tuple[str, ...],
    dry_run: bool,
) -> None:
    import sys
    from collections import Counter

    from partita.cli.design.lines import show
    from partita.cli.design.live import live_session, tables_of
    from partita.cli.design.modules import design_in
    from partita.cli.design.unique_rules import asked, remainder

    tables = tables_of(design_in(module), table, model)
    wanted = asked(tables, rules)
    with live_session(tables, table, endpoint_url, region, "repaired") as session:
        audits = [session.audit(one, rules=named, progress=True) for one, named in wanted.items()]
        done = [one for audit in audits for one in session.repair(audit, dry_run=dry_run, progress=True)]
    show(done, len(done))
    for audit in audits:
        click.echo(f"{table}: {audit}")
    outcomes = Counter(one.outcome for one in done)
    if outcomes:
        click.echo(f"{table}: {', '.join(f'{count:,} {outcome}' for outcome, count in outcomes.items())}")
    left = [f"{outcomes[one]:,} {one}" for one in ("to be decided", "failed") if outcomes[one]]
    left += [said for audit in audits for said in remainder(audit)]
    if left:
        click.echo(f"{table}: faults were left: {'; '.join(left)}", err=True)
        sys.exit(1)
