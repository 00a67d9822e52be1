"""`partita design verify`: live items against the model. Exit code 1 if one is not as the model says."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from partita.design.designs import Design
    from partita.model.schema import TableSchema

_SHOWN = 100


@click.command(help="Compare every item of a table with what MODULE declares; nothing is written.")
@click.argument("module")
@click.option("--table", required=True, help="The table's name in DynamoDB.")
@click.option("--model", help="The declared table, where it is called otherwise and there are several.")
@click.option("--endpoint-url", help="A server of the API, instead of Amazon DynamoDB.")
@click.option("--region", help="Else that of the environment.")
def command(module: str, table: str, model: str | None, endpoint_url: str | None, region: str | None) -> None:
    import sys

    from partita.cli.design.modules import design_in
    from partita.cli.failure import fail
    from partita.design.verify import verify
    from partita.model.errors import ServiceError, Unreachable
    from partita.model.flows.progress import progress_of
    from partita.model.sessions.session import Session

    tables = _tables(design_in(module), table, model)
    with Session(_client(endpoint_url, region), tables={one.cls: table for one in tables}) as session:
        try:
            found = session.run(lambda context: verify(context, tables, progress_of(True)))
        except (ServiceError, Unreachable) as error:
            fail(f"{table} cannot be read: {error}")
        except Exception as error:
            fail(f"{table} cannot be read: {type(error).__name__}: {error}")
    for problem in found.problems[:_SHOWN]:
        click.echo(problem)
    hidden = sum(found.counts.values()) - min(len(found.problems), _SHOWN)
    if hidden > 0:
        click.echo(f"… and {hidden:,} more")
    kinds = ", ".join(f"{count:,} {name}" for name, count in sorted(found.by_type.items())) or "none known"
    click.echo(f"{table}: {found.items:,} items ({kinds}), {found.markers:,} markers, {found.older:,} older")
    if not found.is_sound:
        counts = ", ".join(f"{count:,} {kind}" for kind, count in sorted(found.counts.items()))
        click.echo(f"{table} is not as {module} says: {counts}", err=True)
        sys.exit(1)


def _tables(design: Design, name: str, model: str | None) -> list[TableSchema]:
    from partita.cli.failure import fail

    declared = sorted({table.name for table in design.tables})
    wanted = model or (name if name in declared else declared[0] if len(declared) == 1 else None)
    tables = [table for table in design.tables if table.name == wanted]
    if not tables:
        fail(f"{design.name} declares the tables {', '.join(declared)}: say which one with --model")
    return tables


def _client(endpoint_url: str | None, region: str | None) -> Any:
    from partita.cli.failure import fail

    try:
        import boto3
    except ImportError:
        fail('reading a table needs boto3: install it with pip install "partita[boto3]"')
    session = boto3.Session()
    chosen: dict[str, Any] = {"region_name": region or session.region_name}
    if endpoint_url is not None:
        chosen["endpoint_url"] = endpoint_url
        chosen["region_name"] = chosen["region_name"] or "us-east-1"
        if session.get_credentials() is None:
            # A local server asks for a signature and checks none.
            chosen |= {"aws_access_key_id": "local", "aws_secret_access_key": "local"}
    if chosen["region_name"] is None:
        fail("no region is configured: give one with --region")
    return session.client("dynamodb", **chosen)
