"""`partita dump`: JSON lines, `{"Table": …}` for each table and after it `{"Item": …}` for each item.

The lines of items are those of DynamoDB's own exports to S3.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, BinaryIO

import click

from partita.cli.failure import fail

if TYPE_CHECKING:
    from partita.cli.databases import Database
    from partita.engine.table import Scope


@click.command(help="Write tables as JSON lines to the file TO, or to the standard output.")
@click.argument("to", required=False, metavar="[TO]")
@click.option(
    "--data", default="partita.db", show_default=True, metavar="PATH", help="Where the data is kept."
)
@click.option("--table", "names", multiple=True, metavar="NAME", help="Only tables of this name.")
def command(to: str | None, data: str, names: tuple[str, ...]) -> None:
    import sys

    from partita.cli.databases import open_database

    with open_database(data) as database:
        found = sorted(database.tables())
        missing = set(names) - {name for _, name in found}
        if missing:
            fail(f"there is no table {', '.join(sorted(missing))} in {data}")
        wanted = [(scope, name) for scope, name in found if not names or name in names]
        if to is None or to == "-":
            _write(database, wanted, sys.stdout.buffer)
            sys.stdout.flush()
            return
        try:
            with open(to, "xb") as file:
                _write(database, wanted, file)
        except FileExistsError:
            fail(f"{to} exists: give another path")
        except OSError as error:
            fail(f"cannot write {to}: {error.strerror}")


def _write(database: Database, tables: list[tuple[Scope, str]], file: BinaryIO) -> None:
    import orjson

    from partita.cli.definitions import read
    from partita.cli.progress import Progress

    for scope, name in tables:
        definition = read(database, name, scope)
        if definition is None:
            continue
        head = {"Table": {"Account": scope.account, "Region": scope.region, **definition}}
        file.write(orjson.dumps(head) + b"\n")
        progress = Progress(name)
        request: dict[str, Any] = {"TableName": name, "ConsistentRead": True}
        while True:
            page = database.call("Scan", request, scope)
            file.writelines(orjson.dumps({"Item": item}) + b"\n" for item in page["Items"])
            progress.add(page["Count"])
            if "LastEvaluatedKey" not in page:
                break
            request["ExclusiveStartKey"] = page["LastEvaluatedKey"]
        progress.end()
    file.flush()
