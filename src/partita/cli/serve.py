"""`partita serve`: a bad start says why in one line, with exit code 2, before anything is touched."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from partita.cli.failure import fail

if TYPE_CHECKING:
    import ssl
    from socket import socket

    from partita.engine.settings import Settings
    from partita.server.authorization import Authorizer

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
    if memory and data is not None:
        fail("--memory keeps no data and --data says where to keep it: give one of them")
    if not region:
        fail("--region is a name, such as us-east-1")
    _check_names(allow_host, cors)
    numbers = _settings(profile, settings)
    authorizer = _authorizer(credentials)
    tls = _tls(tls_cert, tls_key)
    sockets = _listen(host, port)

    import os
    import sys

    from partita import api
    from partita.cli.server_file import ServerFile
    from partita.engine.clock import SystemClock
    from partita.engine.engine import Engine
    from partita.server.control import Control
    from partita.server.listeners import address_of
    from partita.server.run import run
    from partita.server.server import Configuration
    from partita.storage import StoreFailed, StoreUnusable
    from partita.storage.sqlite import SqliteStore

    clock = SystemClock()
    path = ":memory:" if memory else str(Path("partita.db" if data is None else data).absolute())
    try:
        store = SqliteStore(path, clock.now_us, durability)  # type: ignore[arg-type]
        engine = Engine(store, settings=numbers, clock=clock, seed=seed)
    except (StoreUnusable, StoreFailed) as failure:
        fail(str(failure))

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


def _check_names(names: tuple[str, ...], origins: tuple[str, ...]) -> None:
    """Refuses what no Host or Origin header can be, so that nothing is listed in vain."""
    from partita.server.hosts import is_host_name, is_origin

    for name in names:
        if not is_host_name(name):
            fail(f"--allow-host {name!r} is not a name: no scheme, no port; * for any")
    for origin in origins:
        if not is_origin(origin):
            fail(f"--cors {origin!r} is not an origin, such as https://app.example; * for any")


def _settings(profile: str, overrides: tuple[str, ...]) -> Settings:
    from partita.engine.settings import Settings

    values: dict[str, Any] = {}
    for override in overrides:
        name, separator, value = override.partition("=")
        if not separator:
            fail(f"--setting {override!r} is not of the form NAME=VALUE")
        try:
            values[name] = _number(value)
        except ValueError:
            fail(f"--setting {override!r}: the value is a number, or two with a comma between them")
    try:
        return Settings.of(profile, **values)
    except ValueError as error:
        fail(str(error))


def _number(text: str) -> int | float | tuple[int, ...]:
    if "," in text:
        return tuple(int(part) for part in text.split(","))
    try:
        return int(text)
    except ValueError:
        return float(text)


def _authorizer(credentials: str | None) -> Authorizer | None:
    if credentials is None:
        return None
    from partita.server.credentials import CredentialsUnusable, read
    from partita.server.signature import Signatures

    try:
        return Signatures(read(credentials))
    except CredentialsUnusable as error:
        fail(str(error))


def _tls(certificate: str | None, key: str | None) -> ssl.SSLContext | None:
    if certificate is None and key is None:
        return None
    if certificate is None or key is None:
        fail("--tls-cert and --tls-key belong together")
    import ssl

    for option, path in (("--tls-cert", certificate), ("--tls-key", key)):
        try:
            Path(path).read_bytes()
        except OSError as error:
            fail(f"{option} {path}: {error.strerror}")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    try:
        # Without a password at hand, OpenSSL would ask for one on the terminal.
        context.load_cert_chain(certificate, key, password="")
    except (ssl.SSLError, ValueError) as error:
        fail(f"--tls-cert {certificate}, --tls-key {key}: not a PEM certificate and its key: {error}")
    return context


def _listen(host: str, port: int) -> list[socket]:
    import errno
    from socket import gaierror

    from partita.server.listeners import listen

    try:
        return listen(host, port)
    except gaierror as error:
        fail(f"--host {host} cannot be resolved: {error.strerror}")
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            fail(f"port {port} of {host} is in use; choose another with --port, or 0 for any that is free")
        if error.errno == errno.EACCES:
            fail(f"port {port} of {host} needs more rights; choose one above 1023 with --port")
        fail(f"cannot listen on {host}:{port}: {error.strerror}")
