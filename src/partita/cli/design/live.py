"""Live tables as commands are given them: by the name in DynamoDB, at some server of the API."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from partita.design.designs import Design
    from partita.model.schema import TableSchema
    from partita.model.sessions.session import Session


F = TypeVar("F", bound=Callable[..., object])


def of_live_table(command: F) -> F:
    """Gives a command the arguments that say which live table is meant, and where it is."""
    for option in reversed(
        (
            click.argument("module"),
            click.option("--table", required=True, metavar="NAME", help="The table's name in DynamoDB."),
            click.option(
                "--model",
                metavar="NAME",
                help="The declared table, where it is called otherwise and there are several.",
            ),
            click.option(
                "--endpoint-url", metavar="URL", help="A server of the API, instead of Amazon DynamoDB."
            ),
            click.option("--region", metavar="NAME", help="Else that of the environment."),
        )
    ):
        command = option(command)
    return command


def tables_of(design: Design, name: str, model: str | None) -> list[TableSchema]:
    """The declared tables that are in the table of this name. Ends the process where there is none."""
    from partita.cli.failure import fail

    declared = sorted({table.name for table in design.tables})
    wanted = model or (name if name in declared else declared[0] if len(declared) == 1 else None)
    tables = [table for table in design.tables if table.name == wanted]
    if not tables:
        fail(f"{design.name} declares the tables {', '.join(declared)}: say which one with --model")
    return tables


def client_of(endpoint_url: str | None, region: str | None) -> Any:
    """A boto3 client of the server. Ends the process where none can be made."""
    from partita.cli.failure import fail

    try:
        import boto3
        from botocore.exceptions import BotoCoreError
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
    try:
        return session.client("dynamodb", **chosen)
    except (BotoCoreError, ValueError) as error:
        fail(f"no client can be made: {error}")


@contextmanager
def live_session(
    tables: Sequence[TableSchema], name: str, endpoint_url: str | None, region: str | None, done: str
) -> Iterator[Session]:
    """A session with these declared tables in the one of this name. Whatever goes wrong ends the process, and
    is told as why the table cannot be `done`: "read".
    """
    from partita.cli.failure import fail
    from partita.model.errors import ServiceError, Unreachable
    from partita.model.sessions.session import Session

    with Session(client_of(endpoint_url, region), tables={one.cls: name for one in tables}) as session:
        try:
            yield session
        except (ServiceError, Unreachable) as error:
            fail(f"{name} cannot be {done}: {error}")
        except Exception as error:
            fail(f"{name} cannot be {done}: {type(error).__name__}: {error}")
