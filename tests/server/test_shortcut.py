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
    if not has_shortcut:
        server.gateway.shortcuts = None
    connection = Connection(server)
    connection.connection_made(transport)  # type: ignore[arg-type]
    if has_shortcut:
        connection.data_received(USUAL)
        assert server.gateway.shortcuts is not None
        assert server.gateway.shortcuts.read(USUAL) is not None
    for part in parts:
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


def learnt(data: bytes) -> Shortcuts:
    shortcuts = Shortcuts()
    shortcuts.learn(data, admitted())
    return shortcuts


def test_requests_like_the_last_take_the_shortcut() -> None:
    other = USUAL.replace(b"0" * 64, b"f" * 64).replace(b"20261130T12", b"20261130T13")
    other = other.replace(b"invocation-id: 1-a", b"invocation-id: 2-b")
    other = other.replace(b'{"Do":{"name":"a"}}', b'{"Do":{"name":"b"}}')
    assert learnt(USUAL).read(other) == (("PutItem", ("1", "r"), True), b'{"Do":{"name":"b"}}')


def test_each_kind_of_request_takes_its_own() -> None:
    gets = USUAL.replace(b".PutItem", b".GetItem")
    longer = USUAL.replace(b"content-length: 19", b"content-length: 100").replace(
        b'"a"}', b'"' + b"a" * 82 + b'"}'
    )
    shortcuts = Shortcuts()
    for number, (operation, data) in enumerate([("PutItem", USUAL), ("GetItem", gets), ("PutItem", longer)]):
        exchange = admitted()
        exchange.operation = operation
        shortcuts.learn(data, exchange)
        shortcuts.learn(request(**{f"x_{number}": "y"}), admitted())
    read = [shortcuts.read(data) for data in (USUAL, gets, longer)]
    assert [found and found[0].operation for found in read] == ["PutItem", "GetItem", "PutItem"]


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
    assert old in USUAL
    changed = USUAL.replace(old, new)
    assert learnt(USUAL).read(changed) is None
    read_alike([changed])


@pytest.mark.parametrize(
    "header",
    ["origin", "expect", "transfer_encoding", "content_encoding", "upgrade", "trailer"],
)
def test_headers_that_bar_it(header: str) -> None:
    data = request(**{header: "x"})
    assert learnt(data).read(data) is None


def test_requests_that_were_not_admitted_bar_it() -> None:
    exchange = admitted()
    exchange.scope = None
    shortcuts = Shortcuts()
    shortcuts.learn(USUAL, exchange)
    assert shortcuts.read(USUAL) is None


def test_what_was_read_together_is_not_remembered() -> None:
    get = USUAL.replace(b".PutItem", b".GetItem")
    shortcuts = learnt(get + USUAL)
    assert shortcuts.read(get) is None
    assert shortcuts.read(get + USUAL) is None
    read_alike([get + USUAL, get, USUAL])


def test_large_requests_take_it_too() -> None:
    requests = [request("PutItem", {"Do": {"name": "a" * size}}) for size in (20_000, 60_000)]
    assert [learnt(requests[0]).read(data) is not None for data in requests] == [True, True]
    read_alike([*requests, USUAL, *requests])


def test_the_number_of_shortcuts_is_bounded() -> None:
    shortcuts = Shortcuts()
    kinds = [request(**{f"x_{number}": "y"}) for number in range(1000)]
    for data in kinds:
        shortcuts.learn(data, admitted())
    assert 0 < sum(shortcuts.read(data) is not None for data in kinds) <= 64


def test_the_number_of_clients_that_are_remembered_is_bounded() -> None:
    shortcuts = Shortcuts()
    clients = [USUAL.replace(b"user-agent: boto3", b"user-agent: %05d" % number) for number in range(1000)]
    for data in clients:
        shortcuts.learn(data, admitted())
    assert 0 < sum(shortcuts.read(data) is not None for data in clients) <= 32


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
