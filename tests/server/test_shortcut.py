"""Shortcuts read what they read as the parser would, and leave the rest to it."""

from __future__ import annotations

import asyncio
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.server.conftest import AUTHORIZATION, request
from tests.server.stub_engine import OPERATIONS, StubEngine, encode

from partita.engine.clock import SystemClock
from partita.server.connection import Connection
from partita.server.exchange import Exchange
from partita.server.server import Configuration, Server
from partita.server.shortcut import Shortcuts

USUAL = request(
    "PutItem", {"Do": {"name": "a"}}, user_agent="boto3", accept_encoding="gzip", amz_sdk_invocation_id="1-a"
)


class Transport:
    """Keeps what is written."""

    def __init__(self) -> None:
        self.written: list[bytes] = []

    def write(self, data: bytes) -> None:
        self.written.append(data)

    def get_extra_info(self, name: str) -> None:
        return None

    def can_write_eof(self) -> bool:
        return False

    def close(self) -> None:
        pass

    pause_reading = resume_reading = abort = close


async def answers(parts: list[bytes], has_shortcut: bool) -> tuple[list[Any], list[bytes]]:
    """What the engine was called with, and the statuses, for data that comes in these parts."""
    clock = SystemClock()
    engine = StubEngine(clock)
    server = Server(engine, clock, Configuration(operations=OPERATIONS, encode=encode))
    transport = Transport()
    connection = Connection(server)
    connection.connection_made(transport)  # type: ignore[arg-type]
    if has_shortcut:
        connection.data_received(USUAL)
        assert connection._reader._shortcut is not None
    for part in parts:
        if not has_shortcut:
            connection._reader._shortcut = None
        connection.data_received(part)
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    calls = engine.calls[1:] if has_shortcut else engine.calls
    statuses = [response.partition(b"\r\n")[0] for response in transport.written]
    return calls, statuses[1:] if has_shortcut else statuses


def read_alike(parts: list[bytes]) -> None:
    assert asyncio.run(answers(parts, True)) == asyncio.run(answers(parts, False))


def admitted() -> Exchange:
    exchange = Exchange(None, 0.0)  # type: ignore[arg-type]
    exchange.operation, exchange.scope, exchange.gzips = "PutItem", ("1", "r"), True  # type: ignore[assignment]
    return exchange


def test_requests_like_the_last_take_the_shortcut() -> None:
    shortcut = Shortcuts().learn(USUAL, admitted())
    assert shortcut is not None
    other = USUAL.replace(b"0" * 64, b"f" * 64).replace(b"20261130T12", b"20261130T13")
    other = other.replace(b"invocation-id: 1-a", b"invocation-id: 2b")
    other = other.replace(b'{"Do":{"name":"a"}}', b'{"Do":{"name":"b"}}')
    assert shortcut.read(other) == (("PutItem", ("1", "r"), True), b'{"Do":{"name":"b"}}')


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"host: 127.0.0.1", b"host: evil.example"),
        (b".PutItem", b".GetItem"),
        (b"AKIAEXAMPLE", b"123456789012"),
        (b"amz-json-1.0", b"amz-json-1.1"),
        (b"gzip", b"identity"),
        (b"\r\nuser-agent: boto3", b""),
        (b"user-agent: boto3", b"user-agent: bo\nto3"),
        (b"invocation-id: 1-a", b"invocation-id: 1\na"),
        (b"invocation-id: 1-a", b"invocation-id: 1\ra"),
        (b"invocation-id: 1-a", b"invocation-id: 1\x00a"),
        (b"amz-sdk-invocation-id: 1-a", b"expect: 100-continue"),
        (b"0000\r", b"00\x000\r"),
        (b"user-agent: boto3", b"user-agent: boto3\r\ntransfer-encoding: chunked"),
        (b"user-agent: boto3", b"user-agent: boto3\r\norigin: https://evil.example"),
        (b"content-length: 19", b"content-length: 18"),
        (b"content-length: 19", b"content-length: 20"),
        (b"content-length: 19", b"content-length: +19"),
        (b"POST /", b"GET /"),
        (b"POST /", b"POST /?X-Amz-Algorithm=a"),
        (b"HTTP/1.1", b"HTTP/1.0"),
        (b"x-amz-date: 20261130T120000Z", b"x-amz-date: "),
    ],
)
def test_what_differs_does_not(old: bytes, new: bytes) -> None:
    shortcut = Shortcuts().learn(USUAL, admitted())
    assert shortcut is not None
    assert old in USUAL
    changed = USUAL.replace(old, new)
    assert shortcut.read(changed) is None
    read_alike([changed])


@pytest.mark.parametrize(
    "header",
    ["origin", "expect", "transfer_encoding", "content_encoding", "upgrade", "trailer"],
)
def test_headers_that_bar_it(header: str) -> None:
    assert Shortcuts().learn(request(**{header: "x"}), admitted()) is None


def test_requests_that_were_not_admitted_bar_it() -> None:
    exchange = admitted()
    exchange.scope = None
    assert Shortcuts().learn(USUAL, exchange) is None


def test_what_was_read_together_is_not_remembered() -> None:
    shortcut = Shortcuts().learn(USUAL.replace(b".PutItem", b".GetItem") + USUAL, admitted())
    assert shortcut is not None
    assert shortcut.read(USUAL.replace(b".PutItem", b".GetItem")) is None
    get = USUAL.replace(b".PutItem", b".GetItem")
    read_alike([get + USUAL, get, USUAL])


def test_the_number_of_shortcuts_is_bounded() -> None:
    shortcuts = Shortcuts()
    learnt = [shortcuts.learn(request(**{f"x_{number}": "y"}), admitted()) for number in range(100)]
    assert learnt[0] is not None
    assert learnt[-1] is None


PIECES = [
    USUAL,
    USUAL,
    USUAL.replace(b".PutItem", b".GetItem"),
    request("GetItem", {"TableName": "t"}),
    request("PutItem", b"nonsense", user_agent="x", accept_encoding="gzip"),
    request("PutItem", b"", user_agent="x", accept_encoding="gzip"),
    request(authorization=AUTHORIZATION.replace("AKIA", "BKIA"), user_agent="x", accept_encoding="gzip"),
    b"P",
    b"\r\n",
]


@settings(max_examples=100, deadline=None)
@given(st.lists(st.sampled_from(PIECES), min_size=1, max_size=5), st.lists(st.integers(0, 3000), max_size=4))
def test_any_division_of_the_data_reads_alike(pieces: list[bytes], cuts: list[int]) -> None:
    data = b"".join(pieces)
    places = sorted({0, len(data), *(cut % len(data) for cut in cuts)})
    read_alike([data[start:end] for start, end in pairwise(places)])


@settings(max_examples=100, deadline=None)
@given(st.integers(0, len(USUAL) - 1), st.binary(max_size=3), st.integers(0, 2))
def test_any_change_of_a_request_reads_alike(place: int, replacement: bytes, width: int) -> None:
    read_alike([USUAL[:place] + replacement + USUAL[place + width :]])
