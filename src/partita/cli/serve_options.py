"""What `partita serve` is given, made into what a server takes; ends the process where that cannot be."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from partita.cli.failure import fail

if TYPE_CHECKING:
    import ssl
    from socket import socket

    from partita.engine.settings import Settings
    from partita.server.authorization import Authorizer


def check_names(names: tuple[str, ...], origins: tuple[str, ...]) -> None:
    """Refuses what no Host or Origin header can be, so that nothing is listed in vain."""
    from partita.server.hosts import is_host_name, is_origin

    for name in names:
        if not is_host_name(name):
            fail(f"--allow-host {name!r} is not a name: no scheme, no port; * for any")
    for origin in origins:
        if not is_origin(origin):
            fail(f"--cors {origin!r} is not an origin, such as https://app.example; * for any")


def settings_of(profile: str, overrides: tuple[str, ...]) -> Settings:
    """The profile's numbers, with those that are given as NAME=VALUE."""
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


def authorizer_of(credentials: str | None) -> Authorizer | None:
    """Verifies signatures with the keys of this file; None: nobody asked for that."""
    if credentials is None:
        return None
    from partita.server.credentials import CredentialsUnusable, read
    from partita.server.signature import Signatures

    try:
        return Signatures(read(credentials))
    except CredentialsUnusable as error:
        fail(str(error))


def tls_of(certificate: str | None, key: str | None) -> ssl.SSLContext | None:
    """What serves HTTPS with these PEM files; None: nobody asked for that."""
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


def sockets_at(host: str, port: int) -> list[socket]:
    """Listens at every address of the host."""
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
