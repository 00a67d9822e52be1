"""One server for each profile, for the whole session; each test has an account of its own in it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from itertools import count

import pytest
from tests.clients.server_process import Access, serve

PROFILES = ("instant", "aws", "hostile")

Addresses = Callable[..., str]

_accounts = count(100_000_000_001)


@pytest.fixture(scope="session")
def addresses() -> Iterator[Addresses]:
    """The address of a server with the given options, started when it is first asked for."""
    known: dict[tuple[str, ...], str] = {}
    with ExitStack() as running:

        def address(*options: str) -> str:
            if options not in known:
                known[options] = running.enter_context(serve(*options)).url
            return known[options]

        yield address


@pytest.fixture
def account() -> str:
    return str(next(_accounts))


@pytest.fixture
def access(addresses: Addresses, account: str) -> Access:
    """To a server of the default profile."""
    return Access(addresses(), account)


@pytest.fixture
def hostile(addresses: Addresses, account: str) -> Access:
    return Access(addresses("--profile", "hostile"), account)


@pytest.fixture(params=PROFILES)
def any_profile(request: pytest.FixtureRequest, addresses: Addresses, account: str) -> Access:
    """To a server of each profile in turn: what holds whatever is late."""
    options = () if request.param == "instant" else ("--profile", request.param)
    return Access(addresses(*options), account)
