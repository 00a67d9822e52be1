"""Sockets that listen, bound before anything else of a start is touched."""

from __future__ import annotations

import contextlib
import socket

_QUEUE = 1024


def listen(host: str, port: int) -> list[socket.socket]:
    """Listening sockets on every address of `host`; port 0 picks one. Raises OSError."""
    sockets: list[socket.socket] = []
    addresses = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    try:
        for family, kind, protocol, _, address in dict.fromkeys(addresses):
            if sockets and port == 0:
                address = (address[0], sockets[0].getsockname()[1], *address[2:])
            listener = socket.socket(family, kind, protocol)
            sockets.append(listener)
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            if family == socket.AF_INET6:
                listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
            try:
                listener.bind(address)
            except OSError:
                # A machine without IPv6 still resolves names to IPv6 addresses.
                if family != socket.AF_INET6 or len(addresses) == 1:
                    raise
                sockets.pop().close()
                continue
            listener.listen(_QUEUE)
            listener.setblocking(False)
    except OSError:
        for listener in sockets:
            with contextlib.suppress(OSError):
                listener.close()
        raise
    return sockets


def address_of(sockets: list[socket.socket]) -> tuple[str, int]:
    """Host and port of the first socket, the host in brackets if it is an IPv6 address."""
    host, port = sockets[0].getsockname()[:2]
    return (f"[{host}]" if ":" in host else host), port
