"""Which Host and Origin headers are answered: protection of a local database from web pages.

A page on the internet can make its own name resolve to 127.0.0.1 (DNS rebinding) and then read whatever
answers there. So a request must name this machine, or a name that the configuration lists.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from ipaddress import IPv6Address

_AUTHORITY = re.compile(rb"(\[[0-9a-f:.]+\]|[^\[\]:/@?#\s]+)(?::\d{1,5})?")
_LOOPBACK_IPV4 = re.compile(rb"127(?:\.\d{1,3}){3}")
_WILDCARDS = (b"0.0.0.0", b"[::]")
"""Who connects to one of these reaches its own machine, and no page can point them elsewhere."""
_LONGEST = 300
_REMEMBERED = 1000


def host_of(authority: bytes) -> bytes:
    """The lower-case host name of `host[:port]`; empty if it is malformed."""
    if len(authority) > _LONGEST:
        return b""
    match = _AUTHORITY.fullmatch(authority.strip().lower())
    return match[1].removesuffix(b".") if match else b""


def is_loopback(host: bytes) -> bool:
    """Whether a host, as `host_of` gives it, can only be this machine."""
    return (
        host in (b"localhost", b"[::1]", *_WILDCARDS)
        or host.endswith(b".localhost")
        or _LOOPBACK_IPV4.fullmatch(host) is not None
    )


def is_host_name(text: str) -> bool:
    """Whether a Host header can have this name; `*` is one too."""
    name = text.lower().encode()
    return bool(name) and (host_of(name) == name or _is_ipv6(text))


def _is_ipv6(text: str) -> bool:
    try:
        IPv6Address(text)
    except ValueError:
        return False
    return True


def is_origin(text: str) -> bool:
    """Whether an Origin header can be this; `*` is one too, and `null`, which pages of files have."""
    scheme, separator, authority = text.lower().rstrip("/").encode().partition(b"://")
    return text in ("*", "null") or bool(scheme and separator and host_of(authority))


class HostRules:
    """Decides about Host headers. `names`: further names; `*` allows all."""

    def __init__(self, names: Iterable[str] = ()) -> None:
        self._names = frozenset(name.lower().encode() for name in names)
        self._known: set[bytes] = set()

    def allows(self, header: bytes) -> bool:
        """`header` is the value of a Host header."""
        if header in self._known:
            return True
        host = host_of(header)
        if host and (is_loopback(host) or not self._names.isdisjoint((host, host.strip(b"[]"), b"*"))):
            if len(self._known) >= _REMEMBERED:
                self._known.clear()
            self._known.add(header)
            return True
        return False


class OriginRules:
    """Decides about Origin headers. `origins`: as in `--cors`, e.g. `https://app.example`; `*` allows all."""

    def __init__(self, origins: Iterable[str], hosts: HostRules) -> None:
        self._origins = frozenset(origin.lower().rstrip("/").encode() for origin in origins)
        self._hosts = hosts

    def allowed(self, header: bytes) -> bytes | None:
        """The value of Access-Control-Allow-Origin for an Origin header; None: refused."""
        if b"*" in self._origins:
            return b"*"
        origin = header.strip().lower()
        if origin in self._origins:
            return header
        scheme, separator, authority = origin.partition(b"://")
        if separator and scheme in (b"http", b"https") and self._hosts.allows(authority):
            return header
        return None
