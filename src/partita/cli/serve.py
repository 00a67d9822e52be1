"""`partita serve`: a bad start says why in one line, with exit code 2, before anything is touched."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from partita.cli.failure import fail

if TYPE_CHECKING:
    from partita.engine.clock import Clock
    from partita.engine.engine import Engine
    from partita.engine.settings import Settings
    from partita.storage.sqlite import SqliteStore

_WILDCARDS = ("", "0.0.0.0", "::")


@click.command(help="Answer DynamoDB clients over HTTP.")
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option("--port", default=8000, show_default=True, type=click.IntRange(0, 65535), help="0 picks one.")
@click.option("--data", show_default="partita.db", metavar="PATH", help="Where the data is kept.")
@click.option("--memory", is_flag=True, help="Keep the data in memory only.")
@click.option("--region", default="us-east-1", show_default=True, help="Region of requests that name none.")
@click.option(
    "--profile",
    default="instant",
    show_default=True,
    metavar="instant|aws|hostile",
    help="How consistent the database is: not at all late, as AWS, or as late as the rules allow.",
)
@click.option(
    "--seed", default=0, show_default=True, help="The same seed and requests give the same answers."
)
@click.option(
    "--durability",
    default="full",
    show_default=True,
    type=click.Choice(["full", "relaxed"]),
    help="What survives power loss: all that was acknowledged, or all but the last moments.",
)
@click.option(
    "--setting",
    "settings",
    multiple=True,
    metavar="NAME=VALUE",
    help="One number of the profile, such as index_lag_ms=5,50; may be given several times.",
)
@click.option(
    "--credentials", metavar="FILE", help="Verify signatures with the keys of an AWS credentials file."
)
@click.option("--tls-cert", metavar="FILE", help="Certificate chain, PEM; serves HTTPS.")
@click.option("--tls-key", metavar="FILE", help="Private key of the certificate, PEM.")
@click.option(
    "--cors", multiple=True, metavar="ORIGIN", help="Web origin that may use the database; * for any."
)
@click.option(
    "--allow-host", multiple=True, metavar="NAME", help="Name clients may call the server by; * for any."
)
@click.option("--log", is_flag=True, help="Write an access line, JSON, for each answer.")
@click.option("--examples", is_flag=True, help="Print a first boto3 and aws example.")
def command(
    *,
    host: str,
    port: int,
    data: str | None,
    memory: bool,
    region: str,
    profile: str,
    seed: int,
    durability: str,
    settings: tuple[str, ...],
    credentials: str | None,
    tls_cert: str | None,
    tls_key: str | None,
    cors: tuple[str, ...],
    allow_host: tuple[str, ...],
    log: bool,
    examples: bool,
) -> None:
    from partita.cli.serve_options import authorizer_of, check_names, settings_of, sockets_at, tls_of

    if memory and data is not None:
        fail("--memory keeps no data and --data says where to keep it: give one of them")
    if not region:
        fail("--region is a name, such as us-east-1")
    check_names(allow_host, cors)
    numbers = settings_of(profile, settings)
    authorizer = authorizer_of(credentials)
    tls = tls_of(tls_cert, tls_key)
    sockets = sockets_at(host, port)

    import os
    import sys

    from partita import api
    from partita.cli.server_file import ServerFile
    from partita.engine.clock import SystemClock
    from partita.server.control import Control
    from partita.server.listeners import address_of
    from partita.server.run import run
    from partita.server.server import Configuration

    clock = SystemClock()
    path = ":memory:" if memory else str(Path("partita.db" if data is None else data).absolute())
    store, engine = _opened(path, durability, numbers, seed, clock)
    name, number = address_of(sockets)
    url = f"{'https' if tls else 'http'}://{name}:{number}"
    place = "data in memory only" if memory else f"data in {path} ({durability} durability)"
    secret = os.urandom(16).hex()
    configuration = Configuration(
        operations=api.OPERATIONS,
        encode=api.encode,
        region=region,
        authorizer=authorizer,
        hosts=allow_host if host in _WILDCARDS else (*allow_host, host),
        origins=cors,
        tls=tls,
        log=sys.stdout if log else None,
        control=Control(
            secret,
            backup=store.backup,
            tables=lambda: [(table.scope, table.name) for table in engine.catalogue.all_tables()],
        ),
        gauges=lambda: {"log_lag": engine.follower.behind},
    )

    def ready() -> None:
        from partita.cli import announcement

        if not memory:
            _leave_server_file(path, url, secret)
        announcement.show(
            url,
            place,
            region,
            needs_names=host in _WILDCARDS and not allow_host,
            as_json=log,
            with_examples=examples,
        )

    try:
        run(engine, clock, configuration, sockets, ready)
    finally:
        if not memory:
            ServerFile.remove(path)
        _close(engine)


def _opened(
    path: str, durability: str, settings: Settings, seed: int, clock: Clock
) -> tuple[SqliteStore, Engine]:
    from partita.engine.engine import Engine
    from partita.storage import StoreFailed, StoreUnusable
    from partita.storage.sqlite import SqliteStore

    try:
        store = SqliteStore(path, clock.now_us, durability)  # type: ignore[arg-type]
        return store, Engine(store, settings=settings, clock=clock, seed=seed)
    except (StoreUnusable, StoreFailed) as failure:
        fail(str(failure))


def _close(engine: Engine) -> None:
    from partita.storage import StoreFailed

    try:
        engine.close()
    except StoreFailed as failure:
        fail(f"the last writes could not be kept: {failure}")


def _leave_server_file(path: str, url: str, secret: str) -> None:
    """For the command line; who cannot write it serves all the same."""
    import contextlib
    import os

    from partita.cli.server_file import ServerFile

    with contextlib.suppress(OSError):
        ServerFile(url, secret, os.getpid()).write(path)
