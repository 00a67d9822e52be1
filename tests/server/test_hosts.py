"""What a Host or Origin header can be, as the options of the command line list it."""

import pytest

from partita.server.hosts import HostRules, OriginRules, is_host_name, is_origin


@pytest.mark.parametrize("name", ["db", "DB.example", "10.0.0.7", "::1", "[fe80::1]", "*", "größe"])
def test_what_is_a_name_is_allowed_once_listed(name: str) -> None:
    assert is_host_name(name)
    host = name if name[:1] == "[" or ":" not in name else f"[{name}]"
    assert HostRules([name]).allows(f"{host}:8000".lower().encode())


@pytest.mark.parametrize("text", ["", "db:8000", "http://db", "db/", "a b", "db.", "[db"])
def test_no_name(text: str) -> None:
    assert not is_host_name(text)


@pytest.mark.parametrize(
    "origin", ["https://app.example", "http://db:3000", "https://App.example/", "app://x", "null"]
)
def test_what_is_an_origin_is_allowed_once_listed(origin: str) -> None:
    assert is_origin(origin)
    header = origin.lower().rstrip("/").encode()
    assert OriginRules([origin], HostRules()).allowed(header) == header


@pytest.mark.parametrize("text", ["", "app.example", "https://", "://x", "https://app.example/page"])
def test_no_origin(text: str) -> None:
    assert not is_origin(text)
